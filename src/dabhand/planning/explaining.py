"""Saying why a condition cannot be reached: what no command makes, and how near to it one comes."""

from __future__ import annotations

from collections.abc import Sequence

from dabhand.goals import Answers, Condition, Holds, condition_sentence
from dabhand.language import Const, Kind, Term, show, size, subterms
from dabhand.planning.recipes import Recipes
from dabhand.planning.texts import forms
from dabhand.world.reading import Reader

WORKED_OUT = (Kind.TEXT, Kind.LINES, Kind.NUMBER)
"""Kinds of values that stand in files; of others nothing is said."""


def why_not(condition: Condition, recipes: Recipes) -> str:
    """One sentence on a condition that no trusted command leads to.

    Args:
        condition: what is not met.
        recipes: which texts can be made, and out of which.
    """
    if not isinstance(condition, Holds | Answers):
        return f"No trusted command leads to: {condition_sentence(condition)}."
    reached, beyond = _sorted_out(condition.content, recipes)
    if not beyond:
        if isinstance(condition, Answers) and not recipes.printed:
            return f"No known command prints {show(condition.content)}."
        return f"No command that is trusted here leads to: {condition_sentence(condition)}."
    made = [part for part in reached if part in set(subterms(beyond[0]))]
    furthest = max(made, key=size, default=None)
    return f"No known command turns {_read(beyond[0], furthest)} into {show(beyond[0])}."


def why_not_together(conditions: Sequence[Condition]) -> str:
    """One sentence on conditions that trusted commands lead to one by one, but that no plan was found for."""
    said = "; ".join(map(condition_sentence, conditions))
    return f"No plan was found that does all of this, though there is one for each alone: {said}."


def _sorted_out(content: Term, recipes: Recipes) -> tuple[list[Term], list[Term]]:
    """The parts of a term that can be made, and those that can not, smaller ones first.

    A part that can not is of no interest where what it is a part of can: some command takes both steps at once.
    """
    known = set(recipes.known())
    readers = [Reader({}, folder.before) for folder in recipes.folders]
    parts = [part for part in subterms(content) if not isinstance(part, Const) and part.kind in WORKED_OUT]
    reached = [part for part in parts if not known.isdisjoint(forms(part, [reader.value(part) for reader in readers]))]
    covered = {inner for part in reached for inner in subterms(part)}
    beyond: list[Term] = [part for part in parts if part not in covered]
    return list(reached), beyond


def _read(part: Term, furthest: Term | None) -> str:
    if furthest is not None:
        return show(furthest)
    paths = [str(one.value) for one in subterms(part) if isinstance(one, Const) and one.kind is Kind.PATH]
    return f"the text of {', '.join(paths)}" if paths else "what is there"
