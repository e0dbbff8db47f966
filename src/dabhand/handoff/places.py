"""Opening what a plan is about: once, inside the root, and held open until the answer is complete."""

from __future__ import annotations

import os
import stat

from dabhand.closing import Closing
from dabhand.errors import DabhandError, NotConfined, UsageError
from dabhand.handoff.bindings import TargetKind
from dabhand.handoff.blocks import Failed
from dabhand.handoff.plan import CountMatches, FindFiles, JsonField, ListFiles, Plan, Search
from dabhand.workspace.confined import ConfinedFolder, open_regular, reason

_HINT = "Paths are relative to the root."


class NotThere(UsageError):
    """There is no such file or folder, or it is something else than what the plan needs."""

    code = "target"


class Opened(Closing):
    """What a plan is about, open.

    Attributes:
        path: relative to the root; "" is the root itself.
        kind: what it is.
        fd: its descriptor, closed with this.
    """

    def __init__(self, path: str, kind: TargetKind, fd: int) -> None:
        self.path, self.kind, self.fd = path, kind, fd

    def close(self) -> None:
        """Let go of it."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def taken(self) -> int:
        """The descriptor, which whoever takes it has to close."""
        fd, self.fd = self.fd, -1
        return fd


def inside(folder: ConfinedFolder, path: str) -> str:
    """A path as it is walked: relative, and an absolute one made so where it begins with the root's own path.

    Raises:
        NotConfined: it leads out.
    """
    if path.startswith("/"):
        root = str(folder.path).rstrip("/") + "/"
        if not path.startswith(root) and path.rstrip("/") + "/" != root:
            raise NotConfined(f"{path!r} is outside the root {str(folder.path)!r}.", _HINT)
        path = path[len(root) :].lstrip("/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.endswith("/") and parts:
        return "/".join(parts) + "/"
    return "/".join(parts)


def kind_at(folder: ConfinedFolder, path: str) -> TargetKind:
    """Whether a file or a folder is there.

    Raises:
        NotThere: neither.
        NotConfined: it leads out of the root.
    """
    walked = inside(folder, path)
    try:
        found = folder.stat(walked, follow=True)
        dangling = found is None and folder.stat(walked, follow=False) is not None
    except NotConfined:
        raise
    except OSError as error:
        raise NotThere(f"{path!r} cannot be looked at: {reason(error)}.", _HINT) from error
    if dangling:
        raise NotThere(f"{path!r} is a link that leads to nothing.", "Name the file itself.")
    if found is None:
        raise NotThere(f"There is nothing at {path!r} in the root {str(folder.path)!r}.", _HINT)
    if stat.S_ISDIR(found.st_mode):
        return "folder"
    if not stat.S_ISREG(found.st_mode):
        raise NotThere(f"{path!r} is neither a file nor a folder.", "Only regular files are read.")
    if walked.endswith("/"):
        raise NotThere(f"{path!r} is a file, not a folder.", "Leave out the '/' at the end.")
    return "file"


def opened(folder: ConfinedFolder, plan: Plan) -> Opened:
    """Open what a plan is about.

    Raises:
        NotThere: it is missing, or a folder where a file is needed, or the other way round.
        NotConfined: it leads out of the root.
        Failed: it is there and cannot be opened.
    """
    kind = kind_at(folder, plan.path)
    _require_kind(plan, kind)
    walked = inside(folder, plan.path)
    try:
        with folder.place(walked) as place:
            if kind == "file":
                return Opened(walked, kind, open_regular(place))
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            return Opened(walked.rstrip("/"), kind, os.open(place.raw, flags, dir_fd=place.folder))
    except FileNotFoundError as error:
        raise Failed(f"{plan.path!r} was removed meanwhile.", "Ask again.") from error
    except DabhandError:
        raise
    except OSError as error:
        raise Failed(f"{plan.path!r} cannot be opened: {reason(error)}.") from error


def _require_kind(plan: Plan, kind: TargetKind) -> None:
    match plan:
        case ListFiles() | FindFiles():
            if kind == "file":
                raise NotThere(f"{plan.path!r} is a file, and only a folder has names in it.", "Name its folder.")
        case Search() | CountMatches():
            if kind == "file" and plan.recursive:
                raise NotThere(f"{plan.path!r} is a file, and there is nothing below it.", "Search without recursive.")
        case _:
            if kind == "folder":
                has = "fields" if isinstance(plan, JsonField) else "lines"
                named = repr(plan.path) if plan.path.strip("./") else "The root itself"
                raise NotThere(f"{named} is a folder, and only a file has {has}.", "Name a file in it.")
