"""Acts on entries, followed in symbols: folders made, things copied, moved, deleted, made executable, spoken of."""

from __future__ import annotations

from dabhand.goals import acts as say
from dabhand.goals.caution import require_one_meaning
from dabhand.goals.goal import Ambiguous, Refused
from dabhand.goals.imagined import Imagined, NewFolder, plain_path
from dabhand.goals.listing import only_file
from dabhand.goals.references import References
from dabhand.language import FolderView


class Entries:
    """The entries of a folder while a request is being followed, and what the request has spoken of.

    Attributes:
        folder: the folder as it was.
        now: the folder as the acts so far leave it.
        spoken: what was spoken of, for "it" and the like.
    """

    def __init__(self, folder: FolderView) -> None:
        self.folder = folder
        self.now = Imagined(folder)
        self.spoken = References()

    def named(self, path: str) -> str:
        """A path as a request gives it, as a path of the folder; "it" and the like resolved."""
        if path.startswith(say.KIND):
            return only_file(path.removeprefix(say.KIND), self.folder)
        return self.now.path(self.spoken.named(path))

    def mention(self, path: str, claim: str) -> None:
        """Speak of what is at a path, and of what is said of its text."""
        self.now.require(path)
        if claim:
            require_one_meaning(claim, (), self.now.text(path), self.folder)
        self.spoken.speak_of(path, folder=self.now.kind(path) == "folder")
        self.spoken.described = path if claim else None

    def require_guard(self, path: str, exists: bool) -> None:
        """Decline where the condition of the request does not hold."""
        if (self.now.kind(path) != "missing") != exists:
            state = "is not there" if exists else "is there"
            raise Refused(
                f"{path!r} {state}, so by the request itself there is nothing to do.", "Ask without the condition."
            )

    def require_one(self, path: str) -> None:
        """Decline to delete "it" where two things may be meant."""
        if path == say.IT and self.spoken.described is not None:
            raise Ambiguous(
                f"The request can be taken in 2 ways: {self.spoken.described!r} is deleted; or: what was said to be in "
                "its lines is.",
                "Name the file if the whole file is meant.",
            )
        rivals = [rival for rival in self.spoken.rivals if self.now.kind(rival) != "missing"]
        if path == say.IT and rivals:
            raise Ambiguous(
                f"The request can be taken in 2 ways: {self.spoken.last!r} is deleted; or: {rivals[0]!r} is.",
                "Name the one that is meant.",
            )

    def make_folder(self, path: str, tolerant: bool) -> None:
        """Make a folder, and those above it."""
        found = self.now.kind(path)
        if found != "missing" and not (tolerant and found == "folder"):
            raise Refused(f"{path!r} is there already." if path else "The folder itself is there already.")
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            above = "/".join(parts[:count])
            if self.now.kind(above) == "file":
                raise Refused(f"{above!r} is a file, so nothing can be made in it.")
            if self.now.kind(above) == "missing":
                self.now.things[above] = NewFolder()
        self.spoken.speak_of(path, folder=True)
        self.spoken.note_result(path, say.MakeFolder)

    def copy(self, source: str, target: str, into: bool | None) -> None:
        """Copy what is at a path to a path, or into a folder."""
        self.now.require_no_root(source, "copied")
        self.now.require(source)
        path = self._destination(source, target, into)
        self.now.require_free_of(source, path)
        self.now.put(source, path)
        self.spoken.speak_of(path)
        self.spoken.note_copy(source, path)
        self.spoken.note_result(path, say.Copy)

    def move(self, source: str, target: str, into: bool | None, rename: bool) -> None:
        """Move or rename what is at a path."""
        self.now.require_no_root(source, "moved")
        self.now.require(source)
        if rename and "/" not in target.strip("/") and not target.startswith("\0"):
            above = source.rpartition("/")[0]
            path = plain_path(f"{above}/{target}" if above else target)
        else:
            path = self._destination(source, target, into)
        self.now.require_free_of(source, path)
        self.now.put(source, path)
        self.now.remove(source)
        self.spoken.speak_of(path)
        self.spoken.note_result(path, say.Move)

    def _destination(self, source: str, target: str, into: bool | None) -> str:
        path = self.named(target)
        if into is None:
            into = self.now.kind(path) == "folder" or target.endswith("/")
        if not into:
            if self.folder.kind(path) == "folder" and self.now.kind(path) == "missing":
                raise Refused(f"The folder {path!r} is gone by then.", "Ask for a new folder first.")
            return path
        self.spoken.note_folder(path)
        if path and self.now.kind(path) != "folder":
            raise Refused(f"There is no folder {path!r}.", f"Ask for the folder {path!r} first.")
        name = source.rpartition("/")[2]
        return f"{path}/{name}" if path else name

    def delete(self, path: str, kind: str) -> None:
        """Delete what is at a path."""
        self.now.require_no_root(path, "deleted")
        self.now.require_no_text(path)
        self.now.require(path, kind)
        if self.now.touches(path) and not self.now.comes_along(path):
            raise Refused(f"The request changes {path!r} and deletes it too.", "Ask for one of the two.")
        self.now.remove(path)
        if self.spoken.last is None:
            self.spoken.speak_of(path)

    def swap(self, first: str, second: str) -> None:
        """Let two entries change names."""
        self.now.swap(first, second)
        self.spoken.note_result(first, say.Swap)
        self.spoken.note_result(second, say.Swap)

    def make_executable(self, path: str, executable: bool) -> None:
        """Let a file be run as a program, or no longer."""
        self.now.require_no_root(path, "made executable")
        self.now.require(path, "file")
        self.now.modes[path] = executable
        self.spoken.speak_of(path)
