"""Every line that a host writes is answered: what is no message of the protocol is refused, and nothing hangs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.interfaces.mcp import lines
from tests.interfaces.test_mcp import root, started
from tests.interfaces.test_mcp_kinds import HELLO

__all__ = ["root"]

CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "run", "arguments": {"argv": ["true"]}}}


def _calling(arguments: str, name: str = "inspect") -> bytes:
    head = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"'
    return (head + name + '","arguments":' + arguments + "}}").encode()


REFUSED: list[tuple[bytes, int, list[Any]]] = [
    (_calling(r'{"plan":{"operation":"search","path":".","value":"\ud83d"}}'), -32600, [7]),
    (_calling(r'{"argv":["echo","\ud800"]}', "run"), -32600, [7]),
    (_calling(r'{"plan":{"\udc00":1}}'), -32600, [7]),
    (_calling('{"argv":["echo","caf').replace(b"caf", b"caf\xe9") + b'"]}}}', -32700, [7]),
    (_calling('{"argv":["echo","X"]}', "run").replace(b"X", b"caf\xe9"), -32700, [7]),
    (_calling('{"max_lines":NaN}'), -32700, [None]),
    (b"{not json", -32700, [None]),
    (b"[" * 100_000, -32700, [None]),
    (b"[]", -32600, [None]),
    (json.dumps([CALL, {**CALL, "id": "b"}]).encode(), -32600, [7, "b"]),
    (b"3", -32600, [None]),
    (b"{}", -32600, [None]),
    (b'{"jsonrpc":"2.0","id":7,"method":5}', -32600, [7]),
    (b'{"jsonrpc":"2.0","id":7}', -32600, [7]),
    (b'{"id":7,"method":"ping"}', -32600, [7]),
    (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, ["a"]),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, [None]),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, [None]),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, [None]),
    (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', -32600, [7]),
]


@pytest.mark.parametrize(("line", "code", "ids"), REFUSED)
def test_what_is_no_message_is_refused(line: bytes, code: int, ids: list[Any]) -> None:
    refusal = lines.refused(line + b"\n")
    assert refusal is not None and refusal.code == code
    assert [error.id for error in refusal.errors()] == ids


@pytest.mark.parametrize(
    "message",
    [
        CALL,
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}},
        {**CALL, "params": {"name": "run", "arguments": {"argv": ["echo", "\U0001f600", "\u00e9"]}}},
    ],
)
def test_a_message_comes_through(message: dict[str, Any]) -> None:
    assert lines.refused(json.dumps(message).encode() + b"\n") is None
    assert lines.refused(json.dumps(message, ensure_ascii=False).encode()) is None


@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,idmethod012. \\ud8', max_size=60).map(str.encode))
def test_any_line_is_a_message_or_is_refused_with_an_answer(line: bytes) -> None:
    refusal = lines.refused(line)
    for error in refusal.errors() if refusal is not None else ():
        error.model_dump_json(by_alias=True, exclude_unset=True).encode("utf-8")


def test_every_line_is_answered(root: Path) -> None:
    """The server itself: each refused line has its answer, and a good call behind them all is answered too."""
    with started(root) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        sent = [json.dumps(HELLO).encode(), b'{"jsonrpc":"2.0","method":"notifications/initialized"}', b"", b"  "]
        sent += [line for line, _, _ in REFUSED]
        last = {**CALL, "id": "last"}
        process.stdin.write(b"\n".join([*sent, json.dumps(last).encode()]) + b"\n")
        process.stdin.flush()
        wanted = [(code, each) for _, code, ids in REFUSED for each in ids]
        answers = [json.loads(process.stdout.readline()) for _ in range(len(wanted) + 2)]
        process.stdin.close()
        told = process.stderr.read().decode()
        process.wait(20)
    errors = [(each["error"]["code"], each["id"]) for each in answers if "error" in each]
    assert errors == wanted
    results = {each["id"]: each["result"] for each in answers if "result" in each}
    assert results["last"]["structuredContent"]["status"] == "ok" and 1 in results
    assert told.count("a line was refused") == len(REFUSED)
