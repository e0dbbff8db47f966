"""Names in a folder, and paths below one."""

from __future__ import annotations

import stat

from dabhand.errors import NotConfined
from dabhand.handoff.names import chooser
from dabhand.handoff.packet import Skipped
from dabhand.handoff.places import Opened
from dabhand.handoff.plan import FindFiles, ListFiles
from dabhand.handoff.raw import Raw
from dabhand.handoff.walking import Entry, Walk
from dabhand.workspace.confined import ConfinedFolder


def list_names(folder: ConfinedFolder, opened: Opened, plan: ListFiles, raw: Raw) -> list[Skipped]:
    """Write the names in a folder that the plan chooses; returns what could not be looked at."""
    chosen = chooser(plan.glob, plan.value, ignore_case=plan.ignore_case, hidden=plan.hidden)
    walk = Walk(opened.fd, 1, lambda name: False)
    names = [
        entry.name
        for entry in walk.entries()
        if chosen(entry.name) and (plan.kind == "all" or _kind(folder, opened.path, entry) == plan.kind)
    ]
    write_names(raw, sorted(names))
    return walk.skipped


def _kind(folder: ConfinedFolder, path: str, entry: Entry) -> str:
    """What the entry counts as; a link counts as what it points to, if that is inside the root."""
    if entry.what == "link":
        return kind_of_link(folder, f"{path}/{entry.name}" if path else entry.name)
    return entry.what + "s"


def kind_of_link(folder: ConfinedFolder, path: str) -> str:
    """What a link counts as: files, folders, or other."""
    try:
        found = folder.stat(path, follow=True)
    except (NotConfined, OSError):
        return "other"
    mode = found.st_mode if found else 0
    return "files" if stat.S_ISREG(mode) else "folders" if stat.S_ISDIR(mode) else "other"


def find_paths(fd: int, plan: FindFiles, raw: Raw, now: float) -> list[Skipped]:
    """Write the paths below a folder that the plan chooses, relative to it; returns what could not be looked into.

    Args:
        fd: the folder.
        plan: what is wanted.
        raw: takes the paths.
        now: the time that ages are told from, in seconds since 1970.
    """
    chosen = chooser(plan.glob, plan.value, ignore_case=plan.ignore_case, hidden=plan.hidden)
    walk = Walk(fd, plan.max_depth, lambda name: plan.hidden or not name.startswith("."))
    start = "" if plan.path in ("", ".") else plan.path.rstrip("/") + "/"
    paths = [start + entry.path for entry in walk.entries() if chosen(entry.name) and _wanted(entry, plan, now)]
    write_names(raw, sorted(paths))
    return walk.skipped


def _wanted(entry: Entry, plan: FindFiles, now: float) -> bool:
    sized = plan.min_bytes is not None or plan.max_bytes is not None
    if (plan.kind != "all" and entry.what + "s" != plan.kind) or (sized and entry.what != "file"):
        return False
    age = now - entry.stat.st_mtime
    return (
        (plan.min_bytes is None or entry.stat.st_size >= plan.min_bytes)
        and (plan.max_bytes is None or entry.stat.st_size <= plan.max_bytes)
        and (plan.min_age is None or age >= plan.min_age)
        and (plan.max_age is None or age <= plan.max_age)
    )


def write_names(raw: Raw, names: list[str]) -> None:
    """Write names, each ended by a newline, or by NUL where one holds a newline."""
    if not names:
        return
    if any("\n" in name for name in names):
        raw.separator = b"\0"
    ending = raw.separator.decode()
    data = (ending.join(names) + ending).encode("utf-8", "surrogateescape")
    raw.add(data, len(names), 1)
