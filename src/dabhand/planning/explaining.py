"""Saying why a condition cannot be reached: what no command makes, and how near to it one comes."""

from __future__ import annotations

from dabhand.goals import Answers, Condition, Holds, condition_sentence
from dabhand.language import Const, Kind, show
from dabhand.language.terms import Term, size, subterms
from dabhand.planning.recipes import Recipes
from dabhand.workspace import State


def why_not(condition: Condition, recipes: Recipes, nearest: State) -> str:
    """One sentence on a condition that no trusted command leads to.

    Args:
        condition: what is not met.
        recipes: which texts can be made.
        nearest: the folder that came nearest.
    """
    if not isinstance(condition, Holds | Answers):
        return f"No trusted command leads to: {condition_sentence(condition)}."
    parts = {landmark.term: texts for texts, landmark in recipes.landmarks.items()}
    known = {*recipes.sources, *recipes.ways}
    reached = [term for term, texts in parts.items() if texts in known]
    if recipes.printed if isinstance(condition, Answers) else condition.content in reached:
        return f"No trusted command leads to {condition_sentence(condition)}, though what is known would do."
    inside = [term for term in subterms(condition.content) if term in reached]
    furthest = max(inside, key=size, default=None)
    read = _named(condition.content, furthest)
    return f"No known command turns {read} into {_shortly(condition.content, furthest)}."


def _named(content: Term, furthest: Term | None) -> str:
    if furthest is not None:
        return show(furthest)
    paths = [str(part.value) for part in subterms(content) if isinstance(part, Const) and part.kind is Kind.PATH]
    return f"the text of {', '.join(paths)}" if paths else "what is there"


def _shortly(content: Term, furthest: Term | None) -> str:
    """The smallest part of a term that is beyond what was reached."""
    known = set() if furthest is None else set(subterms(furthest))
    beyond = [part for part in subterms(content) if part not in known and not isinstance(part, Const)]
    texts = [part for part in beyond if part.kind in (Kind.TEXT, Kind.LINES, Kind.NUMBER) and _holds(part, furthest)]
    return show(texts[0] if texts else content)


def _holds(term: Term, furthest: Term | None) -> bool:
    return furthest is None or furthest in set(subterms(term))
