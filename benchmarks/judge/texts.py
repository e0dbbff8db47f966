"""Small text files of every kind, and the words to look for in them."""

from __future__ import annotations

import json
import random

WORDS = [
    "heron", "slate", "moss", "ember", "quill", "tundra", "violet", "anchor", "barley", "cobalt", "drift", "fjord",
    "gravel", "hazel", "iris", "juniper", "kelp", "lagoon", "meadow", "nectar", "otter", "pebble", "quartz",
    "raven", "sable", "thistle", "umber", "vole", "willow", "xenon", "yarrow", "zephyr", "ash", "bee", "cod",
    "dew", "eel", "fig", "Heron", "SLATE", "Moss", "Ember", "OTTER", "an", "a", "to", "ab", "abc", "b", "x",
]  # fmt: skip
FOREIGN = ["naïve", "žluť", "größe", "日本", "señor", "Ωmega", "cœur", "été", "🙂", "Ångström", "ﬁn", "мир"]
MARKED = [
    "a.b",
    "a*b",
    "[x]",
    "^top",
    "end$",
    "c:\\dir",
    "1/2",
    "R&D",
    "(p)",
    "a+b",
    "{k}",
    "x|y",
    "q?",
    "$5",
    "it's",
    '"hi"',
    "#1",
]


def random_data(rng: random.Random) -> bytes:
    """The bytes of one file."""
    roll = rng.random()
    if roll < 0.07:
        return b""
    if roll < 0.10:
        return _raw(rng)
    lines = rng.choice(_KINDS)(rng)
    if rng.random() < 0.12:
        lines.insert(rng.randint(0, len(lines)), "")
    end = "\r\n" if rng.random() < 0.07 else "\n"
    text = end.join(lines) + end
    if rng.random() < 0.2:
        text = text[: -len(end)]
    return text.encode()


def _size(rng: random.Random) -> int:
    return rng.choice((1, 1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 13))


def _word(rng: random.Random) -> str:
    return rng.choice(WORDS)


def _plain(rng: random.Random) -> list[str]:
    return [_word(rng) for _ in range(_size(rng))]


def _prose(rng: random.Random) -> list[str]:
    return [" ".join(_word(rng) for _ in range(rng.randint(1, 6))) for _ in range(_size(rng))]


def _near_repeats(rng: random.Random) -> list[str]:
    return [word for _ in range(rng.randint(1, 4)) for word in [_word(rng)] * rng.randint(1, 3)]


def _far_repeats(rng: random.Random) -> list[str]:
    few = [_word(rng) for _ in range(rng.randint(1, 3))]
    return [rng.choice(few) for _ in range(_size(rng))]


def _sorted(rng: random.Random) -> list[str]:
    return sorted(_plain(rng), reverse=rng.random() < 0.3)


def _integers(rng: random.Random) -> list[str]:
    low = rng.choice((0, 0, -20))
    return [str(rng.randint(low, rng.choice((9, 30, 2000)))) for _ in range(_size(rng))]


def _decimals(rng: random.Random) -> list[str]:
    return [f"{rng.uniform(-9, 20):.{rng.randint(0, 3)}f}" for _ in range(_size(rng))]


def _mixed_numbers(rng: random.Random) -> list[str]:
    odd = ("", "x", "07", "1e3", "-0", "+5", " 12", "3 apples", "1,000", ".5", "-.5")
    return [rng.choice((str(rng.randint(-9, 120)), rng.choice(odd))) for _ in range(_size(rng))]


def _csv(rng: random.Random) -> list[str]:
    width = rng.randint(2, 4)
    rows = [
        ",".join(rng.choice((_word(rng), str(rng.randint(0, 99)), "")) for _ in range(width)) for _ in range(_size(rng))
    ]
    return [",".join(rng.sample(["id", "name", "qty", "day"], width)), *rows]


def _json(rng: random.Random) -> list[str]:
    value = {
        _word(rng): rng.choice((rng.randint(0, 99), _word(rng), [1, 2], None, True)) for _ in range(rng.randint(1, 4))
    }
    return json.dumps(value, indent=rng.choice((None, 2))).split("\n")


def _tabs(rng: random.Random) -> list[str]:
    return [
        "\t".join(_word(rng) for _ in range(rng.randint(1, 4))) + rng.choice(("", "", "\t")) for _ in range(_size(rng))
    ]


def _indented(rng: random.Random) -> list[str]:
    return [
        rng.choice(("", " ", "  ", "    ", "\t")) + _word(rng) + rng.choice(("", "", " ")) for _ in range(_size(rng))
    ]


def _blanks(rng: random.Random) -> list[str]:
    return [rng.choice(("", "", _word(rng), " ", _word(rng))) for _ in range(_size(rng))]


def _foreign(rng: random.Random) -> list[str]:
    return [
        rng.choice((rng.choice(FOREIGN), _word(rng) + " " + rng.choice(FOREIGN), _word(rng))) for _ in range(_size(rng))
    ]


def _marked(rng: random.Random) -> list[str]:
    return [rng.choice((rng.choice(MARKED), rng.choice(MARKED) + _word(rng), _word(rng))) for _ in range(_size(rng))]


def _pages(rng: random.Random) -> list[str]:
    # `\:` lines are what nl takes for the start of a page's header, body or footer.
    return [rng.choice((_word(rng), "", "\\:\\:", "--", "-x", "  ")) for _ in range(_size(rng))]


_KINDS = (
    _plain, _plain, _prose, _prose, _near_repeats, _near_repeats, _far_repeats, _far_repeats, _sorted, _integers,
    _integers, _decimals, _mixed_numbers, _csv, _csv, _json, _tabs, _indented, _blanks, _foreign, _marked, _marked,
)  # fmt: skip


def _raw(rng: random.Random) -> bytes:
    rows = [rng.choice((_word(rng).encode(), b"caf\xe9", b"\xff\xfe", b"\xc3")) for _ in range(_size(rng))] + [
        b"\xe9t\xe9"
    ]
    if rng.random() < 0.25:
        rows = [b"a\0b", *rows[:2]]
    rng.shuffle(rows)
    return b"\n".join(rows) + rng.choice((b"\n", b"\n", b""))


def random_word(rng: random.Random, data: bytes | None) -> str:
    """A word to look for or to write; when `data` is given it often occurs there, or nearly."""
    tokens = data.decode(errors="ignore").replace("\0", " ").split() if data else []
    roll = rng.random()
    if roll < 0.40 and tokens:
        return _part(rng, rng.choice(tokens))
    if roll < 0.58:
        return rng.choice((_word(rng), _word(rng), str(rng.randint(0, 40)), rng.choice("aeiorst,")))
    if roll < 0.78:
        return _pattern(rng, rng.choice(tokens) if tokens and rng.random() < 0.8 else _word(rng))
    if roll < 0.86:
        return rng.choice(
            (
                ".",
                "*",
                "[",
                "^",
                "$",
                "\\",
                "/",
                "&",
                "a/b",
                "1/2",
                "\\.",
                "[a-c]",
                "^$",
                ".*",
                "a\\",
                "\\&",
                "]",
                "[^a]",
            )
        )
    if roll < 0.91:
        return rng.choice(("-x", "-v", "-n", "-1", "--", "-", "-e", "-i", "-pear", "-c", "-nE", "--help-me"))
    if roll < 0.95:
        return rng.choice(
            ("two words", "it's", '"', "$HOME", "$(echo x)", "`id`", ";", "a b  c", "#", "~", "!", "{A}", ">", "a\tb")
        )
    if roll < 0.98:
        return rng.choice(FOREIGN)
    return rng.choice(("", " ", "  "))


def _part(rng: random.Random, token: str) -> str:
    if rng.random() < 0.5:
        return token
    start = rng.randrange(len(token))
    return token[start : start + rng.randint(1, 3)]


def _pattern(rng: random.Random, token: str) -> str:
    at = rng.randrange(len(token))
    head, here, tail = token[:at], token[at], token[at + 1 :]
    return rng.choice((
        f"{head}.{tail}", f"^{token}", f"{token}$", f"{head}{here}*{tail}", f"^{token}$", f"[{here}]", f"{head}.*",
        f"{head}[^{here}]{tail}", f"\\{here}", f"{head}[a-m]{tail}", f"{head}\\{here}{tail}",
        f"{head}{here}\\+{tail}", f"\\({token}\\)", f"{head}+", f"{head}|{tail}", f"\\b{token}", "[[:digit:]]",
        f"{here}?", f"{token}.", f".{token}",
    ))  # fmt: skip


def random_replacement(rng: random.Random) -> str:
    """What sed is to put in the place of a word."""
    roll = rng.random()
    if roll < 0.6:
        return _word(rng)
    if roll < 0.85:
        return rng.choice(
            (
                "&",
                "[&]",
                "&&",
                "\\&",
                "\\1",
                "\\",
                "\\\\",
                "\\n",
                "\\t",
                "/",
                "a/b",
                "x/",
                ".",
                "*",
                "^",
                "$",
                "[",
                "\\U&",
                "\\0",
                "a\\",
                "\\/",
            )
        )
    return rng.choice(("", " ", "it's", '"', "$HOME", "two words", "-x", "`id`", *FOREIGN))
