"""dabhand's own command line as a child process, so that a call that is cancelled leaves nothing behind.

Nor does a server that is killed: the child notices that its standard input has ended, see `child`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import anyio
import anyio.abc
import msgspec

from dabhand.errors import DabhandError

PROGRAM = (sys.executable, "-P", "-m", "dabhand.interfaces.mcp.child")
GRACE = 5.0
"""Seconds that a child has to end what it started, before it is killed with all of its group."""


class Failed(DabhandError):
    """The child said why it could not."""

    code = "failed"


async def ask(arguments: Sequence[str], stopping: anyio.Event | None = None) -> dict[str, Any]:
    """Run `dabhand ARGUMENTS` (which must hold `--json`) and return the document that it prints.

    Cancelling the call interrupts the child as Ctrl-C would, waits for it, and kills it when it stays. `stopping` only
    interrupts it, so that it says what it did until then.

    Raises:
        Failed: the document is an error, or there is none.
    """
    process = await anyio.open_process(
        PROGRAM,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=_environment(),
    )
    try:
        assert process.stdin is not None and process.stdout is not None
        with contextlib.suppress(anyio.BrokenResourceError):  # it ended before it had read them: its status says so
            await process.stdin.send(msgspec.json.encode(list(arguments)) + b"\n")
        async with anyio.create_task_group() as group:
            group.start_soon(_interrupt_when, stopping, process)
            printed = b"".join([chunk async for chunk in process.stdout])
            await process.wait()
            group.cancel_scope.cancel()
    except BaseException:
        with anyio.CancelScope(shield=True):
            await _stop(process)
        raise
    finally:
        with anyio.CancelScope(shield=True):
            await process.aclose()
    try:
        document = msgspec.json.decode(printed)
    except msgspec.DecodeError:
        raise Failed(f"dabhand ended with exit status {process.returncode} and no answer.", "Try again.") from None
    if not isinstance(document, dict):
        raise Failed("dabhand's answer is no object.", "Try again.")
    error = document.get("error")
    if isinstance(error, dict) and "status" not in document:
        raise Failed(str(error.get("message")), str(error.get("hint", "")))
    return document


def _environment() -> dict[str, str]:
    """Ours, without folders in $PYTHONPATH that depend on where we stand: a project's own modules are none of ours."""
    path = os.environ.get("PYTHONPATH")
    if path is None:
        return dict(os.environ)
    kept = [each for each in path.split(os.pathsep) if os.path.isabs(each)]  # noqa: PTH117
    return {**os.environ, "PYTHONPATH": os.pathsep.join(kept)}


async def _interrupt_when(stopping: anyio.Event | None, process: anyio.abc.Process) -> None:
    if stopping is not None:
        await stopping.wait()
        _signal(process.pid, signal.SIGINT)


async def _stop(process: anyio.abc.Process) -> None:
    """Interrupt, wait, kill: first the child, which ends what it started; then its whole group."""
    if process.returncode is None:
        _signal(process.pid, signal.SIGINT)
        with anyio.move_on_after(GRACE):
            await process.wait()
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        await process.wait()


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
