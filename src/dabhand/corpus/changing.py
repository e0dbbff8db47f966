"""What a recorded statement changes: files written, made, removed and copied, as effects on a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from dabhand.corpus.saying import saying
from dabhand.errors import LanguageError
from dabhand.handoff.shells.reading_files import literal
from dabhand.handoff.shells.readings import Declined, path_of
from dabhand.handoff.shells.script import AndOr, Command, Script
from dabhand.handoff.shells.syntax import parse_line
from dabhand.language import PATH, TEXT, Call, Const, Term, evaluate, show
from dabhand.workspace import File, Folder, State
from dabhand.world.effects import ABSENT, MAKE_FOLDER, Drawing, Option, Write
from dabhand.world.reading import StateView

_HERE = re.compile(r"<<(?P<dash>-?)\s*(?P<quote>['\"]?)(?P<end>[A-Za-z_]\w*)(?P=quote)")


class Put(msgspec.Struct, frozen=True, tag="put"):
    """A file is written, or written on."""

    path: str
    term: Term
    append: bool = False


class Make(msgspec.Struct, frozen=True, tag="make"):
    """A folder is made; with `parents` those above too, and it may be there."""

    path: str
    parents: bool


class Remove(msgspec.Struct, frozen=True, tag="remove"):
    """A file is removed; with `recursive` a folder too, with `force` it may be missing."""

    path: str
    recursive: bool
    force: bool


class Carry(msgspec.Struct, frozen=True, tag="carry"):
    """A file is copied, or moved, to a path or into a folder."""

    source: str
    path: str
    move: bool


class Touch(msgspec.Struct, frozen=True, tag="touch"):
    """An empty file is made where nothing is."""

    path: str


Act = Put | Make | Remove | Carry | Touch


class Change(msgspec.Struct, frozen=True):
    """What a statement does to a folder, one after the other; what fails changes nothing by itself.

    Attributes:
        acts: in order.
        paths: that it names, as they are written.
    """

    acts: tuple[Act, ...]
    paths: tuple[str, ...]

    @property
    def may_find_nothing(self) -> bool:
        """It writes what a filter lets through, which may say by its exit status that this is nothing."""
        return any(isinstance(act, Put) and not isinstance(act.term, Const) for act in self.acts)

    @property
    def operation(self) -> str:
        """The names of what is done."""
        return "+".join(dict.fromkeys(str(act.__struct_config__.tag) for act in self.acts))

    @property
    def said(self) -> str:
        """What is done, for people."""
        return "; ".join(map(_said, self.acts))


def _said(act: Act) -> str:
    match act:
        case Put(path, term, append):
            return f"{path} {'ends with' if append else 'holds'} {show(term)}"
        case Make(path):
            return f"{path} is a folder"
        case Touch(path):
            return f"{path} is there"
        case Remove(path):
            return f"{path} is gone"
        case Carry(source, path, move):
            return f"{path} is {source}" if move else f"{path} is a copy of {source}"


def change_of(text: str) -> Change | None:
    """What a statement changes; None where that is not sure."""
    script = parse_line(text)
    if not script.understood or len(script.lists) != 1:
        return None
    one = script.lists[0]
    if one.background or len(one.pipelines) != 1 or one.pipelines[0].negated:
        return None
    commands = one.pipelines[0].commands
    if any(command.kind != "simple" or command.assignments for command in commands):
        return None
    try:
        return _written(one, script) or _done(commands)
    except (Declined, LanguageError):
        return None


def _written(one: AndOr, script: Script) -> Change | None:
    """A text that goes to a file."""
    *before, last = one.pipelines[0].commands
    to = [each for each in last.redirections if each.operator in (">", ">>") and each.descriptor in ("", "1")]
    if not to:
        return None
    target = to[0].target.value if to[0].target else None
    others = [each for each in last.redirections if each is not to[0] and each.operator != "<"]
    if len(to) != 1 or not target or others or target == "/dev/null":
        raise Declined("where it writes is not read")
    if one.here_document:
        text = script.source[one.begin : one.end].decode("utf-8", "surrogateescape")
        if before or literal(last) != ["cat"]:
            raise Declined("it does something with its text")
        return Change((Put(path_of(target), Const(_here(text), TEXT), to[0].operator == ">>"),), (target,))
    bare = msgspec.structs.replace(last, redirections=tuple(each for each in last.redirections if each is not to[0]))
    source = script.source.decode("utf-8", "surrogateescape")
    said = saying([*before, bare], source)
    if said.reading is not None or said.unordered or path_of(target) in map(path_of, said.files):
        raise Declined("what it writes is not read")
    put = Put(path_of(target), said.term, to[0].operator == ">>")
    return Change((put,), (target, *said.files))


def _here(text: str) -> str:
    """The text of the only here-document of a statement."""
    line, _, rest = text.partition("\n")
    marks = list(_HERE.finditer(line))
    if len(marks) != 1 or marks[0]["dash"] or line.count("<<") != 1:
        raise Declined("its text is not read")
    body, mark, _ = f"\n{rest}\n".partition(f"\n{marks[0]['end']}\n")
    if not mark or (not marks[0]["quote"] and re.search(r"[$`\\]", body)):
        raise Declined("its text depends on something else")
    return body[1:] + "\n" if len(body) > 1 else ""


def _done(commands: Sequence[Command]) -> Change | None:
    if len(commands) != 1 or any(
        (each.descriptor, each.operator, each.target.value if each.target else None) != ("2", ">", "/dev/null")
        for each in commands[0].redirections
    ):
        return None
    name, *words = literal(commands[0])
    options = "".join(word[1:] for word in words if re.fullmatch(r"-[A-Za-z]+", word))
    paths = [word for word in words if not re.fullmatch(r"-[A-Za-z]+", word)]
    if not paths or any(path.startswith("-") or path.rstrip("/").endswith(("/.", "/..")) for path in paths):
        return None
    if any(path.endswith("/") for path in paths) and name != "mkdir":
        return None
    acts = tuple(_acts(name.rsplit("/", 1)[-1], set(options), [path_of(path) for path in paths]))
    return Change(acts, tuple(paths)) if acts else None


def _acts(name: str, options: set[str], paths: Sequence[str]) -> Iterator[Act]:
    match name:
        case "mkdir" | "rm" | "touch" if "." in paths:
            return
        case "mkdir" if options <= {"p"}:
            yield from (Make(path, "p" in options) for path in paths)
        case "rm" if options <= {"r", "R", "f"}:
            yield from (Remove(path, bool(options & {"r", "R"}), "f" in options) for path in paths)
        case "touch" if not options:
            yield from (Touch(path) for path in paths)
        case "cp" | "mv" if not options and len(paths) == 2 and paths[0] != paths[1]:
            yield Carry(paths[0], paths[1], move=name == "mv")


def after(change: Change, state: State) -> tuple[State | None, bool]:
    """The folder after a change, and whether all of it succeeded; no folder where that is not known."""
    succeeded = True
    for act in change.acts:
        drawing = Drawing(state)
        try:
            steps = list(_steps(act, state))
        except _Fails:
            succeeded = False
            continue
        except _NotKnown:
            return None, False
        for path, option, value in steps:
            drawing.apply(option, path, value, None)
        made = drawing.finish()
        if made is None:
            return None, False
        state = made
    return state, succeeded


class _Fails(Exception):
    """The system refuses, and nothing changes."""


class _NotKnown(Exception):
    """What comes of it is beyond what is said here."""


Step = tuple[str, Option, str | None]


def _steps(act: Act, state: State) -> Iterator[Step]:
    match act:
        case Put(path, term, append):
            _require_place(path, state)
            said = str(evaluate(term, {}, StateView(state)))
            old = state.get(path)
            if isinstance(old, Folder):
                raise _Fails
            yield path, Write(term), (old.text if append and isinstance(old, File) else "") + said
        case Touch(path):
            _require_place(path, state)
            if path not in state:
                yield path, Write(Const("", TEXT)), ""
        case Make(path, parents):
            yield from _making(path, state, parents=parents)
        case Remove(path, recursive, force):
            if path not in state and force and _above_is_folder(path, state):
                return
            if path not in state or (isinstance(state[path], Folder) and not recursive):
                if path not in state and force:
                    raise _NotKnown
                raise _Fails
            yield path, ABSENT, None
        case Carry(source, path, move):
            yield from _carried(source, path, state, move=move)


def _making(path: str, state: State, *, parents: bool) -> Iterator[Step]:
    if not parents:
        if path in state:
            raise _Fails
        _require_place(path, state)
        yield path, MAKE_FOLDER, None
        return
    parts = path.split("/")
    for place in range(1, len(parts) + 1):
        above = "/".join(parts[:place])
        if isinstance(state.get(above), File):
            raise _NotKnown  # those above it are there all the same
        if above not in state:
            yield above, MAKE_FOLDER, None


def _carried(source: str, path: str, state: State, *, move: bool) -> Iterator[Step]:
    there = state.get(source)
    if there is None:
        raise _Fails
    if not isinstance(there, File):
        raise _NotKnown
    target = f"{path}/{source.rsplit('/', 1)[-1]}" if isinstance(state.get(path), Folder) or path == "." else path
    if target == source or isinstance(state.get(target), Folder):
        raise _Fails
    _require_place(target, state)
    yield target, Write(Call("text", (Const(source, PATH),))), there.text
    if move:
        yield source, ABSENT, None


def _require_place(path: str, state: State) -> None:
    if not _above_is_folder(path, state):
        raise _Fails


def _above_is_folder(path: str, state: State) -> bool:
    above = path.rpartition("/")[0]
    return not above or isinstance(state.get(above), Folder)
