"""The server as hosts use it: a real client over standard input and output, in both ages of the protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from dabhand.interfaces.mcp import costs, shortening
from dabhand.interfaces.mcp import server as serving
from dabhand.interfaces.mcp.roots import Roots
from dabhand.interfaces.mcp.tools import TOOLS
from tests.interfaces.command_line import dabhand

SORT = "Write the lines of piano.txt sorted and without duplicates into uniq.txt."
MODES = ("legacy", "auto")
Test = Callable[[Client], Awaitable[None]]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("learned")
    chosen = ["--template", "sort -u {A} > {B}"]
    done = dabhand("learn", *chosen, "--experiments", "150", "--seed", "1", "--store", str(store), "--json")
    assert done.returncode == 0, done.stderr.decode()
    return store


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "piano.txt").write_text("b\na\nb\n")
    (folder / "log.txt").write_text("".join(f"line {n}\n" for n in range(1, 201)))
    return folder


@asynccontextmanager
async def connected(
    root: Path, store: Path | None = None, mode: str = "legacy", **options: Any
) -> AsyncIterator[Client]:
    arguments = ["-m", "dabhand", "mcp", *(["--store", str(store)] if store else [])]
    environment = {"DABHAND_HOME": os.environ["DABHAND_HOME"], "PATH": os.environ["PATH"]}
    parameters = StdioServerParameters(command=sys.executable, args=arguments, cwd=root, env=environment)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        async with Client(stdio_client(parameters), mode=mode, **options) as client:
            yield client


def started(root: Path) -> subprocess.Popen[bytes]:
    """A server whose lines are written and read by hand."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-m", "dabhand", "mcp"], cwd=root, stdin=pipe, stdout=pipe, stderr=pipe)


def answered(result: types.CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def told(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_is_declared(root: Path, mode: str) -> None:
    async def scenario() -> None:
        async with connected(root, mode=mode) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(listed) == ["inspect", "run", "artifact", "plan", "do", "undo", "commands"]
        for tool in listed.values():
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            assert tool.output_schema is not None and tool.annotations is not None
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        read_only = {name for name, tool in listed.items() if tool.annotations and tool.annotations.read_only_hint}
        assert read_only == {"inspect", "artifact", "plan", "commands"}

    anyio.run(scenario)


def test_descriptions_are_cheap() -> None:
    bpe_openai = pytest.importorskip("bpe_openai")
    encoding = bpe_openai.get_encoding("o200k_base")
    whole = [serving._declared(tool).model_dump(by_alias=True, exclude_none=True) for tool in TOOLS]
    assert len(encoding.encode(json.dumps(whole, separators=(",", ":")))) <= 1_500


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("answer", ["accept", "decline", "cancel", None])
def test_a_task_is_asked_about_where_the_host_can(root: Path, learned: Path, mode: str, answer: str | None) -> None:
    asked: list[str] = []

    async def person(_: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action=answer, content={} if answer == "accept" else None)

    async def scenario() -> None:
        options = {"elicitation_callback": person} if answer else {}
        async with connected(root, learned, mode, **options) as client:
            before = sorted(each.name for each in root.iterdir())
            preview = answered(await client.call_tool("plan", {"request": SORT}))
            assert [each["path"] for each in preview["changes"]] == ["uniq.txt"] and "+a" in preview["diff"]
            assert sorted(each.name for each in root.iterdir()) == before
            done = answered(await client.call_tool("do", {"request": SORT}))
            if answer in ("accept", None):
                assert done["status"] == "done" and (root / "uniq.txt").read_text() == "a\nb\n"
                undone = answered(await client.call_tool("undo", {"run_id": done["run_id"]}))
                assert undone["status"] == "undone"
            else:
                assert done["status"] == "refused"
            assert not (root / "uniq.txt").exists()

    anyio.run(scenario)
    assert len(asked) == (1 if answer else 0)
    assert all("uniq.txt" in question and "+a" in question for question in asked)


@pytest.mark.parametrize("mode", MODES)
def test_an_agreement_to_something_else_counts_for_nothing(root: Path, learned: Path, mode: str) -> None:
    """The folder changes while the person looks at the question: it is asked anew."""
    asked: list[str] = []

    async def person(_: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        if len(asked) == 1:
            (root / "piano.txt").write_text("z\n")
        return types.ElicitResult(action="accept", content={})

    async def scenario() -> None:
        async with connected(root, learned, mode, elicitation_callback=person) as client:
            assert answered(await client.call_tool("do", {"request": SORT}))["status"] == "done"

    anyio.run(scenario)
    assert len(asked) == 2 and "+z" in asked[1] and (root / "uniq.txt").read_text() == "z\n"


@pytest.mark.parametrize("mode", MODES)
def test_roots_of_the_host_bound_every_path(root: Path, learned: Path, tmp_path: Path, mode: str) -> None:
    other, outside = tmp_path / "other root", tmp_path / "other root-evil"
    for folder in (other, outside):
        folder.mkdir()
        (folder / "piano.txt").write_text("x\n")
    (other / "link").symlink_to(outside)
    given = [root]

    async def roots(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=each.as_uri()) for each in given])

    async def scenario() -> None:
        async with connected(root, learned, mode, list_roots_callback=roots) as client:
            assert (await client.call_tool("plan", {"request": SORT, "root": str(other)})).is_error
            given.append(other)
            if mode == "legacy":
                await client.send_roots_list_changed()
            assert not (await client.call_tool("plan", {"request": SORT, "root": str(other)})).is_error
            for path in (outside, other / "link", other / "..", "/", "../other root-evil", "no such"):
                result = await client.call_tool("plan", {"request": SORT, "root": str(path)})
                assert result.is_error, path
            given.remove(root)
            if mode == "legacy":
                await client.send_roots_list_changed()
            assert (await client.call_tool("plan", {"request": SORT, "root": str(root)})).is_error
            given.clear()
            if mode == "legacy":
                await client.send_roots_list_changed()
            assert "no folder" in told(await client.call_tool("plan", {"request": SORT}))

    anyio.run(scenario)


@pytest.mark.parametrize("mode", MODES)
def test_what_cannot_be_used_is_a_tool_error(root: Path, mode: str) -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("nothing", {}),
        ("inspect", {}),
        ("inspect", {"request": 3}),
        ("inspect", {"request": "a", "plan": {}}),
        ("inspect", {"plan": {"operation": "format_disk", "path": "a"}}),
        ("run", {}),
        ("run", {"argv": []}),
        ("run", {"argv": ["true"], "shell": "true"}),
        ("artifact", {"id": "job-000000000000"}),
        ("artifact", {"id": "nothing", "lines": "x"}),
        ("plan", {}),
        ("plan", {"request": "a", "unknown": 1}),
        ("undo", {"run_id": "r0-0"}),
    ]

    async def scenario() -> None:
        async with connected(root, mode=mode) as client:
            for name, arguments in wrong:
                result = await client.call_tool(name, arguments)
                assert result.is_error, (name, arguments)
                assert told(result).splitlines()[0].endswith("."), told(result)
            assert not (await client.call_tool("commands", {})).is_error

    anyio.run(scenario)


def test_malformed_lines_do_not_end_the_server(root: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
    }
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    lines = [
        json.dumps(hello),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "not json",
        "[]",
        '{"jsonrpc": "2.0"}',
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": 7}}),
        json.dumps({"jsonrpc": "2.0", "id": 4, "method": "no/such"}),
        "\udcff".encode("utf-8", "surrogateescape").decode("latin-1"),
        json.dumps(listing),
    ]
    begun = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "dabhand", "mcp"],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("".join(line + "\n" for line in lines).encode())
        process.stdin.flush()
        answers = {}
        while 2 not in answers:
            assert time.monotonic() - begun < 30
            answer = json.loads(process.stdout.readline())
            answers[answer.get("id")] = answer
        process.stdin.close()
        assert process.wait(10) == 0
        assert len(answers[2]["result"]["tools"]) == len(TOOLS)
        assert "error" in answers.get(4, {"error": 0})


def test_a_host_that_goes_away_ends_the_server_quietly(root: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "dabhand", "mcp"],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n' * 3)
        process.stdin.close()
        process.wait(20)
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize("mode", MODES)
def test_a_look_comes_back_as_it_is(root: Path, mode: str) -> None:
    async def scenario() -> None:
        async with connected(root, mode=mode) as client:
            schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
            plan = {"operation": "line_range", "path": "log.txt", "first": 7, "last": 9}
            packet = answered(await client.call_tool("inspect", {"plan": plan}))
            jsonschema.validate(packet, schemas["inspect"])
            assert [line["text"] for line in packet["output"]["lines"]] == ["line 7", "line 8", "line 9"]
            whole = {"operation": "whole_file", "path": "log.txt"}
            packet = answered(await client.call_tool("inspect", {"plan": whole, "max_lines": 5}))
            assert len(packet["output"]["lines"]) == 5 and packet["output"]["complete"] is False
            asked = {"id": packet["artifact"]["id"], "lines": "199-200"}
            more = answered(await client.call_tool("artifact", asked))
            jsonschema.validate(more, schemas["artifact"])
            assert [line["text"] for line in more["output"]["lines"]] == ["line 199", "line 200"]
            outside = await client.call_tool("inspect", {"plan": {"operation": "whole_file", "path": "../x"}})
            assert outside.is_error

    anyio.run(scenario)


def test_a_run_reports_every_exit_code(root: Path) -> None:
    noisy = "for n in $(seq 500); do echo compiling $n; done; echo 'a.c:3:1: error: broken' >&2; exit 2"
    (root / "build.sh").write_text(noisy + "\n")

    async def scenario() -> None:
        async with connected(root) as client:
            schema = next(tool.output_schema for tool in (await client.list_tools()).tools if tool.name == "run")
            failed = answered(await client.call_tool("run", {"argv": ["bash", "build.sh"]}))
            jsonschema.validate(failed, schema)
            assert (failed["status"], failed["exit_code"]) == ("failed", 2)
            assert any("error: broken" in line["text"] for line in failed["evidence"]["lines"])
            assert failed["output"]["lines"] == [] and failed["output"]["omitted_lines"] >= 500
            assert not failed["output"]["complete"] and costs.size(failed) < 2_000
            loud = {"shell": "for n in $(seq 900); do echo warning $n >&2; done; bash build.sh"}
            assert costs.size(answered(await client.call_tool("run", loud))) < 2_500
            piped = answered(await client.call_tool("run", {"shell": "bash build.sh | tail -1"}))
            assert piped["status"] == "failed" and [stage["exit_code"] for stage in piped["stages"]] == [2, 0]
            good = answered(await client.call_tool("run", {"argv": ["echo", "it's", "--json"]}))
            assert good["status"] == "ok" and good["output"]["lines"][0]["text"] == "it's --json"
            late = answered(await client.call_tool("run", {"argv": ["sleep", "30"], "timeout": 0.3}))
            assert late["timed_out"]

    anyio.run(scenario)


@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_call_leaves_no_process(root: Path, mode: str) -> None:
    marker = f"31{os.getpid() % 10_000:04}"

    def running() -> bool:
        found = subprocess.run(["pgrep", "-f", f"sleep {marker}"], capture_output=True, check=False)
        return found.returncode == 0

    async def scenario() -> None:
        async with connected(root, mode=mode) as client:
            with anyio.move_on_after(3):
                await client.call_tool("run", {"shell": f"sleep {marker} & sleep {marker}"})
            for _ in range(150):
                if not running():
                    break
                await anyio.sleep(0.1)
            assert not running()
            assert answered(await client.call_tool("run", {"argv": ["true"]}))["status"] == "ok"

    anyio.run(scenario)


def test_many_calls_at_once_are_not_mixed_up(root: Path) -> None:
    """The thousand of the benchmark, shortened: eight in flight, each answer its own."""
    wrong: list[int] = []

    async def scenario() -> None:
        async with connected(root) as client:

            async def caller(start: int) -> None:
                for number in range(start, 201, 8):
                    plan = {"operation": "line_range", "path": "log.txt", "first": number, "last": number}
                    packet = answered(await client.call_tool("inspect", {"plan": plan}))
                    if [line["text"] for line in packet["output"]["lines"]] != [f"line {number}"]:
                        wrong.append(number)

            async with anyio.create_task_group() as group:
                for start in range(1, 9):
                    group.start_soon(caller, start)

    anyio.run(scenario)
    assert not wrong


def test_longer_work_becomes_a_job(root: Path, learned: Path) -> None:
    async def scenario() -> None:
        server = serving.make(learned, Roots((), root), patience=0.05)
        async with Client(server, mode="legacy") as client:
            first = answered(await client.call_tool("plan", {"request": SORT}))
            assert first["status"] == "running"
            asked = first
            while asked["status"] == "running":
                asked = answered(await client.call_tool("artifact", {"id": first["job"]}))
            assert asked["result"]["changes"][0]["path"] == "uniq.txt"
            assert answered(await client.call_tool("artifact", {"id": first["job"]})) == asked

    anyio.run(scenario)


def test_http_wants_the_token(root: Path) -> None:
    import socket
    import urllib.error
    import urllib.request

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {"DABHAND_MCP_TOKEN": "secret"}
    command = [sys.executable, "-m", "dabhand", "mcp", "--http", str(port)]
    with subprocess.Popen(command, cwd=root, env=environment, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert b"Serving" in process.stderr.readline()

        def status(token: str | None) -> int:
            hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
            hello["params"] |= {"capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}  # type: ignore[operator]
            head = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            head |= {"Authorization": f"Bearer {token}"} if token else {}
            asked = urllib.request.Request(f"http://127.0.0.1:{port}/mcp", json.dumps(hello).encode(), head)
            for _ in range(100):
                try:
                    with urllib.request.urlopen(asked, timeout=10) as answer:
                        return int(answer.status)
                except urllib.error.HTTPError as error:
                    return error.code
                except OSError:
                    time.sleep(0.1)
            raise AssertionError("nothing answers")

        try:
            assert [status(token) for token in (None, "wrong", "secret")] == [401, 401, 200]
        finally:
            process.terminate()


def test_what_does_not_fit_is_counted() -> None:
    lines = [{"n": n, "text": f"line {n} " + "x" * 80} for n in range(1, 1_001)]
    answer = {
        "status": "failed",
        "exit_code": 2,
        "output": {"lines": lines, "complete": True, "omitted_lines": 0, "omitted_bytes": 0, "total_lines": 1_000},
        "evidence": {"lines": lines[900:930], "selection": "rules", "complete": True},
        "stderr": {"text": "é" * 20_000, "complete": True},
    }
    short = shortening.shortened(answer)
    assert costs.size(short) <= shortening.MOST
    assert short["evidence"] == answer["evidence"]
    output = short["output"]
    assert output["complete"] is False and output["omitted_lines"] + len(output["lines"]) == 1_000
    assert output["lines"] == lines[: len(output["lines"])]
    assert short["stderr"]["complete"] is False
    assert shortening.shortened({"status": "ok"}) == {"status": "ok"}
    wide = {"status": "ok", "diff": "+é\n" * 50_000, "changes": [{"path": "p" * 50}] * 3_000}
    assert costs.size(shortening.shortened(wide)) <= shortening.MOST


def test_unknown_methods_are_protocol_errors(root: Path) -> None:
    async def scenario() -> None:
        async with connected(root) as client:
            with pytest.raises(MCPError):
                await client.read_resource("file:///etc/passwd")

    anyio.run(scenario)
