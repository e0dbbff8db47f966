"""An inspection from end to end: bind, read, validate, confine, carry out, select, keep, and answer with a packet."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from dabhand.errors import DabhandError, NotConfined, NotUnderstood, UsageError
from dabhand.handoff import seams
from dabhand.handoff.artifacts import Artifacts, NotKept
from dabhand.handoff.bindings import Bound, Targets, bound, checked_names, mentions
from dabhand.handoff.limits import Limits, output_of
from dabhand.handoff.outcome import Done
from dabhand.handoff.packet import ArtifactRef, Evidence, Output, Packet, Problem, Status, Timings
from dabhand.handoff.places import inside, kind_at, opened
from dabhand.handoff.plan import (
    CountLines,
    CountMatches,
    JsonField,
    LastLines,
    Plan,
    plan_from_json,
    plan_from_value,
    plan_to_value,
    validated,
)
from dabhand.handoff.raw import Raw
from dabhand.handoff.seams import Backend, Reading
from dabhand.home import default_directory
from dabhand.workspace.confined import ConfinedFolder

TranslatorChoice = Literal["auto", "memory", "grammar", "local", "remote"]
LONGEST = 64 << 10
"""Bytes of one line that are shown as evidence at most."""
LOOKED_AT = 8 << 20
"""Bytes of one line that evidence is selected by at most."""
MODEL_LINES = 2000
"""Lines of a result that a model is asked about at most."""
DIRECTORY = "artifacts"
"""Where results are kept, in the store's folder."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for.

    Attributes:
        request: in words, with `{{name}}` for each target; None with a ready plan.
        targets: names and paths, as they were given.
        evidence: what is wished for of the raw result, in words.
        plan: ready, as a value or as JSON text; no language is used.
        backend: what carries it out.
        translator: what may read the words.
        limits: on what is shown.
        timeout: seconds that a shell may take; None for ever. The native backend ends by itself.
    """

    request: str | None = None
    targets: Targets = ()
    evidence: str | None = None
    plan: Plan | Mapping[str, object] | str | None = None
    backend: Backend = "native"
    translator: TranslatorChoice = "auto"
    limits: Limits = Limits()
    timeout: float | None = None


def inspect(root: str | os.PathLike[str], wish: Wish, artifacts: Artifacts) -> Packet:
    """Carry out one inspection. Whatever goes wrong is said in the packet; nothing is raised on purpose.

    Args:
        root: the folder that the inspection is confined to.
        wish: what is asked for.
        artifacts: where the raw result is kept.
    """
    course = _Course(wish)
    try:
        wish.limits.checked()
        with ConfinedFolder(root) as folder:
            return _inspected(folder, wish, artifacts, course)
    except DabhandError as error:
        return course.ended(error)


class _Course:
    """What is known so far of one inspection, for whatever it ends with."""

    def __init__(self, wish: Wish) -> None:
        self._started = time.perf_counter()
        self.request = wish.request or ""
        self.evidence = wish.evidence
        self.bound = Bound(self.request, self.request)
        self.plan: Plan | None = None
        self.reading = Reading(None)
        self.translate = self.run = self.select = 0.0

    def milliseconds(self) -> float:
        return (time.perf_counter() - self._started) * 1000

    def timings(self) -> Timings:
        return Timings(self.translate, self.run, self.select, self.milliseconds())

    def ended(self, error: DabhandError) -> Packet:
        """The packet of an inspection that came to nothing."""
        problem = Problem(error.code, self.bound.plain(error.message), self.bound.plain(error.hint))
        return Packet(
            status=_status(error),
            request=self.bound.shown,
            plan=self.plan,
            translator=self.reading.translator,
            lm_calls=getattr(error, "lm_calls", 0) or self.reading.lm_calls,
            output=Output(total_lines=None, total_bytes=None, complete=False),
            evidence=Evidence(complete=not self.evidence),
            timings_ms=self.timings(),
            error=problem,
        )


def _status(error: DabhandError) -> Status:
    if isinstance(error, NotUnderstood):
        return "abstained"
    return "rejected" if isinstance(error, (UsageError, NotConfined)) else "failed"


def _inspected(folder: ConfinedFolder, wish: Wish, artifacts: Artifacts, course: _Course) -> Packet:
    plan = _plan(folder, wish, course)
    origins = None if wish.evidence else wish.limits.lines
    with opened(folder, plan) as target, Raw(artifacts.new_file, origins) as raw:
        before = course.milliseconds()
        now = time.time()
        done = seams.carry_out(wish.backend, plan, folder, target, raw, artifacts.new_file, now, wish.timeout)
        course.run = course.milliseconds() - before
        if done.command is None:
            command, code = seams.equivalent(plan, target.kind == "folder", now), int(not done.found)
            done = msgspec.structs.replace(done, command=command, exit_code=code)
        return _packet(folder, wish, artifacts, course, raw, done)


def _plan(folder: ConfinedFolder, wish: Wish, course: _Course) -> Plan:
    """The plan that is carried out: validated, and with the targets' own paths."""
    _bind(folder, wish, course)
    if wish.plan is not None:
        plan = _ready(wish.plan)
    else:
        before = course.milliseconds()
        course.reading = seams.read(folder, course.bound, wish.translator)
        course.translate = course.milliseconds() - before
        if course.reading.plan is None:
            abstained = NotUnderstood(course.reading.reason, course.reading.hint)
            abstained.lm_calls = course.reading.lm_calls
            raise abstained
        plan = course.reading.plan
    plan = validated(course.bound.restored(plan))
    if plan.path.startswith("/"):
        plan = msgspec.structs.replace(plan, path=inside(folder, plan.path) or ".")
    course.plan = plan
    return plan


def _bind(folder: ConfinedFolder, wish: Wish, course: _Course) -> None:
    targets = checked_names(wish.targets)
    if wish.request is None:
        if wish.plan is None:
            raise UsageError("There is neither a request nor a plan.", "Give --request or --plan.")
        if targets:
            raise UsageError("Targets are bound to a request, and there is none.", "Name the path in the plan.")
        return
    if not wish.request.strip():
        raise UsageError("The request is empty.", "Say what is to be looked at.")
    if wish.plan is not None:
        raise UsageError("There are both a request and a plan.", "Give one of them.")
    mentions(wish.request)
    kinds = {name: kind_at(folder, path) for name, path in targets.items()}
    course.bound = bound(wish.request, targets, kinds)


def _ready(plan: Plan | Mapping[str, object] | str) -> Plan:
    if isinstance(plan, str):
        return plan_from_json(plan)
    return plan_from_value(dict(plan)) if isinstance(plan, Mapping) else validated(plan)


def _packet(folder: ConfinedFolder, wish: Wish, artifacts: Artifacts, course: _Course, raw: Raw, done: Done) -> Packet:
    plan = course.plan
    assert plan is not None
    output = output_of(raw, done, wish.limits, from_end=isinstance(plan, LastLines))
    before = course.milliseconds()
    evidence, notes = _evidence(wish, raw, plan, done)
    course.select = course.milliseconds() - before
    packet = Packet(
        status="failed" if done.failure else "ok" if done.found else "no_match",
        request=course.bound.shown,
        plan=plan,
        answer=done.answer,
        translator=course.reading.translator,
        lm_calls=course.reading.lm_calls,
        command=done.command,
        exit_code=done.exit_code,
        signal=done.signal,
        timed_out=done.timed_out,
        output=output,
        evidence=evidence,
        stderr=done.stderr,
        searched=done.searched,
        error=Problem("failed", done.failure) if done.failure else None,
        notes=(*done.notes, *notes),
    )
    return _with_artifact(folder, wish, artifacts, course, raw, packet)


def _evidence(wish: Wish, raw: Raw, plan: Plan, done: Done) -> tuple[Evidence, tuple[str, ...]]:
    if not wish.evidence:
        return Evidence(), ()
    if isinstance(plan, (CountLines, CountMatches, JsonField)) and not done.failure:
        return Evidence(tuple(raw.line(row, data) for row, data in enumerate(raw.rows())), "rules", raw.complete), ()
    longer: list[int] = []
    rows, selection, complete, reason = seams.select(_looked_at(raw, longer), wish.evidence)
    if not rows and wish.translator in ("auto", "local") and raw.lines <= MODEL_LINES:
        found = seams.select_by_model(_looked_at(raw, []), wish.evidence)
        rows, selection, complete, reason = found or (rows, selection, complete, reason)
    if longer:
        selection, complete = ("bounded" if selection == "rules" else selection), False
        reason = f"{reason} Of {len(longer)} enormous lines only the beginning was looked at.".strip()
    lines = raw.chosen([row for row in rows if 0 <= row < raw.lines], LONGEST)
    whole = complete and raw.complete and not any(line.cut for line in lines)
    return Evidence(lines, selection, whole), (reason,) if reason else ()


def _looked_at(raw: Raw, longer: list[int]) -> Iterator[str]:
    """Every line, of enormous ones the beginning; their places are added to `longer`."""
    for row, text in enumerate(raw.texts(LOOKED_AT)):
        if len(text) >= LOOKED_AT // 4 and len(text.encode("utf-8", "surrogateescape")) >= LOOKED_AT:
            longer.append(row)
        yield text


def _with_artifact(
    folder: ConfinedFolder, wish: Wish, artifacts: Artifacts, course: _Course, raw: Raw, packet: Packet
) -> Packet:
    try:
        kept = artifacts.keep(raw, _record(folder, wish, course, packet), time.time())
    except NotKept as error:
        return msgspec.structs.replace(
            packet, notes=(*packet.notes, f"{error.message} {error.hint}".strip()), timings_ms=course.timings()
        )
    ref = ArtifactRef(kept.id, str(artifacts.raw_path(kept)), kept.bytes)
    return msgspec.structs.replace(packet, artifact=ref, timings_ms=course.timings())


def _record(folder: ConfinedFolder, wish: Wish, course: _Course, packet: Packet) -> dict[str, Any]:
    """What is kept beside the raw result; the only place where references are written down."""
    system = os.uname()
    return {
        "request": packet.request,
        "evidence_request": wish.evidence,
        "plan": None if packet.plan is None else plan_to_value(packet.plan),
        "status": packet.status,
        "answer": packet.answer,
        "command": packet.command,
        "exit_code": packet.exit_code,
        "signal": packet.signal,
        "timed_out": packet.timed_out,
        "stderr": packet.stderr.text,
        "searched": msgspec.to_builtins(packet.searched),
        "notes": list(packet.notes),
        "timings_ms": msgspec.to_builtins(course.timings()),
        "environment": {
            "root": str(folder.path),
            "backend": wish.backend,
            "system": f"{system.sysname} {system.release} {system.machine}",
            "python": ".".join(map(str, sys.version_info[:3])),
            "dabhand": sys.modules["dabhand"].__version__,  # which imports this module, and not the other way round
        },
        "audit": {
            "request_as_given": wish.request,
            "request_as_translated": course.bound.request,
            "references": {
                each.reference: {"name": each.name, "path": each.path, "kind": each.kind}
                for each in course.bound.references
            },
            "translator": packet.translator,
            "lm_calls": packet.lm_calls,
        },
    }


def artifacts_of(store: Path | str | None = None, environ: Mapping[str, str] = os.environ) -> Artifacts:
    """The artifacts of a store: the one named, else $DABHAND_HOME, else the platform's folder for data."""
    if store is None:
        store = default_directory(environ)
    return Artifacts(Path(store) / DIRECTORY)
