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
    """Counts of predictions that came true, by what they rested on."""

    def __init__(self, counts: Mapping[str, tuple[int, int]] | None = None) -> None:
        self.counts: dict[str, tuple[int, int]] = dict(counts or {})

    def to_bytes(self) -> bytes:
        """The counts, to keep."""
        return msgspec.json.encode(self.counts)

    def restore(self, data: bytes) -> None:
        """Take over kept counts; those that cannot be read are left, and counted anew."""
        try:
            self.counts = msgspec.json.decode(data, type=dict[str, tuple[int, int]])
        except msgspec.DecodeError:
            self.counts = {}

    def note(self, basis: Basis, *, right: bool) -> None:
        """Take in whether a prediction came true.

        A right one speaks for all that it rested on. A wrong one speaks against the doubts that were still there; only
        where there were none, against those that had been dismissed.
        """
        if not basis.firm:
            return
        standing = tuple(name for name in basis.doubts if not self.dismisses(name))
        spoken_of = basis.doubts if right or not standing else standing
        for name in dict.fromkeys((*spoken_of, *map(kind_of, spoken_of))):
            self._count(name, right=right)
        if not standing and 0 < basis.tries < MANY_TRIES:
            self._count(_tries(basis.tries), right=right)

    def _count(self, name: str, *, right: bool) -> None:
        came_true, of = self.counts.get(name, (0, 0))
        self.counts[name] = (came_true + right, of + 1)

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
