"""Finding the best tier that really works here, and opening workers in it."""

from __future__ import annotations

from collections.abc import Callable

from dabhand.errors import SandboxFault, SandboxUnavailable, UsageError
from dabhand.sandbox.bubblewrap import Bubblewrap
from dabhand.sandbox.landlock import Landlock
from dabhand.sandbox.outcome import Limits
from dabhand.sandbox.tier import Tier, TierReport
from dabhand.sandbox.worker import Worker
from dabhand.workspace.state import File, State

TIERS: dict[str, Callable[[], Tier]] = {"bubblewrap": Bubblewrap, "landlock": Landlock}
"""The ways of isolating, best first. Making one raises SandboxUnavailable when it cannot be had here."""


def probe() -> tuple[TierReport, ...]:
    """Try every tier with a real experiment, and say what came of it."""
    return tuple(_report(name) for name in TIERS)


def open_worker(tier: str = "auto", limits: Limits = Limits()) -> Worker:  # noqa: B008  (Limits is immutable)
    """Open a worker in the given tier, or in the best one that works here.

    Raises:
        SandboxUnavailable: no tier works here; the hint says how to mend that.
        UsageError: there is no tier of that name.
    """
    if tier != "auto":
        if tier not in TIERS:
            raise UsageError(f"There is no isolation tier {tier!r}.", f"There are: auto, {', '.join(TIERS)}.")
        return _opened(tier, limits)
    refusals: list[SandboxUnavailable] = []
    for name in TIERS:
        try:
            return _opened(name, limits)
        except SandboxUnavailable as refusal:
            refusals.append(refusal)
    raise SandboxUnavailable(
        "There is no safe place to run commands here. " + " ".join(refusal.message for refusal in refusals),
        " Or: ".join(dict.fromkeys(refusal.hint for refusal in refusals if refusal.hint)),
    )


def _opened(name: str, limits: Limits) -> Worker:
    """A worker that has run an experiment rightly."""
    worker = Worker(TIERS[name](), limits)
    try:
        outcome = worker.run(State({"a": File(b"works\n")}), "cat a > b")
    except SandboxFault as fault:
        worker.close()
        raise SandboxUnavailable(f"The {name} sandbox does not work: {fault.message}") from fault
    if outcome.exit_code != 0 or outcome.state.get("b") != File(b"works\n"):
        worker.close()
        complaint = outcome.stderr.decode("utf-8", "replace").strip() or "a trial command went wrong"
        raise SandboxUnavailable(f"The {name} sandbox does not work: {complaint}.")
    return worker


def _report(name: str) -> TierReport:
    try:
        with _opened(name, Limits()) as worker:
            return TierReport(name, True, worker.detail)
    except SandboxUnavailable as refusal:
        return TierReport(name, False, refusal.message, refusal.hint)
