"""Scenes as the worker's entries, and the worker's answers as outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from dabhand.sandbox.inside import protocol
from dabhand.sandbox.outcome import Oddity, Outcome
from dabhand.workspace.state import FOLDER, File, Link, Node, State, encode_text

_ODD = {
    protocol.LONG_FILE: "long",
    protocol.LONG_EXECUTABLE: "long",
    protocol.FIFO: "fifo",
    protocol.SOCKET: "socket",
    protocol.DEVICE: "device",
    protocol.MORE: "more",
}


def request(state: State, line: str) -> bytes:
    """The request to run a line in a scene."""
    return protocol.encode_request(encode_text(line), [_entry(path, node) for path, node in state.items()])


def _entry(path: str, node: Node) -> protocol.Entry:
    name = encode_text(path)
    if isinstance(node, File):
        return (protocol.EXECUTABLE if node.executable else protocol.FILE, name, node.data)
    if isinstance(node, Link):
        return (protocol.LINK, name, encode_text(node.target))
    return (protocol.FOLDER, name, b"")


def outcome(body: bytes, before: State) -> Outcome:
    """The worker's answer, with everything that did not change taken from the state before."""
    answer = protocol.decode_answer(body)
    state, oddities = _state(answer.entries, before)
    return Outcome(
        exit_code=None if answer.exit_code == protocol.NO_STATUS else answer.exit_code,
        signal=None if answer.signal == protocol.NO_STATUS else answer.signal,
        timed_out=answer.timed_out,
        stdout=answer.out,
        stdout_complete=answer.out_complete,
        stderr=answer.err,
        stderr_complete=answer.err_complete,
        state=state,
        survivors=answer.survivors,
        oddities=oddities,
        seconds=answer.seconds,
    )


def _state(entries: Sequence[protocol.Entry], before: State) -> tuple[State, tuple[Oddity, ...]]:
    if len(entries) == len(before) and all(kind == protocol.SAME for kind, _, _ in entries):
        return before, ()
    nodes: dict[str, Node] = {}
    oddities: list[Oddity] = []
    for kind, name, data in entries:
        path = name.decode("utf-8", "surrogateescape")
        if what := _ODD.get(kind):
            oddities.append(Oddity(path, what))
        node = before[path] if kind == protocol.SAME else _node(kind, data)
        if node is not None:
            nodes[path] = node
    return State.trusted({path: nodes[path] for path in sorted(nodes)}), tuple(oddities)


def _node(kind: int, data: bytes) -> Node | None:
    if kind in (protocol.FILE, protocol.LONG_FILE):
        return File(data)
    if kind in (protocol.EXECUTABLE, protocol.LONG_EXECUTABLE):
        return File(data, True)
    if kind == protocol.FOLDER:
        return FOLDER
    if kind == protocol.LINK:
        return Link(data.decode("utf-8", "surrogateescape"))
    return None
