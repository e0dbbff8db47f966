"""What each tool does: a look in this process, or dabhand's own command line as a child."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio.to_thread

from dabhand.errors import UsageError
from dabhand.interfaces.mcp import children
from dabhand.interfaces.mcp.asking import Asking
from dabhand.interfaces.mcp.jobs import Answer, Jobs
from dabhand.interfaces.mcp.presenting import MOST_BYTES, MOST_LINES, presented
from dabhand.interfaces.mcp.tools import Artifact, Commands, Inspect, Run, Task, Undo

MOST_LOOKED_AT = 2_000
"""Lines of an inspection that asks for no limit: many more than fit."""

SHOWN_CHARACTERS = 1_500
"""Of a difference, in a question to a person."""

MOST_QUESTIONS = 5
"""How often a person is asked about one task, when what it would change changes meanwhile."""

JOB_WAIT = 20.0
"""Seconds that asking for a job waits for its end."""


class Calls:
    """The tools of one server.

    Args:
        store: the folder of the store.
        jobs: where work that may take long is done.
    """

    def __init__(self, store: Path, jobs: Jobs) -> None:
        self._store = store
        self._jobs = jobs

    async def inspect(self, given: Inspect, root: Path) -> Answer:
        """Look at files; in this process, because most looks take less than starting another."""
        if (given.request is None) == (given.plan is None):
            raise UsageError("An inspection needs a request, or a plan, and not both.", "Give one of them.")
        return await self._jobs.do("inspect", lambda: self._look(given, root))

    async def _look(self, given: Inspect, root: Path) -> Answer:
        from dabhand.interfaces.mcp.looking import look

        work: Callable[[], Answer] = partial(look, given, root, self._store, given.max_lines or MOST_LOOKED_AT)
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)

    async def run(self, given: Run, root: Path) -> Answer:
        """Run an exact command with the permissions of whoever started the server."""
        if (given.argv is None) == (given.shell is None):
            raise UsageError("A run needs argv, or a shell line, and not both.", "Give one of them.")
        if given.argv == []:
            raise UsageError("There is no command to run.", "Give the program and its arguments as argv.")
        options = ["--shell"] if given.shell is not None else []
        options += ["--timeout", str(given.timeout)] if given.timeout is not None else []
        options += ["--evidence-request", given.evidence_request] if given.evidence_request is not None else []
        command = [given.shell] if given.shell is not None else list(given.argv or ())
        options += ["--max-lines", str(MOST_LINES), "--max-bytes", str(MOST_BYTES)]
        line = given.shell if given.shell is not None else shlex.join(command)
        show = partial(presented, command=line, wished=given.evidence_request is not None)
        return await self._child("run", "--root", str(root), *options, last=("--", *command), then=show)

    async def artifact(self, given: Artifact) -> Answer:
        """More of a kept result, or the state of a job, or its end."""
        if given.id.startswith("job-"):
            return await (self._jobs.stop(given.id) if given.stop else self._jobs.ask(given.id, JOB_WAIT))
        if given.stop:
            raise UsageError(f"{given.id!r} is no job, so there is nothing to stop.", "Leave stop out.")
        return await self._jobs.do("artifact", lambda: self._part(given))

    async def _part(self, given: Artifact) -> Answer:
        from dabhand.interfaces.mcp.keeping import part_of

        work: Callable[[], Answer] = partial(part_of, self._store, given.id, given.lines, given.bytes)
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)

    async def plan(self, given: Task, root: Path) -> Answer:
        """What `do` would change."""
        return await self._child("do", *_task(given, root), "--dry-run", last=("--", given.request), then=_previewed)

    async def do(self, given: Task, root: Path, asking: Asking) -> Answer:
        """Carry out a task, asking first where the host can put a question to a person."""
        if not asking.can_confirm:
            return await self._child("do", *_task(given, root), "--yes", last=("--", given.request))
        for _ in range(MOST_QUESTIONS):
            begun = anyio.current_time()
            preview = await self.plan(given, root)
            waited = anyio.current_time() - begun
            if preview.get("status") == "running":
                await self._jobs.stop(preview["job"])
                raise UsageError("Working out what would change takes too long to ask about it.", "Ask for less.")
            shown = preview.get("digest")
            if not preview.get("changes") or not shown:
                return preview
            if asking.agreed_to != shown and not await asking.agreed(_question(given, root, preview), shown):
                return {"status": "refused", "reason": "The person at the host declined; nothing was changed."}
            agreed = ("do", *_task(given, root), "--agreed", shown)
            done = await self._child(*agreed, last=("--", given.request), waited=waited)
            if done.get("status") != "refused" or done.get("digest") is not None:
                return done  # else the folder changed meanwhile, and what would be done now was never shown
        raise UsageError("The folder changes faster than anybody can agree to it.", "Try again later.")

    async def undo(self, given: Undo, root: Path) -> Answer:
        """Put back what a run changed."""
        chosen = () if given.run_id is None else ("--", given.run_id)
        return await self._child("undo", "--root", str(root), last=chosen)

    async def commands(self, given: Commands) -> Answer:
        """What `do` can plan with."""
        document = await self._child("commands")
        found = document.get("commands", [])
        kept = [
            {"command": each["command"], "status": each["status"]}
            for each in found
            if given.match is None or given.match in each["command"]
        ]
        answer: Answer = {"status": "ok", "commands": kept}
        if not found:
            answer["note"] = "Nothing was practised yet; a person has to run `dabhand learn --until-understood` once."
        return answer

    async def _child(
        self,
        *arguments: str,
        last: tuple[str, ...] = (),
        waited: float = 0.0,
        then: Callable[[Answer], Answer] = lambda answer: answer,
    ) -> Answer:
        command = [*arguments, "--json", "--store", str(self._store), *last]

        stopping = anyio.Event()

        async def work() -> Answer:
            return then(await children.ask(command, stopping))

        return await self._jobs.do(arguments[0], work, waited, stopping)


def _previewed(answer: Answer) -> Answer:
    """What `do` would say, told from what it says once it is done."""
    return {**answer, "note": "A preview: nothing was changed."} if answer.get("status") == "done" else answer


def _task(given: Task, root: Path) -> list[str]:
    targets = [part for name, path in given.targets.items() for part in ("--target", f"{name}={path}")]
    return ["--root", str(root), *targets]


def _question(given: Task, root: Path, preview: Answer) -> str:
    changes = "\n".join(f"{each.get('change')}: {each.get('path')}" for each in preview["changes"][:20])
    more = "" if len(preview["changes"]) <= 20 else f"\nand {len(preview['changes']) - 20} more"
    diff = str(preview.get("diff") or "")
    if len(diff) > SHOWN_CHARACTERS:
        diff = diff[:SHOWN_CHARACTERS].rpartition("\n")[0] + "\n[the difference goes on]"
    lost = ", ".join(repr(each) for each in preview.get("loses") or ())
    more += f"\nThis deletes or overwrites {lost}." if lost else ""
    return f"dabhand would do this in {root}:\n{given.request}\n\n{changes}{more}\n\n{diff}".rstrip()
