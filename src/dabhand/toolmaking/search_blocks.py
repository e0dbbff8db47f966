"""Which building blocks programs are made of, and the small terms that are tried on every element of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dabhand.language import (
    BLOCKS,
    BOOL,
    FAILED,
    FUNCTIONS,
    NUMBER,
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
from dabhand.toolmaking.search_task import Priced

NOWHERE = TextFolder({})
"""The folder of terms that read none."""

_LEFT_OUT = frozenset({
    "upper", "lower", "records", "concat", "legible", "before_illegible", "numbered", "vowels_only", "byte_count",
    "first_bytes", "last_bytes", "columns", "columns_from", "folded", "translate", "squeezed", "deleted", "newlines",
    "spelled", "sort_folded", "occurrences", "same", "is_unicode", "ends_in_newline", "range", "content",
})  # fmt: skip
"""What commands need and programs say otherwise; a program of other blocks is found instead."""
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
    and not each.reads_folder
    and not any(kind in FUNCTIONS or kind in (TEXT, TABLE, Kind.JSON) for kind in (*each.takes, each.gives))
)
"""The blocks of what is done with one element."""

MAX_ELEMENTS = 24
MAX_FUNCTIONS = {WORD: 60, NUMBER: 24, BOOL: 90}
MAX_BODY = 5


def element_envs(kind: Kind, elements: Iterable[Value]) -> list[Env]:
    """Examples for the body of a function that takes one element of this kind."""
    return [Env({"it": each}, NOWHERE) for each in elements]


def functions_over(
    elements: Sequence[str], constants: Sequence[Priced], costs: Mapping[str, int] | None
) -> Iterator[Priced]:
    """Small functions of words, each of another behaviour on some elements, with their prices."""
    kinds = {WORD: Kind.WORD_TO_WORD, NUMBER: Kind.WORD_TO_NUMBER, BOOL: Kind.WORD_TO_BOOL}
    yield from _functions(elements, kinds, WORD, constants, costs)


def number_functions(
    elements: Sequence[Value], constants: Sequence[Priced], costs: Mapping[str, int] | None
) -> Iterator[Priced]:
    """Small functions of numbers, each of another behaviour on some elements, with their prices."""
    kinds = {NUMBER: Kind.NUMBER_TO_NUMBER, BOOL: Kind.NUMBER_TO_BOOL}
    yield from _functions(elements, kinds, NUMBER, constants, costs)


def _functions(
    elements: Sequence[Value],
    kinds: Mapping[Kind, Kind],
    kind: Kind,
    constants: Sequence[Priced],
    costs: Mapping[str, int] | None,
) -> Iterator[Priced]:
    envs = element_envs(kind, list(dict.fromkeys(elements))[:MAX_ELEMENTS])
    if not envs:
        return
    left = dict(MAX_FUNCTIONS)
    enumeration = Enumeration([Var("it", kind)], envs, kinds, INNER, priced=constants, costs=costs)
    for entry in enumeration.run(MAX_BODY):
        if entry.kind in kinds and entry.cost and left[entry.kind] and entry.is_open:
            values = set(enumeration.values(entry)) - {FAILED}
            if len(values) > 1:
                left[entry.kind] -= 1
                function = kinds[entry.kind]
                yield Const(Function(entry.term(), function), function), entry.cost
