"""What strangers ask tools for, in plain Python that knows nothing of how tools are found."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate

from strangers_inputs import (
    Make,
    addresses,
    bill,
    cased,
    commented,
    counted,
    dates,
    decimals,
    divisible,
    gaps,
    items,
    log,
    mail,
    mirrors,
    named,
    one_leads,
    padded,
    paths,
    people,
    phrases,
    prose,
    records,
    repeating,
    sayings,
    settings,
    some_whole,
    sums,
    table,
    text_of,
    things,
    whole,
    wide,
)
from synthesis_tools import shown

Right = Callable[[str], str]


def lines_of(text: str) -> list[str]:
    """The lines of a text."""
    return text.split("\n")[:-1]


def _lines(change: Callable[[list[str]], list[object]] | Callable[[list[str]], list[str]]) -> Right:
    return lambda text: text_of(change(lines_of(text)))


def _each(change: Callable[[str], object]) -> Right:
    return lambda text: text_of([change(line) for line in lines_of(text)])


def _kept(keep: Callable[[str], object]) -> Right:
    return lambda text: text_of([line for line in lines_of(text) if keep(line)])


def _one(value: Callable[[list[str]], object]) -> Right:
    return lambda text: f"{value(lines_of(text))}\n"


def _number(value: Callable[[list[Fraction]], Fraction | int]) -> Right:
    return lambda text: shown(Fraction(value([Fraction(line) for line in lines_of(text)]))) + "\n"


def _numbers(change: Callable[[list[int]], list[int]]) -> Right:
    return lambda text: text_of(change([int(line) for line in lines_of(text)]))


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def _table(change: Callable[[list[dict[str, str]]], list[object]]) -> Right:
    return lambda text: text_of(change(_rows(text)))


def _json(change: Callable[[list[dict[str, object]]], list[object]]) -> Right:
    return lambda text: text_of(change(json.loads(text)))


def _median(numbers: list[Fraction]) -> Fraction:
    ordered, middle = sorted(numbers), len(numbers) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _found(pattern: str) -> Right:
    return lambda text: text_of(re.findall(pattern, text))


def _count(test: Callable[[str], bool]) -> Right:
    return lambda text: f"{sum(map(test, text))}\n"


def _ages(rows: list[dict[str, str]]) -> list[int]:
    return [int(row["age"]) for row in rows]


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % by for by in range(2, number))


def _first_common(some: list[str]) -> str:
    return Counter(some).most_common(1)[0][0]


def _not_in_a_row(lines: list[str]) -> list[str]:
    return [line for line, before in zip(lines, ["", *lines], strict=False) if line != before]


LINES: dict[str, tuple[Make, Right]] = {
    "sort": (items, _lines(sorted)),
    "sort downwards": (items, _lines(lambda ls: sorted(ls, reverse=True))),
    "sort, each once": (repeating, _lines(lambda ls: sorted(set(ls)))),
    "sort whatever the case": (cased, _lines(lambda ls: sorted(ls, key=str.lower))),
    "sort by length": (phrases, _lines(lambda ls: sorted(ls, key=len))),
    "last line first": (items, _lines(lambda ls: ls[::-1])),
    "each once": (repeating, _lines(lambda ls: list(dict.fromkeys(ls)))),
    "no line twice in a row": (repeating, _lines(_not_in_a_row)),
    "lines that come again": (repeating, _lines(lambda ls: [a for a in dict.fromkeys(ls) if ls.count(a) > 1])),
    "lines that come once": (repeating, _lines(lambda ls: [a for a in ls if ls.count(a) == 1])),
    "most common line": (one_leads, _one(_first_common)),
    "how often each": (repeating, _lines(lambda ls: [f"{a}: {n}" for a, n in Counter(ls).items()])),
    "how many lines": (items, _one(len)),
    "how many different lines": (repeating, _one(lambda ls: len(set(ls)))),
    "first line": (items, _lines(lambda ls: ls[:1])),
    "last line": (items, _lines(lambda ls: ls[-1:])),
    "first two lines": (items, _lines(lambda ls: ls[:2])),
    "last two lines": (items, _lines(lambda ls: ls[-2:])),
    "without the first": (items, _lines(lambda ls: ls[1:])),
    "without the last": (items, _lines(lambda ls: ls[:-1])),
    "every other line": (items, _lines(lambda ls: ls[::2])),
    "every second line": (items, _lines(lambda ls: ls[1::2])),
    "numbered with points": (items, _lines(lambda ls: [f"{n}. {a}" for n, a in enumerate(ls, 1)])),
    "numbered with colons": (phrases, _lines(lambda ls: [f"{n}: {a}" for n, a in enumerate(ls, 1)])),
    "longest line": (phrases, _one(lambda ls: max(ls, key=len))),
    "shortest line": (phrases, _one(lambda ls: min(ls, key=len))),
    "length of each line": (phrases, _each(len)),
    "length of the longest": (phrases, _one(lambda ls: max(map(len, ls)))),
    "longer than five": (items, _kept(lambda line: len(line) > 5)),
    "capitals": (sayings, str.upper),
    "small letters": (cased, str.lower),
    "title case": (sayings, _each(lambda line: " ".join(w[:1].upper() + w[1:] for w in line.split(" ")))),
    "sentence case": (sayings, _each(lambda line: line[:1].upper() + line[1:])),
    "each backwards": (items, _each(lambda line: line[::-1])),
    "no blank lines": (gaps, _kept(str.strip)),
    "how many blank lines": (gaps, _one(lambda ls: sum(not line for line in ls))),
    "trimmed": (padded, _each(str.strip)),
    "single blanks": (wide, _each(lambda line: re.sub(" +", " ", line))),
    "joined with commas": (items, _one(", ".join)),
    "a dash before each": (items, _each(lambda line: f"- {line}")),
    "a semicolon after each": (phrases, _each(lambda line: f"{line};")),
    "in quotes": (phrases, _each(lambda line: f'"{line}"')),
    "each twice": (items, _lines(lambda ls: [a for line in ls for a in (line, line)])),
    "underscores for blanks": (phrases, _each(lambda line: line.replace(" ", "_"))),
    "no blanks": (phrases, _each(lambda line: line.replace(" ", ""))),
    "palindromes": (mirrors, _kept(lambda line: line == line[::-1])),
    "begin with a capital": (cased, _kept(lambda line: line[:1].isupper())),
    "with a digit": (things, _kept(lambda line: re.search(r"\d", line))),
    "without digits": (things, _each(lambda line: re.sub(r"\d", "", line))),
    "rot13": (items, _each(lambda line: "".join(_turned(char) for char in line))),
}  # fmt: skip


def _turned(char: str) -> str:
    base = 97 if "a" <= char <= "z" else 65 if "A" <= char <= "Z" else None
    return char if base is None else chr((ord(char) - base + 13) % 26 + base)


WORDS: dict[str, tuple[Make, Right]] = {
    "first word of each": (people, _each(lambda line: line.split()[0])),
    "last word of each": (people, _each(lambda line: line.split()[-1])),
    "words per line": (phrases, _each(lambda line: len(line.split()))),
    "how many words": (prose, lambda t: f"{len(t.split())}\n"),
    "how many characters": (sayings, lambda t: f"{len(t.replace(chr(10), ''))}\n"),
    "how many vowels": (prose, _count(lambda char: char in "aeiouAEIOU")),
    "how many consonants": (sayings, _count(lambda char: char.lower() in "bcdfghjklmnpqrstvwxyz")),
    "no vowels": (sayings, lambda t: re.sub("[aeiouAEIOU]", "", t)),
    "no marks": (prose, lambda t: re.sub(r"[^\w\s]", "", t)),
    "initials": (people, _each(lambda line: "".join(word[0] for word in line.split()))),
    "longest word": (sayings, lambda t: max(t.split(), key=len) + "\n"),
    "most common word": (sayings, lambda t: _first_common(t.split()) + "\n"),
    "different words in order": (sayings, lambda t: text_of(sorted(set(t.split())))),
    "a word a line": (sayings, lambda t: text_of(t.split())),
    "how many capitals": (named, _count(str.isupper)),
    "how many digits": (bill, _count(str.isdigit)),
    "words turned round": (phrases, _each(lambda line: " ".join(line.split()[::-1]))),
    "words in order": (phrases, _each(lambda line: " ".join(sorted(line.split())))),
    "family name first": (people, _each(lambda line: ", ".join(line.rsplit(" ", 1)[::-1]))),
    "addresses": (mail, _found(r"[\w.+-]+@[\w-]+\.[\w.-]+")),
    "domains": (addresses, _each(lambda line: line.partition("@")[2])),
    "users": (addresses, _each(lambda line: line.partition("@")[0])),
    "numbers in a text": (bill, _found(r"\d+")),
    "sum of numbers in a text": (bill, lambda t: f"{sum(map(int, re.findall(r'[0-9]+', t)))}\n"),
    "error lines": (log, _kept(lambda line: line.split()[1] == "ERROR")),
    "messages": (log, _each(lambda line: line.split(" ", 2)[2])),
    "how many errors": (log, _one(lambda ls: sum(line.split()[1] == "ERROR" for line in ls))),
    "values": (settings, _each(lambda line: line.partition("=")[2])),
    "keys": (settings, _each(lambda line: line.partition("=")[0])),
    "no comments": (commented, _kept(lambda line: not line.startswith("#"))),
    "file names": (paths, _each(lambda line: line.rpartition("/")[2])),
    "extensions": (paths, _each(lambda line: line.rpartition(".")[2])),
    "years": (dates, _each(lambda line: line[:4])),
    "days turned round": (dates, _each(lambda line: "/".join(line.split("-")[::-1]))),
}  # fmt: skip


def _mean(text: str) -> str:
    numbers = [int(line) for line in text.split()]
    return shown(Fraction(sum(numbers), len(numbers))) + "\n"


NUMBERS: dict[str, tuple[Make, Right]] = {
    "sum": (whole, _number(sum)),
    "mean": (divisible, _mean),
    "median": (whole, _number(_median)),
    "largest": (whole, _number(max)),
    "smallest": (whole, _number(min)),
    "range": (whole, _number(lambda ns: max(ns) - min(ns))),
    "upwards": (whole, _numbers(sorted)),
    "downwards": (whole, _numbers(lambda ns: sorted(ns, reverse=True))),
    "even": (whole, _numbers(lambda ns: [n for n in ns if n % 2 == 0])),
    "odd": (whole, _numbers(lambda ns: [n for n in ns if n % 2])),
    "negative": (whole, _numbers(lambda ns: [n for n in ns if n < 0])),
    "above ten": (counted, _numbers(lambda ns: [n for n in ns if n > 10])),
    "how many above ten": (counted, _number(lambda ns: sum(n > 10 for n in ns))),
    "squares": (whole, _numbers(lambda ns: [n * n for n in ns])),
    "doubled": (whole, _numbers(lambda ns: [2 * n for n in ns])),
    "one more": (whole, _numbers(lambda ns: [n + 1 for n in ns])),
    "without a minus": (whole, _numbers(lambda ns: [abs(n) for n in ns])),
    "so far": (counted, _numbers(lambda ns: list(accumulate(ns)))),
    "three digits": (counted, _each(lambda line: f"{int(line):03}")),
    "primes": (counted, _numbers(lambda ns: [n for n in ns if _is_prime(n)])),
    "sum of decimals": (decimals, _number(sum)),
    "sum of each line": (sums, _each(lambda line: sum(map(int, line.split())))),
    "largest of each line": (sums, _each(lambda line: max(map(int, line.split())))),
    "second largest": (some_whole, _number(lambda ns: sorted(ns)[-2])),
}  # fmt: skip


TABLES: dict[str, tuple[Make, Right]] = {
    "column of names": (table, _table(lambda rows: [row["name"] for row in rows])),
    "sum of ages": (table, _table(lambda rows: [sum(_ages(rows))])),
    "largest age": (table, _table(lambda rows: [max(_ages(rows))])),
    "cities, each once, in order": (table, _table(lambda rows: sorted({row["city"] for row in rows}))),
    "how many rows": (table, _table(lambda rows: [len(rows)])),
    "names over 30": (table, _table(lambda rows: [row["name"] for row in rows if int(row["age"]) > 30])),
    "name of the oldest": (table, _table(lambda rows: [max(rows, key=lambda row: int(row["age"]))["name"]])),
    "names in JSON": (records, _json(lambda rows: [row["name"] for row in rows])),
    "names over 30 in JSON": (records, _json(lambda rows: [row["name"] for row in rows if row["age"] > 30])),  # type: ignore[operator]
    "sum of ages in JSON": (records, _json(lambda rows: [sum(row["age"] for row in rows)])),  # type: ignore[misc]
    "how many in JSON": (records, _json(lambda rows: [len(rows)])),
}  # fmt: skip

TASKS: dict[str, tuple[Make, Right]] = {
    f"{group}: {name}": task
    for group, tasks in (("lines", LINES), ("words", WORDS), ("numbers", NUMBERS), ("tables", TABLES))
    for name, task in tasks.items()
}
