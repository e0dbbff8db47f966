"""Work that takes longer than a host waits: it goes on, and is asked for by a handle."""

from __future__ import annotations

import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import anyio.abc

from dabhand.errors import DabhandError, UsageError

PATIENCE = 45.0
"""Seconds after which a call answers with a handle; hosts give up at about 60."""

STOPPING = 10.0
"""Seconds that work which was asked to end has to say what it did until then."""

MAX_KEPT = 64
"""How many finished jobs are kept, so that they can be asked for again."""

Answer = dict[str, Any]


class Broken(DabhandError):
    """A fault of ours."""

    code = "internal"


class Job:
    """One piece of work; `answer` or `error` is there once it is done.

    Args:
        name: of the tool.
        stopping: what asks the work to end early with what there is; None where it cannot.
    """

    def __init__(self, name: str, stopping: anyio.Event | None = None) -> None:
        self.stopping = stopping
        self.begun = anyio.current_time()
        self.id = "job-" + secrets.token_hex(6)
        self.name = name
        self.answer: Answer | None = None
        self.error: DabhandError | None = None
        self.done = anyio.Event()
        self.scope = anyio.CancelScope()

    def result(self) -> Answer:
        """What came of it.

        Raises:
            DabhandError: that it failed with.
        """
        if self.error is not None:
            raise self.error
        assert self.answer is not None
        return self.answer


def _going_on(job: Job) -> Answer:
    seconds = round(anyio.current_time() - job.begun)
    return {"status": "running", "job": job.id, "note": f"`{job.name}` has been going on for {seconds} s."}


def _stopped(job: Job, note: str) -> Answer:
    """That a job ended, with what came of it until then."""
    if job.answer is not None:
        return {"status": "stopped", "note": note, "result": job.answer}
    return {"status": "stopped", "note": note + " It left nothing to read."}


def _no_such(handle: str) -> UsageError:
    return UsageError(f"There is no job {handle!r}.", "It ended long ago, or the server was started anew.")


class Jobs:
    """All work of one server, in one task group, so that it ends with the server."""

    def __init__(self, group: anyio.abc.TaskGroup, patience: float = PATIENCE) -> None:
        self._group = group
        self._patience = patience
        self._kept: OrderedDict[str, Job] = OrderedDict()

    async def do(
        self,
        name: str,
        work: Callable[[], Awaitable[Answer]],
        waited: float = 0.0,
        stopping: anyio.Event | None = None,
    ) -> Answer:
        """Do it, and wait for it; a handle where it takes long, together with what the host has `waited` before.

        Cancelling the waiting cancels the work, as long as no handle was given for it.
        """
        job = Job(name, stopping)
        self._group.start_soon(self._run, job, work)
        try:
            with anyio.move_on_after(max(self._patience - waited, self._patience / 10)):
                await job.done.wait()
        except BaseException:
            job.scope.cancel()
            with anyio.CancelScope(shield=True):
                await job.done.wait()
            raise
        if job.done.is_set():
            return job.result()
        self._keep(job)
        return _going_on(job)

    async def ask(self, handle: str, wait: float) -> Answer:
        """The state of a job, after waiting a little for its end.

        Raises:
            UsageError: there is no such job.
            DabhandError: that it failed with.
        """
        job = self._kept.get(handle)
        if job is None:
            raise _no_such(handle)
        with anyio.move_on_after(wait):
            await job.done.wait()
        if not job.done.is_set():
            return _going_on(job)
        result = job.result()
        return {"status": str(result.get("status", "ok")), "result": result}

    async def stop(self, handle: str) -> Answer:
        """End a job, and all that it started.

        Raises:
            UsageError: there is no such job.
        """
        job = self._kept.get(handle)
        if job is None:
            raise _no_such(handle)
        if job.done.is_set():
            return _stopped(job, "It had ended already.")
        if job.stopping is not None:
            job.stopping.set()
            with anyio.move_on_after(STOPPING):
                await job.done.wait()
        job.scope.cancel()
        await job.done.wait()
        return _stopped(job, "It was ended, with all that it had started.")

    def _keep(self, job: Job) -> None:
        self._kept[job.id] = job
        finished = [each.id for each in self._kept.values() if each.done.is_set()]
        for handle in finished[: max(0, len(self._kept) - MAX_KEPT)]:
            del self._kept[handle]

    async def _run(self, job: Job, work: Callable[[], Awaitable[Answer]]) -> None:
        try:
            with job.scope:
                job.answer = await work()
            if job.answer is None:
                job.error = UsageError("The call was cancelled.")
        except DabhandError as error:
            job.error = error
        except Exception as error:  # a fault of ours ends one call, never the server and what else it does
            logging.getLogger(__name__).exception("%s broke", job.name)
            job.error = Broken(f"dabhand itself broke: {type(error).__name__}: {error}.", "Please report this.")
        finally:
            job.done.set()
