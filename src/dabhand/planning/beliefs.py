"""What commands are believed to bring about, sorted by the end that they are a means to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from dabhand.commands import Template
from dabhand.language import PRIMITIVES, Call, Kind, Term, Var
from dabhand.language.terms import subterms, variables
from dabhand.workspace import State, name_of, parent_of
from dabhand.world import Prediction
from dabhand.world.effects import Absent, CopyTree, MakeFolder, No, Option, Print, Write, Yes
from dabhand.world.places import At, Beside, Fixed, Inside, Place


class Imagination(Protocol):
    """What planning needs of a world model."""

    def predict(self, command: str, slots: Mapping[str, str | int], state: State) -> Prediction:
        """The whole outcome expected of a command in a folder."""

    def believed(self, command: str) -> Sequence[tuple[Place | None, Option]]:
        """What it is believed to be able to do, whatever the context."""


class Maker(msgspec.Struct, frozen=True):
    """A command that makes a text out of others.

    Attributes:
        template: the command.
        place: where the text comes to be; None where it is printed.
        term: the text.
        reads: path slots whose files' texts the term reads, other than the place's own.
        own: the place's slot where the term reads what was in it, as appending does; else empty.
        emptied: the place reads as empty, so that no file that is read may be there.
        looks: the term looks at more of the folder than the texts of its slots.
    """

    template: Template
    place: Place | None
    term: Term
    reads: tuple[str, ...]
    own: str
    emptied: bool
    looks: bool


class Means(msgspec.Struct, frozen=True):
    """A command that does something to one place (and, for a copier, from another)."""

    template: Template
    place: Place
    source: str = ""


class Beliefs:
    """Of many commands.

    Attributes:
        makers, printers: of texts that are computed.
        copiers: bring what is at a source, or its text, to a place.
        removers, folder_makers: of a place.
        modes: of those that make a file executable (True) or not.
        local: commands that touch nothing but what their slots name and what is below that.
        complete: something is believed of every command.
    """

    def __init__(self, known: Iterable[tuple[Template, Sequence[tuple[Place | None, Option]]]]) -> None:
        self.makers: list[Maker] = []
        self.printers: list[Maker] = []
        self.copiers: list[Means] = []
        self.removers: list[Means] = []
        self.folder_makers: list[Means] = []
        self.modes: dict[bool, list[Means]] = {True: [], False: []}
        self.local: set[str] = set()
        self.complete = True
        for template, believed in known:
            self.complete = self.complete and bool(believed)
            if believed and all(isinstance(place, At | Inside | None) for place, _ in believed):
                self.local.add(template.text)
            for place, option in believed:
                self._sort(template, place, option)

    def _sort(self, template: Template, place: Place | None, option: Option) -> None:
        match option:
            case Print(term):
                self._make(template, None, term, emptied=False)
            case Write(term, emptied) if place is not None:
                self._make(template, place, term, emptied=emptied)
            case CopyTree(At(source)) if place is not None and _is_copier(template, place, source):
                self.copiers.append(Means(template, place, source))
            case Absent() if place is not None and _is_said_by(template, slots_of(place)):
                self.removers.append(Means(template, place))
            case MakeFolder() if place is not None and _is_said_by(template, slots_of(place)):
                self.folder_makers.append(Means(template, place))
            case Yes() | No() if place is not None and _is_said_by(template, slots_of(place)):
                self.modes[isinstance(option, Yes)].append(Means(template, place))
            case _:
                pass

    def _make(self, template: Template, place: Place | None, term: Term, *, emptied: bool) -> None:
        reads = tuple(slot.name for slot in template.slots if slot.kind == "path" and _reads(term, slot.name))
        used = {variable.name for variable in variables(term)}
        own = place.slot if isinstance(place, At) and place.slot in reads and not emptied else ""
        if not _is_said_by(template, {*used, *slots_of(place)}):
            return
        if place is not None and isinstance(term, Call) and term.name == "text" and reads and not own:
            if _is_copier(template, place, reads[0]):
                self.copiers.append(Means(template, place, reads[0]))
            return
        others = tuple(name for name in reads if name != own and name not in slots_of(place))
        looks = any(
            isinstance(part, Call)
            and part.name != "text"
            and any(isinstance(arg, Var) and arg.kind is Kind.PATH for arg in part.args)
            for part in subterms(term)
        )
        made = Maker(template, place, term, others, own, emptied, looks)
        (self.printers if place is None else self.makers).append(made)


def slots_of(place: Place | None) -> tuple[str, ...]:
    """The slots that say where a place is."""
    match place:
        case At(slot) | Beside(slot, _):
            return (slot,)
        case Inside(slot, named):
            return slot, named
        case _:
            return ()


def leading_to(place: Place, path: str, named: str | None) -> dict[str, str] | None:
    """What fills the slots of a place so that it is a path; None where nothing does.

    Args:
        place: the place.
        path: where it is to be.
        named: the path in the slot whose last name the place has, if that is filled already.
    """
    match place:
        case At(slot):
            return {slot: path}
        case Inside(slot, _) if named is not None and name_of(named) == name_of(path):
            return {slot: parent_of(path) or "."}
        case Beside(slot, ending) if path.endswith(ending) and name_of(path) != ending:
            return {slot: path.removesuffix(ending)}
        case Fixed(fixed) if fixed == path:
            return {}
    return None


def _is_said_by(template: Template, slots: Iterable[str]) -> bool:
    """Whether these are all the slots that there are to fill."""
    return {slot.name for slot in template.slots} == set(slots)


def _is_copier(template: Template, place: Place, source: str) -> bool:
    """Whether source and target say all the slots; a place inside a folder has the last name of the source."""
    if isinstance(place, Inside) and place.named != source:
        return False
    return _is_said_by(template, {*slots_of(place), source})


def _reads(term: Term, slot: str) -> bool:
    return any(
        isinstance(part, Call) and PRIMITIVES["text"] is part.primitive and _is_slot(part.args[0], slot)
        for part in subterms(term)
    )


def _is_slot(term: Term, slot: str) -> bool:
    return isinstance(term, Var) and term.name == slot
