"""What other parts do for an inspection: reading words, shells, selecting evidence. Each is imported when it is needed.

The protocols:

- `dabhand.handoff.words.translate(request, references, translator=..., look=...)`: who translated it (`origin`), the
  `plan`, whose path is a reference or a path that the request says, and `lm_calls`; or an abstention with `message` and
  `hint`.
- `dabhand.handoff.shells.backends.carry_out(backend, plan, folder, opened, raw, new_file, now, timeout)`: a `Done`; the
  result goes to `raw`, by `raw.add(bytes of whole lines, how many, number of the first)`.
- `dabhand.handoff.shells.backends.rendered(plan, dialect, folder=..., now=...)`: the command line that does
  what a plan says.
- `dabhand.handoff.evidence.select(lines, wish, failed=...)`: a selection with `lines` (numbers from 1), `selection`,
  `complete` and `reason`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args

import msgspec

from dabhand.errors import NotConfined, UsageError
from dabhand.handoff.bindings import Bound
from dabhand.handoff.outcome import Done
from dabhand.handoff.packet import SelectionKind, Translator
from dabhand.handoff.places import Opened, kind_at
from dabhand.handoff.plan import Plan, Search
from dabhand.handoff.raw import Raw
from dabhand.workspace.confined import ConfinedFolder

Backend = Literal["native", "bash", "powershell"]


class Reading(msgspec.Struct, frozen=True):
    """What came of reading a request: a plan, or the reason why there is none."""

    plan: Plan | None
    reason: str = ""
    hint: str = ""
    translator: Translator | None = None
    lm_calls: int = 0


def _part(name: str) -> Any | None:
    """A part of ours, or None where this version has none."""
    try:
        return importlib.import_module(f"dabhand.handoff.{name}")
    except ModuleNotFoundError as error:
        if not f"dabhand.handoff.{name}".startswith(str(error.name)):
            raise
        return None


def read(folder: ConfinedFolder, bound: Bound, translator: str) -> Reading:
    """Read a request that is bound; of the folder only what is at a path that the request says is looked at."""
    words = _part("words")
    if words is None:
        return Reading(None, "This version reads no words.", "Give a ready plan with --plan.")

    def look(path: str) -> str:
        return _at(folder, path)

    def models() -> Any:
        return importlib.import_module("dabhand.handoff.words.backends").links(look)

    said = words.translate(bound.request, bound.kinds, translator=translator, others=models, look=look)
    plan = getattr(said, "plan", None)
    if plan is None:
        return Reading(None, said.message, said.hint, lm_calls=getattr(said, "lm_calls", 0))
    return Reading(plan, translator=said.origin, lm_calls=said.lm_calls)


def _at(folder: ConfinedFolder, path: str) -> str:
    try:
        return kind_at(folder, path)
    except (UsageError, NotConfined):
        return ""


def carry_out(
    backend: Backend,
    plan: Plan,
    folder: ConfinedFolder,
    opened: Opened,
    raw: Raw,
    new_file: Callable[[], int],
    now: float,
    timeout: float | None,
) -> Done:
    """Carry out a plan.

    Raises:
        UsageError: there is no such backend.
    """
    if backend == "native":
        from dabhand.handoff.native import carry_out as natively

        return natively(plan, folder, opened, raw, new_file, now)
    shells = _part("shells.backends") if backend in get_args(Backend) else None
    if shells is None:
        raise UsageError(f"There is no backend {backend!r}.", "Use --backend native.")
    done: Done = shells.carry_out(backend, plan, folder, opened, raw, new_file, now, timeout)
    return done


def equivalent(plan: Plan, folder: bool, now: float) -> str | None:
    """The command line that does what a plan says, for people to read; it is not run. None where there is no such."""
    shells = _part("shells.backends")
    if isinstance(plan, Search) and plan.max_count is not None and (plan.before or plan.after):
        return None  # grep ends what comes after the last match at the next one
    try:
        return None if shells is None else str(shells.rendered(plan, "bash", folder=folder, now=now))
    except UsageError:
        return None


def select(lines: Iterable[str], wish: str) -> tuple[list[int], SelectionKind, bool, str]:
    """Places (from 0) of the lines that were wished for, how they were chosen, whether that is all, and what is not."""
    evidence = _part("evidence")
    if evidence is None:
        return [], "rejected", False, "This version selects no evidence; the raw result is kept."
    chosen = evidence.select(lines, wish, failed=None)
    return [number - 1 for number in chosen.lines], chosen.selection, chosen.complete, getattr(chosen, "reason", "")


def select_by_model(lines: Iterable[str], wish: str) -> tuple[list[int], SelectionKind, bool, str] | None:
    """What a local model chooses where rules found nothing; None where it is not here, not sure, or finds nothing."""
    model = _part("evidence.model")
    chosen = None if model is None else model.asked_for_more(wish, list(lines))
    if chosen is None:
        return None
    return [number - 1 for number in chosen.lines], chosen.selection, chosen.complete, chosen.reason
