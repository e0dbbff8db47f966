"""Inputs at the edges of what the examples show: a single line, ties, capitals, marks in front, numbers of other sizes.

`ambiguity` makes inputs that look like the examples; programs that agree on all such still part on what people use a
tool on next. Each text here is one such next use of the examples' own lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any

from dabhand.language import PATH, WORD, Env, Var
from dabhand.language.samples import TextFolder
from dabhand.toolmaking.likeness import Likeness
from dabhand.toolmaking.search_task import form_of

MOST_LINES = 12
NUMBERS = (0, 1, 2, 7, 9, 10, 15, 25, 49, 91, 100, 121, -1, -4, -9, -15)
"""Numbers at which rules about numbers part: signs, zero, squares, primes and products of primes, more digits."""
LETTERS = str.maketrans("aeou", "àéöü")
_NUMBER = re.compile(r"-?\d+")
_PIECE = re.compile(r"\w+")
_WORD = re.compile(r"[^\W\d_]+")


def boundary_envs(inputs: Sequence[Var], envs: Sequence[Env]) -> list[Env]:
    """The first example with other values for its one text or word; nothing where there are several inputs.

    Args:
        inputs: the slots.
        envs: the examples.
    """
    if len(inputs) != 1 or inputs[0].kind not in (PATH, WORD):
        return []
    name, is_file = inputs[0].name, inputs[0].kind is PATH
    first = envs[0].slots[name]
    if not is_file:
        known = [str(env.slots[name]) for env in envs]
        like = Likeness(known)
        made = (word for each in known for word in odd_lines(each) if like.holds(word))
        return [Env({name: word}, envs[0].folder) for word in dict.fromkeys(made) if word not in known]
    given = [env.folder.text(env.slots[name]) or "" for env in envs]
    return [Env({name: first}, TextFolder({first: text})) for text in boundary_texts(given)]


def text_of(env: Env) -> str:
    """The one text or word of an example, as `boundary_envs` makes them."""
    value = str(next(iter(env.slots.values())))
    return env.folder.text(value) or value


def boundary_texts(given: Sequence[str]) -> list[str]:
    """Texts of the same form as some others, at its edges."""
    match form_of(given):
        case "json":
            made = _json_texts(given)
        case "csv":
            made = _csv_texts(given)
        case "numbers":
            made = _number_texts(given)
        case _:
            made = _plain_texts(given)
    known, like = {*given, ""}, Likeness(given)
    return [text for text in dict.fromkeys(made) if text not in known and like.holds(text)]


def edge_texts() -> Iterator[str]:
    """Texts of no form in particular, on which what seems one program turns out to be another."""
    letters = "".join(map(chr, range(ord("a"), ord("z") + 1)))
    yield letters + "\n"
    yield letters.upper() + "\n"
    yield "\n".join(letters) + "\n"
    yield "".join(map(chr, range(32, 127))) + "\n"
    yield "àéöü ß ÀÉÖÜ ı İ\n"
    yield "a b\n\n  \n\tc  d \n"
    yield "10\n9\n-2\n-10\n0\n1.50\n"
    yield "no end of line"


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def _text(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _all(given: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(line for text in given for line in _lines(text)))


def _repeated(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines in other numbers and orders: few, many, twice in a row, twice apart, some more often than others."""
    yield from ([line] for line in lines[:2])
    yield list(lines[:2])
    yield [lines[0]] * 3
    yield list(islice(cycle(lines), max(8, len(lines))))
    yield [line for line in lines[:4] for _ in range(2)]
    yield [*lines[:3], *lines[:3]]
    yield [*reversed(lines), *lines[:1]]
    yield [*lines[1:4], lines[0], *lines[2:5], lines[0], *lines[:2]]


def _plain_texts(given: Sequence[str]) -> Iterator[str]:
    lines = _all(given)
    if not lines:
        return
    for some in _repeated(lines):
        yield _text(some)
    like = Likeness(given)
    for text in given[:2]:
        own = _lines(text)
        odd = [[each if like.holds(each) else line for each in odd_lines(line)] for line in own]
        for kinds in zip(*odd, strict=False):
            yield _text(kinds)
        yield _text([line for pair in zip(own, ["", *own[::-1]], strict=False) for line in pair])
    odd_ones = [islice(odd_lines(line), len(line) % 5, len(line) % 5 + 2) for line in lines[:MOST_LINES]]
    yield _text([each for some in odd_ones for each in some if like.holds(each)])
    sizes = sorted(lines, key=len)
    yield _text([*sizes[::2], *sizes[1::2]])
    yield _text([sizes[-1], *sizes[:3], f"{sizes[-1]} {sizes[0]}"])


def odd_lines(line: str) -> Iterator[str]:
    """One line as it may also be written: other case, letters, marks inside and in front, more and fewer words."""
    words = line.split(" ")
    for mark in dict.fromkeys(re.findall(r"[^\w\s]", line)):
        yield f"{line}{mark}{(_PIECE.findall(line) or ['x'])[0]}"
    yield line.swapcase()
    yield line.capitalize()
    yield line.title()
    yield line.upper() + " x"
    yield line.translate(LETTERS)
    yield line if "-" in line else f"-{line}"
    yield line if "#" in line else f"# {line}"
    yield _WORD.sub(lambda found: f"{found[0][:1]}'{found[0][1:]}", line, count=1)
    yield _WORD.sub(lambda found: f"{found[0][:2]}-{found[0][2:]}", line, count=1)
    yield _WORD.sub(lambda found: f"{found[0][:2]}4{found[0][2:]}", line, count=1)
    yield " ".join([words[-1], *words[:-1]])
    yield " ".join([*words, words[0]])
    yield " ".join([*words, *words])
    yield words[0]
    yield _NUMBER.sub(lambda found: str(int(found[0]) * 7 + 3), line)
    yield _NUMBER.sub(lambda found: str(int(found[0]) % 10), line)


def _number_texts(given: Sequence[str]) -> Iterator[str]:
    lines = _all(given)
    for some in _repeated(lines):
        yield _text(some)
    whole = all(_NUMBER.fullmatch(line.strip()) for line in lines)
    spread = [str(number) for number in NUMBERS]
    for start in range(0, len(spread), 4):
        yield _text([*spread[start : start + 4], lines[0]])
    if any(line.strip().startswith("-") for line in lines):
        yield _text([line.strip().lstrip("-") for line in lines])
    yield _text([line.strip() if line.strip().startswith("-") else f"-{line.strip()}" for line in lines])
    yield _text(spread if whole else [f"{number}.5" for number in NUMBERS])
    yield _text([str(number) for number in range(2, 14)])
    for near in (-1, 1):
        yield _text([str(int(line) + near) if _NUMBER.fullmatch(line.strip()) else line for line in lines])


def _csv_texts(given: Sequence[str]) -> Iterator[str]:
    head = _lines(given[0])[0]
    rows = list(dict.fromkeys(line for text in given for line in _lines(text)[1:]))
    if not rows:
        return
    for some in _repeated(rows):
        yield _text([head, *some])
    for change in _number_changes():
        yield _text([head, *[",".join(map(change, row.split(","))) for row in rows]])
    columns = list(zip(*[row.split(",") for row in rows if row.count(",") == head.count(",")], strict=True))
    for place, cells in enumerate(columns):
        turned = [*columns[:place], (*cells[1:], cells[0]), *columns[place + 1 :]]
        yield _text([head, *[",".join(row) for row in zip(*turned, strict=True)]])


def _number_changes() -> Iterator[Callable[[str], str]]:
    spread = cycle(NUMBERS)

    def changed(by: Callable[[int], int]) -> Callable[[str], str]:
        return lambda cell: str(by(int(cell))) if _NUMBER.fullmatch(cell) else cell

    yield changed(lambda number: number + 1)
    yield changed(lambda number: number - 1)
    yield changed(lambda number: next(spread))
    yield changed(lambda number: number * 3)
    yield changed(lambda number: number // 2)
    yield changed(lambda number: number + 7)


def _json_texts(given: Sequence[str]) -> Iterator[str]:
    try:
        values = [json.loads(text) for text in given]
    except (ValueError, RecursionError):
        return
    end = "\n" if given[0].endswith("\n") else ""
    if all(isinstance(value, list) and value for value in values):
        items = [each for value in values for each in value]
        for some in _repeated(items):
            yield json.dumps(some, ensure_ascii=False) + end
    for change in _number_changes():
        for value in values:
            yield json.dumps(_changed(value, change), ensure_ascii=False) + end


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    """The value with its whole numbers changed."""
    if isinstance(value, list):
        return [_changed(each, change) for each in value]
    if isinstance(value, dict):
        return {name: _changed(each, change) for name, each in value.items()}
    return int(change(str(value))) if isinstance(value, int) and not isinstance(value, bool) else value
