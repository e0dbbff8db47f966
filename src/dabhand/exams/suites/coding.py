"""Kinds of tasks that no practised command does: for each a small program has to be made."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from dabhand.exams.host import figures
from dabhand.exams.host.texts import lines_of, written
from dabhand.exams.suites import contents
from dabhand.exams.suites.scene import Drawn, Scene, entry_of, kind
from dabhand.exams.suites.vocabulary import vocabulary

AMOUNTS = ("price", "amount", "weight", "score", "distance", "cost", "duration", "quantity", "Salary", "points")
LABELS = ("city", "fruit", "team", "country", "colour", "product", "department", "Author")
VALUES = ("Paris", "Oslo", "Rome", "Lima", "Köln", "Zürich", "São Paulo", "Cairo", "Riga", "Quito")
QUOTED = ("Rome, old town", 'the "big" one', "Oslo, harbour")
PEOPLE = ("Ann", "Bob", "Chloé", "Dmitri", "Eve", "Søren", "Gita", "Hugo", "İlker", "Jürgen", "Kim", "Lena")

Text = str


def _file_or_answer(
    scene: Scene, source: Text, result: Text, ending: str = ".txt", *, what: str, **slots: str | int
) -> Drawn:
    """A task whose result goes into a file, or now and then is asked for."""
    src = scene.file(source, ending=ending)
    lines = lines_of(result)
    if len(lines) == 1 and scene.rng.random() < 0.25:
        return Drawn({"src": src, **slots}, {}, lines[0], "ask_" + what)
    dst = scene.new(".txt")
    return Drawn({"src": src, "dst": dst, **slots}, {dst: entry_of(result)}, None, what)


def _decimals(rng: Random, count: int) -> list[str]:
    """Numbers with signs and digits after the point, now and then."""
    style = rng.choice(("whole", "signed", "decimal"))
    found = []
    for _ in range(count):
        number = str(rng.randint(0, 400))
        if style == "decimal" and rng.random() < 0.7:
            number += "." + rng.choice(("5", "25", "75", "1", "08"))
        if style != "whole" and rng.random() < 0.3:
            number = "-" + number
        found.append(number)
    return ["0" if one in ("-0",) else one for one in found]


def _of_count(rng: Random, counts: tuple[int, ...]) -> list[str]:
    """So many numbers that their average can be written out."""
    return _decimals(rng, rng.choice(counts))


FINITE = (4, 5, 8, 10)


@kind
def average_numbers(scene: Scene) -> Drawn:
    """The average of the numbers in a file."""
    lines = _of_count(scene.rng, FINITE)
    result = figures.plain(figures.mean(figures.read(lines)))
    return _file_or_answer(scene, written(lines), written([result]), what="average_numbers")


@kind
def average_rounded(scene: Scene) -> Drawn:
    """An average that has no end, to two places."""
    rng = scene.rng
    while True:
        lines = _decimals(rng, rng.choice((3, 6, 7, 9)))
        exact = figures.mean(figures.read(lines))
        result = figures.rounded(exact, 2)
        if not result.endswith("0") and (exact * 1000).denominator != 1:
            return _file_or_answer(scene, written(lines), written([result]), what="average_rounded")


@kind
def median_numbers(scene: Scene) -> Drawn:
    """The median of the numbers in a file."""
    lines = _of_count(scene.rng, (5, 6, 7, 8, 9))
    result = figures.plain(figures.middle(figures.read(lines)))
    return _file_or_answer(scene, written(lines), written([result]), what="median_numbers")


@kind
def sum_numbers(scene: Scene) -> Drawn:
    """The sum of the numbers in a file."""
    lines = _of_count(scene.rng, (4, 6, 9, 12))
    result = figures.plain(sum(figures.read(lines), figures.Number(0)))
    return _file_or_answer(scene, written(lines), written([result]), what="sum_numbers")


@kind
def even_numbers(scene: Scene) -> Drawn:
    """The even numbers of a file, in their order."""
    lines = [*contents.numbers(scene.rng, 6, 11), "4"]
    kept = [line for line in lines if int(line) % 2 == 0]
    return _file_or_answer(scene, written(lines), written(kept), what="even_numbers")


@kind
def most_common_word(scene: Scene) -> Drawn:
    """The word that occurs most often; where several do, the request says which."""
    rng = scene.rng
    tie = rng.random() < 0.4
    pool = rng.sample([word.lower() for word in vocabulary().words], 6) + rng.sample(("café", "niño", "straße"), 1)
    first, second = rng.sample(pool, 2)
    words = pool + [first] * 3 + [second] * (3 if tie else 1)
    rng.shuffle(words)
    lines = [" ".join(words[at : at + 4]) for at in range(0, len(words), 4)]
    (result, *others) = figures.most_frequent(words)
    assert bool(others) == tie
    what = "most_common_word_first" if tie else "most_common_word"
    return _file_or_answer(scene, written(lines), written([result]), what=what)


@kind
def count_vowels(scene: Scene) -> Drawn:
    """How many vowels a text has."""
    text = _letters(scene.rng)
    result = str(figures.count_of("aeiouAEIOU", text))
    return _file_or_answer(scene, text, written([result]), what="count_vowels")


@kind
def count_capitals(scene: Scene) -> Drawn:
    """How many capital letters a text has."""
    text = _letters(scene.rng)
    result = str(figures.count_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ", text))
    return _file_or_answer(scene, text, written([result]), what="count_capitals")


@kind
def count_digits(scene: Scene) -> Drawn:
    """How many digits a text has."""
    rng = scene.rng
    text = written(rng.choice((contents.row, contents.entry))(rng) for _ in range(rng.randint(3, 8)))
    result = str(figures.count_of("0123456789", text))
    return _file_or_answer(scene, text, written([result]), what="count_digits")


def _letters(rng: Random) -> Text:
    """Sentences with capitals here and there, and letters beyond a-z of which nobody says that they are vowels."""
    lines = [contents.phrase(rng) for _ in range(rng.randint(3, 7))]
    lines[0] = lines[0].title()
    if rng.random() < 0.5:
        lines.append(rng.choice(("mañana", "straße", "ça va", "łza")))
    return contents.text_of(rng, lines, ended=False)


@kind
def longest_line(scene: Scene) -> Drawn:
    """The longest line of a file; where several are as long, the request says which."""
    rng = scene.rng
    tie = rng.random() < 0.4
    while True:
        lines = [contents.phrase(rng) for _ in range(rng.randint(4, 9))]
        if tie:
            longest = figures.longest(lines)[0]
            lines.append(longest[::-1])
        found = figures.longest(lines)
        if len(set(found)) == (2 if tie else 1) and len(found) == len(set(found)):
            what = "longest_line_first" if tie else "longest_line"
            return _file_or_answer(scene, written(lines), written([found[0]]), what=what)


@kind
def title_case(scene: Scene) -> Drawn:
    """Every word with a capital letter."""
    rng = scene.rng
    lines = [contents.phrase(rng).lower() for _ in range(rng.randint(3, 7))]
    if rng.random() < 0.4:
        lines[-1] = lines[-1].upper()
    if rng.random() < 0.3:
        lines.append("élan naïve señor")
    return _file_or_answer(scene, written(lines), figures.titled(written(lines)), what="title_case")


# -- tables -----------------------------------------------------------------------------------------------------------


class _Table:
    """A table with a label and two amounts, one of which now and then lacks cells."""

    def __init__(self, rng: Random, *, finite: bool = False) -> None:
        self.label = rng.choice(LABELS)
        self.amount, self.other = rng.sample(AMOUNTS, 2)
        count = rng.choice(FINITE)
        missing = rng.randint(1, 2) if rng.random() < 0.5 else 0
        amounts = _decimals(rng, count) + [""] * missing
        if not finite:
            amounts += _decimals(rng, 2)
        labels = [rng.choice(VALUES) for _ in amounts]
        if rng.random() < 0.6:
            labels[rng.randrange(len(labels))] = rng.choice(QUOTED)
        rows = [[label, amount, str(rng.randint(1, 60))] for label, amount in zip(labels, amounts, strict=True)]
        rng.shuffle(rows)
        order = rng.sample(range(3), 3)
        names = [self.label, self.amount, self.other]
        self.missing = bool(missing)
        self.text = figures.table_text([names[at] for at in order], ([row[at] for at in order] for row in rows))


def _of_column(scene: Scene, table: _Table, name: str, result: str, what: str, **slots: str | int) -> Drawn:
    return _file_or_answer(scene, table.text, written([result]), ".csv", what=what, column=name, **slots)


def _figure_of(name: str, figure: Callable[[list[figures.Number]], figures.Number]) -> Callable[[Scene], Drawn]:
    def drawn(scene: Scene) -> Drawn:
        table = _Table(scene.rng, finite=True)
        numbers = figures.read(figures.cells(table.text, table.amount))
        return _of_column(scene, table, table.amount, figures.plain(figure(numbers)), name)

    return drawn


@kind
def column_sum(scene: Scene) -> Drawn:
    """The sum of a column of CSV; cells may be missing."""
    return _figure_of("column_sum", lambda numbers: sum(numbers, figures.Number(0)))(scene)


@kind
def column_average(scene: Scene) -> Drawn:
    """The average of a column of CSV; where cells are missing, the request says that they do not count."""
    table = _Table(scene.rng, finite=True)
    result = figures.plain(figures.mean(figures.read(figures.cells(table.text, table.amount))))
    what = "column_average_missing" if table.missing else "column_average"
    return _of_column(scene, table, table.amount, result, what)


@kind
def column_median(scene: Scene) -> Drawn:
    """The median of a column of CSV."""
    table = _Table(scene.rng)
    result = figures.plain(figures.middle(figures.read(figures.cells(table.text, table.other))))
    return _of_column(scene, table, table.other, result, "column_median")


@kind
def column_largest(scene: Scene) -> Drawn:
    """The largest number in a column of CSV."""
    table = _Table(scene.rng)
    result = figures.plain(max(figures.read(figures.cells(table.text, table.other))))
    return _of_column(scene, table, table.other, result, "column_largest")


@kind
def most_common_value(scene: Scene) -> Drawn:
    """The value that occurs most often in a column of CSV."""
    while True:
        table = _Table(scene.rng)
        found = figures.most_frequent(figures.cells(table.text, table.label))
        if len(found) == 1:
            return _of_column(scene, table, table.label, found[0], "most_common_value")


@kind
def column_values(scene: Scene) -> Drawn:
    """A column of CSV as a text."""
    table = _Table(scene.rng)
    values = [row[table.label] for row in figures.table_of(table.text)]
    return _file_or_answer(scene, table.text, written(values), ".csv", what="column_values", column=table.label)


@kind
def sum_where(scene: Scene) -> Drawn:
    """The sum of a column of CSV, of the rows that have some value in another."""
    table = _Table(scene.rng)
    rows = figures.table_of(table.text)
    value = scene.rng.choice([row[table.label] for row in rows if row[table.label] in VALUES])
    numbers = figures.read(figures.cells(table.text, table.other, lambda row: row[table.label] == value))
    result = figures.plain(sum(numbers, figures.Number(0)))
    return _of_column(scene, table, table.other, result, "sum_where", by=table.label, value=value)


# -- records ----------------------------------------------------------------------------------------------------------


@kind
def names_over_age(scene: Scene) -> Drawn:
    """The names of people over some age, from JSON."""
    rng = scene.rng
    age = rng.choice((18, 30, 40, 65))
    ages = [age - 5, age, age + 1, age + 12, *(rng.randint(8, 90) for _ in range(rng.randint(1, 4)))]
    people = [{"name": name, "age": each} for name, each in zip(rng.sample(PEOPLE, len(ages)), ages, strict=True)]
    rng.shuffle(people)
    return _of_records(scene, people, "name", "age", age, "names_over_age")


@kind
def records_over(scene: Scene) -> Drawn:
    """A field of those records that have more than so much in another, from JSON."""
    rng = scene.rng
    label, amount = rng.choice(("title", "product", "city", "id")), rng.choice(("price", "weight", "score", "pages"))
    limit = rng.choice((10, 50, 100))
    amounts = [limit, limit + 0.5, limit - 3, *(rng.randint(0, 2 * limit) for _ in range(rng.randint(2, 4)))]
    records = [
        {label: value, amount: each} for value, each in zip(rng.sample(VALUES, len(amounts)), amounts, strict=True)
    ]
    return _of_records(scene, records, label, amount, limit, "records_over")


def _of_records(scene: Scene, records: list[dict[str, object]], label: str, amount: str, n: int, what: str) -> Drawn:
    indent = scene.rng.choice((None, 2))
    text = json.dumps(records, indent=indent, ensure_ascii=scene.rng.random() < 0.3) + "\n"
    result = written(figures.fields(text, label, lambda record: record[amount] > n))
    return _file_or_answer(scene, text, result, ".json", what=what, label=label, column=amount, n=n)
