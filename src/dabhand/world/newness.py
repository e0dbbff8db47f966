"""Newness: what in a situation a command was hardly ever tried with; seen at a glance, without predicting."""

from __future__ import annotations

from collections.abc import Sequence

from dabhand.world.command import CommandModel
from dabhand.world.features import TEXT_QUESTIONS, Situation
from dabhand.world.marks import PECULIAR, word_marks
from dabhand.world.places import At
from dabhand.world.text_facts import text_facts

ENOUGH = 3
"""Tries with a text of some kind, where the command could work, after which the kind is no longer new."""


def new_words(model: CommandModel, situation: Situation) -> int:
    """How many marks its words have that the command never met where it could work; peculiar ones aside."""
    return sum(
        not mark.startswith(PECULIAR) and not model.marked.get(mark, 0) & model.workable
        for mark in word_marks(situation)
    )


def new_texts(model: CommandModel, situation: Situation) -> int:
    """How much its texts are like what the command seldom read where it could work.

    For each fact about a text that is read, the tries are counted that it lacks.
    """
    found = 0
    for place in model.places:
        file = situation.file(place) if isinstance(place, At) and place.slot in model.read else None
        if file is not None and isinstance(place, At):
            facts = text_facts(file.data)
            for fact, number in _facts(model, place):
                if getattr(facts, fact):
                    found += max(0, ENOUGH - (model.has.get(number, 0) & model.workable).bit_count())
    return found


def _facts(model: CommandModel, place: At) -> list[tuple[str, int]]:
    """The questions about the text at a place: each fact with the number of its feature."""
    known = model.fact_numbers.get(place)
    if known is None:
        keys = {feature.key: number for number, feature in enumerate(model.base)}
        known = model.fact_numbers[place] = [(fact, keys[f"{place.slot} {said}"]) for said, fact in TEXT_QUESTIONS]
    return known


def has_culprit(model: CommandModel, situation: Situation) -> bool:
    """Whether one slot points at what always made the command fail, without effect, though the others could work.

    That a slot pointed at something whenever the command failed says little where another slot was to blame each time.
    """
    paths = [(number, place.slot) for number, place in enumerate(model.places) if isinstance(place, At)]
    for number, slot in paths:
        word = situation.standings[number]
        futile, tried, _ = model.standings.get((slot, word), (0, 0, 0))
        if tried > 1 and futile == tried and _is_to_blame(model, number, word, paths):
            return True
    return False


def _is_to_blame(model: CommandModel, number: int, word: str, paths: Sequence[tuple[int, str]]) -> bool:
    """Whether, at least once, every other slot pointed at something that the command has worked with."""
    for context in model.contexts:
        if context[number] == word:
            others = (model.standings.get((slot, context[n]), (0, 0, 0)) for n, slot in paths if n != number)
            if all(worked for _, _, worked in others):
                return True
    return False
