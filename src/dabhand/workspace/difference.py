"""What differs between two states of a folder, as a list of changes that can be applied and turned round."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Literal

import msgspec

from dabhand.errors import Conflict
from dabhand.workspace.state import File, Link, Node, State

ChangeKind = Literal["created", "modified", "deleted", "mode"]


class Change(msgspec.Struct, frozen=True):
    """One path that differs: what is there before and after; None is nothing."""

    path: str
    before: Node | None
    after: Node | None

    @property
    def kind(self) -> ChangeKind:
        """The contract's word for this change; an entry of another kind in the same place counts as modified."""
        if self.before is None:
            return "created"
        if self.after is None:
            return "deleted"
        if isinstance(self.before, File) and isinstance(self.after, File) and self.before.data == self.after.data:
            return "mode"
        return "modified"

    @property
    def inverse(self) -> Change:
        """The change that takes this one back."""
        return Change(self.path, self.after, self.before)


def difference(before: State, after: State) -> tuple[Change, ...]:
    """The changes that lead from one state to the other, sorted by path; every entry below a folder has its own."""
    paths = [path for path in before if after.get(path) != before[path]]
    paths += [path for path in after if path not in before]
    return tuple(Change(path, before.get(path), after.get(path)) for path in sorted(paths))


def digest(changes: Iterable[Change]) -> str:
    """What tells these changes from others, contents before and after included (SHA-256)."""
    said = hashlib.sha256()
    for change in changes:
        for part in (change.path.encode("utf-8", "surrogateescape"), _said(change.before), _said(change.after)):
            said.update(len(part).to_bytes(8, "big") + part)
    return said.hexdigest()


def _said(node: Node | None) -> bytes:
    match node:
        case File(data, executable):
            return b"x" * executable + b"file" + data
        case Link(target):
            return b"link" + target.encode("utf-8", "surrogateescape")
        case _:
            return b"" if node is None else b"folder"


def apply_changes(state: State, changes: Iterable[Change]) -> State:
    """The state with all changes made.

    Raises:
        Conflict: when a path does not hold what its change says is there before, or a folder would be deleted
            while something is still in it.
        StateError: when the changes leave something below what is no folder.
    """
    nodes = dict(state.items())
    for change in changes:
        if nodes.get(change.path) != change.before:
            raise Conflict(f"{change.path!r} is not what it was when the change was worked out.")
        if change.after is None:
            nodes.pop(change.path, None)
        else:
            nodes[change.path] = change.after
    result = State(nodes)
    if len(result) != len(nodes):
        left = next(path for path in result if path not in nodes)
        raise Conflict(f"{left!r} would be deleted while something is still in it.")
    return result


def inverse(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes that lead back."""
    return tuple(change.inverse for change in changes)
