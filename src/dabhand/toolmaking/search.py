"""Search for the term that maps the inputs of some examples to their outputs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

from dabhand.language import PATH, TEXT, Enumeration, EvalError, Term, evaluate
from dabhand.toolmaking.examples import INPUT, Example, checked, env_of
from dabhand.toolmaking.guide import Guide

MAX_COST = 12
CHECK_EVERY = 256


class Found(msgspec.Struct, frozen=True):
    """What a search came to.

    Attributes:
        term: the program, over the slot `A` (the file it reads); None when none was found.
        others: programs that fit all examples as well and do something else on other inputs; empty: none is known.
        telling: an input that tells the program from the others, None when there are none.
        answers: what the program, then each of the others, makes of that input; None where it has no value.
        held_back: (right, all): how many examples were foretold by the program found from the others alone.
        tried: how many terms were looked at.
        distinct: how many of them differed.
        seconds: how long it took.
    """

    term: Term | None
    others: tuple[Term, ...] = ()
    telling: str | None = None
    answers: tuple[str | None, ...] = ()
    held_back: tuple[int, int] = (0, 0)
    tried: int = 0
    distinct: int = 0
    seconds: float = 0.0

    @property
    def is_sure(self) -> bool:
        """Whether a program was found and nothing is known to fit as well."""
        return self.term is not None and not self.others


def search(
    examples: Sequence[Example],
    *,
    seconds: float = 10.0,
    seed: int = 0,
    guide: Guide | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Found:
    """The cheapest program that maps every input to its output, and what else fits.

    Args:
        examples: what the program is to do; three or more let some be held back.
        seconds: how long to search at most.
        seed: of the inputs that are generated to tell programs apart.
        guide: what was learned of which building blocks are likely; it changes the order of the search only.
        clock: where the time is read.

    Raises:
        ExamplesError: there is no example, or two contradict each other.
    """
    given = checked(examples)
    began = clock()
    enumeration = Enumeration([INPUT], [env_of(each.input) for each in given], (TEXT,))
    wanted = tuple([each.output for each in given])
    found, distinct = None, 0
    for distinct, entry in enumerate(enumeration.run(MAX_COST), 1):
        if entry.kind is TEXT and enumeration.values(entry) == wanted:
            found = entry.term()
            break
        if distinct % CHECK_EVERY == 0 and clock() - began > seconds:
            break
    return Found(found, tried=enumeration.tried, distinct=distinct, seconds=clock() - began)


def result_of(term: Term, text: str) -> str | None:
    """What a program makes of a text; None where it has no value."""
    env = env_of(text)
    try:
        made = evaluate(term, env.slots, env.folder)
    except EvalError:
        return None
    return made if isinstance(made, str) and term.kind not in (PATH,) else None
