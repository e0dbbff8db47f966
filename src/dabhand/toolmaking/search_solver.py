"""One search: forwards by enumeration, backwards from what is wanted, and through lists by smaller searches.

Forwards, all terms over the inputs in order of cost (`language.enumeration`). Whenever one has the value of a goal that
lies before the wanted one (`search_goals`), the task is solved. Between the levels, what was found so far is put
together: pieces of words (`search_pieces`), two halves and a condition (`search_choice`). A list that could be made
into the wanted list element by element opens a smaller search over its elements (`search_elements`), and all run by
turns. The method follows LambdaBeam (Shi et al., 2023) in what it looks for, and FlashMeta (Polozov and Gulwani, 2015)
in deducing backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from dabhand.language import (
    BOOL,
    LINES,
    NUMBER,
    NUMBERS,
    TABLE,
    TEXT,
    WORD,
    Enumeration,
    EvalError,
    Kind,
    Term,
    evaluate,
    variables,
)
from dabhand.language.numbered import Entry
from dabhand.toolmaking.search_blocks import blocks_for, functions_over, number_functions
from dabhand.toolmaking.search_choice import Choice
from dabhand.toolmaking.search_elements import Part, paired, parts, parts_with, rows
from dabhand.toolmaking.search_goals import Goal, goals_of
from dabhand.toolmaking.search_numbers import Sums, cuts
from dabhand.toolmaking.search_pieces import Pieces
from dabhand.toolmaking.search_task import Task

MAX_COST = 40
MAX_PARTS = 90
MAX_RUNNING = 6
SHARE = 300
MAX_PART_TRIED = 60_000
ENOUGH_MORE = 3_000
MAX_PARTNERS = 12
MAX_LISTS = 1500
BEFORE_STOCK = 600
"""How many terms are tried before small functions join in: short programs need none."""
MIN_HALF = 4
"""A whole program that has two cases is not weak when each is needed by so many examples."""


class Solution(msgspec.Struct, frozen=True):
    """A term that is right on all examples.

    Attributes:
        length: of its description.
        weak: it rests on a single example somewhere (a case of its own for one of them).
        tried: how many terms had been looked at when it was found.
    """

    term: Term
    length: int
    weak: bool
    tried: int


class Solver:
    """The state of one search, which goes on as long as it is asked to.

    Attributes:
        solutions: found so far, each term once.
        level: the cost of the terms looked at last.
        foretold: of each example, whether the first term right on all others was right on it too (None: open).
    """

    def __init__(
        self, task: Task, costs: Callable[[Task], Mapping[str, int]], expired: Callable[[], bool], depth: int = 0
    ) -> None:
        self.task, self.costs, self.depth = task, costs, depth
        self._lists = self._stocked = 0
        self.solutions: list[Solution] = []
        self.size = len(task.goal)
        self.foretold: list[bool | None] = [None] * self.size
        self._expired = expired
        self._goals = goals_of(task.kind, task.goal)
        self._by_kind: dict[Kind, list[Goal]] = {}
        for goal in self._goals:
            self._by_kind.setdefault(goal.kind, []).append(goal)
        kinds = {goal.kind for goal in self._goals} | {LINES, NUMBERS, BOOL, WORD}
        self.enumeration = Enumeration(
            task.inputs, (*task.envs, *task.shadows), kinds, blocks_for(task, depth),
            priced=task.constants, costs=costs(task), expired=expired,
        )  # fmt: skip
        self._wanted = {
            (goal.kind, tuple([self.enumeration.number(value, goal.kind) for value in goal.values])): goal
            for goal in reversed(self._goals)
        }
        self._run = self.enumeration.run(MAX_COST)
        self.level = 0
        self._pieces = [(goal, Pieces(goal.values)) for goal in self._by_kind.get(WORD, [])]
        self._sums = [(goal, Sums(goal.values)) for goal in self._by_kind.get(NUMBER, [])]
        self._choices = [(goal, Choice(goal.kind, self.size)) for goal in self._goals if goal.kind in (WORD, NUMBER)]
        self._parts: list[tuple[int, Part, Goal, Solver]] = []
        self._opened: set[Any] = set()
        self._partners: list[tuple[Entry, tuple[Any, ...]]] = []
        self._captured: list[tuple[Entry, tuple[Any, ...]]] = []
        self._to_stock: dict[Kind, tuple[Any, ...]] = {}
        self._has_stock: set[Kind] = set()
        self.is_done = False

    @property
    def first(self) -> Solution | None:
        """The first solution that is not weak."""
        return next((one for one in self.solutions if not one.weak), None)

    @property
    def tried(self) -> int:
        """How many terms were looked at, in smaller searches too."""
        return self.enumeration.tried + self._stocked + sum(part[3].tried for part in self._parts)

    @property
    def distinct(self) -> int:
        """How many of them differed from all before."""
        return self.enumeration.kept + sum(part[3].distinct for part in self._parts)

    def advance(self, more: int) -> None:
        """Look at about so many more terms of its own, and some in each smaller search."""
        until = self.enumeration.tried + more
        for entry in self._run:
            if entry.cost > self.level:
                self._between_levels()
                self.level = entry.cost
            self._consider(entry)
            if self.enumeration.tried >= until:
                break
        else:
            self._between_levels()
            self.is_done = True
        self._advance_parts(max(more // 4, SHARE))

    # Forwards

    def _consider(self, entry: Entry) -> None:
        kind = entry.kind
        goals = self._by_kind.get(kind)
        if goals is not None:
            own = entry.signature[: self.size]
            goal = self._wanted.get((kind, own))
            if goal is not None:
                self._emit(goal, entry.term(), False)
            elif kind in (WORD, NUMBER, TEXT):
                self._partly(entry, own, goals)
        if kind is WORD or kind is BOOL or kind is NUMBER:
            self._keep_small(entry)
        elif kind in (LINES, NUMBERS, TABLE) and self._lists < MAX_LISTS:
            self._lists += 1
            self._open_lists(entry)

    def _partly(self, entry: Entry, own: tuple[int, ...], goals: list[Goal]) -> None:
        for goal in goals:
            if goal.kind is entry.kind:
                wanted = [self.enumeration.number(value, goal.kind) for value in goal.values]
                right = [a == b for a, b in zip(own, wanted, strict=True)]
                hits = sum(right)
                if hits and hits == self.size - 1 and self.size > 2:
                    place = right.index(False)
                    if self.foretold[place] is None and not self.solutions:
                        self.foretold[place] = False
                if hits and all(own):
                    for one, choice in self._choices:
                        if one is goal:
                            choice.add_half(entry, sum(1 << place for place, hit in enumerate(right) if hit))

    def _keep_small(self, entry: Entry) -> None:
        own = entry.signature[: self.size]
        if 0 in own:
            return
        values = self.enumeration.values(entry)[: self.size]
        if entry.kind is WORD:
            for _, pieces in self._pieces:
                pieces.add(entry, values)
        elif entry.kind is BOOL:
            truth = sum(1 << place for place, value in enumerate(values) if value)
            for _, choice in self._choices:
                choice.add_condition(entry, truth)
        elif entry.kind is NUMBER:
            self._keep_number(entry, values, own)

    def _keep_number(self, entry: Entry, values: tuple[Any, ...], own: tuple[int, ...]) -> None:
        for goal, sums in self._sums:
            for term in sums.add(entry, values):
                self._emit(goal, term, False)
        if entry.is_open:
            for goal in self._by_kind.get(BOOL, ()):
                for term in cuts(entry, values, goal.values):
                    self._emit(goal, term, False)
        if self.depth == 0 and len(self._captured) < MAX_PARTNERS and (len(set(own)) > 1 or entry.cost == 0):
            self._captured.append((entry, values))
            for other, others in self._partners:
                self._open_with(other, others, entry, values)

    def _open_with(self, entry: Entry, values: tuple[Any, ...], number: Entry, numbers: tuple[Any, ...]) -> None:
        """Smaller tasks by which a list of numbers, together with a number, becomes the wanted list."""
        for goal in self._by_kind.get(NUMBERS, ()):
            for part in parts_with(entry, values, number, numbers, goal.values, self.task.constants):
                self._open(entry.cost + number.cost, part, goal)

    # Through lists

    def _open_lists(self, entry: Entry) -> None:
        own = entry.signature[: self.size]
        if 0 in own or self.depth:
            return
        everything = self.enumeration.values(entry)
        values, shadows = everything[: self.size], everything[self.size :]
        if entry.kind in (LINES, NUMBERS):
            self._to_stock.setdefault(entry.kind, values)
        constants = self.task.constants
        for goal in self._goals:
            found: list[Part] = []
            if goal.kind is LINES and entry.kind is TABLE:
                found += rows(entry, values, goal.values, constants)
            elif goal.kind is entry.kind:
                found += parts(entry, values, shadows, goal.values, constants)
                if goal.kind is NUMBERS:
                    for other, others in [*self._partners, (entry, values)]:
                        found += paired(entry, values, other, others, goal.values, constants)
                        found += paired(other, others, entry, values, goal.values, constants)
            for part in found:
                self._open(entry.cost, part, goal)
        if entry.kind is NUMBERS and len(self._partners) < MAX_PARTNERS:
            self._partners.append((entry, values))
            for number, numbers in self._captured:
                self._open_with(entry, values, number, numbers)

    def _open(self, cost: int, part: Part, goal: Goal) -> None:
        key = (part.function, frozenset(part.pairs))
        if key not in self._opened and len(self._parts) < MAX_PARTS:
            self._opened.add(key)
            self._parts.append((cost, part, goal, Solver(part.task, self.costs, self._expired, self.depth + 1)))

    def _advance_parts(self, more: int) -> None:
        turns = [(one[3].tried * (MAX_RUNNING + place), place) for place, one in enumerate(self._parts)]
        is_open = [not one[3].is_done and one[3].tried < MAX_PART_TRIED for one in self._parts]
        running = sorted([turn for turn, can_run in zip(turns, is_open, strict=True) if can_run])
        for _, place in running[:MAX_RUNNING]:  # the fewer terms a part has had, and the earlier it came
            _, part, goal, solver = self._parts[place]
            known = len(solver.solutions)
            solver.advance(more)
            for solution in solver.solutions[known:]:
                whole = part.whole(solution.term)
                if whole is not None:
                    self._emit(goal, whole, solution.weak)
            if solver.solutions and solver.tried > 4 * solver.solutions[0].tried + ENOUGH_MORE:
                solver.is_done = True

    def _stock(self, kind: Kind, values: tuple[Any, ...]) -> None:
        """Put small functions over the elements of the first list into the enumeration, once for each kind of list."""
        elements = [each for value in values for each in value]
        if not elements:
            return
        if kind is LINES:
            elements += [word for each in elements for word in each.split()]
        make = functions_over if kind is LINES else number_functions
        made, tried = make(elements, self.task.constants)
        self._stocked += tried
        for constant, price in made:
            self.enumeration.add(constant, price + 2)

    # Between levels

    def _between_levels(self) -> None:
        if self._expired():
            return
        if self.enumeration.tried > BEFORE_STOCK:
            for kind, values in self._to_stock.items():
                if kind not in self._has_stock:
                    self._has_stock.add(kind)
                    self._stock(kind, values)
        for goal, pieces in self._pieces:
            if pieces.is_changed:
                for term in pieces.whole():
                    self._emit(goal, term, False)
        for goal, choice in self._choices:
            if choice.is_changed:
                for _, term, fewest in choice.whole():
                    self._emit(goal, term, fewest < (2 if self.depth else MIN_HALF))

    def _is_right(self, term: Term) -> bool:
        """Whether the term really has the wanted values: what was put together may fail where its parts do not."""
        for env, wanted in zip(self.task.envs, self.task.goal, strict=True):
            try:
                if evaluate(term, env.slots, env.folder) != wanted:
                    return False
            except EvalError:
                return False
        return True

    def _emit(self, goal: Goal, term: Term, weak: bool) -> None:
        whole = goal.finish(term)
        if any(whole == known.term for known in self.solutions) or not self._is_right(whole):
            return
        if not self.solutions:
            self.foretold = [True if each is None else each for each in self.foretold]
        weak = weak or not variables(whole)
        self.solutions.append(Solution(whole, self.task.length(whole), weak, self.tried))
