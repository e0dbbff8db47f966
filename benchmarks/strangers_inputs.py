"""Texts as people write them for examples, and texts that they then use a tool on."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from random import Random

FRUIT = (
    "apple", "banana", "cherry", "date", "elder", "fig", "grape", "lemon", "mango", "olive", "papaya", "quince",
    "kiwi", "melon", "plum", "pear", "peach", "lime",
)  # fmt: skip
NAMES = ("Alice", "Bob", "Carla", "Dmitri", "Eva", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Kate", "Liam", "Mona")
FAMILY = ("Smith", "Jones", "Brown", "Garcia", "Meyer", "Rossi", "Tanaka", "Novak", "Olsen", "Weber")
TOWNS = ("Paris", "Berlin", "Madrid", "Rome", "Vienna", "Dublin", "Prague")
SAID = (
    "the cat sat on the mat", "a quick brown fox jumps over the lazy dog", "it was a dark and stormy night",
    "we went to the market and bought bread", "all is well that ends well", "to be or not to be",
    "she sells sea shells by the sea shore", "time and tide wait for no man", "the early bird catches the worm",
    "my dog likes to chase the ball", "rain fell on the old roof", "one for all and all for one",
)  # fmt: skip
MESSAGES = (
    "disk full", "started", "connection lost", "user logged in", "retrying", "saved 3 files", "timeout after 30s",
    "cache cleared", "bad request", "shut down",
)  # fmt: skip
LEVELS = ("INFO", "ERROR", "WARN", "DEBUG")
DOMAINS = ("example.com", "mail.org", "shop.net", "school.edu")

Make = Callable[[Random], str]


def text_of(lines: Sequence[object]) -> str:
    """Lines as the text of a file."""
    return "".join(f"{line}\n" for line in lines)


def _size(rng: Random) -> int:
    return rng.choice((3, 3, 4, 4, 5, 6))


def items(rng: Random) -> str:
    """A few words, one a line."""
    return text_of(rng.sample(FRUIT, _size(rng)))


def repeating(rng: Random) -> str:
    """A few words, one a line, some of them several times."""
    few = rng.sample(FRUIT, 4)
    made = [*few[: rng.randint(1, 4)], *rng.choices(few, k=rng.randint(2, 4))]
    rng.shuffle(made)
    return text_of(made)


def one_leads(rng: Random) -> str:
    """As `repeating`, one word more often than all others."""
    few = rng.sample(FRUIT, 3)
    made = [few[0]] * 3 + few[1:] + rng.choices(few[1:], k=1)
    rng.shuffle(made)
    return text_of(made)


def cased(rng: Random) -> str:
    """Words, some of them with a capital."""
    return text_of([rng.choice((word, word.capitalize(), word)) for word in rng.sample(FRUIT, _size(rng))])


def people(rng: Random) -> str:
    """Full names, one a line."""
    return text_of([f"{rng.choice(NAMES)} {rng.choice(FAMILY)}" for _ in range(_size(rng) - 1)])


def sayings(rng: Random) -> str:
    """One to three sentences in small letters, without marks."""
    return text_of(rng.sample(SAID, rng.choice((1, 2, 2, 3))))


def prose(rng: Random) -> str:
    """Sentences with capitals and marks."""
    return text_of([one.capitalize() + rng.choice(".!?") for one in rng.sample(SAID, rng.choice((1, 2, 2, 3)))])


def named(rng: Random) -> str:
    """Sentences with some words in capitals at their beginning."""
    return text_of(
        [" ".join(word.capitalize() if rng.random() < 0.3 else word for word in one.split())
         for one in rng.sample(SAID, rng.choice((1, 2, 3)))]
    )  # fmt: skip


def mirrors(rng: Random) -> str:
    """Words that read the same backwards, and others."""
    return text_of(rng.sample(("anna", "level", "noon", "radar", "apple", "kiwi", "plum"), 4))


def some_whole(rng: Random) -> str:
    """Two or more whole numbers, one a line."""
    return whole(rng)


def phrases(rng: Random) -> str:
    """Lines of one to four words of different lengths."""
    return text_of([" ".join(rng.sample(FRUIT, rng.randint(1, 4))) for _ in range(_size(rng))])


def gaps(rng: Random) -> str:
    """Lines with blank ones among them."""
    made = [word for each in rng.sample(SAID, 3) for word in (each, *rng.choice(((), ("",), ("",), ("", ""))))]
    return text_of(["", *made] if rng.random() < 0.3 else made)


def padded(rng: Random) -> str:
    """Lines with blanks at their ends."""
    return text_of(
        [rng.choice(("", "  ", " ", "   ")) + one + rng.choice(("", " ", "  ")) for one in rng.sample(SAID, 3)]
    )


def wide(rng: Random) -> str:
    """Sentences with several blanks between words."""
    return text_of(["".join(word + rng.choice((" ", "  ", "   ")) for word in one.split()).strip()
                    for one in rng.sample(SAID, 2)])  # fmt: skip


def things(rng: Random) -> str:
    """Lines of a word, many with a number."""
    return text_of(
        [word + rng.choice(("", f" {rng.randint(1, 99)}", f"{rng.randint(1, 9)}")) for word in rng.sample(FRUIT, 5)]
    )


def whole(rng: Random) -> str:
    """Whole numbers, one a line, a few of them negative."""
    return text_of([rng.randint(*rng.choice(((1, 9), (1, 60), (-20, 40)))) for _ in range(_size(rng))])


def divisible(rng: Random) -> str:
    """So many whole numbers that their mean can be written out."""
    return text_of([rng.randint(*rng.choice(((1, 9), (1, 60), (-20, 40)))) for _ in range(rng.choice((2, 4, 5)))])


def counted(rng: Random) -> str:
    """Small whole numbers above nothing, one a line."""
    return text_of([rng.randint(1, 30) for _ in range(_size(rng))])


def decimals(rng: Random) -> str:
    """Numbers with one place after the point."""
    return text_of([f"{rng.randint(1, 30)}.{rng.randint(1, 9)}" for _ in range(_size(rng))])


def sums(rng: Random) -> str:
    """Lines of a few whole numbers with blanks between."""
    return text_of([" ".join(str(rng.randint(1, 20)) for _ in range(rng.randint(2, 4))) for _ in range(3)])


def bill(rng: Random) -> str:
    """Sentences with numbers in them."""
    return text_of(
        [f"{rng.choice(NAMES)} bought {rng.randint(2, 40)} {rng.choice(FRUIT)}s for {rng.randint(2, 90)}"
         for _ in range(rng.choice((2, 3)))]
    )  # fmt: skip


def mail(rng: Random) -> str:
    """Sentences, most with an address in them."""
    made = []
    for _ in range(3):
        who = f"{rng.choice(NAMES).lower()}@{rng.choice(DOMAINS)}"
        made.append(rng.choice((f"write to {who} soon", f"contact {who} please", "no address here", f"ask {who}")))
    return text_of([*made, f"from {rng.choice(NAMES).lower()}@{rng.choice(DOMAINS)} today"])


def addresses(rng: Random) -> str:
    """Addresses, one a line."""
    return text_of([f"{rng.choice(NAMES).lower()}@{rng.choice(DOMAINS)}" for _ in range(_size(rng))])


def log(rng: Random) -> str:
    """Lines of a log: time, level, message."""
    made = [f"{rng.choice(LEVELS)} {rng.choice(MESSAGES)}" for _ in range(3)]
    made += [f"ERROR {rng.choice(MESSAGES)}", f"INFO {rng.choice(MESSAGES)}"]
    rng.shuffle(made)
    return text_of([f"{rng.randint(10, 23)}:{rng.randint(10, 59)} {line}" for line in made])


def settings(rng: Random) -> str:
    """NAME=value."""
    return text_of([f"{word}={rng.choice((rng.choice(TOWNS).lower(), str(rng.randint(1, 99))))}"
                    for word in rng.sample(FRUIT, rng.randint(3, 4))])  # fmt: skip


def commented(rng: Random) -> str:
    """As `settings`, with comments."""
    made = [*settings(rng).split("\n")[:-1], f"# {rng.choice(SAID)}", f"# {rng.choice(FRUIT)}"]
    rng.shuffle(made)
    return text_of(made)


def paths(rng: Random) -> str:
    """Paths of files."""
    made = []
    for _ in range(_size(rng)):
        name = f"{rng.choice(FRUIT)}.{rng.choice(('txt', 'py', 'md', 'csv'))}"
        made.append("/".join([*rng.sample(FRUIT, rng.randint(1, 3)), name]))
    return text_of(made)


def dates(rng: Random) -> str:
    """Days as 2024-05-17."""
    return text_of([f"{rng.randint(1990, 2025)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}" for _ in range(3)])


def table(rng: Random) -> str:
    """A small table: name, age, city."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(["name", "age", "city"])
    towns = rng.sample(TOWNS, 2)
    for who in rng.sample(NAMES, rng.randint(2, 6)):
        writer.writerow([who, rng.randint(18, 70), rng.choice(towns)])
    return made.getvalue()


def records(rng: Random) -> str:
    """A small array of objects."""
    some = rng.sample(NAMES, rng.randint(2, 6))
    return json.dumps([{"name": who, "age": rng.randint(*rng.choice(((18, 30), (29, 60))))} for who in some]) + "\n"


AWKWARD: dict[Make, tuple[str, ...]] = {
    make: texts
    for makes, texts in (
        ((items, repeating, one_leads, cased), (
            "kiwi\n", "Éclair\nzoo\nApple\napple\n", "a\na\na\n", "b\nb\na\na\nc\n", "ox 2\n-dash\n#tag\nUP\n",
            "z\nyy\nxxx\nwwww\nvvvvv\nuuuuuu\nttttttt\nssssssss\n", "Anna\nBob\nlevel\n",
        )),
        ((people, phrases), ("Zoë\n", "a b c d e f\ng\n", "Mary Jane Watson\nAnne-Marie O'Neil\n", "x1 y2\nx1 y2\n")),
        ((sayings, prose, named), (
            "Hello\n", "I am the 2nd of 3 Queens, UPON my word!\n", "don't stop; it's ok - really\n",
            "Über die Brücke\nA a a b b\n", "why? why not!\nAEIOU xyz\n",
        )),
        ((mirrors,), ("otto\n", "ab\nba\n", "Anna\nX\n")),
        ((some_whole,), ("5\n5\n3\n", "-1\n-2\n", "10\n9\n100\n20\n")),
        ((divisible,), ("5\n", "-3\n-4\n", "0\n0\n1\n0\n", "100\n7\n12\n7\n3\n-50\n9\n1\n")),
        ((gaps,), ("one\n", "\n\none\n\n\n\ntwo\n", "a\nb\nc\n", "#x\n\n-y\n")),
        ((padded,), ("x\n", "   indented\n", "tail   \n", "  both ways  \n")),
        ((wide,), ("x\n", "a     b\n", "one two   three\n")),
        ((things,), ("kiwi\n", "7\n", "2 ways\nno way\n", "b4\nUP 9\nqui\n", "1.5 of it\n")),
        ((whole,), ("5\n", "0\n", "-3\n-4\n-4\n", "100\n7\n12\n7\n3\n-50\n", "10\n9\n8\n7\n6\n5\n4\n3\n")),
        ((counted,), ("5\n", "1\n", "10\n11\n10\n9\n", "97\n20\n2\n100\n33\n")),
        ((decimals,), ("2.5\n", "0.5\n1.5\n", "10.4\n10.6\n99.9\n")),
        ((sums,), ("5\n", "1 2 3 4 5 6\n", "10 -3\n7 7\n")),
        ((bill,), ("no numbers\n", "Ann 1 2 3\n", "room 101 on floor 1\n")),
        ((mail,), ("nothing\n", "x@y.org and a.b@c.de\n", "see me@home.net\n")),
        ((addresses,), ("a.b@c.de\n", "Ann@Home.net\nann@home.net\nx@a.org\n")),
        ((log,), ("10:00 INFO ok\n", "09:15 ERROR INFO was lost\n11:11 WARN ERROR rate high\n")),
        ((settings,), ("a=1\n", "KEY=Two Words\nk2=\n")),
        ((commented,), ("a=1\n", "# only this\n", "x=#1\n# y\nz=3\n")),
        ((paths,), ("a.txt\n", "x/y/z.tar.gz\nb/c.md\n", "deep/er/and/deep/er.py\n")),
        ((dates,), ("1999-12-31\n", "2000-01-01\n2000-01-01\n2024-02-29\n")),
        ((table,), (
            "name,age,city\nZoë,40,Rome\n", 'name,age,city\nA,9,"Bonn, DE"\nB,100,Oslo\nC,30,Oslo\nD,29,"Bonn, DE"\n',
            "name,age,city\nKim,31,Oslo\nBen,7,Ulm\nKim,7,Ulm\n",
        )),
        ((records,), (
            '[{"name": "Zoë", "age": 31}]\n', '[{"name": "B", "age": 30}, {"name": "A", "age": 99}]\n',
            '[{"name": "Kim", "age": 5}, {"name": "Kim", "age": 64}, {"name": "Al", "age": 31}]\n',
        )),
    )
    for make in makes
}  # fmt: skip
"""What tools are used on besides: a single line, capitals and accents, ties, marks in front, numbers of other sizes."""
