"""Tools to be found from three examples each: what makes their inputs, and plain Python that says what is right."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from random import Random

PLAIN = (
    "river stone cloud apple maple winter garden silver tiger ocean été lamp bridge candle forest mirror paper "
    "rocket salad train violin window yellow zebra naïve Oslo Quebec Miró kettle"
)
WORDS = tuple(PLAIN.split())
CITIES = ("Lyon", "Quito", "Porto", "Osaka", "Leeds", "Ghent, BE", "Malmö")
NAMES = ("Ida", "Olaf", "Pia", "Quinn", "Rosa", "Sven", "Tara", "Umar", "Vera", "Wim", "Xena", "Yann")


def shown(number: Fraction) -> str:
    """A number as a person writes it: whole ones without a point, others as far as they are exact."""
    if number.denominator == 1:
        return str(number.numerator)
    return format((Decimal(number.numerator) / Decimal(number.denominator)).normalize(), "f")


def _numbers(text: str) -> list[Fraction]:
    return [Fraction(line) for line in text.split("\n") if line.strip()]


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def _median(numbers: list[Fraction]) -> Fraction:
    ordered, middle = sorted(numbers), len(numbers) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _column(text: str, name: str) -> list[Fraction]:
    return [Fraction(row[name]) for row in _rows(text) if row[name].strip()]


def _first_most_common(items: list[str]) -> str:
    return Counter(items).most_common(1)[0][0]


# What makes inputs


def numbers_text(rng: Random) -> str:
    """Numbers, one a line; negative ones and decimals among them, the mean exact."""
    size = rng.choice((2, 4, 5, 8))
    return "".join(f"{_number(rng)}\n" for _ in range(size))


def _number(rng: Random) -> str:
    return rng.choice((str(rng.randint(-20, 90)), str(rng.randint(1, 60)), f"{rng.randint(1, 99)}.5"))


def whole_text(rng: Random) -> str:
    """Whole numbers, one a line."""
    return "".join(f"{rng.randint(-30, 90)}\n" for _ in range(rng.randint(4, 9)))


def prose(rng: Random) -> str:
    """Lines of words; one word is the most common."""
    words = [rng.choice(WORDS) for _ in range(rng.randint(8, 16))]
    often = rng.choice(words)
    for _ in range(max(Counter(words).values()) + 1):
        words.insert(rng.randint(0, len(words)), often)
    return "".join(" ".join(words[at : at + 5]) + "\n" for at in range(0, len(words), 5))


def lines_text(rng: Random) -> str:
    """Lines of one to four words, of many lengths, some blank, some repeated."""
    made = [" ".join(rng.choices(WORDS, k=rng.randint(1, 4))) for _ in range(rng.randint(4, 7))]
    return "".join(line + "\n" for line in [*made, *rng.choices(made, k=rng.choice((1, 1, 2, 3)))])


def blank_lines(rng: Random) -> str:
    """As `lines_text`, with blank lines."""
    return "".join(line + "\n" + rng.choice(("", "\n", "\n\n")) for line in lines_text(rng).split("\n")[:-1]) + "\n"


def digit_lines(rng: Random) -> str:
    """Lines of words, some with numbers in them."""
    return "".join(
        f"{rng.choice(WORDS)} {rng.choice((rng.choice(WORDS), str(rng.randint(1, 99))))}\n"
        for _ in range(rng.randint(4, 8))
    )


def people_csv(rng: Random) -> str:
    """A table with quoted and missing cells; one city is the most common."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(["name", "city", "price"])
    cities = rng.sample(CITIES, 3)
    cities.append(rng.choice(cities))
    rng.shuffle(cities)
    for city in cities:
        writer.writerow([rng.choice(NAMES), city, rng.choice((str(rng.randint(1, 90)), f"{rng.randint(1, 40)}.25"))])
    if rng.random() < 0.4:
        writer.writerow([rng.choice(NAMES), rng.choice(CITIES), ""])
    return made.getvalue()


def people_json(rng: Random) -> str:
    """An array of people with ages around thirty."""
    ages = [rng.choice((28, 29, 30, 31, 32, rng.randint(10, 70))) for _ in range(rng.randint(4, 6))]
    return json.dumps([{"name": rng.choice(NAMES), "age": age} for age in ages], ensure_ascii=False) + "\n"


Make = Callable[[Random], str]
Right = Callable[[str], str]


def _line(value: object) -> str:
    return f"{value}\n"


def _each(text: str, change: Callable[[str], str]) -> str:
    return "".join(change(line) + "\n" for line in text.split("\n")[:-1])


def _kept(text: str, keep: Callable[[str], bool]) -> str:
    return "".join(line + "\n" for line in text.split("\n")[:-1] if keep(line))


ELEVEN: dict[str, tuple[Make, Right]] = {
    "average": (numbers_text, lambda t: _line(shown(sum(_numbers(t)) / len(_numbers(t))))),
    "median": (numbers_text, lambda t: _line(shown(_median(_numbers(t))))),
    "most common word": (prose, lambda t: _line(_first_most_common(t.split()))),
    "sum of a CSV column": (people_csv, lambda t: _line(shown(sum(_column(t, "price"), Fraction(0))))),
    "JSON names over 30": (
        people_json,
        lambda t: "".join(f"{one['name']}\n" for one in json.loads(t) if one["age"] > 30),
    ),
    "count vowels": (prose, lambda t: _line(sum(char in "aeiouAEIOU" for char in t))),
    "longest line": (lines_text, lambda t: _line(max(t.split("\n"), key=len))),
    "CSV column average": (
        people_csv,
        lambda t: _line(shown(sum(_column(t, "price"), Fraction(0)) / len(_column(t, "price")))),
    ),
    "most common city": (people_csv, lambda t: _line(_first_most_common([row["city"] for row in _rows(t)]))),
    "title case": (prose, lambda t: _each(t, lambda line: " ".join(w[:1].upper() + w[1:] for w in line.split()))),
    "keep even numbers": (whole_text, lambda t: _kept(t, lambda line: int(line) % 2 == 0)),
}  # fmt: skip

THIRTEEN: dict[str, tuple[Make, Right]] = {
    "sort, remove duplicates, count": (lines_text, lambda t: _line(len(set(t.split("\n")[:-1])))),
    "last word of each line": (lines_text, lambda t: _each(t, lambda line: line.split()[-1])),
    "length of the longest line": (lines_text, lambda t: _line(max(map(len, t.split("\n"))))),
    "lines of more than twelve characters": (lines_text, lambda t: _kept(t, lambda line: len(line) > 12)),
    "largest less smallest": (whole_text, lambda t: _line(max(_whole(t)) - min(_whole(t)))),
    "sum of the positive numbers": (whole_text, lambda t: _line(sum(one for one in _whole(t) if one > 0))),
    "cities of a table in order, each once": (
        people_csv,
        lambda t: "".join(f"{city}\n" for city in sorted({row["city"] for row in _rows(t)}, key=str.encode)),
    ),
    "how many lines have a digit": (
        digit_lines,
        lambda t: _line(sum(bool(set(line) & set("0123456789")) for line in t.split("\n"))),
    ),
    "all lines in one, with commas": (lines_text, lambda t: _line(", ".join(t.split("\n")[:-1]))),
    "initials": (lines_text, lambda t: _each(t, lambda line: "".join(word[0].upper() for word in line.split()))),
    "without blank lines": (blank_lines, lambda t: _kept(t, lambda line: bool(line.strip()))),
    "distinct words in order": (prose, lambda t: "".join(f"{w}\n" for w in sorted(set(t.split()), key=str.encode))),
    "each number doubled": (whole_text, lambda t: _each(t, lambda line: str(2 * int(line)))),
}  # fmt: skip


def _whole(text: str) -> list[int]:
    return [int(line) for line in text.split()]
