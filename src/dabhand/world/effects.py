"""Effects: what can become of a place, what can be printed, and how a folder looks after it.

These options are the same for every command. Which of them holds for which command, and in which context, is learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from dabhand.language import Const, Term, Value, show
from dabhand.workspace import FOLDER, File, Folder, Link, Node, State, encode_text
from dabhand.world.places import Place, spoken
from dabhand.world.reading import Reader


class Keep(msgspec.Struct, frozen=True, tag="keep"):
    """The place stays as it is."""


class Absent(msgspec.Struct, frozen=True, tag="absent"):
    """Nothing is there afterwards."""


class MakeFolder(msgspec.Struct, frozen=True, tag="folder"):
    """A folder is there afterwards."""


class CopyTree(msgspec.Struct, frozen=True, tag="tree"):
    """What was at the source, with all below it, is there afterwards.

    Attributes:
        source: the place that is copied.
        merge: what was there before and does not occur in the source stays.
    """

    source: Place
    merge: bool = False


class Write(msgspec.Struct, frozen=True, tag="write"):
    """A file that holds the value of a term.

    Attributes:
        term: the text, over the folder before.
        emptied: the place reads as empty while the term is computed.
    """

    term: Term
    emptied: bool = False


class MakeLink(msgspec.Struct, frozen=True, tag="link"):
    """A symbolic link to the value of a term."""

    term: Term


class Unsaid(msgspec.Struct, frozen=True, tag="unsaid"):
    """It changes in a way that no term says."""


class Yes(msgspec.Struct, frozen=True, tag="yes"):
    """It is so."""


class No(msgspec.Struct, frozen=True, tag="no"):
    """It is not so."""


class SameMode(msgspec.Struct, frozen=True, tag="same_mode"):
    """The executable bit of what was there; a new file has none."""


class ModeOf(msgspec.Struct, frozen=True, tag="mode_of"):
    """The executable bit of the source.

    Attributes:
        source: the place whose bit it is.
        only_new: a file that was there before keeps its own.
    """

    source: Place
    only_new: bool


class Print(msgspec.Struct, frozen=True, tag="print"):
    """The value of a term is printed."""

    term: Term


Option = Keep | Absent | MakeFolder | CopyTree | Write | MakeLink | Unsaid | Yes | No | SameMode | ModeOf | Print
KEEP, ABSENT, MAKE_FOLDER, UNSAID, YES, NO, SAME_MODE = (
    Keep(),
    Absent(),
    MakeFolder(),
    Unsaid(),
    Yes(),
    No(),
    SameMode(),
)


def cost_of(option: Option) -> float:
    """How complicated an option is: the simpler one is believed until evidence tells them apart."""
    match option:
        case Keep() | Yes() | No() | SameMode():
            return 0.0
        case Absent() | MakeFolder():
            return 1.0
        case CopyTree(_, merge):
            return 2.5 + merge * 0.5
        case ModeOf(_, only_new):
            return 1.0 if only_new else 1.5
        case Write(term, emptied):
            return term_cost(term) + emptied * 0.2
        case MakeLink(term) | Print(term):
            return term_cost(term)
        case Unsaid():
            return 30.0


@lru_cache(maxsize=65536)
def term_cost(term: Term) -> float:
    """Size of a term: one for each of its parts."""
    return 1.0 + sum(term_cost(arg) for arg in getattr(term, "args", ()))


def subtree(nodes: Mapping[str, Node], path: str) -> dict[str, Node]:
    """What is at `path` and below it, by paths relative to it ("" is itself)."""
    start = len(path) + 1
    prefix = path + "/"
    found = {key[start:]: node for key, node in nodes.items() if key.startswith(prefix)}
    if path in nodes:
        found[""] = nodes[path]
    return found


def without_mode(tree: dict[str, Node]) -> dict[str, Node]:
    """The tree with the executable bit of its own top left open (another role says it)."""
    top = tree.get("")
    if isinstance(top, File) and top.executable:
        return {**tree, "": File(top.data)}
    return tree


def tree_after(option: CopyTree, state: State, path: str, source: str) -> dict[str, Node]:
    """The tree that the option leaves at `path`."""
    copied = subtree(state, source)
    if not option.merge:
        return copied
    old = subtree(state, path)
    if not isinstance(old.get(""), Folder) or not isinstance(copied.get(""), Folder):
        return copied
    return {**old, **copied}


class Drawing:
    """A folder being changed in imagination.

    Attributes:
        before: the folder.
        nodes: what is in it by now.
        sound: nothing was done that cannot be.
        torn: what takes an entry away and what lays another into it were put together; set by `finish`.
        written: the paths that were changed, each with what is there.
    """

    def __init__(self, state: State) -> None:
        self.before = state
        self.nodes: dict[str, Node] = dict(state.items())
        self.sound = True
        self.torn = False
        self.written: dict[str, Node | None] = {}

    def remove(self, path: str) -> None:
        """Take away what is at the path and below it."""
        self.nodes.pop(path, None)
        prefix = path + "/"
        for key in [key for key in self.nodes if key.startswith(prefix)]:
            del self.nodes[key]
        self.written[path] = None

    def put(self, path: str, tree: Mapping[str, Node]) -> None:
        """Lay a tree at the path in place of what is there."""
        self.remove(path)
        for relative, node in tree.items():
            self.nodes[f"{path}/{relative}" if relative else path] = node
        self.written[path] = tree.get("")

    def set(self, path: str, node: Node) -> None:
        """Lay one entry at the path."""
        old = self.nodes.get(path)
        if isinstance(old, Folder) and not isinstance(node, Folder):
            self.sound = False
        self.nodes[path] = node
        self.written[path] = node

    def apply(self, option: Option, path: str, value: Value | None, source: str | None) -> None:
        """Change the folder as the option says; `value` and `source` are those of its term and its source place."""
        match option:
            case Absent():
                self.remove(path)
            case MakeFolder():
                self.set(path, FOLDER)
            case CopyTree():
                if source is None or source not in self.before:
                    self.sound = False
                else:
                    self.put(path, tree_after(option, self.before, path, source))
            case Write():
                old = self.before.get(path)
                mode = isinstance(old, File) and old.executable
                self.set(path, File(encode_text(str(value)), mode))
            case MakeLink():
                self.set(path, Link(str(value)))
            case Unsaid():
                self.sound = False

    def finish(self) -> State | None:
        """The folder, or None when it is none: something would lie below what is no folder."""
        if not self.sound:
            return None
        for path in self.written:
            parent = path.rpartition("/")[0]
            if path in self.nodes and parent and not isinstance(self.nodes.get(parent), Folder):
                self.torn = isinstance(self.before.get(parent), Folder)
                return None
        return State.trusted({path: self.nodes[path] for path in sorted(self.nodes)})


def value_of(option: Option, reader: Reader, emptied: str | None) -> Value | None:
    """The value of the option's term, the file at `emptied` reading as empty.

    FAILED where the term has no value, None for an option without term.
    """
    match option:
        case Write(term) | MakeLink(term) | Print(term):
            return reader.value(term, emptied)
    return None


def say(option: Option, place: Place | None = None) -> str:
    """The option as a clause, such as "B holds `sort(lines(A))`"."""
    name = spoken(place) if place is not None else "it"
    match option:
        case Keep():
            return f"{name} stays"
        case Absent():
            return f"{name} is gone"
        case MakeFolder():
            return f"{name} is a folder"
        case CopyTree(source, merge):
            return f"{name} is {'merged with ' if merge else ''}a copy of {spoken(source)}"
        case Write(Const(value="")):
            return f"{name} is an empty file"
        case Write(term, emptied):
            return f"{name} holds {show(term)}" + (f" ({name} reading as empty)" if emptied else "")
        case MakeLink(term):
            return f"{name} is a link to {show(term)}"
        case Unsaid():
            return f"{name} changes in a way no term says"
        case SameMode():
            return f"{name} keeps its mode"
        case ModeOf(source, _):
            return f"{name} has the mode of {spoken(source)}"
        case Yes():
            return f"{name} becomes executable"
        case No():
            return f"{name} is not executable"
        case Print(term):
            return f"prints {show(term)}"
