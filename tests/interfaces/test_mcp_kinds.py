"""The server against what is unusual: folders that bite, names and contents of all kinds, hosts that fail or die."""

from __future__ import annotations

import base64
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import mcp_types as types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client

from dabhand.interfaces.mcp import costs, keeping, rendering, shortening
from dabhand.interfaces.mcp import server as serving
from dabhand.interfaces.mcp.roots import Roots, from_uris, relative
from dabhand.interfaces.mcp.tools import TYPED
from tests.interfaces.test_mcp import MODES, SORT, answered, connected, learned, root, told

__all__ = ["learned", "root"]

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
}


def test_a_projects_own_modules_are_not_run(root: Path, tmp_path: Path) -> None:
    bitten = tmp_path / "bitten"
    names = ("click", "msgspec", "anyio", "rich", "logging", "json", "dabhand_x", "tree_sitter", "mcp")
    for name in names:
        (root / f"{name}.py").write_text(f"open({str(bitten)!r}, 'a').write({name!r})\nraise SystemExit(9)\n")

    async def scenario() -> None:
        async with connected(root) as client:
            assert answered(await client.call_tool("run", {"argv": ["true"]}))["status"] == "ok"
            assert answered(await client.call_tool("commands", {}))["status"] == "ok"
            assert not (await client.call_tool("plan", {"request": SORT})).is_error
            plan = {"operation": "whole_file", "path": "piano.txt"}
            packet = answered(await client.call_tool("inspect", {"plan": plan}))
            answered(await client.call_tool("artifact", {"id": packet["artifact"]["id"]}))

    anyio.run(scenario)
    asked = json.dumps({"tool_name": "Bash", "tool_input": {"command": "make | tail"}}).encode()
    hook = [sys.executable, "-m", "dabhand", "host", "hook"]
    done = subprocess.run(hook, cwd=root, input=asked, capture_output=True, check=True)
    assert b"`make`" in done.stdout
    assert not bitten.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_a_server_that_is_killed_leaves_no_process(root: Path, number: signal.Signals) -> None:
    marker = f"{random.Random(number).randint(100, 999)}.{os.getpid()}"
    line = f"sleep {marker} & setsid sleep {marker} & trap '' INT; sleep {marker}"
    call = {"name": "run", "arguments": {"shell": line}}
    lines = [
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]

    def running() -> list[int]:
        found = subprocess.run(["pgrep", "-f", f"^sleep {marker}"], capture_output=True, check=False)
        return [int(line) for line in found.stdout.split()]

    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-m", "dabhand", "mcp"], cwd=root, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        process.stdin.write("".join(json.dumps(line) + "\n" for line in lines).encode())
        process.stdin.flush()
        _until(lambda: len(running()) == 3)
        process.send_signal(number)
        process.wait(10)
        _until(lambda: not running())


def _until(true: Any, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.parametrize("mode", MODES)
def test_an_agreement_is_to_contents(root: Path, learned: Path, mode: str) -> None:
    """A binary file changes at the same size while the person looks: the difference looks the same, and is not."""
    (root / "piano.txt").write_bytes(b"\0b\n\0a\n")
    asked: list[str] = []

    async def person(_: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        if len(asked) == 1:
            (root / "piano.txt").write_bytes(b"\0d\n\0c\n")
        return types.ElicitResult(action="accept", content={})

    async def scenario() -> None:
        async with connected(root, learned, mode, elicitation_callback=person) as client:
            assert answered(await client.call_tool("do", {"request": SORT}))["status"] == "done"

    anyio.run(scenario)
    assert len(asked) == 2 and asked[0] == asked[1]
    assert (root / "uniq.txt").read_bytes() == b"\0c\n\0d\n"


@pytest.mark.parametrize(
    ("uri", "paths"),
    [
        ("file:", ()),
        ("file:///", ()),
        ("file:///.", ()),
        ("file:////", ()),
        ("file:///a/../..", ()),
        ("file:///a%00b", ()),
        ("file://[", ()),
        ("file://elsewhere/a", ()),
        ("https://a/b", ()),
        ("file:relative", ()),
        ("file:///a%20b", (Path("/a b"),)),
        ("file://localhost/a", (Path("/a"),)),
    ],
)
def test_which_uris_are_roots(uri: str, paths: tuple[Path, ...]) -> None:
    assert from_uris([uri]) == paths


@pytest.mark.parametrize("fault", ["error", "crash"])
def test_a_host_that_cannot_say_its_roots_gives_none(root: Path, tmp_path: Path, fault: str) -> None:
    async def roots(_: Any) -> Any:
        if fault == "error":
            return types.ErrorData(code=-32603, message="no")
        raise RuntimeError("broken")

    async def scenario() -> None:
        async with connected(root, list_roots_callback=roots) as client:
            result = await client.call_tool("run", {"argv": ["true"]})
            assert result.is_error and "no folder" in told(result)
            assert not (await client.call_tool("commands", {})).is_error

    anyio.run(scenario)


def test_absolute_targets_within_a_root(root: Path, learned: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "in").mkdir(parents=True)
    (other / "in/piano.txt").write_text("y\nx\n")
    (tmp_path / "link").symlink_to(other)
    request = "Write the lines of {{a}} sorted and without duplicates into uniq.txt."

    async def roots(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=each.as_uri()) for each in (root, other)])

    async def scenario() -> None:
        async with connected(root, learned, list_roots_callback=roots) as client:
            for path in (root / "piano.txt", other / "in/piano.txt", tmp_path / "link/in/piano.txt"):
                asked = {"request": request, "targets": {"a": str(path)}}
                assert answered(await client.call_tool("plan", asked))["status"] == "done", path
            outside = {"request": request, "targets": {"a": "/etc/passwd"}}
            refused = await client.call_tool("plan", outside)
            assert answered(refused)["status"] == "refused" and "outside" in told(refused)
            look = {"request": "Count the lines of {{a}}.", "targets": {"a": str(other / "in/piano.txt")}}
            assert answered(await client.call_tool("inspect", look))["answer"] == 2

    anyio.run(scenario)
    (root / "l").symlink_to("/etc/passwd")
    assert relative({"a": str(root / "l"), "b": "/etc/passwd"}, root) == {"a": "l", "b": "/etc/passwd"}


def test_no_call_ends_in_a_protocol_error(root: Path, learned: Path) -> None:
    long = "x" * 300_000
    name = "caf\udce9.txt"
    (root / name).write_bytes(b"b\xff\na\n")
    (root / "bytes.txt").write_bytes(b"b\xff\na\n")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("run", {"argv": ["echo", long]}),
        ("run", {"argv": [long]}),
        ("run", {"shell": f"echo {long} | wc -c"}),
        ("run", {"argv": ["echo", "a\0b"]}),
        ("run", {"argv": ["true"], "timeout": 2**63}),
        ("run", {"argv": ["cat", "bytes.txt"]}),
        ("inspect", {"request": long}),
        ("inspect", {"request": "a\0b"}),
        ("inspect", {"plan": {"operation": "first_lines", "path": "log.txt", "count": 2**63}}),
        ("inspect", {"plan": {"operation": "first_lines", "path": "log.txt", "count": 10**400}}),
        ("inspect", {"plan": {"operation": "list_files", "path": "."}}),
        ("inspect", {"plan": {"operation": "search", "path": ".", "value": "a", "recursive": True}}),
        ("inspect", {"plan": {"operation": "whole_file", "path": "bytes.txt"}}),
        ("inspect", {"plan": {"operation": long, "path": long}}),
        ("inspect", {"plan": {"operation": "whole_file", "path": "log.txt"}, "max_lines": 2**63}),
        ("artifact", {"id": "-h"}),
        ("artifact", {"id": "--json"}),
        ("artifact", {"id": long}),
        ("artifact", {"id": "x", "stop": True}),
        ("artifact", {"id": "job-x", "stop": True}),
        ("plan", {"request": long}),
        ("plan", {"request": "Sort {{a}} into b.txt.", "targets": {"a": "bytes.txt"}}),
        ("plan", {"request": "Sort {{a}} into b.txt.", "targets": {"a=b": "x", "": "y"}}),
        ("plan", {"request": "--help"}),
        ("do", {"request": "Write the lines of bytes.txt in reverse order into rev.txt."}),
        ("undo", {"run_id": "--list"}),
        ("undo", {"run_id": long}),
        ("commands", {"match": long}),
        ("do", {"request": SORT, "root": "a\0b"}),
        (long, {}),
    ]

    async def scenario() -> None:
        async with connected(root, learned) as client:
            for tool, arguments in calls:
                result = await client.call_tool(tool, arguments)
                text = told(result)
                assert "dabhand itself broke" not in text and "no answer" not in text, (
                    tool,
                    str(arguments)[:100],
                    text,
                )
                assert costs.tokens(text) < 4_000 and text.strip()
            listed = await client.call_tool("inspect", {"plan": {"operation": "list_files", "path": "."}})
            lines = answered(listed)["output"]["lines"]
            assert {"base64": base64.b64encode(os.fsencode(name)).decode()}.items() <= lines[1].items()
            assert "is too large" in told(await client.call_tool("run", {"argv": ["true"], "timeout": 2**63}))

    anyio.run(scenario)
    assert (root / "rev.txt").read_bytes() in (b"a\nb\xff\n",)


def test_every_answer_is_what_its_schema_says(root: Path, learned: Path) -> None:
    (root / "bytes.txt").write_bytes(b"b\xff\na\n")

    async def scenario() -> None:
        async with connected(root, learned) as client:
            schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}

            async def called(name: str, **arguments: Any) -> dict[str, Any]:
                answer = answered(await client.call_tool(name, arguments))
                jsonschema.validate(answer, schemas[name])
                return answer

            whole = await called("inspect", plan={"operation": "whole_file", "path": "log.txt"})
            await called("inspect", plan={"operation": "whole_file", "path": "bytes.txt"})
            await called("inspect", plan={"operation": "search", "path": "log.txt", "value": "nowhere"})
            await called("inspect", plan={"operation": "count_lines", "path": "log.txt"})
            await called("inspect", plan={"operation": "list_files", "path": "."}, evidence_request="every log")
            await called("inspect", request="Frobnicate the gizmo.")
            await called("artifact", id=whole["artifact"]["id"], lines="3-")
            await called("artifact", id=whole["artifact"]["id"], bytes="3-9")
            await called("artifact", id=whole["artifact"]["id"], lines="900-")
            await called("run", argv=["true"])
            await called("run", argv=["no such program"])
            await called("run", argv=["cat", "bytes.txt"], evidence_request="lines with a")
            await called("run", shell="kill -9 $$")
            await called("run", argv=["sleep", "9"], timeout=0.2)
            await called("plan", request=SORT)
            done = await called("do", request=SORT)
            await called("do", request="Frobnicate the gizmo.")
            await called("undo", run_id=done["run_id"])
            await called("commands", match="sort")

    anyio.run(scenario)


def test_one_long_line_can_be_read_to_its_end(root: Path) -> None:
    letters = random.Random(1)
    line = "".join(letters.choice("abc äöü漢 0123") for _ in range(60_000))
    data = line.encode() + b"\nlast\n"
    (root / "long.txt").write_bytes(data)

    async def scenario() -> None:
        async with connected(root) as client:
            plan = {"operation": "whole_file", "path": "long.txt"}
            result = await client.call_tool("inspect", {"plan": plan})
            packet = answered(result)
            assert packet["output"]["complete"] is False and packet["output"]["lines"][0]["cut"] > 0
            assert "more bytes]" in told(result)
            asked = {"id": packet["artifact"]["id"], "lines": "1-"}
            first = answered(await client.call_tool("artifact", asked))
            (shown,) = first["output"]["lines"]
            assert len(shown["text"].encode()) + shown["cut"] == len(line.encode())
            assert first["output"]["complete"] is False
            read, following = shown["text"].encode(), first["next"]
            while following:
                more = answered(await client.call_tool("artifact", {"id": asked["id"], **following}))
                assert "text" in more, more
                read += more["text"].encode()
                following = more.get("next")
            assert read == line.encode()
            last = await client.call_tool("artifact", {"id": asked["id"], "lines": "2-2"})
            assert answered(last)["output"]["lines"] == [{"n": 2, "text": "last"}]
            beyond = await client.call_tool("artifact", {"id": asked["id"], "lines": "9-9"})
            assert answered(beyond)["status"] == "no_match" and "2 lines" in told(beyond)

    anyio.run(scenario)


def test_many_lines_are_read_one_part_after_another(root: Path) -> None:
    wanted = [f"line {n} " + "é" * (n % 50) for n in range(1, 3_001)]
    (root / "many.txt").write_text("\n".join(wanted))

    async def scenario() -> None:
        async with connected(root) as client:
            packet = answered(
                await client.call_tool("inspect", {"plan": {"operation": "whole_file", "path": "many.txt"}})
            )
            read: list[str] = []
            following: dict[str, str] | None = {"lines": "1-"}
            while following:
                asked = {"id": packet["artifact"]["id"], **following}
                part = answered(await client.call_tool("artifact", asked))
                assert part["output"]["lines"][0]["n"] == len(read) + 1
                read += [line["text"] for line in part["output"]["lines"]]
                following = part.get("next")
            assert read == wanted

    anyio.run(scenario)


def test_the_text_says_what_it_leaves_out_and_why_nothing_is_there(root: Path) -> None:
    noisy = "for n in $(seq 60); do echo step $n; done; echo 'a.c:3:1: error: broken' >&2; exit 2"

    async def scenario() -> None:
        async with connected(root) as client:
            failed = told(await client.call_tool("run", {"shell": noisy}))
            assert "error: broken" in failed and " of 61 lines]" in failed and "artifact " in failed
            unsure = told(await client.call_tool("inspect", {"request": "Frobnicate the gizmo of log.txt."}))
            assert unsure.startswith("abstained\n") and len(unsure.splitlines()) > 1
            silent = told(await client.call_tool("run", {"shell": "echo only here >&2"}))
            assert "only here" in silent
            unsure = told(await client.call_tool("plan", {"request": "Frobnicate the gizmo."}))
            assert len(unsure.splitlines()) > 1

    anyio.run(scenario)


def test_a_job_can_be_stopped(root: Path, learned: Path) -> None:
    marker = f"7{os.getpid()}"

    async def scenario() -> None:
        server = serving.make(learned, Roots((), root), patience=1.0)
        async with Client(server, mode="legacy") as client:
            first = answered(await client.call_tool("run", {"shell": f"sleep {marker}"}))
            assert first["status"] == "running"
            stopped = answered(await client.call_tool("artifact", {"id": first["job"], "stop": True}))
            assert stopped["status"] == "stopped"
            assert "no job" not in told(await client.call_tool("artifact", {"id": first["job"]}))
        found = subprocess.run(["pgrep", "-f", f"^sleep {marker}"], capture_output=True, check=False)
        assert found.returncode == 1

    anyio.run(scenario)


def test_a_typed_plan_can_be_written_from_the_description(root: Path) -> None:
    """Every operation that it names, with the fields that it names, is taken."""
    (root / "d.json").write_text('{"k": 1}')
    given: dict[str, Any] = {"count": 2, "first": 1, "last": 2, "value": "line", "ignore_case": True, "regex": True}
    given |= {"recursive": True, "glob": "*.txt", "kind": "files", "key": "k"}
    names: list[str] = []
    plans = []
    for part in TYPED.partition("with O ")[2].partition(". ")[0].replace(" or ", ", ").split("), "):
        operations, _, fields = part.partition(" (")
        *alone, named = operations.split(", ")
        wanted = fields.rstrip(")").replace(";", ",").split(", ") if fields else []
        plans += [(name, []) for name in alone if name not in ("first_lines", "search", "list_files")]
        together = [name for name in alone if name in ("first_lines", "search", "list_files")]
        plans += [(name, wanted) for name in (*together, named)]
        names += [*alone, named]
    assert len(names) == 10
    given |= {"before": 1, "after": 1}
    plans += [("search", ["value", "before", "after"])]

    async def scenario() -> None:
        async with connected(root) as client:
            for operation, fields in plans:
                path = "d.json" if operation == "json_field" else "." if "files" in operation else "log.txt"
                plan = {"operation": operation, "path": path} | {field: given[field] for field in fields}
                if operation in ("search", "count_matches"):
                    plan["path"] = "."
                assert answered(await client.call_tool("inspect", {"plan": plan}))["status"] == "ok", plan

    anyio.run(scenario)


ALPHABETS = (
    "abcdefgh ",
    "ABCDxyz0123456789+/",
    "0123456789",
    "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~",
    "\U00013000\U000133f0",
    "{",
    "=-",
    "aeiou",
    "ZQX",
)
ALPHABETS += ("漢字仮名交じり文", "äöüßéèñ ", "\x01\x1b\x7f\t", "👩‍💻🏳️‍🌈", "ꙮ꙰ꦀ", "=", " ", '\\"')
TEXTS = st.sampled_from(ALPHABETS).flatmap(
    lambda letters: st.builds(
        lambda seed, length: "".join(random.Random(seed).choice(letters) for _ in range(length)),
        st.integers(0, 10**6),
        st.sampled_from((3, 60, 2_000, 12_000)),
    )
)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=20), TEXTS, st.sampled_from(("output", "evidence", "diff", "stderr")))
def test_answers_stay_below_ten_thousand_tokens(texts: list[str], other: str, kind: str) -> None:
    bpe_openai = pytest.importorskip("bpe_openai")
    lines = [{"n": n, "text": text} for n, text in enumerate(texts, 1)]
    answer: dict[str, Any] = {"status": "failed", "exit_code": 1, "notes": [other[:500]], "reason": other}
    if kind in ("output", "evidence"):
        answer[kind] = {
            "lines": lines,
            "complete": True,
            "omitted_lines": 0,
            "omitted_bytes": 0,
            "total_lines": len(lines),
        }
        answer["stages"] = [{"command": other, "exit_code": 1}] * 2
    else:
        answer |= {"diff": "\n".join(texts), "stderr": {"text": other, "complete": True}}
    short = shortening.shortened(answer)
    text = rendering.text_of(short)
    whole = json.dumps(short, ensure_ascii=False) + text
    for name in ("o200k_base", "cl100k_base"):
        assert len(bpe_openai.get_encoding(name).encode(whole)) < 10_000
    if kind in short and isinstance(short[kind], dict) and "lines" in short[kind]:
        part = short[kind]
        assert part["lines"] or part["complete"] is False
        for line in part["lines"]:
            original = lines[line["n"] - 1]["text"]
            assert original.startswith(line["text"]) and len(original.encode()) == len(
                line["text"].encode()
            ) + line.get("cut", 0)
        if part["lines"] != lines:
            assert part["complete"] is False
        if part["complete"] is False:
            assert " lines]" in text or "left out" in text or "more bytes" in text


@given(TEXTS)
@settings(max_examples=40, deadline=None)
def test_what_a_text_costs_is_never_underestimated(text: str) -> None:
    bpe_openai = pytest.importorskip("bpe_openai")
    text = text[:3_000]
    for name in ("o200k_base", "cl100k_base"):
        assert costs.tokens(text) >= len(bpe_openai.get_encoding(name).encode(text)) * 0.97


@given(st.binary(max_size=60), st.integers(1, 60))
def test_letters_are_not_parted(data: bytes, end: int) -> None:
    begun = keeping._begun(data[:end])
    text = data.decode("utf-8", "ignore").encode()
    for stop in range(len(text)):
        begun = keeping._begun(text[:stop])
        text[: stop - begun].decode()
        assert begun <= 3
