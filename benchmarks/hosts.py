"""The server as a host sees it: how soon it answers, what a call adds, whether many at once stay apart, what grows.

A real client of the official SDK over standard input and output. `python benchmarks/hosts.py --json` prints one JSON
document; the floors are those of the issue: `initialize` in 1.5 s, a look adds 5 ms, nothing grows. One session is
mixed: of its 1,000 calls nine in a hundred run a command, and one in a hundred is cancelled while its command sleeps.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from dabhand import inspect_request

LINES = 1_000
FLIGHT = 8
LEAVING = 15.0
"""Seconds that a cancelled command has to be gone."""


@asynccontextmanager
async def connected(root: Path, store: Path) -> AsyncIterator[Client]:
    """A client of a new server."""
    environment = {"PATH": os.environ["PATH"], "DABHAND_HOME": str(store)}
    server = StdioServerParameters(command=sys.executable, args=["-m", "dabhand", "mcp"], cwd=root, env=environment)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        async with Client(stdio_client(server), mode="legacy") as client:
            yield client


def plan(number: int) -> dict[str, Any]:
    """A look at one line."""
    return {"operation": "line_range", "path": "log.txt", "first": number, "last": number}


def children() -> list[int]:
    """The servers that this process started."""
    own = os.getpid()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == own:
                found.append(int(folder.name))
    return found


def below(pid: int) -> int:
    """How many processes a process has, children's children included."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            parents.setdefault(parent, []).append(int(folder.name))
    waiting, found = [pid], 0
    while waiting:
        new = parents.get(waiting.pop(), [])
        waiting += new
        found += len(new)
    return found


def sleeping(marker: str) -> int:
    """How many commands of cancelled calls are left, wherever they hang."""
    found = 0
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += marker.encode() in file.read_bytes().split(b"\0")
        except OSError:
            continue
    return found


def grown(pid: int) -> tuple[int, int]:
    """Resident kilobytes and open descriptors of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    resident = int(status.split("VmRSS:")[1].split()[0])
    return resident, len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def measured(calls: int, first: int) -> dict[str, Any]:
    """All of it, one server after another."""
    with tempfile.TemporaryDirectory(prefix="dabhand-hosts-") as base:
        root, store = Path(base) / "root", Path(base) / "store"
        root.mkdir()
        (root / "log.txt").write_text("".join(f"line {number}\n" for number in range(1, LINES + 1)))
        starts = []
        for _ in range(5):
            began = time.perf_counter()
            async with connected(root, store):
                starts.append(time.perf_counter() - began)
        async with connected(root, store) as client:
            (pid,) = children()
            await client.call_tool("inspect", {"plan": plan(1)})
            inside, outside = [], []
            for number in range(1, 201):
                began = time.perf_counter()
                await client.call_tool("inspect", {"plan": plan(number)})
                outside.append(time.perf_counter() - began)
                began = time.perf_counter()
                inspect_request(root, plan=plan(number), store=store)
                inside.append(time.perf_counter() - began)
            before, wrong = grown(pid), []
            rates = []
            for size in (first, calls):
                began = time.perf_counter()
                wrong += await at_once(client, size)
                rates.append(size / (time.perf_counter() - began))
                if len(rates) == 1:
                    middle = grown(pid)
            after = grown(pid)
            began = time.perf_counter()
            mixed = await mixed_session(client, first)
            mixed["seconds"] = round(time.perf_counter() - began, 1)
            until = time.monotonic() + LEAVING
            while (left := below(pid) + sleeping(MARKER)) and time.monotonic() < until:
                await anyio.sleep(0.2)
            mixed |= {"processes_left": left, "resident_kb": grown(pid)[0], "descriptors": grown(pid)[1]}
    return {
        "initialize_s": round(median(starts), 3),
        "look_adds_ms": round((median(outside) - median(inside)) * 1000, 2),
        "look_in_process_ms": round(median(inside) * 1000, 2),
        "calls": first + calls,
        "in_flight": FLIGHT,
        "mixed_up": len(wrong),
        "calls_per_second": round(rates[-1], 1),
        "resident_kb": [before[0], middle[0], after[0]],
        "descriptors": [before[1], middle[1], after[1]],
        "mixed_session": mixed,
    }


async def at_once(client: Client, calls: int) -> list[int]:
    """Many calls, eight in flight; those whose answer is not their own."""
    wrong: list[int] = []

    async def caller(start: int) -> None:
        for turn in range(start, calls, FLIGHT):
            number = turn % LINES + 1
            answer = (await client.call_tool("inspect", {"plan": plan(number)})).structured_content
            if not answer or [line["text"] for line in answer["output"]["lines"]] != [f"line {number}"]:
                wrong.append(number)

    async with anyio.create_task_group() as group:
        for start in range(FLIGHT):
            group.start_soon(caller, start)
    return wrong


MARKER = f"41{os.getpid()}"


async def mixed_session(client: Client, calls: int) -> dict[str, Any]:
    """Looks, runs and cancelled runs, eight in flight; those whose answer is not their own."""
    counts = {"calls": calls, "looks": 0, "runs": 0, "cancelled": 0, "mixed_up": 0}

    async def one(turn: int) -> None:
        number = turn % LINES + 1
        if turn % 100 == 7:
            with anyio.move_on_after(0.5) as scope:
                await client.call_tool("run", {"shell": f"sleep {MARKER} & sleep {MARKER}"})
            counts["cancelled"] += scope.cancelled_caught
            return
        if turn % 11 == 3:
            counts["runs"] += 1
            answer = (await client.call_tool("run", {"argv": ["echo", f"line {number}"]})).structured_content
        else:
            counts["looks"] += 1
            answer = (await client.call_tool("inspect", {"plan": plan(number)})).structured_content
        if not answer or [line["text"] for line in answer["output"]["lines"]] != [f"line {number}"]:
            counts["mixed_up"] += 1

    async def caller(start: int) -> None:
        for turn in range(start, calls, FLIGHT):
            await one(turn)

    async with anyio.create_task_group() as group:
        for start in range(FLIGHT):
            group.start_soon(caller, start)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--calls", type=int, default=9_000, help="beside the first")
    parser.add_argument("--first", type=int, default=1_000, help="of each session, alike and mixed")
    arguments = parser.parse_args()
    document = anyio.run(measured, arguments.calls, arguments.first)
    shown = "\n".join(f"{name:22} {value}" for name, value in document.items())
    print(json.dumps({"ratios": document, "shown": shown}) if arguments.json else shown)


if __name__ == "__main__":
    main()
