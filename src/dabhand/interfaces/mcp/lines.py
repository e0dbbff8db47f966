"""The reading side of standard input: every line that is no usable message is answered, never passed over.

The SDK's reader drops what it cannot parse, so that whoever asked waits for ever, and replaces bytes that are not
UTF-8, so that a command would run with other arguments than were meant. What comes through here is a message as the
protocol knows it; the rest is refused with the codes of JSON-RPC 2.0 (section 5.1), and told on standard error.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import mcp_types as types
import msgspec

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
_ANSWER = {"result", "error"}
Id = str | int | None
Answer = Callable[[types.JSONRPCError], Awaitable[None]]


class Refusal(msgspec.Struct, frozen=True):
    """Why a line is no message; `ids` of what it asked for, none where that cannot be told."""

    code: int
    reason: str
    ids: tuple[Id, ...] = (None,)

    def errors(self) -> Iterator[types.JSONRPCError]:
        """The answers, one for everything that was asked for."""
        for each in self.ids:
            error = types.ErrorData(code=self.code, message=self.reason)
            yield types.JSONRPCError(jsonrpc="2.0", id=each, error=error)


def refused(line: bytes) -> Refusal | None:
    """Why a line is no message of the protocol; None where it is one."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"Parse error: byte {error.start} of the line is not UTF-8."
        return Refusal(PARSE_ERROR, reason, _ids(_loaded(line.decode("utf-8", "replace"))))
    try:
        message = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        return Refusal(PARSE_ERROR, f"Parse error: the line is not JSON: {error}.")
    fault = _fault(message)
    return None if fault is None else Refusal(INVALID_REQUEST, f"Invalid Request: {fault}.", _ids(message))


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON's")


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _fault(message: Any) -> str | None:
    if isinstance(message, list):
        return "batches are not part of the protocol; send one message a line"
    if not isinstance(message, dict):
        return "a message is an object"
    if message.get("jsonrpc") != "2.0":
        return 'a message says "jsonrpc": "2.0"'
    if "method" in message:
        if not isinstance(message["method"], str):
            return "the method is no string"
        if "id" in message and not _is_id(message["id"]):
            return "the id is neither a string nor a whole number"
        if not isinstance(message.get("params", {}), dict | None):
            return "the params are no object"
    elif "result" not in message and "error" not in message:
        return "there is no method"
    try:
        json.dumps(message, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return "a string holds half of a surrogate pair (\\ud800 to \\udfff), which is no character"
    try:
        types.jsonrpc_message_adapter.validate_python(message, by_name=False)
    except ValueError as error:
        return str(error).partition("\n")[0]
    return None


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _ids(message: Any) -> tuple[Id, ...]:
    """The ids of what was asked for; of an answer none, because nobody waits for one to that."""
    every = message if isinstance(message, list) else [message]
    asked = [each for each in every if isinstance(each, dict) and ("method" in each or not _ANSWER & each.keys())]
    found = [each["id"] for each in asked if _is_id(each.get("id")) and _is_clean(each["id"])]
    return tuple(found) or (None,)


def _is_clean(name: str | int) -> bool:
    return isinstance(name, int) or not any("\ud800" <= letter <= "\udfff" for letter in name)


class Lines:
    """Standard input, line by line, as the SDK's transport reads it.

    Attributes:
        answer: how a refused line is answered; what comes before there is one waits.
    """

    def __init__(self, fd: int) -> None:
        self._file = anyio.wrap_file(os.fdopen(fd, "rb", closefd=False))
        self._answer: Answer | None = None
        self._ready = anyio.Event()

    def answer_by(self, answer: Answer) -> None:
        """Say how a refused line is answered."""
        self._answer = answer
        self._ready.set()

    async def __aiter__(self) -> AsyncIterator[str]:
        async for line in self._file:
            if not line.strip():
                continue
            refusal = refused(line)
            if refusal is None:
                yield line.decode("utf-8")
                continue
            logging.getLogger(__name__).warning("a line was refused: %s", refusal.reason)
            await self._ready.wait()
            assert self._answer is not None
            for error in refusal.errors():
                await self._answer(error)


@contextmanager
def standard_input() -> Iterator[Lines]:
    """Standard input for the protocol alone: whatever else reads it meanwhile finds it ended."""
    import fcntl

    number = sys.stdin.fileno()
    own = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 3)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, number)
    os.close(nothing)
    try:
        yield Lines(own)
    finally:
        os.dup2(own, number)  # `own` stays open: a thread may still be waiting on it
