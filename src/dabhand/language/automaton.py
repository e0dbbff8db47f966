"""Leftmost-longest matching of pattern trees in bounded time, for patterns on which Python's `re` could differ."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from dabhand.language.kinds import EvalError
from dabhand.language.regex_tree import Atom, Back, Choice, Group, Node, Repeat, Sequence, has_back

MAX_PROGRAM: Final = 4000
MAX_STEPS: Final = 2_000_000
MAX_STEPS_BACK: Final = 100_000  # with back references every way through the groups is a state

_CHAR, _LOOK, _SPLIT, _SAVE, _BACK, _DONE = range(6)

Spans = tuple[int, ...]
"""Start and end of the match, then of each group; -1 where a group took no part."""


class Automaton:
    """A pattern as a program for a machine that follows all ways at once (after Thompson, 1968)."""

    def __init__(self, node: Node, groups: int, flags: int) -> None:
        self.flags = flags
        self.groups = groups
        self.program: list[tuple[int, Any, int]] = []
        self.backs = has_back(node)
        self._emit(node)
        self.program.append((_DONE, None, 0))

    def _emit(self, node: Node) -> None:
        program = self.program
        if len(program) > MAX_PROGRAM:
            raise EvalError("the pattern is too large")
        match node:
            case Atom():
                test = re.compile(node.source, self.flags).match
                program.append((_CHAR if node.width else _LOOK, test, 0))
            case Group():
                program.append((_SAVE, 2 * node.number, 0))
                self._emit(node.body)
                program.append((_SAVE, 2 * node.number + 1, 0))
            case Back():
                program.append((_BACK, node.number, 0))
            case Sequence():
                for part in node.parts:
                    self._emit(part)
            case Choice():
                self._emit_choice(node)
            case Repeat():
                self._emit_repeat(node)

    def _emit_choice(self, node: Choice) -> None:
        ends = []
        for option in node.options[:-1]:
            split = len(self.program)
            self.program.append((_SPLIT, None, 0))
            self._emit(option)
            ends.append(len(self.program))
            self.program.append((_SPLIT, None, 0))
            self.program[split] = (_SPLIT, split + 1, len(self.program))
        self._emit(node.options[-1])
        for end in ends:
            self.program[end] = (_SPLIT, len(self.program), len(self.program))

    def _emit_repeat(self, node: Repeat) -> None:
        for _ in range(node.least):
            self._emit(node.body)
        if node.most is None:
            split = len(self.program)
            self.program.append((_SPLIT, None, 0))
            self._emit(node.body)
            self.program.append((_SPLIT, split, split))
            self.program[split] = (_SPLIT, split + 1, len(self.program))
            return
        splits = []
        for _ in range(node.most - node.least):
            splits.append(len(self.program))
            self.program.append((_SPLIT, None, 0))
            self._emit(node.body)
        for split in splits:
            self.program[split] = (_SPLIT, split + 1, len(self.program))

    def search(self, line: str, start: int) -> Spans | None:
        """The leftmost match from a place on, and of those the longest."""
        dead: set[Any] = set()
        for place in range(start, len(line) + 1):
            if self._explore(line, place, dead, None, None) is not None:
                return self._explore(line, place, set(), None, max(self.ends(line, place)))
        return None

    def matches(self, line: str, whole: bool) -> bool:
        """Whether there is a match anywhere, or (whole) one of the entire line."""
        if whole:
            return self._explore(line, 0, set(), None, len(line)) is not None
        dead: set[Any] = set()
        return any(self._explore(line, place, dead, None, None) is not None for place in range(len(line) + 1))

    def ends(self, line: str, place: int) -> set[int]:
        """Where the matches that begin at a place end."""
        ends: set[int] = set()
        self._explore(line, place, set(), ends, None)
        return ends

    def _explore(
        self, line: str, place: int, seen: set[Any], ends: set[int] | None, wanted: int | None
    ) -> Spans | None:
        """Follow ways in order of preference: collect all ends, or return the first way that ends as wanted.

        States in `seen` are not entered; while nothing is found, they stay known to lead nowhere.
        """
        program = self.program
        fresh = (place, -1) + (-1, -1) * self.groups
        stack: list[tuple[int, int, Spans]] = [(0, place, fresh)]
        limit = MAX_STEPS_BACK if self.backs else MAX_STEPS
        while stack:
            at, here, spans = stack.pop()
            state = (at, here, spans) if self.backs else (at, here)
            if state in seen:
                continue
            seen.add(state)
            if len(seen) > limit:
                raise EvalError("the pattern takes too long")
            kind, what, other = program[at]
            if kind == _CHAR:
                if what(line, here):
                    stack.append((at + 1, here + 1, spans))
            elif kind == _SPLIT:
                if other != what:
                    stack.append((other, here, spans))
                stack.append((what, here, spans))
            elif kind == _SAVE:
                stack.append((at + 1, here, (*spans[:what], here, *spans[what + 1 :])))
            elif kind == _LOOK:
                if what(line, here):
                    stack.append((at + 1, here, spans))
            elif kind == _BACK:
                first, last = spans[2 * what], spans[2 * what + 1]
                if 0 <= first <= last and line.startswith(line[first:last], here):
                    stack.append((at + 1, here + last - first, spans))
            elif ends is not None:
                ends.add(here)
            elif wanted is None or here == wanted:
                return (spans[0], here, *spans[2:])
        return None


@lru_cache(maxsize=256)
def automaton(node: Node, groups: int, flags: int) -> Automaton:
    """The automaton of a pattern tree, made once."""
    return Automaton(node, groups, flags)
