"""Sensible fillings for the slots of commands: from the goal's own paths, words and numbers, and scratch names."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping

from dabhand.commands import Template
from dabhand.goals import IsCopy
from dabhand.language import Call, Const, Kind
from dabhand.language.terms import subterms
from dabhand.planning.target import Target
from dabhand.workspace import File, State, parent_of

MAX_UNSPOKEN = 4
"""Paths that no condition names and that are worth changing, at most: those of a large tree come with the tree."""

SCRATCH = 3
"""Intermediate files that there are at one time, at most."""

MAX_LINES_WRITTEN = 6
"""Lines of a given text that are written one by one, at most."""

MAX_FILLINGS = 400
"""Fillings of one command in one folder, at most."""


class Material:
    """What a goal offers to fill slots with.

    Attributes:
        sources: paths that its terms read or copy from.
        words, numbers: constants of its terms, words also as patterns that match just them.
        scratch: names for intermediate files, which are in nobody's way.
    """

    def __init__(self, target: Target, scratch: int = SCRATCH) -> None:
        self.target = target
        goal = target.goal
        copied = [one.source for one in goal.conditions if isinstance(one, IsCopy)]
        self.sources = tuple(dict.fromkeys((*_paths_read(target), *copied, *goal.reads)))
        self.words = _words(target)
        if any(_is_unfinished(target, path) for path in self.sources):
            self.words = tuple(dict.fromkeys((*self.words, "")))  # an empty line after it ends its last one
        self.numbers = _numbers(target)
        self.scratch = _free_names(target, scratch)

    def readable(self, state: State) -> tuple[str, ...]:
        """Paths worth reading in a folder that came up while planning."""
        spoken = self.target.goal.paths
        others = [path for path in self.target.paths if path not in spoken and path in state][:MAX_UNSPOKEN]
        made = [path for path in (*self.scratch, *spoken, *others) if path in state]
        return tuple(dict.fromkeys((*(path for path in self.sources if path in state), *made)))

    def writable(self, state: State, *, scratch: bool) -> tuple[str, ...]:
        """Paths worth changing: those that are not yet as wanted, the folders they are in, and a scratch name."""
        wrong = self.target.wrong(state)
        found = dict.fromkeys(_tops(wrong))
        for path in tuple(found):
            above = parent_of(path)
            if above and above in state:
                found[above] = None
        spoken = [path for path in self.target.goal.paths if path in wrong]
        unspoken = [path for path in wrong if path not in spoken and path not in found]
        found |= dict.fromkeys((*spoken, *unspoken[:MAX_UNSPOKEN]))
        if scratch:
            unused = next((name for name in self.scratch if name not in state), None)
            if unused is not None:
                found[unused] = None
        return tuple(found)


def fillings(
    template: Template, touched: frozenset[str] | None, readable: tuple[str, ...], writable: tuple[str, ...],
    material: Material,
) -> Iterator[Mapping[str, str | int]]:  # fmt: skip
    """Fillings of a command that could bring a goal nearer.

    Args:
        template: the command.
        touched: slots whose paths it is known to change, None while that is not known.
        readable: paths worth reading.
        writable: paths worth changing.
        material: words and numbers.
    """
    both = tuple(dict.fromkeys((*readable, *writable)))
    choices: list[tuple[str | int, ...]] = []
    for slot in template.slots:
        if slot.kind == "word":
            choices.append(material.words)
        elif slot.kind == "number":
            choices.append(material.numbers)
        elif touched is None:
            choices.append(both)
        else:
            choices.append(writable if slot.name in touched else readable)
    names = [slot.name for slot in template.slots]
    for values in itertools.islice(itertools.product(*choices), MAX_FILLINGS):
        yield dict(zip(names, values, strict=True))


def _tops(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Paths that are below no other of them."""
    every = set(paths)
    return tuple(path for path in paths if not any(above in every for above in _all_above(path)))


def _all_above(path: str) -> Iterator[str]:
    above = parent_of(path)
    while above:
        yield above
        above = parent_of(above)


def _paths_read(target: Target) -> Iterator[str]:
    for term in target.goal.terms:
        for part in subterms(term):
            if isinstance(part, Const) and part.kind is Kind.PATH:
                yield part.value


def _words(target: Target) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for term in target.goal.terms:
        for part in subterms(term):
            if isinstance(part, Const) and part.kind is Kind.WORD:
                found[part.value] = None
            elif isinstance(part, Const) and part.kind is Kind.TEXT and part.value.removesuffix("\n"):
                found[part.value.removesuffix("\n")] = None
                found |= dict.fromkeys(part.value.split("\n")[:MAX_LINES_WRITTEN])
    for word in tuple(found):
        # Words that tools take as patterns or replacements, written so that they mean only themselves.
        found.setdefault(re.sub(r"([\\.\[\]*^$/])", r"\\\1", word))
        found.setdefault(re.sub(r"([\\&/])", r"\\\1", word))
    return tuple(found)


def _is_unfinished(target: Target, path: str) -> bool:
    """Whether a file's last line has no end."""
    node = target.before.get(path)
    return isinstance(node, File) and not node.data.endswith(b"\n") and bool(node.data)


def _numbers(target: Target) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for term in target.goal.terms:
        for part in subterms(term):
            if isinstance(part, Const) and part.kind is Kind.NUMBER and isinstance(part.value, int):
                found |= dict.fromkeys((part.value, abs(part.value)))
            elif isinstance(part, Call) and part.name == "between":
                first, last = (one.value if isinstance(one, Const) else 0 for one in part.args[:2])
                found |= dict.fromkeys((last, last - first + 1))  # the last few of the first few
    for value in tuple(found):
        found.setdefault(value + 1)
        found.setdefault(max(value - 1, 0))
    return tuple(found)


def scratch_name(number: int) -> str:
    """A name for an intermediate file; who takes in only a part of a folder has to look whether it is free."""
    return f"scratch-{number}.tmp"


def _free_names(target: Target, count: int) -> tuple[str, ...]:
    taken = {*target.before, *target.wanted}
    names = map(scratch_name, itertools.count(1))
    return tuple(itertools.islice((name for name in names if name not in taken), count))
