"""Terms and conditions as people would say them, from what the primitives say of themselves."""

from __future__ import annotations

from collections.abc import Sequence

from dabhand.goals import Answers, Condition, Goal, Holds, condition_sentence
from dabhand.language import Call, Const, Kind, Term, Var

PLUMBING = frozenset(
    {"text", "lines", "records", "unlines", "concat", "line", "digits", "spelled", "literal", "legible"}
)
"""Primitives that only turn one kind of value into another; with a single argument they go without saying."""

MOST_WAYS = 9
"""Ways to take a request that are named."""


def said(condition: Condition) -> str:
    """A condition in words; exact is only `condition_sentence`."""
    match condition:
        case Holds(path, content) if not isinstance(content, Const):
            return f"{path} holds {in_words(content)}"
        case Answers(content):
            return f"the answer is {in_words(content)}"
    return condition_sentence(condition)


def choices(goals: Sequence[Goal]) -> tuple[str, ...]:
    """Goals in words, told apart: exactly, where the words are the same."""
    found = tuple("; ".join(map(said, goal.conditions)) for goal in goals)
    if len(set(found)) < len(found):
        return tuple("; ".join(map(condition_sentence, goal.conditions)) for goal in goals)
    return found


def ways_to_take_it(readings: Sequence[Goal]) -> str:
    """A sentence on a request that can be taken in several ways, each numbered."""
    shown = choices(readings[:MOST_WAYS])
    named = "; ".join(f"({number}) {words}" for number, words in enumerate(shown, 1))
    more = f"; and {len(readings) - len(shown)} more" if len(readings) > len(shown) else ""
    return f"The request can be taken in {len(readings)} ways: {named}{more}."


def in_words(term: Term) -> str:
    """A term in words: what its primitives say they are, from the outside in, with the values that are written out."""
    match term:
        case Var(name=name):
            return name
        case Const(value=str(path), kind=Kind.PATH):
            return path
        case Const(value=value):
            return repr(value)
        case Call(name=name, args=(inner,)) if name in PLUMBING:
            return in_words(inner)
    return _called(term)


def _called(term: Call) -> str:
    gist = term.primitive.doc.partition(";")[0].rstrip(".")
    gist = gist[:1].lower() + gist[1:]
    plain = [in_words(arg) for arg in term.args if _is_written(arg)]
    inner = [in_words(arg) for arg in term.args if not _is_written(arg)]
    values = f" ({', '.join(plain)})" if plain else ""
    return f"{gist}{values}" + (f", of {' and '.join(inner)}" if inner else "")


def _is_written(term: Term) -> bool:
    """Whether it is a value that is written out, and no file."""
    if isinstance(term, Call):
        return all(map(_is_written, term.args))
    return isinstance(term, Const) and term.kind != Kind.PATH
