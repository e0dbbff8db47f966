"""Random material: texts of the shapes that tell commands apart, words that mean something to some command, numbers.

Everything is drawn from a `random.Random` that the caller passes in, so every draw can be repeated from its seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from dabhand.language.evaluation import Env
from dabhand.language.kinds import NUMBER, PATH, TEXT, WORD, Kind, Value
from dabhand.language.terms import Var

WORDS: Final = (
    "apple", "pear", "fig", "kiwi", "plum", "oak", "elm", "red", "Blue", "GREEN", "one", "two", "zebra", "Ant",
    "banana", "cat", "dog", "anna", "level", "x", "b", "a", "the", "foo", "bar", "error", "Hello", "world",
    "mississippi", "aa",
)  # fmt: skip
"""Plain words; some in one another, some with doubled letters, some with capitals."""

ODD_WORDS: Final = (
    "a.b", "a*", ".", "*", ".*", "[ab]", "[", "]", "^a", "^", "a$", "$", "\\", "\\.", "a\\", "/", "a/b", "&", "\\&",
    "x&y", "-", "-n", "-x", "--", "b*", "[^a]", "a\\|b", "\\(a\\)", "\\1", "a\\{2\\}", "x y", " ", "", "é", "naïve",
    "日本", "it's", '"q"', "#", "a\tb", ",", "a,b", "1", "10", "2.5", "[[:digit:]]", "\\n", "\\<a", "a\\+", "o\\?",
    "...", "(a)", "a|b", "a+", "{", "}", "~", "$HOME", "!", "%s",
)  # fmt: skip
"""Words with characters that mean something to grep, sed, the shell or printf, or that are no ASCII."""

NAMES: Final = ("Ann", "Bob", "Cid", "Dora", "Eve", "Zoë", "O'Neil")
CITIES: Final = ("Rome", "Oslo", "Bern", "Lima", "São Paulo", "New York, NY")


def random_number(rng: Random) -> int:
    """A small number as it fills a slot: mostly 1 to 6, sometimes 0 or more than any file has lines."""
    return rng.choice((0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 9, 12, 20))


def random_plain_word(rng: Random) -> str:
    """A plain word."""
    return rng.choice(WORDS)


def random_word(rng: Random) -> str:
    """A word as it fills a slot; a third of them odd, some of several words."""
    if rng.random() < 0.12:
        return " ".join(random_plain_word(rng) for _ in range(rng.randint(2, 4))) + rng.choice(("", "", "."))
    if rng.random() < 0.35:
        word = rng.choice(ODD_WORDS)
        return word if rng.random() < 0.7 else rng.choice((word + rng.choice(WORDS), rng.choice(WORDS) + word))
    return random_plain_word(rng)


def _few(rng: Random, most: int = 7) -> int:
    return rng.choice((1, 2, 3, 3, 4, 4, 5, 5, 6, most))


def _word_lines(rng: Random) -> list[str]:
    return [" ".join(rng.choice(WORDS) for _ in range(rng.choice((1, 1, 1, 2, 3)))) for _ in range(_few(rng))]


def _repeated_lines(rng: Random) -> list[str]:
    few = [rng.choice(WORDS) for _ in range(rng.randint(1, 3))]
    return [rng.choice(few) for _ in range(_few(rng, 8))]


def _adjacent_lines(rng: Random) -> list[str]:
    return [word for word in _word_lines(rng)[:4] for _ in range(rng.randint(1, 3))][:8]


def _sorted_lines(rng: Random) -> list[str]:
    return sorted(_word_lines(rng))


def _integers(rng: Random) -> list[str]:
    return [str(rng.choice((rng.randint(0, 12), rng.randint(-20, 120)))) for _ in range(_few(rng))]


def _decimals(rng: Random) -> list[str]:
    return [f"{rng.randint(-300, 900) / rng.choice((1, 10, 100))}" for _ in range(_few(rng))]


def _odd_numbers(rng: Random) -> list[str]:
    odd = ("10", "9", "1e3", "+5", " 7", "-2", "007", "7", "1,000", ".5", "-.5", "3 pears", "12b", "-", "abc", "", "-0")
    return [rng.choice(odd) for _ in range(_few(rng))]


def _csv(rng: Random) -> list[str]:
    rows = ["name,city,age"]
    for _ in range(rng.randint(1, 5)):
        city = rng.choice(CITIES)
        rows.append(f"{rng.choice(NAMES)},{chr(34) + city + chr(34) if ',' in city else city},{rng.randint(5, 60)}")
    return rows


def _fields(rng: Random) -> list[str]:
    mark = rng.choice((",", ",", "\t", ":", " ", ";"))
    return [mark.join(rng.choice(WORDS) for _ in range(rng.randint(1, 4))) for _ in range(_few(rng))]


def _json(rng: Random) -> list[str]:
    rows = [f'{{"name": "{rng.choice(NAMES)}", "age": {rng.randint(5, 60)}}}' for _ in range(rng.randint(1, 3))]
    match rng.randrange(3):
        case 0:
            return ["[" + ", ".join(rows) + "]"]
        case 1:
            return [rows[0]]
    return ["[", *[f"  {row}," for row in rows[:-1]], f"  {rows[-1]}", "]"]


def _blanks(rng: Random) -> list[str]:
    return [rng.choice(("", "", " ", "\t", rng.choice(WORDS), rng.choice(WORDS))) for _ in range(_few(rng))]


def _indented(rng: Random) -> list[str]:
    return [rng.choice(("", "  ", "\t", " ")) + line + rng.choice(("", "", " ", "\t")) for line in _word_lines(rng)]


def _returns(rng: Random) -> list[str]:
    return [line + "\r" for line in _word_lines(rng)]


def _letters(rng: Random) -> list[str]:
    odd = ("é", "naïve", "日本", "Ünder", "Straße", "ñandú", "кот", "🙂 ok")
    return [rng.choice((rng.choice(odd), rng.choice(WORDS))) for _ in range(_few(rng))]


def _special(rng: Random) -> list[str]:
    return [rng.choice((random_word(rng), rng.choice(ODD_WORDS), rng.choice(WORDS))) for _ in range(_few(rng))]


def _sentences(rng: Random) -> list[str]:
    made = []
    for _ in range(rng.randint(1, 4)):
        words = [rng.choice(WORDS).lower() for _ in range(rng.randint(3, 9))]
        made.append(" ".join(words).capitalize() + rng.choice((".", ".", "!", "?", "")))
    return made


def _raw_bytes(rng: Random) -> list[str]:
    return [rng.choice(("caf\udce9", "\udcff\udcfe", "ok", rng.choice(WORDS))) for _ in range(_few(rng))]


SHAPES: Final[tuple[tuple[int, Callable[[Random], list[str]]], ...]] = (
    (6, _word_lines), (5, _repeated_lines), (4, _adjacent_lines), (2, _sorted_lines), (4, _integers), (2, _decimals),
    (2, _odd_numbers), (2, _csv), (2, _fields), (1, _json), (2, _blanks), (2, _indented), (1, _returns), (2, _letters),
    (2, _special), (2, _sentences),
)  # fmt: skip
"""The shapes of text, each with how often it is drawn."""


FORMED: Final = (_csv, _json, _integers, _sentences)
"""Shapes that programs are often made for: tables, JSON, numbers, prose."""


def random_lines(rng: Random) -> list[str]:
    """The lines of a text of a random shape."""
    weights = [weight for weight, _ in SHAPES]
    return rng.choices([shape for _, shape in SHAPES], weights)[0](rng)


def random_text(rng: Random) -> str:
    """The text of a small file: 0 to 8 lines of one of many shapes, sometimes without a newline at the end."""
    if rng.random() < 0.06:
        return ""
    lines = random_lines(rng)
    return "\n".join(lines) + ("" if rng.random() < 0.15 else "\n")


def random_bytes_text(rng: Random, chance: float = 0.1) -> str:
    """As `random_text`, one in ten (or as often as told) with bytes that are not UTF-8."""
    return "\n".join(_raw_bytes(rng)) + "\n" if rng.random() < chance else random_text(rng)


class TextFolder:
    """A folder of texts in memory, as terms see it (a FolderView); folders are the parents of its paths."""

    def __init__(self, texts: Mapping[str, str], folders: Sequence[str] = ()) -> None:
        self.texts = dict(texts)
        self.folders = {".", *folders}
        for path in (*self.texts, *folders):
            while "/" in path:
                path = path.rpartition("/")[0]
                self.folders.add(path)

    def text(self, path: str) -> str | None:
        """The text of a file, or None."""
        return self.texts.get(path)

    def names(self, path: str) -> tuple[str, ...] | None:
        """The names in a folder, in byte order, or None."""
        if path not in self.folders:
            return None
        start = "" if path == "." else path + "/"
        entries = [each for each in (*self.texts, *self.folders) if each != "." and each.startswith(start)]
        found = {each[len(start) :].partition("/")[0] for each in entries if each != path}
        return tuple(sorted(found, key=lambda name: name.encode("utf-8", "surrogateescape")))

    def kind(self, path: str) -> str:
        """What is there: "file", "folder" or "missing"."""
        return "file" if path in self.texts else "folder" if path in self.folders else "missing"

    def __repr__(self) -> str:
        return f"TextFolder({self.texts!r}, {sorted(self.folders)!r})"


def word_from(rng: Random, text: str) -> str:
    """A word that occurs in a text: a whole line, a word, a part of one, or a pattern made of it."""
    words = text.split() or [random_plain_word(rng)]
    word = rng.choice(words)
    match rng.randrange(6):
        case 0:
            return rng.choice(text.split("\n"))
        case 1:
            start = rng.randrange(len(word))
            return word[start : start + rng.randint(1, 3)]
        case 2:
            place = rng.randrange(len(word))
            return word[:place] + rng.choice((".", ".*", "[a-z]", "*")) + word[place + 1 :]
        case 3:
            return rng.choice(("^", "")) + word[: rng.randint(1, len(word))] + rng.choice(("", "$", "*"))
    return word


def random_filling(rng: Random, variable: Var, folder: TextFolder) -> Value:
    """A value for a slot that makes sense in a folder."""
    texts = [text for text in folder.texts.values() if text]
    match variable.kind:
        case Kind.PATH:
            return rng.choice(sorted(folder.texts) or ["missing"])
        case Kind.NUMBER:
            return random_number(rng)
        case Kind.WORD:
            return word_from(rng, rng.choice(texts)) if texts and rng.random() < 0.6 else random_word(rng)
        case Kind.TEXT:
            return random_text(rng)
        case Kind.LINES:
            return tuple(random_lines(rng))
    raise ValueError(f"there is no random value of kind {variable.kind}")


_PANEL_FILES: Final = ("a.txt", "b.md", "box/c.csv", "box/d")
_PANEL_SHAPES: Final = (
    _repeated_lines, _integers, _fields, _special, _indented, _sentences, _letters, _raw_bytes, _blanks, _csv,
    _odd_numbers, _word_lines, _adjacent_lines, _returns, _decimals, _json,
)  # fmt: skip


def _varied_folder(rng: Random, shape: Callable[[Random], list[str]]) -> TextFolder:
    texts = {name: random_text(rng) for name in _PANEL_FILES}
    lines = shape(rng)
    texts["a.txt"] = "\n".join(lines) + ("" if rng.random() < 0.2 else "\n")
    texts["box/.hidden"] = "x"
    return TextFolder(texts, ["box/empty"])


def default_panel(inputs: Sequence[Var], rng: Random, size: int = 12) -> list[Env]:
    """Examples on which different terms over these slots give different values.

    The first path is a file of ever another shape, other paths are other files; in every fifth example a path is a
    folder, an empty file or missing. Words occur in the first file more often than not, and are often odd.
    """
    panel = []
    for place in range(size):
        folder = _varied_folder(rng, _PANEL_SHAPES[place % len(_PANEL_SHAPES)])
        paths = [*_PANEL_FILES]
        slots: dict[str, Value] = {}
        for variable in inputs:
            if variable.kind is PATH:
                slots[variable.name] = paths.pop(0) if paths else rng.choice(_PANEL_FILES)
            elif variable.kind is WORD and place % 3 != 2:
                slots[variable.name] = word_from(rng, folder.texts["a.txt"] or "a")
            elif variable.kind in (WORD, NUMBER, TEXT, Kind.LINES):
                slots[variable.name] = random_filling(rng, variable, folder)
        if place % 5 == 4:
            _spoil(place // 5, [each.name for each in inputs if each.kind is PATH], slots, folder)
        panel.append(Env(slots, folder))
    return panel


def _spoil(turn: int, paths: list[str], slots: dict[str, Value], folder: TextFolder) -> None:
    """Make one path a folder, an empty file or missing, in turn."""
    if not paths:
        return
    name = paths[turn // 3 % len(paths)]
    match turn % 3:
        case 0:
            slots[name] = "box"
        case 1:
            folder.texts[slots[name]] = ""
        case 2:
            slots[name] = "missing.txt"
