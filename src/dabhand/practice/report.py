"""What practice reports: events while it goes on, and the document at its end (contracts.md, `dabhand learn`)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dabhand.world import CommandReport


class Event(msgspec.Struct, frozen=True):
    """One experiment, as somebody who watches sees it.

    Attributes:
        number: of the experiment in this run, from 1.
        command, slots, line: the template, its filling, and the command line that ran.
        predicted, observed: one sentence each.
        surprise: a prediction was made, and it was wrong.
        known: whether a prediction was made at all.
        rate: experiments per second so far.
        accuracy: share of the last predictions that were exact.
        status_counts: how many commands have each status.
    """

    number: int
    command: str
    slots: Mapping[str, str | int]
    line: str
    predicted: str
    observed: str
    surprise: bool
    known: bool
    rate: float
    accuracy: float
    status_counts: Mapping[str, int]


class LearnReport(msgspec.Struct, frozen=True):
    """The outcome of a practice run.

    Attributes:
        experiments: how many were made.
        seconds: wall time of the run.
        understood: how many commands are.
        commands: one report each.
        accuracy_recent: share of the last 200 predictions that were exact, each made before learning from its outcome.
        surprises: predictions that were wrong.
        sandbox_seconds: time the sandbox was at work.
        tier: the isolation in force.
        interrupted: whether the run was stopped early.
    """

    experiments: int
    seconds: float
    understood: int
    commands: tuple[CommandReport, ...]
    accuracy_recent: float
    surprises: int
    sandbox_seconds: float = 0.0
    tier: str = ""
    interrupted: bool = False
