"""Search for the term that maps the inputs of some examples to their outputs."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

import msgspec

from dabhand.language import BLOCKS, NUMBER, PRIMITIVES, TEXT, Const, Env, Term
from dabhand.toolmaking.ambiguity import fresh_envs
from dabhand.toolmaking.boundaries import boundary_envs, text_of
from dabhand.toolmaking.counterparts import counterparts, telling_envs
from dabhand.toolmaking.examples import INPUT, INPUT_PATH, Example, checked, env_of
from dabhand.toolmaking.guide import Guide, shipped_guide
from dabhand.toolmaking.search_rivals import apart, fits, most_telling, neighbours, value_of
from dabhand.toolmaking.search_solver import Solution, Solver
from dabhand.toolmaking.search_task import Task, constants_of, form_of, unlikely_in

CHUNK = 1000
SMALL = ((Const(1, NUMBER), 1), (Const(2, NUMBER), 2), (Const(3, NUMBER), 2))
"""Numbers that are meant often and stand in no example: so many lines, every second one."""
SHADOWS = 2
EDGES = 2
"""Terms are told apart on so many inputs that look like the examples', and on so many at their edges."""
MOST_ASKED = 12
"""So many programs have a say in what to ask about next."""
MOST_NEAR = 4
"""The neighbours of so many of the best programs are looked at."""
FRESH = 60
LEAST_EXAMPLES = 3
SHORT = 7
PER_EXAMPLE = 3
"""Programs up to SHORT need the least; longer ones an example for every so much more (benchmarks/strangers.py)."""
LEAST_RIVALS = 4_000
MOST_RIVALS = 50_000


class Found(msgspec.Struct, frozen=True):
    """What a search came to.

    Attributes:
        term: the program, over the slot `A` (the file it reads); None when none was found.
        others: programs that fit all examples as well, are as short, and do something else on other inputs.
        telling: an input that tells the program from the others, None when there are none.
        answers: what the program, then each of the others, makes of that input; None where it has no value.
        next_input: an input to ask about next, on which programs that were found part most; None where there is none.
        held_back: (right, all): how many examples the program found from all others foretold.
        weak: the program has a case of its own for a single example.
        length: of the program's description.
        tried: how many terms were looked at until the program was found.
        tried_in_all: and until the search ended.
        distinct: how many of these differed from all before.
        seconds: how long the search took.
    """

    term: Term | None
    others: tuple[Term, ...] = ()
    telling: str | None = None
    answers: tuple[str | None, ...] = ()
    next_input: str | None = None
    held_back: tuple[int, int] = (0, 0)
    weak: bool = False
    length: int = 0
    tried: int = 0
    tried_in_all: int = 0
    distinct: int = 0
    seconds: float = 0.0

    @property
    def is_sure(self) -> bool:
        """Whether a program was found, nothing is known that speaks as well for another, and the examples bear it out.

        Two examples bear nothing out: none of them can be held back from the search and still be foretold.
        """
        is_alone = self.term is not None and not self.others and not self.weak
        return is_alone and is_borne_out(*self.held_back, self.length)


def is_borne_out(right: int, size: int, length: int) -> bool:
    """Whether examples say enough for a program.

    When each was held back, the shortest program that fits the others foretold it: most of them for the shortest
    programs, of which few fit anything by chance; all of them for longer ones. The longer a program, the more others
    of its length there are, and the more examples it takes to choose among them.

    Args:
        right: how many examples were foretold.
        size: of how many.
        length: of the program.
    """
    if size < LEAST_EXAMPLES or 2 * right <= size:
        return False
    return length <= SHORT or (right == size and length <= SHORT + size * PER_EXAMPLE)


class Outcome(msgspec.Struct, frozen=True):
    """As `Found`, for any task: `telling` is an example, and answers are values."""

    term: Term | None
    others: tuple[Term, ...] = ()
    telling: Env | None = None
    next_input: Env | None = None
    foretold: tuple[bool, ...] = ()
    weak: bool = False
    length: int = 0
    tried: int = 0
    tried_in_all: int = 0
    distinct: int = 0
    seconds: float = 0.0

    @property
    def is_sure(self) -> bool:
        """As of `Found`."""
        is_alone = self.term is not None and not self.others and not self.weak
        return is_alone and is_borne_out(sum(self.foretold), len(self.foretold), self.length)


def search(
    examples: Sequence[Example],
    *,
    seconds: float = 10.0,
    seed: int = 0,
    guide: Guide | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Found:
    """The shortest program that maps every input to its output, and what else fits.

    Args:
        examples: what the program is to do; three or more let some be held back.
        seconds: how long to search at most.
        seed: of the inputs that are generated to tell programs apart.
        guide: what was learned of which building blocks are likely (None: the guide that is shipped); it changes the
            order of the search only.
        clock: where the time is read.

    Raises:
        ExamplesError: there is no example, or two contradict each other.
    """
    given = checked(examples)
    outcome = solve(task_of(given), seconds=seconds, seed=seed, guide=guide or shipped_guide(), clock=clock)
    telling = outcome.telling.folder.text(INPUT_PATH) if outcome.telling is not None else None
    programs = () if outcome.term is None or telling is None else (outcome.term, *outcome.others)
    return Found(
        outcome.term,
        outcome.others,
        telling,
        tuple([result_of(term, telling or "") for term in programs]),
        None if outcome.next_input is None else outcome.next_input.folder.text(INPUT_PATH),
        (sum(outcome.foretold), len(outcome.foretold))
        if len(given) >= LEAST_EXAMPLES and outcome.term is not None
        else (0, 0),
        outcome.weak,
        outcome.length,
        outcome.tried,
        outcome.tried_in_all,
        outcome.distinct,
        outcome.seconds,
    )


def task_of(examples: Sequence[Example]) -> Task:
    """The task of finding a tool."""
    constants = constants_of([[each.input] for each in examples], [each.output for each in examples])
    envs = tuple([env_of(each.input) for each in examples])
    return Task(
        (INPUT,),
        envs,
        tuple([each.output for each in examples]),
        TEXT,
        (*constants, *[one for one in SMALL if one[0] not in {each for each, _ in constants}]),
        form=form_of([each.input for each in examples]),
        unlikely=unlikely_in([each.input for each in examples]),
        is_always_one=all(each.output.count("\n") == 1 for each in examples)
        and all(each.input.count("\n") > 1 for each in examples),
    )


def solve(
    task: Task,
    *,
    seconds: float = 10.0,
    seed: int = 0,
    guide: Guide | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Search for any task: first a program, then with fresh inputs for others that fit as well."""
    with undisturbed():
        return _solve(task, seconds, seed, guide, clock)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Without collections of what refers to itself: a search makes very many objects, and none of such.

    A twentieth of the time goes into looking for them otherwise.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _solve(task: Task, seconds: float, seed: int, guide: Guide | None, clock: Callable[[], float]) -> Outcome:
    began = clock()

    def expired() -> bool:
        return clock() - began > seconds

    def costs(part: Task) -> dict[str, int]:
        return costs_for(part, guide)

    solver = Solver(task, costs, expired)
    while solver.first is None and not solver.is_done and not expired():
        solver.advance(CHUNK)
        if solver.solutions and solver.tried > 3 * solver.solutions[0].tried + MOST_RIVALS:
            break
    if not solver.solutions:
        tried = solver.tried
        return Outcome(None, tried=tried, tried_in_all=tried, distinct=solver.distinct, seconds=clock() - began)
    first = (solver.first or solver.solutions[0]).tried
    rng = Random(seed)
    edges = boundary_envs(task.inputs, task.envs)
    richest = sorted(edges, key=lambda env: len(set(str(text_of(env)).split("\n"))), reverse=True)[:EDGES]
    shadows = [*fresh_envs(task.inputs, task.envs, rng, SHADOWS), *richest]
    rival_search = Solver(msgspec.structs.replace(task, shadows=tuple(shadows)), costs, expired)
    while not rival_search.is_done and not expired() and _is_worth_more(solver, rival_search, first):
        rival_search.advance(CHUNK)
    known = {one.term: one for one in (*solver.solutions, *rival_search.solutions)}
    solutions = sorted(known.values(), key=lambda one: (one.weak, one.length))
    is_weak = best_is_weak(solutions[0], task)
    for near in solutions[:MOST_NEAR]:
        for one in neighbours(near, task):
            known.setdefault(one.term, one)
    solutions = sorted(known.values(), key=lambda one: (one.weak, one.length))
    unlike = [*shadows, *fresh_envs(task.inputs, task.envs, rng, FRESH), *edges]
    best = solutions[0]
    meant = [term for term in counterparts(best.term, task.envs) if fits(term, task)]
    unlike += telling_envs(best.term, task.inputs, task.envs) if meant else []
    as_good = [Solution(term, task.length(term), best.weak, best.tried) for term in meant]
    best, others, telling = apart(solutions, unlike, as_good)
    return Outcome(
        best.term,
        others,
        telling,
        most_telling([one.term for one in solutions[:MOST_ASKED]], unlike),
        tuple([bool(each) for each in solver.foretold]),
        is_weak,
        best.length,
        first,
        solver.tried + rival_search.tried,
        solver.distinct + rival_search.distinct,
        clock() - began,
    )


def _is_worth_more(solver: Solver, rival_search: Solver, first: int) -> bool:
    """Whether rivals are to be sought further: at least for a while, and longer where a shorter program may come."""
    tried = rival_search.tried
    shortest = min(one.length for one in (*solver.solutions, *rival_search.solutions))
    is_below = rival_search.level <= shortest
    return tried < max(2 * first, LEAST_RIVALS) or (is_below and tried < 3 * first + MOST_RIVALS)


def costs_for(task: Task, guide: Guide | None) -> dict[str, int]:
    """What blocks cost in the order of the search: by the guide, and more where they disregard the inputs' form."""
    costs = {name: each.cost for name, each in (PRIMITIVES | BLOCKS).items()}
    if guide is not None:
        costs |= guide.costs(task)
    return costs | {name: max(1, costs[name] + more) for name, more in task.penalties.items()}


def best_is_weak(best: Solution, task: Task) -> bool:
    """Whether little speaks for a program: a case of its own for one example, or outputs that are all the same."""
    return best.weak or (len(task.goal) > 1 and len(set(task.goal)) == 1)


def result_of(term: Term, text: str) -> str | None:
    """What a program makes of a text; None where it has no value."""
    made = value_of(term, env_of(text))
    return made if isinstance(made, str) else None
