"""Kinship: what commands whose templates share a piece of text have in common.

Templates that end in `> {B}` fail alike where B is a folder. What was seen with one is evidence, though weaker, for
the others: the slot is of the same kind when the text around it is the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from dabhand.commands import Template
from dabhand.language import Call, Term, subterms

Role = tuple[str, str]
"""What stands directly before and after a slot, if it is more than a word of the command."""

Context = tuple[str, ...]
"""What each path points at, and how paths relate."""

MIN_KIN = 3
"""Other commands that must have been seen in a situation before anything is said about it by kinship."""

MIN_SEEN = 4
KIN_WEIGHT = 0.5
"""What an experiment of another command counts for, next to one's own."""

MIN_SHARED = 5
"""Contexts in which two commands must both have been tried, and have fared alike, for one to stand for the other."""

MAX_LENT = 12.0
FAMILIAR = 0.02
"""Cost of a term taken off per use of one of its building blocks by a command."""

MAX_FAMILIAR = 6
FOND = 0.08
"""Cost of a question taken off per command that asks it."""

MAX_FOND = 8


@lru_cache(maxsize=1024)
def slot_role(template: Template, slot: str) -> Role:
    """How a slot stands in its template: the operators around it."""
    before, _, after = template.text.partition("{" + slot + "}")
    return _operator(before.split()[-1:] if before[-1:].isspace() else []), _operator(after.split()[:1])


@lru_cache(maxsize=1024)
def slot_roles(template: Template) -> tuple[Role, ...]:
    """How the slots that are paths stand in a template."""
    return tuple(slot_role(template, slot.name) for slot in template.slots if slot.kind == "path")


def said_for_any(template: Template, question: str) -> str:
    """A question about slots, with each slot's name replaced by its role, so that kin ask the same one."""
    return _SLOT.sub(
        lambda match: f"<{' '.join(slot_role(template, match[0]))}{'' if match[0] in 'ABC' else match[0]}>", question
    )


def _operator(tokens: list[str]) -> str:
    return tokens[0] if tokens and not any(c.isalnum() or c in "{}-" for c in tokens[0]) else ""


def _fared(counts: tuple[int, int]) -> int:
    worked, tried = counts
    return 1 if worked == tried else -1 if not worked else 0


@lru_cache(maxsize=65536)
def building_blocks(term: Term) -> tuple[str, ...]:
    """The primitives that a term is made of."""
    return tuple(part.name for part in subterms(term) if isinstance(part, Call))


_SLOT = re.compile(r"\b[ABCTUN]\b")


class Kinship:
    """How often a slot of some role, pointing at something, made its command fail without any effect."""

    def __init__(self) -> None:
        self._seen: dict[tuple[Role, str], dict[tuple[str, str], tuple[int, int]]] = {}
        self._contexts: dict[tuple[tuple[Role, ...], Context], dict[str, tuple[int, int]]] = {}
        self._been: dict[str, dict[Context, dict[str, tuple[int, int]]]] = {}
        self._spoken: dict[str, frozenset[str]] = {}
        self._used: Counter[str] = Counter()
        self._asked: dict[str, Counter[str]] = {}
        self._asked_by: dict[tuple[str, str], tuple[str, frozenset[str]]] = {}

    def note(self, template: Template, slot: str, standing: str, futile: int, tried: int) -> None:
        """Set what a command has seen: `futile` of `tried` experiments failed and had no effect."""
        self._seen.setdefault((slot_role(template, slot), standing), {})[template.text, slot] = (futile, tried)

    def lent(self, template: Template, slot: str, standing: str) -> float:
        """Support that other commands lend to "fails, and nothing happens"; 0 where one of them saw otherwise."""
        others = self._others(template, slot, standing)
        if any(futile < tried for futile, tried in others.values()):
            return 0.0
        return min(MAX_LENT, KIN_WEIGHT * sum(tried for _, tried in others.values()))

    def futile(self, template: Template, slot: str, standing: str) -> bool:
        """Whether all of several other commands failed without effect in this situation."""
        others = self._others(template, slot, standing)
        seen = sum(tried for _, tried in others.values())
        return len(others) >= MIN_KIN and seen >= MIN_SEEN and all(futile == tried for futile, tried in others.values())

    def note_context(self, template: Template, context: Context, ok: bool, times: int = 1) -> None:
        """Count what a command did in a structural context: whether it succeeded."""
        found = self._contexts.setdefault((slot_roles(template), context), {})
        worked, tried = found.get(template.text, (0, 0))
        found[template.text] = (worked + ok * times, tried + times)
        self._been.setdefault(template.text, {})[context] = found

    def succeeds(self, template: Template, context: Context) -> bool | None:
        """Whether the commands that fare like this one all succeeded, or all failed, in a structural context.

        None where they did not, or where there are too few of them.
        """
        found = self._contexts.get((slot_roles(template), context), {})
        if len(found) < MIN_KIN:
            return None
        like = [counts for text, counts in found.items() if text != template.text and self._alike(template.text, text)]
        if len(like) < MIN_KIN or sum(tried for _, tried in like) < MIN_SEEN:
            return None
        if all(worked == tried for worked, tried in like):
            return True
        return False if not any(worked for worked, _ in like) else None

    def _alike(self, one: str, other: str) -> bool:
        """Whether two commands fared alike wherever both were: always well, never, or now so and now so."""
        shared = 0
        for found in self._been.get(one, {}).values():
            if other in found:
                if _fared(found[one]) != _fared(found[other]):
                    return False
                shared += 1
        return shared >= MIN_SHARED

    def speak(self, template: Template, terms: Iterable[Term]) -> None:
        """Set the terms that a command is believed to write or print."""
        names = frozenset(name for term in terms for name in building_blocks(term))
        before = self._spoken.get(template.text, frozenset())
        if names != before:
            self._used.subtract(before)
            self._used.update(names)
            self._spoken[template.text] = names

    def familiar(self, term: Term) -> float:
        """How much the cost of a term is lowered because other commands are believed to use its building blocks."""
        return FAMILIAR * sum(min(MAX_FAMILIAR, self._used[name]) for name in building_blocks(term))

    def tell(self, template: Template, role: str, kind: str, questions: Iterable[str]) -> None:
        """Set the questions that a command's rules for one role ask, said for any command (`said_for_any`)."""
        asked = frozenset(questions)
        _, before = self._asked_by.get((template.text, role), (kind, frozenset()))
        if asked != before:
            counts = self._asked.setdefault(kind, Counter())
            counts.subtract(before)
            counts.update(asked)
            self._asked_by[template.text, role] = (kind, asked)

    def fondness(self, kind: str, question: str) -> float:
        """How much the cost of a question is lowered because the rules of other commands ask it too."""
        counts = self._asked.get(kind)
        return FOND * min(MAX_FOND, counts[question]) if counts and question in counts else 0.0

    def forget(self, template: Template) -> None:
        """Drop everything that a command has told."""
        for counts in self._contexts.values():
            counts.pop(template.text, None)
        self._been.pop(template.text, None)
        for found in self._seen.values():
            for key in [key for key in found if key[0] == template.text]:
                del found[key]
        self.speak(template, ())
        for (text, role), (kind, _) in list(self._asked_by.items()):
            if text == template.text:
                self.tell(template, role, kind, ())

    def _others(self, template: Template, slot: str, standing: str) -> Mapping[str, tuple[int, int]]:
        found = self._seen.get((slot_role(template, slot), standing), {})
        others: dict[str, tuple[int, int]] = {}
        for (text, _), (futile, tried) in found.items():
            if text != template.text:
                before = others.get(text, (0, 0))
                others[text] = (before[0] + futile, before[1] + tried)
        return others
