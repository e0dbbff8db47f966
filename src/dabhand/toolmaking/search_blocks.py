"""Which building blocks programs are made of, and the small terms that are tried on every element of a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dabhand.language import (
    BLOCKS,
    BOOL,
    FAILED,
    FUNCTIONS,
    NUMBER,
    NUMBERS,
    PRIMITIVES,
    TABLE,
    TEXT,
    WORD,
    Const,
    Enumeration,
    Env,
    Function,
    Kind,
    Value,
    Var,
)
from dabhand.language.samples import TextFolder
from dabhand.toolmaking.search_task import Priced, Task

NOWHERE = TextFolder({})
"""The folder of terms that read none."""

_LEFT_OUT = frozenset({
    "upper", "lower", "records", "concat", "legible", "before_illegible", "numbered", "vowels_only", "byte_count",
    "first_bytes", "last_bytes", "columns", "columns_from", "folded", "translate", "squeezed", "deleted", "newlines",
    "spelled", "sort_folded", "occurrences", "same", "is_unicode", "ends_in_newline", "range", "content",
})  # fmt: skip
"""What commands need and programs say otherwise; a program of other blocks is found instead."""
_WORDY = frozenset({Kind.WORD_TO_NUMBER, Kind.WORD_TO_BOOL, Kind.ROW_TO_BOOL})
_FAMILIES = frozenset({"paths", "patterns"})

OUTER = tuple(
    name
    for name, each in (PRIMITIVES | BLOCKS).items()
    if name == "text" or (name not in _LEFT_OUT and each.family not in _FAMILIES)
)
"""The blocks of whole programs."""
INNER = tuple(
    name
    for name, each in (PRIMITIVES | BLOCKS).items()
    if name in OUTER
    and name not in ("has_repeats", "is_sorted")
    and not each.reads_folder
    and not any(kind in FUNCTIONS or kind in (TEXT, TABLE, Kind.JSON) for kind in (*each.takes, each.gives))
)
"""The blocks of what is done with one element."""

_NUMERIC = frozenset({NUMBER, NUMBERS, BOOL})
NUMERIC = tuple(
    name
    for name, each in (PRIMITIVES | BLOCKS).items()
    if all(kind in _NUMERIC or FUNCTIONS.get(kind, ((), None))[1] in _NUMERIC for kind in (*each.takes, each.gives))
    and not any(FUNCTIONS.get(kind, ((NUMBER,), None))[0] != (NUMBER,) and kind in _WORDY for kind in each.takes)
    and name not in _LEFT_OUT
)
"""The blocks of programs about numbers alone."""

MAX_ELEMENTS = 24
MAX_FUNCTIONS = {WORD: 60, NUMBER: 24, BOOL: 90}
MAX_BODY = 5


def blocks_for(task: Task, depth: int) -> tuple[str, ...]:
    """The blocks that a task's program may be made of; `depth` is above 0 for what is done with one element."""
    if task.kind in _NUMERIC and all(each.kind in _NUMERIC for each in task.inputs):
        return NUMERIC
    return INNER if depth else OUTER


def element_envs(elements: Iterable[Value]) -> list[Env]:
    """Examples for the body of a function that takes one element."""
    return [Env({"it": each}, NOWHERE) for each in elements]


def functions_over(elements: Sequence[str], constants: Sequence[Priced]) -> tuple[list[Priced], int]:
    """Small functions of words, each of another behaviour on some elements, with prices; and how many were tried."""
    kinds = {WORD: Kind.WORD_TO_WORD, NUMBER: Kind.WORD_TO_NUMBER, BOOL: Kind.WORD_TO_BOOL}
    return _functions(elements, kinds, WORD, constants)


def number_functions(elements: Sequence[Value], constants: Sequence[Priced]) -> tuple[list[Priced], int]:
    """Small functions of numbers, each of another behaviour on some elements, with prices; and how many were tried."""
    kinds = {NUMBER: Kind.NUMBER_TO_NUMBER, BOOL: Kind.NUMBER_TO_BOOL}
    return _functions(elements, kinds, NUMBER, constants)


def _functions(
    elements: Sequence[Value], kinds: Mapping[Kind, Kind], kind: Kind, constants: Sequence[Priced]
) -> tuple[list[Priced], int]:
    envs = element_envs(list(dict.fromkeys(elements))[:MAX_ELEMENTS])
    left, made = dict(MAX_FUNCTIONS), []
    enumeration = Enumeration([Var("it", kind)], envs, kinds, INNER, priced=constants)
    for entry in enumeration.run(MAX_BODY):
        if not (entry.kind in kinds and entry.cost and left[entry.kind] and entry.is_open):
            continue
        if len(set(enumeration.values(entry)) - {FAILED}) > 1:
            left[entry.kind] -= 1
            function = kinds[entry.kind]
            made.append((Const(Function(entry.term(), function), function), entry.cost))
        if not any(left[each] for each in kinds):
            break
    return made, enumeration.tried
