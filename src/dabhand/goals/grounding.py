"""Holding acts against a folder: what each path would hold in the end, as terms over the folder as it was."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals import acts as say
from dabhand.goals.caution import WHOLE_WORD, require_ended, require_one_meaning, text_here
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
    text_of,
)
from dabhand.goals.operations import OPERATIONS, beside, finished, joined, line_of
from dabhand.language import Const, FolderView, Kind, Term

_PATTERN_OF_NAMES = re.compile(r"[*?]|\{[^{}]*(,|\.\.)[^{}]*\}")

KindWord = Literal["file", "folder", "missing"]


class Made(msgspec.Struct, frozen=True):
    """A file whose text is worked out; `like` is the file whose mode it took along, if any."""

    text: Term


class Tree(msgspec.Struct, frozen=True):
    """What was, with all below it, at another (or the same) path of the folder as it was."""

    source: str


class NewFolder(msgspec.Struct, frozen=True):
    """A folder that was not there."""


class Gone(msgspec.Struct, frozen=True):
    """Nothing any more."""


Thing = Made | Tree | NewFolder | Gone


def ground(acts: say.Acts, folder: FolderView) -> Goal:
    """The goal that acts, done one after the other in this folder, come to.

    Raises:
        Refused: an act speaks of what is not there, or would undo what it needs.
        NotUnderstood: "it" stands for nothing, or a text was worked out that goes nowhere.
    """
    grounding = _Grounding(folder)
    for act in acts:
        grounding.do(act)
    grounding.settle()
    return grounding.goal()


class _Grounding:
    """The folder as it would be, in symbols, while acts are done in it."""

    def __init__(self, folder: FolderView) -> None:
        self.folder = folder
        self.things: dict[str, Thing] = {}
        self.modes: dict[str, bool] = {}
        self.answer: Term | None = None
        self.held: Term | None = None
        self.held_unsettled: str | None = None
        self.fallback: str | None = None
        self.last_path: str | None = None
        self.reads: dict[str, None] = {}

    # -- what is where ------------------------------------------------------------------------------------------------

    def thing(self, path: str) -> Thing:
        """What is at a path by now."""
        if path in self.things:
            return self.things[path]
        above = path.rpartition("/")[0]
        while above:
            if above in self.things:
                holder = self.things[above]
                return Tree(f"{holder.source}/{path[len(above) + 1 :]}") if isinstance(holder, Tree) else Gone()
            above = above.rpartition("/")[0]
        return Tree(path)

    def kind(self, path: str) -> KindWord:
        """What kind of thing is at a path by now."""
        if path in ("", "."):
            return "folder"
        match self.thing(path):
            case Made():
                return "file"
            case NewFolder():
                return "folder"
            case Tree(source):
                found = self.folder.kind(source)
                return found if found in ("file", "folder") else "missing"  # type: ignore[return-value]
            case _:
                return "missing"

    def text(self, path: str) -> Term:
        """The term for the text of the file at a path.

        Raises:
            Refused: no file is there.
        """
        self.require(path, "file")
        match self.thing(path):
            case Made(text):
                return text
            case Tree(source):
                self.reads[source] = None
                return text_of(source)
        raise AssertionError("a file is made or was there")

    def require(self, path: str, kind: str = "") -> None:
        """Refuse when nothing, or something of another kind, is at a path."""
        found = self.kind(path)
        if found == "missing":
            raise Refused(f"There is no {kind or 'file or folder'} {path!r}.", "Check the name.")
        if kind and found != kind:
            raise Refused(f"{path!r} is a {found}, not a {kind}.")
        if isinstance(thing := self.thing(path), Tree):
            self.reads[thing.source] = None

    def named(self, path: str) -> str:
        """A path as a request gives it, as a path of the folder; "it" resolved."""
        if path == say.IT:
            if self.last_path is None:
                raise NotUnderstood('It is not clear what "it" stands for.', "Name the file.")
            return self.last_path
        plain = plain_path(path)
        if _PATTERN_OF_NAMES.search(plain) and self.kind(plain) == "missing":
            raise NotUnderstood(f"{path!r} looks like a pattern for several names.", "Name each file.")
        return plain

    # -- texts --------------------------------------------------------------------------------------------------------

    def term(self, expression: say.Expression) -> Term:
        """The term for an expression."""
        match expression:
            case say.FileText(say.IT):
                return self._it()
            case say.FileText(path):
                self.last_path = self.named(path)
                return self.text(self.last_path)
            case say.Words(text=text):
                return line_of(text)
            case say.Changed(operation, args, of):
                inner = self.term(of)
                require_one_meaning(operation, args, inner, self.folder)
                return OPERATIONS[operation.removesuffix(WHOLE_WORD)](inner, *args)
            case say.Joined(parts, is_beside):
                terms = [self.term(part) for part in parts]
                if is_beside:
                    return beside(terms[0], terms[1])
                whole = terms[0]
                for part, term in zip(parts[1:], terms[1:], strict=True):
                    require_ended(text_here(whole, self.folder), say_text(parts[0]), say_text(part))
                    whole = joined(whole, term)
                return whole

    def _it(self) -> Term:
        if self.held is not None:
            return self.held
        return self.text(self.named(say.IT))

    # -- acts ---------------------------------------------------------------------------------------------------------

    def do(self, act: say.Act) -> None:
        """Do one act in symbols."""
        match act:
            case say.Hold(content, fallback):
                self._hold(content, fallback)
            case say.Tell(content):
                self._tell(self.term(content))
            case say.Write(content, path):
                self._write(content, path)
            case _:
                self.settle()
                self._do_to_entry(act)

    def _hold(self, content: say.Expression, fallback: str | None) -> None:
        if not _speaks_of_it(content):
            self.settle()
        term = self.term(content)
        if fallback is None and _speaks_of_it(content):
            fallback = self.fallback  # an edit of what was being edited in place stays there
        self.held, self.held_unsettled = term, say_text(content)
        self.fallback = fallback if fallback in (None, say.ANSWER) else self.named(fallback)

    def _tell(self, term: Term) -> None:
        self._answer(term)
        self.held = term
        self.held_unsettled = self.fallback = None

    def _answer(self, term: Term) -> None:
        if self.answer is not None:
            raise NotUnderstood("The request asks for two answers.", "Ask for one at a time.")
        self.answer = term

    def _write(self, content: say.Expression, path: str) -> None:
        if not _speaks_of_it(content):
            self.settle()
        term = self.term(content)
        edited = None if self.fallback == say.ANSWER else self.fallback
        target = edited or self.last_path if path == say.IT else self.named(path)
        if target is None:
            raise NotUnderstood('It is not clear what "it" stands for.', "Name the file.")
        self.held = self.held_unsettled = self.fallback = None
        self._place_text(target, term)

    def _do_to_entry(self, act: say.Act) -> None:
        match act:
            case say.MakeFolder(path, tolerant):
                self._make_folder(self.named(path), tolerant)
            case say.MakeFile(path, content):
                self._make_file(self.named(path), content)
            case say.Append(content, path, at_front, own_line):
                self._append(content, self.named(path), at_front, own_line)
            case say.Copy(source, target, into):
                self._copy(self.named(source), target, into)
            case say.Move(source, target, into, rename):
                self._move(self.named(source), target, into, rename)
            case say.Delete(path, kind):
                self._delete(self.named(path), kind)
            case say.MakeExecutable(path, executable):
                self._make_executable(self.named(path), executable)

    def settle(self) -> None:
        """Put a text that was worked out where it goes when nothing more is said.

        Raises:
            NotUnderstood: when that was not said and there are two ways to take it.
        """
        if self.held_unsettled is not None and self.held is not None:
            if self.fallback is None:
                raise NotUnderstood(
                    f"It is not said where {self.held_unsettled} should go: shown, or into the file itself?",
                    'Say "... into FILE", "... in place", or "show ...".',
                )
            if self.fallback == say.ANSWER:
                self._answer(self.held)
            else:
                self._place_text(self.fallback, self.held)
        self.held = self.held_unsettled = self.fallback = None

    def _place_text(self, path: str, text: Term) -> None:
        if self.kind(path) == "folder":
            raise Refused(f"{path!r} is a folder; a text cannot be written into it.", "Name a file.")
        self._require_parent(path)
        self.things[path] = Made(text)
        self.last_path = path

    def _require_parent(self, path: str) -> None:
        above = path.rpartition("/")[0]
        if above and self.kind(above) != "folder":
            raise Refused(f"There is no folder {above!r} to put {path!r} in.", f"Ask for the folder {above!r} first.")

    def _make_folder(self, path: str, tolerant: bool) -> None:
        found = self.kind(path)
        if found != "missing" and not (tolerant and found == "folder"):
            raise Refused(f"{path!r} is there already.")
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            above = "/".join(parts[:count])
            if self.kind(above) == "file":
                raise Refused(f"{above!r} is a file, so nothing can be made in it.")
            if self.kind(above) == "missing":
                self.things[above] = NewFolder()
        self.last_path = path

    def _make_file(self, path: str, content: say.Expression | None) -> None:
        if self.kind(path) != "missing":
            raise Refused(f"{path!r} is there already.")
        self._place_text(path, Const("", Kind.TEXT) if content is None else self.term(content))

    def _append(self, content: say.Expression, path: str, at_front: bool, own_line: bool) -> None:
        old = self.text(path)
        added = self.term(content)
        before, after = (added, old) if at_front else (old, added)
        text = text_here(before, self.folder)
        if text and not text.endswith("\n"):
            if not own_line and not (isinstance(content, say.Words) and content.own_line):
                above, below = (say_text(content), repr(path)) if at_front else (repr(path), say_text(content))
                require_ended(text, above, below)
            before = finished(before)
        self._place_text(path, joined(before, after))

    def _destination(self, source: str, target: str, into: bool | None) -> str:
        path = self.named(target)
        if into is None:
            into = self.kind(path) == "folder" or target.endswith("/")
        if not into:
            return path
        if path and self.kind(path) != "folder":
            raise Refused(f"There is no folder {path!r}.", f"Ask for the folder {path!r} first.")
        name = source.rpartition("/")[2]
        return f"{path}/{name}" if path else name

    def _require_free_of(self, source: str, target: str) -> None:
        if target == source or target.startswith(source + "/"):
            raise Refused(f"{source!r} cannot be put into itself.")
        if source.startswith(target + "/"):
            raise Refused(f"{target!r} holds {source!r} and cannot be replaced by it.")
        if self.kind(target) == "folder":
            raise Refused(f"A folder {target!r} is there already.")
        if self.kind(target) == "file" and self.kind(source) == "folder":
            raise Refused(f"A file {target!r} is there already.")
        self._require_parent(target)

    def _require_no_root(self, path: str, done: str) -> None:
        if not path:
            raise Refused(f"The folder itself, which is worked in, cannot be {done}.", "Name what is in it.")

    def _copy(self, source: str, target: str, into: bool | None) -> None:
        self._require_no_root(source, "copied")
        self.require(source)
        path = self._destination(source, target, into)
        self._require_free_of(source, path)
        self._put(source, path)
        self.last_path = path

    def _put(self, source: str, path: str) -> None:
        below = {inner: thing for inner, thing in self.things.items() if inner.startswith(source + "/")}
        self.things[path] = self.thing(source)
        for inner, thing in below.items():
            self.things[path + inner[len(source) :]] = thing
        if source in self.modes:
            self.modes[path] = self.modes[source]

    def _move(self, source: str, target: str, into: bool | None, rename: bool) -> None:
        self._require_no_root(source, "moved")
        self.require(source)
        if rename and "/" not in target.strip("/") and target != say.IT:
            above = source.rpartition("/")[0]
            path = plain_path(f"{above}/{target}" if above else target)
        else:
            path = self._destination(source, target, into)
        self._require_free_of(source, path)
        self._put(source, path)
        self._remove(source)
        self.last_path = path

    def _remove(self, path: str) -> None:
        for inner in [inner for inner in self.things if inner.startswith(path + "/")]:
            del self.things[inner]
        self.modes.pop(path, None)
        self.things[path] = Gone()

    def _delete(self, path: str, kind: str) -> None:
        self._require_no_root(path, "deleted")
        self.require(path, kind)
        self._remove(path)

    def _make_executable(self, path: str, executable: bool) -> None:
        self._require_no_root(path, "made executable")
        self.require(path, "file")
        self.modes[path] = executable
        self.last_path = path

    # -- what it all comes to -----------------------------------------------------------------------------------------

    def goal(self) -> Goal:
        """The conditions."""
        conditions: list[Condition] = []
        for path, thing in sorted(self.things.items()):
            match thing:
                case Made(text):
                    conditions.append(Holds(path, text))
                case NewFolder():
                    conditions.append(IsFolder(path))
                case Tree(source) if source != path:
                    conditions.append(IsCopy(path, source))
                case Gone() if self.folder.kind(path) != "missing" and not self._gone_above(path):
                    conditions.append(IsAbsent(path))
        conditions += [IsExecutable(path, wanted) for path, wanted in sorted(self.modes.items())]
        if self.answer is not None:
            conditions.append(Answers(self.answer))
        return Goal(tuple(conditions), tuple(self.reads))

    def _gone_above(self, path: str) -> bool:
        above = path.rpartition("/")[0]
        return bool(above) and (isinstance(self.things.get(above), Gone) or self._gone_above(above))


def plain_path(path: str) -> str:
    """A path as requests give it, as one of the folder.

    Raises:
        Refused: it leads out of the folder.
    """
    if path.startswith(("/", "~")):
        raise Refused(f"{path!r} is outside the folder.", "Give paths relative to --root.")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise Refused(f"{path!r} may lead out of the folder.", "Give paths without '..'.")
    if "\0" in path:
        raise Refused(f"{path!r} holds a null character, which no path can.")
    return "/".join(parts)


def _speaks_of_it(expression: say.Expression) -> bool:
    match expression:
        case say.FileText(path):
            return path == say.IT
        case say.Changed(of=of):
            return _speaks_of_it(of)
        case say.Joined(parts):
            return any(map(_speaks_of_it, parts))
        case _:
            return False


def say_text(expression: say.Expression) -> str:
    """An expression in a few words, for messages."""
    match expression:
        case say.FileText(say.IT):
            return "the result"
        case say.FileText(path):
            return repr(path)
        case say.Words(text=text):
            return repr(text)
        case say.Changed(operation, args, of):
            return f"{say_text(of)} {operation.replace('_', ' ')}" + "".join(f" {arg!r}" for arg in args)
        case say.Joined(parts):
            return " and ".join(map(say_text, parts))
