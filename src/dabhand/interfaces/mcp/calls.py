"""What each tool does: a look in this process, or dabhand's own command line as a child."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import anyio.to_thread
import msgspec

from dabhand.errors import UsageError
from dabhand.interfaces.mcp import children
from dabhand.interfaces.mcp.asking import Asking
from dabhand.interfaces.mcp.jobs import Answer, Jobs
from dabhand.interfaces.mcp.shortening import lean
from dabhand.interfaces.mcp.tools import Artifact, Commands, Inspect, Run, Task, Undo

MOST_LINES = 2_000
"""Of an inspection that asks for no limit: many more than fit."""

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

        work: Callable[[], Answer] = partial(look, given, root, self._store, given.max_lines or MOST_LINES)
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
        return lean(await self._child("run", "--root", str(root), *options, last=("--", *command)))

    async def artifact(self, given: Artifact) -> Answer:
        """More of a kept result, or the state of a job."""
        if given.id.startswith("job-"):
            return await self._jobs.ask(given.id, JOB_WAIT)
        lines = ["--lines", given.lines] if given.lines is not None else []
        found = await self._child("artifact", "show", given.id, *lines)
        if "output" not in found:
            return found
        return {
            "status": "ok",
            "output": {**found["output"], "complete": True},
            "total_lines": found.get("lines"),
            "total_bytes": found.get("bytes"),
        }

    async def plan(self, given: Task, root: Path) -> Answer:
        """What `do` would change."""
        return await self._child("do", *_task(given, root), "--dry-run", last=("--", given.request))

    async def do(self, given: Task, root: Path, asking: Asking) -> Answer:
        """Carry out a task, asking first where the host can put a question to a person."""
        if asking.can_confirm:
            declined = await self._declined(given, root, asking)
            if declined is not None:
                return declined
        return await self._child("do", *_task(given, root), "--yes", last=("--", given.request))

    async def _declined(self, given: Task, root: Path, asking: Asking) -> Answer | None:
        """What to answer instead of doing it, or None once a person agreed to what it would change right now."""
        for _ in range(MOST_QUESTIONS):
            preview = await self.plan(given, root)
            if preview.get("status") == "running":
                raise UsageError("Working out what would change takes too long to ask about it.", "Ask for less.")
            if not preview.get("changes"):
                return preview
            shown = hashlib.sha256(msgspec.json.encode([preview["changes"], preview.get("diff")])).hexdigest()
            if asking.agreed_to == shown:
                return None
            if not await asking.agreed(_question(given, root, preview), shown):
                return {"status": "refused", "reason": "The person at the host declined; nothing was changed."}
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

    async def _child(self, *arguments: str, last: tuple[str, ...] = ()) -> Answer:
        command = [*arguments, "--json", "--store", str(self._store), *last]
        work: Callable[[], Awaitable[Answer]] = partial(children.ask, command)
        return await self._jobs.do(arguments[0], work)


def _task(given: Task, root: Path) -> list[str]:
    targets = [part for name, path in given.targets.items() for part in ("--target", f"{name}={path}")]
    return ["--root", str(root), *targets]


def _question(given: Task, root: Path, preview: Answer) -> str:
    changes = "\n".join(f"{each.get('change')}: {each.get('path')}" for each in preview["changes"][:20])
    more = "" if len(preview["changes"]) <= 20 else f"\nand {len(preview['changes']) - 20} more"
    diff = str(preview.get("diff") or "")[:SHOWN_CHARACTERS]
    return f"dabhand would do this in {root}:\n{given.request}\n\n{changes}{more}\n\n{diff}".rstrip()
