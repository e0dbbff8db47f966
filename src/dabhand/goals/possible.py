"""Whether a goal that no grammar made can be reached in a folder at all, and speaks of that folder only."""

from __future__ import annotations

from dabhand.errors import LanguageError
from dabhand.goals.goal import (
    Answers,
    Condition,
    Goal,
    Holds,
    IsAbsent,
    IsCopy,
    IsExecutable,
    IsFolder,
    Refused,
)
from dabhand.goals.imagined import plain_path
from dabhand.language import Call, Const, FolderView, Kind, Term, evaluate, subterms

_READS = {"text": "file", "names": "folder"}


def require_possible(goal: Goal, folder: FolderView) -> None:
    """Make sure that a goal is about what is in the folder, and does not contradict itself.

    Raises:
        Refused: it is not.
    """
    _Possible(goal, folder).check()


class _Possible:
    def __init__(self, goal: Goal, folder: FolderView) -> None:
        self._folder = folder
        self._goal = goal
        self._made: dict[str, Condition] = {}

    def check(self) -> None:
        for one in self._goal.conditions:
            self._note(one)
        if sum(isinstance(one, Answers) for one in self._goal.conditions) > 1:
            raise Refused("The goal has two answers.")
        for one in self._goal.conditions:
            match one:
                case Holds(path, content):
                    self._require_place(path, "file")
                    self._require_value(content)
                case Answers(content):
                    self._require_value(content)
                case IsFolder(path):
                    self._require_place(path, "folder")
                case IsCopy(path, source):
                    self._require_copy(path, source)
                case IsAbsent(path):
                    if not self._is_brought(path):
                        self._require(path, "")
                case IsExecutable(path):
                    if self._finally(path) != "file":
                        raise Refused(f"There is no file {path!r} to be executable.")

    def _note(self, one: Condition) -> None:
        if isinstance(one, Answers):
            return
        _require_plain(one.path)
        if isinstance(one, IsExecutable):
            if sum(isinstance(other, IsExecutable) and other.path == one.path for other in self._goal.conditions) > 1:
                raise Refused(f"The goal says two things of {one.path!r}.")
            return
        if one.path in self._made:
            raise Refused(f"The goal says two things of {one.path!r}.")
        self._made[one.path] = one

    def _require(self, path: str, kind: str) -> None:
        _require_plain(path)
        found = self._folder.kind(path)
        if found not in ("file", "folder") or (kind and found != kind):
            raise Refused(f"There is no {kind or 'file or folder'} {path!r}.", "Check the name.")

    def _require_place(self, path: str, kind: str) -> None:
        """A place where a file or folder can be made, or is already."""
        found = self._folder.kind(path)
        if found not in (kind, "missing"):
            raise Refused(f"{path!r} is a {found}, not a {kind}.")
        above = path.rpartition("/")[0]
        if above and self._finally(above) != "folder":
            raise Refused(f"There is no folder {above!r} to put {path!r} in.")

    def _require_copy(self, path: str, source: str) -> None:
        self._require(source, "")
        if path == source or f"{path}/".startswith(f"{source}/") or f"{source}/".startswith(f"{path}/"):
            raise Refused(f"{source!r} cannot be put into itself.")
        self._require_place(path, self._folder.kind(source))
        if self._folder.kind(path) == "folder":
            raise Refused(f"A folder {path!r} is there already.")

    def _is_brought(self, path: str) -> bool:
        """Whether something would come to a path with a folder that it is in."""
        copies = [one for one in self._goal.conditions if isinstance(one, IsCopy) and path.startswith(one.path + "/")]
        return any(self._folder.kind(one.source + path[len(one.path) :]) != "missing" for one in copies)

    def _finally(self, path: str) -> str:
        """What is at a path in the end."""
        match self._made.get(path):
            case Holds():
                return "file"
            case IsFolder():
                return "folder"
            case IsAbsent():
                return "missing"
            case IsCopy(source=source):
                return self._folder.kind(source)
        above = path.rpartition("/")[0]
        while above:
            match self._made.get(above):
                case Holds() | IsAbsent():
                    return "missing"
                case IsCopy(source=source):
                    return self._folder.kind(source + path[len(above) :])
            above = above.rpartition("/")[0]
        return self._folder.kind(path)

    def _require_value(self, content: Term) -> None:
        for call in subterms(content):
            if isinstance(call, Call) and call.primitive.reads_folder:
                for arg in call.args:
                    self._require_read(call.name, arg)
        try:
            evaluate(content, {}, self._folder)
        except LanguageError as error:
            raise Refused(f"What the goal speaks of has no value here: {error.message}") from error

    def _require_read(self, name: str, arg: Term) -> None:
        if not isinstance(arg, Const):
            raise Refused("The goal reads a file whose name is worked out.", "Name the file.")
        if arg.kind is Kind.PATH and not (arg.value == "." and name == "names"):
            self._require(str(arg.value), _READS.get(name, ""))


def _require_plain(path: str) -> None:
    if not path or plain_path(path) != path:
        raise Refused(f"{path!r} is no plain path in the folder.", "Give paths relative to the folder.")
