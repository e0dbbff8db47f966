"""Rivals of a program: what else fits the examples, is about as short, and does something else on other inputs.

Some come from the search itself; others are the program's neighbours, which differ from it in one block or constant
and which enumeration may never have come to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dabhand.language import (
    FUNCTIONS,
    Call,
    Const,
    Env,
    EvalError,
    Function,
    Kind,
    Term,
    Value,
    evaluate,
    primitive_named,
)
from dabhand.language.samples import TextFolder
from dabhand.toolmaking.search_blocks import INNER, OUTER
from dabhand.toolmaking.search_solver import Solution
from dabhand.toolmaking.search_task import Task, blocks_in

SLACK = 1
"""How much longer than the shortest a program may be that is still held against it."""
MAX_OTHERS = 3
MAX_NEIGHBOURS = 1500
MIN_LINES = 3
"""A text that tells programs apart is made no shorter than so many lines (the last may be nothing)."""


def apart(
    solutions: Sequence[Solution], fresh: Sequence[Env], counterparts: Sequence[Solution] = ()
) -> tuple[Solution, tuple[Term, ...], Env | None]:
    """The best of some solutions (given best first), those as good that differ from it on fresh inputs, and where.

    Args:
        solutions: best first.
        fresh: the inputs.
        counterparts: of the best; as good as it, however long.
    """
    best = solutions[0]
    rivals = [one for one in solutions[1:] if one.weak == best.weak and _is_rival(one, best)]
    rivals += [one for one in counterparts if one not in rivals]
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
    others = tuple([term for _, term, _ in found[:MAX_OTHERS]])
    return best, others, shortened(fresh[telling], (best.term, *others))


def most_telling(terms: Sequence[Term], fresh: Sequence[Env]) -> Env | None:
    """Of some inputs, the one on which programs part most and of which the first makes something."""
    made = [(env, [value_of(term, env) for term in terms]) for env in fresh]
    made = [(env, values) for env, values in made if values[0] is not None]
    if not made:
        return None
    env, _ = max(made, key=lambda one: (len(set(one[1])), bool(one[1][0])))
    return shortened(env, terms)


def shortened(env: Env, terms: Sequence[Term]) -> Env:
    """An example whose one text has no line more than it takes to tell as many of some terms apart."""
    paths = [name for name, value in env.slots.items() if isinstance(value, str) and env.folder.text(value)]
    if len(env.slots) != 1 or not paths:
        return env
    path = env.slots[paths[0]]
    lines = (env.folder.text(path) or "").split("\n")
    answers = len({value_of(term, env) for term in terms} - {None})
    place = 0
    while place < len(lines) - 1 and len(lines) > MIN_LINES:
        fewer = Env(env.slots, TextFolder({path: "\n".join([*lines[:place], *lines[place + 1 :]])}))
        if len({value_of(term, fewer) for term in terms} - {None}) >= answers:
            lines, env = [*lines[:place], *lines[place + 1 :]], fewer
        else:
            place += 1
    return env


def _is_rival(one: Solution, best: Solution) -> bool:
    """Whether a program is as good as the best.

    A longer one that does all that the best does, and more, is not: nothing asks for more. Nor is one that only has a
    number in it that people mean less often.
    """
    if one.length <= best.length:
        return True
    theirs, mine = Counter(blocks_in(one.term)), Counter(blocks_in(best.term))
    return one.length <= best.length + SLACK and bool(mine - theirs)


def value_of(term: Term, env: Env) -> Value | None:
    """The value of a term on an example; None where it has none."""
    try:
        return evaluate(term, env.slots, env.folder)
    except EvalError:
        return None


def neighbours(best: Solution, task: Task) -> list[Solution]:
    """The programs next to one that are right on all examples too, and no longer than what is held against it."""
    words: dict[Kind, list[Const]] = {}
    for constant, _ in task.constants:
        words.setdefault(constant.kind, []).append(constant)
    seen, made = {best.term}, []
    for term in _edits(best.term, words, OUTER):
        if len(seen) > MAX_NEIGHBOURS:
            break
        if term in seen:
            continue
        seen.add(term)
        length = task.length(term)
        if length <= best.length + SLACK and fits(term, task):
            made.append(Solution(term, length, best.weak, best.tried))
    return made


def fits(term: Term, task: Task) -> bool:
    """Whether a term is right on all examples."""
    return all(value_of(term, env) == wanted for env, wanted in zip(task.envs, task.goal, strict=True))


Constants = Mapping[Kind, Sequence[Const]]


def _edits(term: Term, constants: Constants, names: Sequence[str]) -> Iterator[Term]:
    """The terms that one change makes of a term: another block or constant, or a block left out, anywhere in it."""
    if isinstance(term, Const):
        yield from _other_constants(term, constants)
        return
    if not isinstance(term, Call):
        return
    yield from _replacements(term, constants, names)
    for place, arg in enumerate(term.args):
        suggested = [Const(value, arg.kind) for value in term.primitive.suggests.get(place, ())]
        mine = {**constants, arg.kind: [*constants.get(arg.kind, ()), *suggested]} if suggested else constants
        for edit in _edits(arg, mine, names):
            yield Call(term.name, (*term.args[:place], edit, *term.args[place + 1 :]))


def _other_constants(term: Const, constants: Constants) -> Iterator[Term]:
    if isinstance(term.value, Function):
        for body in _edits(term.value.body, constants, INNER):
            if body.kind is FUNCTIONS[term.kind][1]:
                yield Const(Function(body, term.kind), term.kind)
        return
    yield from constants.get(term.kind, ())


def _replacements(term: Call, constants: Constants, names: Sequence[str]) -> Iterator[Term]:
    """Other blocks in the place of the outermost one, over the same arguments, one more, or one fewer."""
    main = term.args[-1] if term.args else None
    for arg in term.args:
        if arg.kind is term.kind:
            yield arg
    for name in names:
        block = primitive_named(name)
        if block is None or block.gives is not term.kind or block.reads_folder or name == term.name:
            continue
        kinds = tuple([arg.kind for arg in term.args])
        if block.takes == kinds:
            yield Call(name, term.args)
        if main is None or block.takes[-1] is not main.kind:
            continue
        if len(block.takes) == 1:
            yield Call(name, (main,))
        elif len(block.takes) == 2 and block.takes[0] not in FUNCTIONS:
            suggested = [Const(value, block.takes[0]) for value in block.suggests.get(0, ())]
            for constant in (*constants.get(block.takes[0], ()), *suggested):
                yield Call(name, (constant, main))
