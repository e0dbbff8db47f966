"""Where a path leads inside a folder held as a value: links followed as the kernel does, never out of the root."""

from __future__ import annotations

from typing import Literal

import msgspec

from dabhand.workspace.state import FOLDER, Folder, Link, Node, State

MAX_LINKS = 40
"""Links followed before a path counts as a loop (Linux: path_resolution(7))."""

Standing = Literal["folder", "missing", "file", "loop", "outside"]


class Resolution(msgspec.Struct, frozen=True):
    """Where one path leads.

    Attributes:
        entry: physical path of the entry itself (links in its parents followed, its last component not); None when
            the place it would be in does not exist.
        real: physical path with all links followed; of what is missing, the place it would be created at.
        node: what is at `entry`.
        target: what is at `real`.
        parent: what the place that should hold the entry is: a folder, missing, a file, a loop of links, or outside.
        real_parent: the same for `real`: says whether writing through a link that leads nowhere could create it.
        slash: the path ends in "/", so only a folder will do.
    """

    entry: str | None
    real: str | None
    node: Node | None
    target: Node | None
    parent: Standing
    real_parent: Standing
    slash: bool


def resolve(state: State, path: str) -> Resolution:
    """Follow `path` in `state` as the kernel would from the folder's root."""
    slash = path.endswith("/") and path.strip("/") != ""
    entry, parent = _walk(state, path, follow_last=False, budget=[MAX_LINKS])
    if entry is None:
        return Resolution(None, None, None, None, parent, parent, slash)
    node = FOLDER if entry == "" else state.get(entry)
    if not isinstance(node, Link):
        return Resolution(entry, entry, node, node, parent, parent, slash)
    real, real_parent = _walk(state, path.rstrip("/"), follow_last=True, budget=[MAX_LINKS])
    target = None if real is None else FOLDER if real == "" else state.get(real)
    return Resolution(entry, real, node, target, parent, real_parent, slash)


def _walk(
    state: State, path: str, *, follow_last: bool, budget: list[int], start: str = ""
) -> tuple[str | None, Standing]:
    """Walk the components of `path` from the physical folder `start`.

    Returns:
        The physical path reached (None when its parent is no folder) and the standing of that parent.
    """
    if path.startswith("/"):
        return None, "outside"
    parts = [part for part in path.split("/") if part not in ("", ".")]
    here = start
    for index, part in enumerate(parts):
        if here and not isinstance(state.get(here), Folder):
            return None, "missing" if state.get(here) is None else "file"
        if part == "..":
            if not here:
                return None, "outside"
            here = here.rpartition("/")[0]
            continue
        there = f"{here}/{part}" if here else part
        node = state.get(there)
        if isinstance(node, Link) and (follow_last or index < len(parts) - 1):
            budget[0] -= 1
            if budget[0] < 0:
                return None, "loop"
            reached, standing = _walk(state, node.target, follow_last=True, budget=budget, start=here)
            if reached is None:
                return None, standing
            there = reached
        here = there
    return here, "folder"
