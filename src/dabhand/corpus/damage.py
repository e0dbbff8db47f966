"""What a file did not give up: damage by line, kinds of records nobody knows, and what was left out and why."""

from __future__ import annotations

from typing import Literal

import msgspec

LISTED = 200
"""Damages of one file that are listed; all are counted."""

KINDS_LISTED = 100
"""Kinds of unknown records that are told apart; a damaged file may hold any number of them."""

KIND_LENGTH = 60
"""Letters of an unknown record's kind that are kept: it is foreign text."""

DamageKind = Literal[
    "cut_off",
    "broken_line",
    "several_records",
    "not_an_object",
    "too_long",
    "shortened",
    "too_deep",
    "not_unicode",
    "compression",
    "unreadable_document",
    "odd_value",
]
"""`several_records`, `not_unicode` and `shortened` were mended: all records of the line were read, odd letters became
U+FFFD, texts of several megabytes were cut short. `broken_line` may have been, in part."""


class Damage(msgspec.Struct, frozen=True):
    """One damaged place: a line (1-based; 0 for the file as a whole) and what is wrong with it."""

    line: int
    kind: DamageKind


class Tally(msgspec.Struct):
    """What one file held beside its calls.

    Attributes:
        sessions: names of the sessions that the file is of, or whose history it repeats.
        unknown: records of kinds that the reader does not know, by kind.
        left_out: look-alikes and copies that are no triples, by reason.
        withdrawn: why nothing of the file may be kept (a session that reviews another one's commands).
    """

    damages: list[Damage] = msgspec.field(default_factory=list)
    damage_counts: dict[str, int] = msgspec.field(default_factory=dict)
    formats: dict[str, int] = msgspec.field(default_factory=dict)
    sessions: list[str] = msgspec.field(default_factory=list)
    unknown: dict[str, int] = msgspec.field(default_factory=dict)
    left_out: dict[str, int] = msgspec.field(default_factory=dict)
    withdrawn: str | None = None
    records: int = 0

    def damaged(self, line: int, kind: DamageKind) -> None:
        """Note a damage."""
        self.damage_counts[kind] = self.damage_counts.get(kind, 0) + 1
        if len(self.damages) < LISTED:
            self.damages.append(Damage(line, kind))

    def leave_out(self, reason: str) -> None:
        """Count something that looks like a call and is none."""
        self.left_out[reason] = self.left_out.get(reason, 0) + 1

    def not_known(self, kind: str | None) -> None:
        """Count a record of a kind that the reader does not know."""
        name = (kind or "no kind")[:KIND_LENGTH]
        if name not in self.unknown and len(self.unknown) >= KINDS_LISTED:
            name = "others"
        self.unknown[name] = self.unknown.get(name, 0) + 1

    def of_session(self, name: str | None) -> None:
        """Note a session that the file belongs to or repeats; the first is its own."""
        if name and name not in self.sessions:
            self.sessions.append(name)
