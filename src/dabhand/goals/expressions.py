"""What expressions speak of, and how they are named in messages."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from dabhand.goals import acts as say
from dabhand.goals.goal import Ambiguous
from dabhand.goals.tokens import Token


def speaks_of_it(expression: say.Expression) -> bool:
    """Whether it is about what was spoken of before."""
    match expression:
        case say.FileText(path):
            return path == say.IT
        case say.Changed(of=of):
            return speaks_of_it(of)
        case say.Joined(parts):
            return any(map(speaks_of_it, parts))
        case _:
            return False


def speaks_of_both(expression: say.Expression) -> bool:
    """Whether it is about the several files spoken of before."""
    while isinstance(expression, say.Changed):
        expression = expression.of
    return expression == say.Joined((say.FileText(say.BOTH),))


_CHOOSING = frozenset(
    """
    first last without_first without_last without_nth nth between containing containing_word lacking lacking_word
    containing_any containing_any_word lacking_any lacking_any_word not_blank
    column rows_where rows_above rows_below rows_from even odd above below longest shortest most_common
    """.split()  # noqa: SIM905
)


def changes_a_part(expression: say.Expression) -> bool:
    """Whether only some of a file's lines are changed, so that the others have to go somewhere."""
    if not isinstance(expression, say.Changed):
        return False
    inner = expression.of
    while isinstance(inner, say.Changed):
        if inner.operation in _CHOOSING:
            return expression.operation not in _CHOOSING or inner.operation != expression.operation
        inner = inner.of
    return False


def takes_them(acts: say.Acts, tokens: Sequence[Token]) -> bool:
    """Whether "them" may stand for lines that were just taken away."""
    single = any(isinstance(act, say.Hold) and act.removing and _takes_one(act.content) for act in acts)
    words = ("it", "that") if single else ("them", "those", "these")
    spoken = any(
        token.lower in words and before.lower not in ("in", "on", "of") for before, token in itertools.pairwise(tokens)
    )
    return spoken and any(
        isinstance(one, say.Hold)
        and one.removing
        and isinstance(then, say.Write | say.Append | say.Tell)
        and speaks_of_it(then.content)
        for one, then in itertools.pairwise(acts)
    )


def _takes_one(expression: say.Expression) -> bool:
    """Whether one line is taken away."""
    if not isinstance(expression, say.Changed):
        return False
    single = expression.operation in ("without_first", "without_last") and expression.args == (1,)
    return single or expression.operation == "without_nth"


_DELETING = frozenset("delete remove erase rm drop discard scrap trash purge destroy".split())  # noqa: SIM905


def asks_whether(acts: say.Acts, tokens: Sequence[Token]) -> bool:
    """Whether a plain order to delete ends as a question, as nobody gives orders."""
    if not tokens or tokens[-1].text != "?" or tokens[0].lower not in _DELETING:
        return False
    return any(isinstance(act, say.Delete) for act in acts)


def require_whole(expression: say.Expression) -> None:
    """Decline to change a part of a text in place.

    Raises:
        Ambiguous: with both readings.
    """
    if changes_a_part(expression):
        raise Ambiguous(
            f"Only a part of a text is to be changed ({say_text(expression)}), so the request can be taken in 2 ways: "
            "the other lines stay; or: they go.",
            'Say "keep only ..." if they are to go, or "into FILE" if the part goes elsewhere.',
        )


def say_text(expression: say.Expression) -> str:
    """An expression in a few words, for messages."""
    match expression:
        case say.FileText(say.IT):
            return "the result"
        case say.FileText(path):
            return repr(path)
        case say.Words(text=text):
            return repr(text)
        case say.Names(path):
            return f"the names in {path!r}"
        case say.Changed(operation, args, of):
            return f"{say_text(of)} {operation.replace('_', ' ')}" + "".join(f" {arg!r}" for arg in args)
        case say.Joined(parts):
            return " and ".join(map(say_text, parts))
