"""Properties of examples: what their inputs and outputs look like, and how they relate. None mentions a block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dabhand.language import NUMBER, NUMBERS, PATH, TEXT, Value, show_value
from dabhand.language.numbers import NUMBER_TEXT, read_number
from dabhand.toolmaking.search_task import Task, form_of

Pair = tuple[tuple[str, ...], tuple[str, ...]]
"""One example as text: the lines of all its inputs, and those of its output."""


def features_of(task: Task) -> tuple[str, ...]:
    """The names of the properties that the examples of a task have."""
    pairs = [(_input_lines(task, place), _lines(task.goal[place])) for place in range(len(task.goal))]
    named = {f"gives a {task.kind}"}
    form = task.form or form_of(["\n".join(given) for given, _ in pairs])
    if form:
        named.add(f"input is {form}")
    named |= {name for name, holds in RELATIONS.items() if all(map(holds, pairs))}
    named |= {name for name, holds in SOMETIMES.items() if any(map(holds, pairs))}
    return tuple(sorted(named))


def domain_of(task: Task) -> str:
    """What a task's program takes: "text" (files), "number" (numbers and lists of them) or "word"."""
    kinds = {each.kind for each in task.inputs}
    return "text" if kinds & {PATH, TEXT} else "number" if kinds <= {NUMBER, NUMBERS} else "word"


def _input_lines(task: Task, place: int) -> tuple[str, ...]:
    env = task.envs[place]
    found: list[str] = []
    for slot in task.inputs:
        value = env.slots[slot.name]
        found += _lines(env.folder.text(value) or "" if slot.kind is PATH else value)
    return tuple(found)


def _lines(value: Value) -> tuple[str, ...]:
    """A value as lines of text."""
    if isinstance(value, str):
        made = value.split("\n")
        return tuple(made[:-1] if not made[-1] else made)
    if isinstance(value, tuple):
        return tuple([each if isinstance(each, str) else _shown(each) for each in value])
    return (_shown(value),)


def _shown(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else show_value(value)


def _numbers(lines: Sequence[str]) -> list[Any]:
    return [read_number(line) for line in lines if NUMBER_TEXT.match(line)]


def _words(lines: Sequence[str]) -> list[str]:
    return " ".join(lines).split()


def _is_within(small: Sequence[str], large: Sequence[str]) -> bool:
    rest = iter(large)
    return all(any(one == other for other in rest) for one in small)


def _number_between(pair: Pair) -> bool:
    given = _numbers(pair[0])
    wanted = _numbers(pair[1])
    return len(wanted) == 1 and bool(given) and min(given) <= wanted[0] <= max(given)


RELATIONS: dict[str, Callable[[Pair], bool]] = {
    "output is a number": lambda pair: len(pair[1]) == 1 and bool(NUMBER_TEXT.match(pair[1][0])),
    "output is a small number": lambda pair: len(pair[1]) == 1 and pair[1][0].isdigit() and len(pair[1][0]) < 3,
    "output is numbers": lambda pair: len(_numbers(pair[1])) == len(pair[1]),
    "output number lies between those of the input": _number_between,
    "output number occurs in the input": lambda pair: len(pair[1]) == 1 and pair[1][0] in _words(pair[0]),
    "output is one line": lambda pair: len(pair[1]) == 1,
    "output is one word": lambda pair: len(pair[1]) == 1 and len(pair[1][0].split()) == 1,
    "output has as many lines": lambda pair: len(pair[1]) == len(pair[0]),
    "output has fewer lines": lambda pair: len(pair[1]) < len(pair[0]),
    "output is shorter": lambda pair: len("".join(pair[1])) < len("".join(pair[0])),
    "output is as long": lambda pair: len("".join(pair[1])) == len("".join(pair[0])),
    "all output lines occur in the input": lambda pair: set(pair[1]) <= set(pair[0]),
    "all output lines are parts of input lines": lambda pair: all(
        any(line in other for other in pair[0]) for line in pair[1]
    ),
    "output lines come in the input's order": lambda pair: _is_within(pair[1], pair[0]),
    "output is the input's lines in another order": lambda pair: (
        sorted(pair[0]) == sorted(pair[1]) and pair[0] != pair[1]
    ),
    "all output words occur in the input": lambda pair: set(_words(pair[1])) <= set(_words(pair[0])),
    "output is in order": lambda pair: list(pair[1]) == sorted(pair[1]),
    "output lines differ from each other": lambda pair: len(set(pair[1])) == len(pair[1]),
    "output differs in case alone": lambda pair: (
        pair[0] != pair[1] and "\n".join(pair[0]).lower() == "\n".join(pair[1]).lower()
    ),
    "output has no small letters": lambda pair: "".join(pair[1]).upper() == "".join(pair[1]),
    "output has no capitals": lambda pair: "".join(pair[1]).lower() == "".join(pair[1]),
    "input is numbers": lambda pair: bool(pair[0]) and len(_numbers(pair[0])) == len(pair[0]),
    "input has several lines": lambda pair: len(pair[0]) > 1,
    "input has no numbers": lambda pair: not any(char.isdigit() for line in pair[0] for char in line),
    "input has several words a line": lambda pair: len(_words(pair[0])) > len(pair[0]),
}
"""Properties that hold when they hold of every example."""

SOMETIMES: dict[str, Callable[[Pair], bool]] = {
    "an output has a decimal point": lambda pair: any("." in line for line in pair[1] if NUMBER_TEXT.match(line)),
    "an input repeats a line": lambda pair: len(set(pair[0])) < len(pair[0]),
    "an output has something that its input has not": lambda pair: not set("".join(pair[1])) <= set("".join(pair[0])),
    "an output is nothing": lambda pair: not "".join(pair[1]),
    "an output has a negative number": lambda pair: any(number < 0 for number in _numbers(pair[1])),
}
"""Properties that hold when they hold of some example."""
