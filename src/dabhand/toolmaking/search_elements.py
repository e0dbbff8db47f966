"""From lists to the wanted list: changed element for element, chosen, ordered, paired, run along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from dabhand.language import (
    BOOL,
    FAILED,
    LINES,
    NUMBER,
    TABLE,
    WORD,
    Call,
    Const,
    Env,
    EvalError,
    Function,
    Kind,
    Term,
    parameters,
)
from dabhand.language.numbered import Entry
from dabhand.toolmaking.search_blocks import NOWHERE
from dabhand.toolmaking.search_task import Priced, Task, constants_of

MAX_PAIRS = 30
MAX_SHADOWS = 6


class Part(msgspec.Struct, frozen=True):
    """A smaller task, and how its solution makes one of the larger.

    Attributes:
        task: what the function's body is to do on some elements.
        function: its kind.
        finish: from the function to the term of the larger task.
        pairs: all elements (as tuples of arguments) with the wanted results, which the body must give.
    """

    task: Task
    function: Kind
    finish: Callable[[Term], Term]
    pairs: tuple[tuple[tuple[Any, ...], Any], ...]

    def whole(self, body: Term) -> Term | None:
        """The larger task's term; None when the body is wrong on some element."""
        function = Function(body, self.function)
        for given, wanted in self.pairs:
            try:
                if function(*given) != wanted:
                    return None
            except EvalError:
                return None
        return self.finish(Const(function, self.function))


Lists = Sequence[Any]


def parts(
    entry: Entry, lists: Lists, shadows: Lists, goal: Sequence[Any], constants: Sequence[Priced]
) -> Iterator[Part]:
    """Smaller tasks by which a list becomes the wanted list of the same kind.

    Args:
        entry: of the list.
        lists: its values on the examples.
        shadows: its values on inputs whose result is not known.
        goal: the wanted lists.
        constants: of the larger task.
    """
    words = entry.kind is LINES
    name, chooser = ("each", "where") if words else ("each_number", "numbers_where")
    kind = WORD if words else NUMBER
    more = [each for one in shadows if one is not FAILED for each in one]
    mapped = changes([(each,) for one in lists for each in one], [each for one in goal for each in one], lists, goal)
    if mapped is not None:
        function = Kind.WORD_TO_WORD if words else Kind.NUMBER_TO_NUMBER
        yield _part(mapped, function, kind, _apply(name, entry), constants, more)
    chosen = choices(lists, goal)
    if chosen is not None:
        function = Kind.WORD_TO_BOOL if words else Kind.NUMBER_TO_BOOL
        yield _part(chosen, function, BOOL, _apply(chooser, entry), constants, more)
    if not words:
        along = _steps(lists, goal)
        if along is not None:
            yield _part(along, Kind.TWO_TO_NUMBER, NUMBER, _apply("running", entry), constants, [])


def parts_with(
    entry: Entry, lists: Lists, number: Entry, numbers: Sequence[Any], goal: Lists, constants: Sequence[Priced]
) -> Iterator[Part]:
    """As `parts`, for lists of numbers, together with one further number."""
    given = [(each, other) for one, other in zip(lists, numbers, strict=True) for each in one]
    mapped = changes(given, [each for one in goal for each in one], lists, goal)
    if mapped is not None:
        finish = _apply("each_number_with", number, entry)
        yield _part(mapped, Kind.TWO_TO_NUMBER, NUMBER, finish, constants, [])
    chosen = choices_among([[(each, other) for each in one] for one, other in zip(lists, numbers, strict=True)], goal)
    if chosen is not None:
        finish = _apply("numbers_where_with", number, entry)
        yield _part(chosen, Kind.TWO_TO_BOOL, BOOL, finish, constants, [])


def paired(
    entry: Entry, lists: Lists, other: Entry, others: Lists, goal: Lists, constants: Sequence[Priced]
) -> Iterator[Part]:
    """Two lists of numbers put together, place by place."""
    if all(len(wanted) == min(len(a), len(b)) for a, b, wanted in zip(lists, others, goal, strict=True)):
        given = [pair for a, b in zip(lists, others, strict=True) for pair in zip(a, b, strict=False)]
        shorter = [tuple(zip(a, b, strict=False)) for a, b in zip(lists, others, strict=True)]
        mapped = changes(given, [each for one in goal for each in one], shorter, goal)
        if mapped is not None:
            yield _part(mapped, Kind.TWO_TO_NUMBER, NUMBER, _apply("paired", entry, other), constants, [])


def rows(entry: Entry, tables: Lists, goal: Lists, constants: Sequence[Priced]) -> Iterator[Part]:
    """The rows of a table changed into lines."""
    if entry.kind is TABLE and all(tables):
        below = [table[1:] for table in tables]
        given = [(row,) for table in below for row in table]
        mapped = changes(given, [each for one in goal for each in one], below, goal)
        if mapped is not None:
            yield _part(mapped, Kind.ROW_TO_WORD, WORD, _apply("each_row", entry), constants, [])


def _apply(name: str, *entries: Entry) -> Callable[[Term], Term]:
    return lambda function: Call(name, (function, *[entry.term() for entry in entries]))


Pairs = list[tuple[tuple[Any, ...], Any]]


def changes(given: Sequence[tuple[Any, ...]], wanted: Sequence[Any], lists: Lists, goal: Lists) -> Pairs | None:
    """Element and result, where lists go over into lists place by place and equal elements into equal results."""
    if [len(one) for one in lists] != [len(one) for one in goal] or not wanted:
        return None
    known: dict[Any, Any] = {}
    for element, result in zip(given, wanted, strict=True):
        if known.setdefault(element, result) != result:
            return None
    if len(known) < 2 or all(len(key) == 1 and key[0] == value for key, value in known.items()):
        return None
    return list(known.items())


def choices(lists: Lists, goal: Lists) -> Pairs | None:
    """Element and whether it is kept, where the wanted lists are parts of the lists, in order."""
    pairs = [[(each,) for each in one] for one in lists]
    return choices_among(pairs, goal)


def choices_among(lists: Sequence[Sequence[tuple[Any, ...]]], goal: Lists) -> Pairs | None:
    """As `choices`, of tuples whose first members are the elements."""
    truth: dict[tuple[Any, ...], bool] = {}
    for one, wanted in zip(lists, goal, strict=True):
        kept = set(wanted)
        if tuple([given[0] for given in one if given[0] in kept]) != tuple(wanted):
            return None
        for given in one:
            if truth.setdefault(given, given[0] in kept) != (given[0] in kept):
                return None
    return list(truth.items()) if len(set(truth.values())) == 2 else None


def _steps(lists: Lists, goal: Lists) -> Pairs | None:
    known: dict[Any, Any] = {}
    for one, wanted in zip(lists, goal, strict=True):
        if len(one) != len(wanted) or one[:1] != wanted[:1]:
            return None
        for before, each, result in zip(wanted, one[1:], wanted[1:], strict=False):
            if known.setdefault((before, each), result) != result:
                return None
    return list(known.items()) if len(known) > 1 else None


def _part(
    pairs: Pairs, function: Kind, kind: Kind, finish: Callable[[Term], Term], constants: Sequence[Priced], more: Lists
) -> Part:
    slots = parameters(function)
    some = _telling(pairs, kind)
    names = [slot.name for slot in slots]
    envs = tuple([Env(dict(zip(names, given, strict=True)), NOWHERE) for given, _ in some])
    shadows = [Env({names[0]: each}, NOWHERE) for each in dict.fromkeys(more) if len(slots) == 1][:MAX_SHADOWS]
    own: tuple[Priced, ...] = ()
    if slots[0].kind is WORD:
        words = [result for _, result in some] if kind is WORD else [""] * len(some)
        own = constants_of([[given[0]] for given, _ in some], words)
    known = {constant for constant, _ in own}
    both = (*own, *[each for each in constants if each[0] not in known])
    return Part(Task(slots, envs, tuple([result for _, result in some]), kind, both, tuple(shadows)), function,
                finish, tuple(pairs))  # fmt: skip


def _telling(pairs: Pairs, kind: Kind) -> Pairs:
    """At most so many pairs, of all results if they are yes and no, short elements first."""
    if len(pairs) <= MAX_PAIRS:
        return pairs
    if kind is BOOL:
        half = MAX_PAIRS // 2
        yes, no = [one for one in pairs if one[1]], [one for one in pairs if not one[1]]
        return [*yes[: max(half, MAX_PAIRS - len(no))], *no[: max(half, MAX_PAIRS - len(yes))]]
    return pairs[:MAX_PAIRS]
