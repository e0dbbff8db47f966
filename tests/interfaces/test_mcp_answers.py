"""What an agent is shown of a run, of a job that it stopped, and which words hints use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client

from dabhand.interfaces.mcp import rendering, streams, wording
from dabhand.interfaces.mcp import server as serving
from dabhand.interfaces.mcp.presenting import presented
from dabhand.interfaces.mcp.roots import Roots
from dabhand.interfaces.mcp.tools import TOOLS
from tests.interfaces.test_mcp import answered, root, told

__all__ = ["root"]


def packet(out: list[tuple[int, str]], err: list[str], chosen: list[int], **more: Any) -> dict[str, Any]:
    every = dict(out) | dict(zip([n for n in range(1, 10**4) if n not in dict(out)], err, strict=False))
    return {
        "status": "ok",
        "exit_code": 0,
        "stages": [{"command": "make", "exit_code": 0}],
        "output": {
            "lines": [{"n": n, "text": text} for n, text in out],
            "total_lines": len(out),
            "complete": True,
            "omitted_lines": 0,
        },
        "evidence": {"lines": [{"n": n, "text": every[n]} for n in chosen], "selection": "rules", "complete": True},
        "stderr": {"text": "".join(line + "\n" for line in err), "complete": True},
        **more,
    }


@pytest.mark.parametrize("many", [1, 4, 5, 12, 40])
def test_a_short_run_is_shown_whole(many: int) -> None:
    made = packet([(n, f"word {n}") for n in range(1, many + 1)], [], [many])
    text = rendering.text_of(presented(made, "make", wished=False))
    assert text.split("\n")[1:] == [f"{n}: word {n}" for n in range(1, many + 1)]


def test_both_streams_of_a_short_run_are_shown_in_their_order() -> None:
    made = packet([(1, "a"), (3, "b"), (5, "c")], ["warning: x", "warning: y"], [2])
    text = rendering.text_of(presented(made, "make", wished=False))
    assert text.split("\n")[1:] == ["1: a", "2: warning: x", "3: b", "4: warning: y", "5: c"]


@pytest.mark.parametrize(
    ("out", "err", "chosen", "mark"),
    [
        (list(range(1, 61)), [], [60], "[1 of 60 lines]"),
        (list(range(2, 62)), ["error: e"], [1], "[1 of 61 lines]"),
        ([61], [f"e {n}" for n in range(60)], [5], "[1 of 61 lines]"),
        (list(range(1, 31)), [f"e {n}" for n in range(30)], [31, 32], "[2 of 60 lines]"),
    ],
)
def test_what_is_left_out_of_either_stream_is_counted(
    out: list[int], err: list[str], chosen: list[int], mark: str
) -> None:
    made = packet([(n, f"out {n}") for n in out], err, chosen)
    assert rendering.text_of(presented(made, "make", wished=False)).endswith("\n" + mark)


def test_of_a_standard_error_that_was_cut_only_a_least_number_is_told() -> None:
    made = packet([(1, "a")], ["e"] * 50, [2])
    made["stderr"]["complete"] = False
    assert "[1 of at least 51 lines]" in rendering.text_of(made)
    assert streams.total(made) == (51, False)


@pytest.mark.parametrize(
    ("hint", "wanted"),
    [
        ("Give a ready plan with --plan.", "Give a ready plan with `plan`."),
        ("Give --request or --plan.", "Give `request` or `plan`."),
        ("See: dabhand artifact list", "Use the id that an earlier answer gave."),
        ("What it did is in: dabhand history", "What it did can be taken back with `undo`."),
        ("Name an existing folder with --root.", "Name an existing folder with `root`."),
        ("Give --max-lines and --timeout.", "Give `max_lines` and `timeout`."),
        ("Open a folder in the host, or start the server with --root.", None),
    ],
)
def test_hints_name_what_the_tools_take(hint: str, wanted: str | None) -> None:
    assert wording.for_tools(hint) == (wanted or hint)


def test_descriptions_name_every_field_of_a_plan() -> None:
    told = json.dumps([serving._declared(tool).model_dump() for tool in TOOLS])
    for word in ("before", "after", "files, folders, all", "job"):
        assert word in told


def test_a_job_that_is_stopped_gives_what_it_printed(root: Path, tmp_path: Path) -> None:
    async def scenario() -> None:
        made = serving.make(tmp_path / "store", Roots((root,), root), patience=4.0)
        async with Client(made) as client:
            line = 'for n in $(seq 100); do echo "line $n"; done; sleep 300'
            started = answered(await client.call_tool("run", {"shell": line}))
            assert started["status"] == "running" and " s" in started["note"]
            stopped = await client.call_tool("artifact", {"id": started["job"], "stop": True})
            packet = answered(stopped)["result"]
            assert answered(stopped)["status"] == "stopped" and told(stopped).startswith("stopped: It was ended")
            kept = answered(await client.call_tool("artifact", {"id": packet["artifact"]["id"], "lines": "99-100"}))
            assert [each["text"] for each in kept["output"]["lines"]] == ["line 99", "line 100"]
            again = answered(await client.call_tool("artifact", {"id": started["job"]}))
            assert again["result"]["artifact"]["id"] == packet["artifact"]["id"]

    anyio.run(scenario)


def test_what_goes_on_in_the_background_is_told(root: Path, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Client(serving.make(tmp_path / "store", Roots((root,), root))) as client:
            done = await client.call_tool("run", {"shell": "sleep 3 > /dev/null 2>&1 & echo x"})
            assert isinstance(done, types.CallToolResult)
            assert "nor with the server" in told(done)

    anyio.run(scenario)
