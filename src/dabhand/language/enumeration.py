"""Bottom-up enumeration of terms by cost, one for each behaviour on a panel of examples.

The method is bottom-up synthesis with observational equivalence (Udupa et al., TRANSIT, PLDI 2013): of terms whose
values agree on every example only the first is kept and built upon. Terms come in order of cost, then of declaration,
so that the kept one is the cheapest and most readable. Values are numbered, and every primitive remembers what it gave
for which values: most candidates cost a few look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from dabhand.errors import LanguageError
from dabhand.language import families as families
from dabhand.language.declarations import BLOCKS, PRIMITIVES, Primitive, primitive_named
from dabhand.language.evaluation import FAILED, FAILURES, Env, slot_value
from dabhand.language.kinds import BOOL, LINES, PATH, TEXT, EvalError, Kind, Value
from dabhand.language.numbered import Entry, Memory, Signature, Values
from dabhand.language.pool import Pool
from dabhand.language.terms import CONSTANT_COST, Const, Var

DEFAULT_KINDS = (TEXT, LINES, PATH, BOOL)
EMPTY_TEXT = Const("", TEXT)

CHECK_EVERY = 64
"""How many terms are looked at before it is asked whether time is up."""


def enumerate_terms(
    inputs: Sequence[Var],
    panel: Sequence[Env],
    max_cost: int = 7,
    max_terms: int = 10_000,
    kinds: Iterable[Kind] = DEFAULT_KINDS,
    primitives: Iterable[str] | None = None,
    constants: Sequence[Const] = (),
) -> Pool:
    """The distinct terms over some slots, as far as a panel of examples tells them apart.

    Args:
        inputs: the slots.
        panel: examples that tell terms apart; each fills all slots. See `samples.default_panel`.
        max_cost: of a term (slots cost 0, constants 1, primitives as declared).
        max_terms: how many terms of the wanted kinds there may be; enumeration stops there, after the cheapest.
        kinds: of the results that are wanted; other terms are kept only as parts of these.
        primitives: names of those to use; all of them when None.
        constants: further constants, usable wherever their kind fits (each primitive has its own suggestions besides).

    Returns:
        The pool: wanted terms and their subterms, cheapest first, in the same order on every run.
    """
    enumeration = Enumeration(inputs, panel, kinds, primitives, constants)
    pool, left = Pool(), max_terms
    for entry in enumeration.run(max_cost):
        if entry.kind in enumeration.wanted:
            pool.add_whole(entry.term())
            left -= 1
            if left <= 0:
                break
    return pool


_Made = tuple[Signature, tuple[Entry, ...]]


class Enumeration:
    """Terms in order of cost, generated level by level; for other arguments see `enumerate_terms`.

    Args:
        priced: constants with what each adds to a cost; a term made of such alone is not built.
        costs: what primitives cost, by name, where that differs from what is declared.
        expired: asked now and then; enumeration ends once it says so.

    Attributes:
        wanted: the kinds of term that are asked for; nothing is built that cannot lead to one.
        tried: how many candidate terms were looked at so far.
        kept: how many of them were kept, each with a behaviour of its own.
    """

    def __init__(
        self,
        inputs: Sequence[Var],
        panel: Sequence[Env],
        kinds: Iterable[Kind] = DEFAULT_KINDS,
        primitives: Iterable[str] | None = None,
        constants: Sequence[Const] = (),
        priced: Iterable[tuple[Const, int]] = (),
        costs: Mapping[str, int] | None = None,
        expired: Callable[[], bool] | None = None,
    ) -> None:
        if not panel:
            raise LanguageError("terms can only be told apart on examples: the panel is empty")
        self.panel = tuple(panel)
        self.wanted = frozenset(kinds)
        self.tried = self.kept = 0
        self._expired = expired or (lambda: False)
        self._values = Values()
        used = _chosen(primitives)
        self._costs = {each.name: each.cost for each in used} | dict(costs or {})
        self._distance = distances(used, self.wanted, self._costs)
        self._used = [primitive for primitive in used if primitive.gives in self._distance]
        self._memories = {
            primitive.name: Memory(primitive, self._values)
            for primitive in self._used
            if len(primitive.takes) == 1 and not primitive.reads_folder
        }
        self._fixed: dict[tuple[str, tuple[int, ...]], Memory] = {}
        self._levels: dict[tuple[Kind, int], list[Entry]] = {}
        nothing = (0,) * len(self.panel)
        self._seen: dict[Kind, set[Signature]] = {kind: {nothing} for kind in Kind}
        self._suggested = {
            (primitive.name, place): [self._constant(Const(value, primitive.takes[place]), False) for value in values]
            for primitive in self._used
            for place, values in primitive.suggests.items()
        }
        self._seeds = [self._slot(variable) for variable in inputs]
        self._seeds += [self._constant(constant, True) for constant in constants]
        self._seeds += [self._constant(constant, False, price) for constant, price in priced]
        self._seeds.append(self._constant(EMPTY_TEXT, False))

    def run(self, max_cost: int) -> Iterator[Entry]:
        """The kept terms up to a cost, cheapest first."""
        for entry in self._seeds:
            if entry.kind in self._distance and entry.signature not in self._seen[entry.kind]:
                self._keep(entry)
                yield entry
        for cost in range(1, max_cost + 1):
            for primitive in self._used:
                if self._costs[primitive.name] <= cost <= max_cost - self._distance[primitive.gives]:
                    if self._expired():
                        return
                    yield from self._grow(primitive, cost)

    def add(self, constant: Const, price: int) -> None:
        """Put in a constant that became known while enumeration runs; terms of higher levels use it."""
        entry = self._constant(constant, False, price)
        if entry.kind in self._distance and entry.signature not in self._seen[entry.kind]:
            self._keep(entry)

    def values(self, entry: Entry) -> tuple[Value, ...]:
        """The values of a kept term on the panel, FAILED where it has none."""
        known = self._values.known
        return tuple([known[number] for number in entry.signature])

    def number(self, value: Value, kind: Kind) -> int:
        """The number of a value, as it stands in signatures."""
        return self._values.number(value, kind)

    def _slot(self, variable: Var) -> Entry:
        return Entry(variable.kind, 0, tuple([self._slot_number(variable, env) for env in self.panel]), True, variable)

    def _slot_number(self, variable: Var, env: Env) -> int:
        try:
            return self._values.number(slot_value(variable, env.slots), variable.kind)
        except EvalError:
            return 0

    def _constant(self, constant: Const, is_open: bool, price: int = CONSTANT_COST) -> Entry:
        number = self._values.number(constant.value, constant.kind)
        return Entry(constant.kind, price, (number,) * len(self.panel), is_open, constant)

    def _keep(self, entry: Entry) -> None:
        self._seen[entry.kind].add(entry.signature)
        self._levels.setdefault((entry.kind, entry.cost), []).append(entry)

    def _grow(self, primitive: Primitive, cost: int) -> Iterator[Entry]:
        """Apply a primitive to all kept arguments whose costs add up; what is new is kept."""
        budget = cost - self._costs[primitive.name]
        if primitive.name in self._memories:
            signatures = self._one(self._memories[primitive.name], self._choices(primitive, 0, budget))
        elif len(primitive.takes) == 2 and not primitive.reads_folder:
            signatures = self._two(primitive, budget)
        else:
            signatures = self._many(primitive, budget)
        kind = primitive.gives
        seen, level = self._seen[kind], self._levels.setdefault((kind, cost), [])
        for signature, arguments in signatures:
            if signature not in seen:
                entry = Entry(kind, cost, signature, True, None, primitive, arguments)
                seen.add(signature)
                level.append(entry)
                self.kept += 1
                yield entry

    def _one(self, memory: Memory, choices: list[Entry]) -> Iterator[_Made]:
        given = memory.__getitem__
        for place in range(0, len(choices), CHECK_EVERY):
            if self._expired():
                return
            for entry in choices[place : place + CHECK_EVERY]:
                if entry.is_open:
                    self.tried += 1
                    yield tuple(map(given, entry.signature)), (entry,)

    def _two(self, primitive: Primitive, budget: int) -> Iterator[_Made]:
        meaning = primitive.meaning
        known, numbers = self._values.known, self._values.numbers[primitive.gives]
        for cost in range(budget + 1):
            lefts = self._choices(primitive, 0, cost)
            rights = self._choices(primitive, 1, budget - cost) if lefts else []
            rights_open = [right for right in rights if right.is_open]
            values: dict[Entry, list[Value]] = {}
            for left in lefts if rights else ():
                if self._expired():
                    return
                memory = self._with_first(primitive, (left,))
                if memory is not None:
                    fixed = memory.__getitem__
                    for right in rights if left.is_open else rights_open:
                        self.tried += 1
                        yield tuple(map(fixed, right.signature)), (left, right)
                    continue
                mine = [known[number] for number in left.signature]
                if not values:
                    values = {right: [known[number] for number in right.signature] for right in rights}
                for right in rights if left.is_open else rights_open:
                    self.tried += 1
                    theirs, made = values[right], []
                    # Written out: this is the innermost loop.
                    for a, b in zip(mine, theirs, strict=True):
                        if a is FAILED or b is FAILED:
                            made.append(0)
                            continue
                        try:
                            value = meaning(a, b)
                        except FAILURES:
                            made.append(0)
                            continue
                        number = numbers.get(value, 0)
                        if not number:
                            number = numbers[value] = len(known)
                            known.append(value)
                        made.append(number)
                    yield tuple(made), (left, right)

    def _many(self, primitive: Primitive, budget: int) -> Iterator[_Made]:
        meaning, known = primitive.meaning, self._values.known
        numbers = self._values.numbers[primitive.gives]
        folders = [[env.folder] for env in self.panel] if primitive.reads_folder else [[] for _ in self.panel]
        for place, arguments in enumerate(self._arguments(primitive, 0, budget)):
            if not place % CHECK_EVERY and self._expired():
                return
            if not any([each.is_open for each in arguments]):  # noqa: C419 (faster than a generator)
                continue  # made of suggested constants alone
            self.tried += 1
            memory = None if primitive.reads_folder else self._with_first(primitive, arguments[:-1])
            if memory is not None:
                yield tuple(map(memory.__getitem__, arguments[-1].signature)), arguments
                continue
            made = []
            columns = [each.signature for each in arguments]
            for first, *given in zip(folders, *columns, strict=True):
                number = 0
                if 0 not in given:
                    try:
                        value = meaning(*first, *[known[each] for each in given])
                    except FAILURES:
                        value = FAILED
                    if value is not FAILED:
                        number = numbers.get(value, 0)
                        if not number:
                            number = numbers[value] = len(known)
                            known.append(value)
                made.append(number)
            yield tuple(made), arguments

    def _with_first(self, primitive: Primitive, first: tuple[Entry, ...]) -> Memory | None:
        """The memory of a primitive with its first arguments filled in; None where they differ between examples."""
        numbers = []
        for entry in first:
            number = entry.signature[0]
            if not number or entry.signature.count(number) != len(entry.signature):
                return None
            numbers.append(number)
        key = (primitive.name, tuple(numbers))
        memory = self._fixed.get(key)
        if memory is None:
            values = tuple([self._values.known[number] for number in numbers])
            memory = self._fixed[key] = Memory(primitive, self._values, values)
        return memory

    def _arguments(self, primitive: Primitive, place: int, budget: int) -> Iterator[tuple[Entry, ...]]:
        """Every choice of arguments from one place on that costs exactly the budget."""
        if place == len(primitive.takes):
            if not budget:
                yield ()
        elif place == len(primitive.takes) - 1:
            for entry in self._choices(primitive, place, budget):
                yield (entry,)
        else:
            for cost in range(budget + 1):
                choices = self._choices(primitive, place, cost)
                rests = list(self._arguments(primitive, place + 1, budget - cost)) if choices else []
                for entry in choices:
                    for rest in rests:
                        yield (entry, *rest)

    def _choices(self, primitive: Primitive, place: int, cost: int) -> list[Entry]:
        found = self._levels.get((primitive.takes[place], cost), [])
        suggested = self._suggested.get((primitive.name, place), []) if cost == CONSTANT_COST else []
        return [*found, *suggested]


def _chosen(names: Iterable[str] | None) -> list[Primitive]:
    """The primitives with these names, in order of declaration; those that say what commands do when None."""
    if names is None:
        return list(PRIMITIVES.values())
    chosen = set(names)
    unknown = [name for name in chosen if primitive_named(name) is None]
    if unknown:
        raise LanguageError(f"there is no primitive {min(unknown)!r}")
    return [each for each in (*PRIMITIVES.values(), *BLOCKS.values()) if each.name in chosen]


def distances(
    primitives: Sequence[Primitive], wanted: Iterable[Kind], costs: Mapping[str, int] | None = None
) -> dict[Kind, int]:
    """How much must at least be added to get from each kind to a wanted one; kinds that lead to none are left out."""
    found = dict.fromkeys(wanted, 0)
    changed = True
    while changed:
        changed = False
        for primitive in primitives:
            if primitive.gives not in found:
                continue
            far = found[primitive.gives] + (costs or {}).get(primitive.name, primitive.cost)
            for kind in primitive.takes:
                if far < found.get(kind, far + 1):
                    found[kind] = far
                    changed = True
    return found
