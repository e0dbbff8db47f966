"""Scenes as the worker's entries, and the worker's answers as outcomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dabhand.sandbox.inside import protocol
from dabhand.sandbox.outcome import Oddity, Outcome
from dabhand.workspace.state import FOLDER, File, Folder, Link, Node, State, encode_text, parent_of

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
    return _outcome(answer, state, oddities)


def staged_outcome(body: bytes, before: State, partial: frozenset[str], is_there: Callable[[str], bool]) -> Outcome:
    """The worker's answer about a folder that a layer lies over.

    Args:
        body: the answer.
        before: the part of the folder that is known.
        partial: folders of which not everything inside is part of that.
        is_there: whether the folder itself has something at a path.
    """
    answer = protocol.decode_answer(body)
    laying = Laying(before, partial, is_there)
    for kind, name, data in answer.entries:
        laying.add(kind, name.decode("utf-8", "surrogateescape"), data)
    return _outcome(answer, laying.state(), tuple(laying.oddities), tuple(laying.elsewhere))


def _outcome(
    answer: protocol.Answer, state: State, oddities: tuple[Oddity, ...], elsewhere: tuple[str, ...] = ()
) -> Outcome:
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
        elsewhere=elsewhere,
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


class Laying:
    """What a folder looks like under a layer, worked out entry by entry; a folder comes before what lies in it.

    Attributes:
        oddities: what no state can say.
        elsewhere: what changed that is no part of what is known of the folder.
    """

    def __init__(self, before: State, partial: frozenset[str], is_there: Callable[[str], bool]) -> None:
        self.oddities: list[Oddity] = []
        self.elsewhere: list[str] = []
        self._before = before
        self._partial = partial
        self._is_there = is_there
        self._nodes: dict[str, Node] = dict(before)
        self._new: set[str] = set()  # folders through which nothing of the folder below shows

    def add(self, kind: int, path: str, data: bytes) -> None:
        """Take in one entry of the layer."""
        if what := _ODD.get(kind):
            self.oddities.append(Oddity(path, what))
        if kind == protocol.MORE:
            return
        if parent_of(path) not in self._new:
            if kind == protocol.FOLDER and self._shows_through(path):
                return
            known = path in self._before
            if (known and path in self._partial) or (not known and self._is_elsewhere(path)):
                self.elsewhere.append(path)
        if kind in (protocol.FOLDER, protocol.OPAQUE):
            self._new.add(path)
        self._replace(path, FOLDER if kind == protocol.OPAQUE else _node(kind, data))

    def state(self) -> State:
        """The known part afterwards, with everything new."""
        if self._nodes == dict(self._before):
            return self._before
        return State({path: self._nodes[path] for path in sorted(self._nodes)})

    def _shows_through(self, path: str) -> bool:
        """Whether a folder of the layer is one that was there, and only something inside it changed."""
        if path in self._before:
            return isinstance(self._before[path], Folder)
        return self._is_elsewhere(path)

    def _is_elsewhere(self, path: str) -> bool:
        """Whether a path that is not known is one of the folder's own, or inside one."""
        above = parent_of(path)
        return (bool(above) and above not in self._nodes) or self._is_there(path)

    def _replace(self, path: str, node: Node | None) -> None:
        for lower in [path, *(key for key in self._nodes if key.startswith(path + "/"))]:
            self._nodes.pop(lower, None)
        if node is not None and (not (above := parent_of(path)) or above in self._nodes):
            self._nodes[path] = node
