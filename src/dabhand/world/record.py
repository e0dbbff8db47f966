"""The track record: how often predictions came true that were made on little evidence, or in spite of a doubt.

Some doubts are worth having and some are not, and which is which is learned like everything else. "This file has tabs,
and none so far had" is a reason to distrust until it has turned out often enough, over all commands, that such a
prediction comes true. What a prediction rested on is noted before its outcome is known, the outcome after; a doubt is
dismissed once predictions made in spite of it were right so often that the lower bound of their rate is high. The same
goes for how many tries a rule needs: where rules that had held three times of three were nearly never wrong the fourth
time, three tries say more than an unbiased observer could conclude from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from dabhand.world.prediction import lower_bound

DISMISSED = 0.93
"""Lower bound of the rate at which predictions come true in spite of a doubt, from which the doubt is no longer one."""

DISMISSED_KIND = 0.9
SPOTLESS = 4
"""So often at least a doubt must have been none, and never one, to be dismissed because most of its kind are none; and
the lower bound for the whole kind."""

FEW_TRIES = 3
"""Tries of a rule below which nothing makes up for the lack of more."""

MANY_TRIES = 8
"""Tries of a rule from which its own count says enough."""


Count = tuple[int, int]
"""How many came true, of how many."""


class Basis(msgspec.Struct, frozen=True):
    """What a prediction rests on, besides what is certain.

    Attributes:
        doubts: names of the doubts that experience may dismiss, dismissed ones among them; "kind: which".
        firm: no other doubts are left, so the outcome says something about these.
        tries: of the rule that was tried least, if all of them came out.
    """

    doubts: tuple[str, ...] = ()
    firm: bool = False
    tries: int = 0


class TrackRecord:
    """Counts of predictions that came true, by what they rested on; over all commands, and what each contributed."""

    def __init__(self) -> None:
        self.counts: dict[str, Count] = {}
        self._shares: dict[str, dict[str, Count]] = {}

    def note(self, command: str, basis: Basis, *, right: bool) -> None:
        """Take in whether a prediction about a command came true.

        A right one speaks for all that it rested on. A wrong one speaks against the doubts that were still there; only
        where there were none, against those that had been dismissed.
        """
        if not basis.firm:
            return
        standing = tuple(name for name in basis.doubts if not self.dismisses(name))
        spoken_of = basis.doubts if right or not standing else standing
        for name in dict.fromkeys((*spoken_of, *map(kind_of, spoken_of))):
            self._count(command, name, (int(right), 1))
        if not standing and 0 < basis.tries < MANY_TRIES:
            self._count(command, _tries(basis.tries), (int(right), 1))

    def share(self, command: str) -> dict[str, Count]:
        """What a command contributed, to keep with what is believed of it."""
        return dict(self._shares.get(command, {}))

    def take(self, command: str, share: Mapping[str, Count]) -> None:
        """Put back what a command had contributed, in place of what it has."""
        self.forget(command)
        for name, count in share.items():
            self._count(command, name, count)

    def forget(self, command: str) -> None:
        """Take out what a command contributed: it is concluded anew."""
        for name, (right, of) in self._shares.pop(command, {}).items():
            came_true, all_of = self.counts[name]
            self.counts[name] = (came_true - right, all_of - of)
            if all_of == of:
                del self.counts[name]

    def _count(self, command: str, name: str, more: Count) -> None:
        for counts in (self.counts, self._shares.setdefault(command, {})):
            came_true, of = counts.get(name, (0, 0))
            counts[name] = (came_true + more[0], of + more[1])

    def bound(self, name: str) -> float:
        """Lower bound of the rate at which predictions that rested on this came true; 0 without any."""
        return lower_bound(*self.counts.get(name, (0, 0)))

    def dismisses(self, name: str) -> bool:
        """Whether this doubt has proved to be none: by itself, or as one of a kind that nearly never was one."""
        if self.bound(name) >= DISMISSED:
            return True
        right, of = self.counts.get(name, (0, 0))
        return right == of >= SPOTLESS and self.bound(kind_of(name)) >= DISMISSED_KIND

    def after(self, tries: int) -> float:
        """Lower bound of the rate at which rules held that had held every time, so many times."""
        return self.bound(_tries(tries)) if FEW_TRIES <= tries < MANY_TRIES else 0.0

    def standing(self, doubts: Iterable[str]) -> list[str]:
        """The doubts that are left."""
        return [name for name in doubts if not self.dismisses(name)]


def kind_of(name: str) -> str:
    """The kind that a doubt is one of: what comes before the colon in its name."""
    return name.partition(":")[0]


def _tries(number: int) -> str:
    return f"held {number} of {number} times"
