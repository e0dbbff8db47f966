"""Many terms evaluated together: every shared subterm once, in flat loops without recursion."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dabhand.language.evaluation import FAILED, FAILURES, Env, slot_value
from dabhand.language.kinds import EvalError, Kind, Value
from dabhand.language.terms import CONSTANT_COST, Call, Const, Term, Var, subterms

_Step = tuple[Callable[..., Any], bool, list[tuple[int, ...]]]
_MAX_PLANS = 64


class Pool:
    """Distinct terms, each after its arguments.

    Attributes:
        terms: the terms, arguments before what uses them.
        kinds, costs: of each term, in the same order.
    """

    def __init__(self, terms: Iterable[Term] = ()) -> None:
        """A pool of these terms and all their subterms."""
        self.terms: list[Term] = []
        self.kinds: list[Kind] = []
        self.costs: list[int] = []
        self.args: list[tuple[int, ...]] = []
        self._index: dict[Term, int] = {}
        self._plans: OrderedDict[tuple[int, ...] | None, _Plan] = OrderedDict()
        for term in terms:
            self.add_whole(term)

    def __len__(self) -> int:
        return len(self.terms)

    def __contains__(self, term: object) -> bool:
        return term in self._index

    def add(self, term: Term) -> int:
        """Put in a term whose arguments are already there; its id. A term that is there keeps its id."""
        found = self._index.get(term)
        if found is not None:
            return found
        args = tuple([self._index[arg] for arg in term.args]) if isinstance(term, Call) else ()
        cost = 0
        if isinstance(term, Call):
            cost = term.primitive.cost + sum([self.costs[arg] for arg in args])
        elif isinstance(term, Const):
            cost = CONSTANT_COST
        self._index[term] = len(self.terms)
        self.terms.append(term)
        self.kinds.append(term.kind)
        self.costs.append(cost)
        self.args.append(args)
        self._plans.clear()
        return len(self.terms) - 1

    def add_whole(self, term: Term) -> int:
        """Put in a term and whatever of its subterms is not there yet; its id."""
        if term not in self._index:
            for node in subterms(term):
                self.add(node)
        return self._index[term]

    def id(self, term: Term) -> int | None:
        """Where a term is, or None."""
        return self._index.get(term)

    def ids(self, kind: Kind) -> list[int]:
        """Where the terms of a kind are, cheapest first."""
        return [place for place, each in enumerate(self.kinds) if each is kind]

    def evaluate(self, env: Env) -> list[Value]:
        """The values of all terms, FAILED where there is none."""
        return self._plan(None).run(env)

    def evaluate_ids(self, ids: Iterable[int], env: Env) -> dict[int, Value]:
        """The values of some terms by id, FAILED where there is none; only what they need is evaluated."""
        wanted = tuple(ids)
        values = self._plan(wanted).run(env)
        return {place: values[place] for place in wanted}

    def _needed(self, ids: Iterable[int]) -> set[int]:
        needed: set[int] = set()
        stack = list(ids)
        while stack:
            place = stack.pop()
            if place not in needed:
                needed.add(place)
                stack.extend(self.args[place])
        return needed

    def _plan(self, ids: tuple[int, ...] | None) -> _Plan:
        plan = self._plans.get(ids)
        if plan is None:
            plan = _Plan(self, range(len(self.terms)) if ids is None else sorted(self._needed(ids)))
            self._plans[ids] = plan
            while len(self._plans) > _MAX_PLANS:
                self._plans.popitem(last=False)
        return plan


class _Plan:
    """The order in which terms are evaluated: by depth, and at one depth primitive by primitive."""

    def __init__(self, pool: Pool, needed: Sequence[int]) -> None:
        self.size = len(pool.terms)
        self.vars: list[tuple[int, Var]] = []
        self.consts: list[tuple[int, Value]] = []
        depths: dict[int, int] = {}
        groups: dict[tuple[int, str], list[tuple[int, ...]]] = {}
        primitives = {}
        for place in needed:
            term, args = pool.terms[place], pool.args[place]
            depths[place] = 1 + max([depths[arg] for arg in args], default=-1)
            match term:
                case Var():
                    self.vars.append((place, term))
                case Const():
                    self.consts.append((place, term.value))
                case Call():
                    primitives[term.name] = term.primitive
                    groups.setdefault((depths[place], term.name), []).append((place, *args))
        order = sorted(groups, key=lambda group: group[0])
        self.steps: list[_Step] = [
            (primitives[name].meaning, primitives[name].reads_folder, groups[depth, name]) for depth, name in order
        ]

    def run(self, env: Env) -> list[Value]:
        """The values by place; FAILED for what has none or is not needed."""
        values: list[Value] = [FAILED] * self.size
        for place, variable in self.vars:
            try:
                values[place] = slot_value(variable, env.slots)
            except EvalError:
                continue
        for place, value in self.consts:
            values[place] = value
        for meaning, reads_folder, calls in self.steps:
            _run_step(meaning, env, reads_folder, calls, values)
        return values


def _run_step(
    meaning: Callable[..., Any], env: Env, reads_folder: bool, calls: list[tuple[int, ...]], values: list[Value]
) -> None:
    """Evaluate one primitive on many arguments; written out by arity because this is the innermost loop."""
    failed = FAILED
    if reads_folder or len(calls[0]) not in (2, 3):
        first = (env.folder,) if reads_folder else ()
        for place, *args in calls:
            given = [values[arg] for arg in args]
            if failed not in given:
                try:
                    values[place] = meaning(*first, *given)
                except FAILURES:
                    continue
    elif len(calls[0]) == 2:
        for place, arg in calls:
            value = values[arg]
            if value is not failed:
                try:
                    values[place] = meaning(value)
                except FAILURES:
                    continue
    else:
        for place, arg, other in calls:
            value, second = values[arg], values[other]
            if value is not failed and second is not failed:
                try:
                    values[place] = meaning(value, second)
                except FAILURES:
                    continue
