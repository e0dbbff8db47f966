"""Search for the term that maps the inputs of some examples to their outputs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import msgspec

from dabhand.language import BLOCKS, PRIMITIVES, TEXT, Env, EvalError, Term, Value, evaluate
from dabhand.toolmaking.ambiguity import fresh_envs
from dabhand.toolmaking.examples import INPUT, INPUT_PATH, Example, checked, env_of
from dabhand.toolmaking.guide import Guide, shipped_guide
from dabhand.toolmaking.search_solver import Solution, Solver
from dabhand.toolmaking.search_task import Task, blocks_in, constants_of, form_of

CHUNK = 1000
SHADOWS = 3
FRESH = 60
SLACK = 1
"""How much longer than the shortest a program may be that is still held against it."""
PLUMBING = frozenset({"text", "lines", "unlines", "line", "just", "digits", "written", "numbers", "scalars", "words"})
"""Blocks that only bring a value into another form."""
MAX_OTHERS = 3
LEAST_RIVALS = 4_000
MOST_RIVALS = 12_000


class Found(msgspec.Struct, frozen=True):
    """What a search came to.

    Attributes:
        term: the program, over the slot `A` (the file it reads); None when none was found.
        others: programs that fit all examples as well, are as short, and do something else on other inputs.
        telling: an input that tells the program from the others, None when there are none.
        answers: what the program, then each of the others, makes of that input; None where it has no value.
        held_back: (right, all): how many examples the program found from all others foretold.
        weak: the program has a case of its own for a single example.
        tried: how many terms were looked at until the program was found.
        tried_in_all: and until the search ended.
        distinct: how many of these differed from all before.
        seconds: how long the search took.
    """

    term: Term | None
    others: tuple[Term, ...] = ()
    telling: str | None = None
    answers: tuple[str | None, ...] = ()
    held_back: tuple[int, int] = (0, 0)
    weak: bool = False
    tried: int = 0
    tried_in_all: int = 0
    distinct: int = 0
    seconds: float = 0.0

    @property
    def is_sure(self) -> bool:
        """Whether a program was found, and nothing is known that speaks as well for another."""
        return self.term is not None and not self.others and not self.weak


class Outcome(msgspec.Struct, frozen=True):
    """As `Found`, for any task: `telling` is an example, and answers are values."""

    term: Term | None
    others: tuple[Term, ...] = ()
    telling: Env | None = None
    foretold: tuple[bool, ...] = ()
    weak: bool = False
    tried: int = 0
    tried_in_all: int = 0
    distinct: int = 0
    seconds: float = 0.0


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
        (sum(outcome.foretold), len(outcome.foretold)) if len(given) > 2 and outcome.term is not None else (0, 0),
        outcome.weak,
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
        constants,
        form=form_of([each.input for each in examples]),
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
    shadows = fresh_envs(task.inputs, task.envs, rng, SHADOWS)
    rival_search = Solver(msgspec.structs.replace(task, shadows=tuple(shadows)), costs, expired)
    while not rival_search.is_done and not expired() and _is_worth_more(solver, rival_search, first):
        rival_search.advance(CHUNK)
    known = {one.term: one for one in (*solver.solutions, *rival_search.solutions)}
    solutions = sorted(known.values(), key=lambda one: (one.weak, one.length))
    is_weak = best_is_weak(solutions[0], task)
    best, others, telling = apart(solutions, [*shadows, *fresh_envs(task.inputs, task.envs, rng, FRESH)])
    return Outcome(
        best.term, others, telling, tuple([bool(each) for each in solver.foretold]), is_weak, first,
        solver.tried + rival_search.tried, solver.distinct + rival_search.distinct, clock() - began,
    )  # fmt: skip


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


def apart(solutions: Sequence[Solution], fresh: Sequence[Env]) -> tuple[Solution, tuple[Term, ...], Env | None]:
    """The best of some solutions (given best first), those as good that differ from it on fresh inputs, and where."""
    best = solutions[0]
    rivals = [one for one in solutions[1:] if one.weak == best.weak and _is_rival(one, best)]
    mine = [value_of(best.term, env) for env in fresh]
    found: list[tuple[int, Term, list[int]]] = []
    seen: set[tuple[Value, ...]] = set()
    for rival in rivals:
        theirs = [value_of(rival.term, env) for env in fresh]
        places = [place for place, value in enumerate(theirs) if value != mine[place] and value is not None]
        if places and tuple(theirs) not in seen:
            seen.add(tuple(theirs))
            found.append((rival.length, rival.term, places))
    if not found:
        return best, (), None
    counts = [sum(place in places for _, _, places in found) for place in range(len(fresh))]
    telling = max(range(len(fresh)), key=lambda place: (counts[place], mine[place] is not None, -place))
    return best, tuple([term for _, term, _ in found[:MAX_OTHERS]]), fresh[telling]


def best_is_weak(best: Solution, task: Task) -> bool:
    """Whether little speaks for a program: a case of its own for one example, or outputs that are all the same."""
    return best.weak or (len(task.goal) > 1 and len(set(task.goal)) == 1)


def _is_rival(one: Solution, best: Solution) -> bool:
    """Whether a program is as good as the best; what does all that the best does and more, without need, is not."""
    if one.length <= best.length:
        return True
    theirs, mine = _work_of(one.term), _work_of(best.term)
    return one.length <= best.length + SLACK and (theirs == mine or bool(mine - theirs))


def _work_of(term: Term) -> Counter[str]:
    """The blocks of a term that do more than bring a value into another form."""
    return Counter([name for name in blocks_in(term) if name not in PLUMBING])


def value_of(term: Term, env: Env) -> Value | None:
    """The value of a term on an example; None where it has none."""
    try:
        return evaluate(term, env.slots, env.folder)
    except EvalError:
        return None


def result_of(term: Term, text: str) -> str | None:
    """What a program makes of a text; None where it has no value."""
    made = value_of(term, env_of(text))
    return made if isinstance(made, str) else None
