"""A plan's steps run on a staged view of a folder, one after the other: on an overlay of it, or on a copy of a part."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import Literal, Protocol, Self

import msgspec

from dabhand.closing import Closing
from dabhand.errors import SandboxFault, SandboxUnavailable
from dabhand.sandbox.opening import open_worker
from dabhand.sandbox.outcome import Limits, Outcome
from dabhand.sandbox.overlay import Overlay
from dabhand.sandbox.tier import TierReport
from dabhand.sandbox.wire import staged_outcome
from dabhand.sandbox.worker import Worker
from dabhand.workspace import FOLDER, ConfinedFolder, File, Snapshot, State, take_snapshot

How = Literal["auto", "overlay", "copy"]


class Part(msgspec.Struct, frozen=True):
    """What is known of a folder: all of it, or only what a request is about.

    Attributes:
        snapshot: of that part, with what lies above it.
        partial: folders of which not everything inside is part of it ("" is the folder itself).
    """

    snapshot: Snapshot
    partial: frozenset[str] = frozenset()

    @property
    def state(self) -> State:
        """The part as a value."""
        return self.snapshot.state


class Stage(Protocol):
    """A staged view of a folder: what one step changes, the next one finds. The folder itself is never written.

    Attributes:
        how: "overlay" or "copy".
        detail: what it consists of; for a copy, why it is no overlay.
    """

    how: str
    detail: str

    def run(self, line: str, limits: Limits | None = None) -> Outcome:
        """Run one step; the outcome's state is the part afterwards, with everything new.

        Raises:
            SandboxFault: the sandbox broke; the stage is lost with it.
        """
        ...

    def close(self) -> None:
        """Let go of it, and of everything that runs in it. Closing twice is harmless."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: object) -> None: ...


def stage(folder: ConfinedFolder, part: Part, limits: Limits, *, how: How = "auto", tier: str = "auto") -> Stage:
    """Stage a folder: over it where the kernel allows that and what a copy would be like is the same, else a copy.

    Args:
        folder: the real folder.
        part: what is known of it, which is what a copy consists of.
        limits: for every step.
        how: insist on one way.
        tier: of isolation, for a copy.

    Raises:
        SandboxUnavailable: commands cannot be run safely here (or not over the folder, when that is insisted on).
    """
    if how == "copy":
        return _Copy(part, tier, limits, "as asked")
    reason = _unlike_a_copy(folder, part.snapshot)
    if how == "auto" and reason:
        return _Copy(part, tier, limits, reason)
    try:
        return _Laid(folder, part, limits)
    except SandboxUnavailable as refusal:
        if how == "overlay":
            raise
        return _Copy(part, tier, limits, refusal.message)


class _Staged(Closing):
    """What both ways have in common: a worker that ends with the stage."""

    how = ""

    def __init__(self, worker: Worker, detail: str) -> None:
        self.detail = detail
        self._worker = worker

    def close(self) -> None:
        """See `Stage.close`."""
        self._worker.close()


class _Copy(_Staged):
    """The part of the folder, written anew in memory for every step as the step before left it."""

    how = "copy"

    def __init__(self, part: Part, tier: str, limits: Limits, reason: str) -> None:
        worker = open_worker(tier, limits)
        super().__init__(worker, f"a copy in memory ({reason}), {worker.detail}")
        self._state = part.state

    def run(self, line: str, limits: Limits | None = None) -> Outcome:
        """See `Stage.run`."""
        outcome = self._worker.run(self._state, line, limits)
        self._state = outcome.state
        return outcome


class _Laid(_Staged):
    """The real folder under a layer that takes the changes."""

    how = "overlay"

    def __init__(self, folder: ConfinedFolder, part: Part, limits: Limits) -> None:
        worker = Worker(Overlay(folder.path, folder.identity), limits)
        super().__init__(worker, worker.detail)
        self._folder = folder
        self._part = part
        self._lost = False

    def run(self, line: str, limits: Limits | None = None) -> Outcome:
        """See `Stage.run`."""
        if self._lost:
            raise SandboxFault("The staged folder was lost with its sandbox.", "Ask again.")
        self._lost = True
        answer = self._worker.run_staged(line, limits)
        self._lost = False
        return staged_outcome(answer, self._part.state, self._part.partial, self._is_there)

    def _is_there(self, path: str) -> bool:
        return self._folder.stat(path) is not None


def _unlike_a_copy(folder: ConfinedFolder, snapshot: Snapshot) -> str:
    """Why commands could do something else over the folder than on a copy of it; empty when they could not.

    What is believed of commands was learned where everything was theirs to read and write, and a state does not say
    more of permissions than whether a file can be executed. So nothing else may be so here.
    """
    owner, device = os.geteuid(), folder.identity[0]
    for path, stamp in snapshot.stamps.items():
        needed = stat.S_IRWXU if stat.S_ISDIR(stamp.mode) else stat.S_IRUSR | stat.S_IWUSR
        if stamp.owner[0] != owner:
            return f"{path!r} belongs to somebody else"
        if stamp.device != device:
            return f"{path!r} is on another file system"
        if not stat.S_ISLNK(stamp.mode) and stamp.mode & needed != needed:
            return f"{path!r} is write-protected"
    return ""


def probe_overlay() -> TierReport:
    """Stage a small folder, change it in every way that leaves a mark of its own, and say what came of it."""
    with tempfile.TemporaryDirectory(prefix="dabhand-probe-") as name:
        root = Path(name)
        (root / "box" / "deep").mkdir(parents=True)
        for path in ("gone", "changed", "box/a", "box/deep/b"):
            (root / path).write_text("old\n")
        try:
            with ConfinedFolder(root) as folder:
                before = take_snapshot(folder)
                with stage(folder, Part(before), Limits(), how="overlay") as staged:
                    outcome = staged.run("rm gone; echo new > changed; mv box/deep far; rm -r box; mkdir box")
                    detail = staged.detail
                untouched = take_snapshot(folder).state == before.state
        except (SandboxUnavailable, SandboxFault) as refusal:
            return TierReport("overlay", False, refusal.message, refusal.hint)
    expected = {"box": FOLDER, "changed": File(b"new\n"), "far": FOLDER, "far/b": File(b"old\n")}
    if not untouched or dict(outcome.state) != expected:
        said = outcome.stderr.decode("utf-8", "replace").strip() or "what was changed is not told rightly"
        return TierReport("overlay", False, f"A staged folder does not work: {said}.", Overlay.hint)
    return TierReport("overlay", True, detail)
