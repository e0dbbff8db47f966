"""The shape of a request: its names, words and numbers swapped out for slots.

Two requests have one shape when the grammar cannot tell them apart, and stand in the same way to their folders: what is
left are words that the grammar attends to, which slots hold the same, how their paths are made up of parts, and what is
at each name now. `Copy docs/a.txt to b.txt` has the shape `copy <p1/2=file> to <p3>`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals.grammar import spoken
from dabhand.goals.looks import look
from dabhand.goals.tokens import Token, tokens_of
from dabhand.goals.vocabulary import is_plain, vocabulary
from dabhand.language import FolderView

_LETTER = {"word": "w", "path": "p", "quoted": "q", "target": "t"}
_FIXED = ("", ".")
"""Parts of a path that stand for themselves."""


class Element(msgspec.Struct, frozen=True):
    """One place of a shape.

    Attributes:
        text: how it is written in the shape.
        token: the token of the request that is there.
        slots: numbers of the slots that make it up (several for a path of several parts); empty for a plain word.
    """

    text: str
    token: Token
    slots: tuple[int, ...] = ()


class Shape(msgspec.Struct, frozen=True):
    """A request's shape, and what its slots hold in this request.

    Attributes:
        values: what each slot holds, slot 1 first.
        request, every: the request itself, and all its tokens.
    """

    elements: tuple[Element, ...]
    values: tuple[str, ...]
    request: str
    every: tuple[Token, ...]

    @property
    def key(self) -> str:
        """The shape as text; equal for requests of one shape."""
        return " ".join(element.text for element in self.elements) + ranks(self.numbers)

    @property
    def numbers(self) -> dict[int, int]:
        """What the slots that are numbers come to."""
        found = {}
        for element in self.elements:
            if element.text.startswith("<n") and element.token.number is not None:
                found[element.slots[0]] = element.token.number
        return found

    @property
    def plain_words(self) -> dict[int, str]:
        """The slots that are bare words, which may as well belong to the wording."""
        return {one.slots[0]: one.token.lower for one in self.elements if one.text.startswith("<w")}


def shape_of(request: str, folder: FolderView, targets: Mapping[str, str] | None = None) -> Shape | None:
    """The shape of a request in a folder; None when it has none: it cannot be cut into words, or leads elsewhere."""
    try:
        every = tokens_of(request, targets)
    except NotUnderstood:
        return None
    tokens = spoken(every)
    if not tokens or any(_leads_out(token) for token in tokens):
        return None
    slots: dict[str, int] = {}
    elements = tuple(_element(token, slots, folder) for token in tokens)
    return Shape(elements, tuple(slots), request, every)


def _leads_out(token: Token) -> bool:
    outside = token.text.startswith(("/", "~")) or ".." in token.text.split("/")
    return token.kind != "mark" and (outside or "\0" in token.text)


def _element(token: Token, slots: dict[str, int], folder: FolderView) -> Element:
    if token.kind == "mark":
        return Element(token.lower, token)
    found = folder.kind(token.text.rstrip("/")) if token.text.strip("/") else "folder"
    there = "" if found == "missing" else f"={found}"
    if token.kind == "word" and not is_plain(token):
        if not token.number or not token.text.isdecimal():
            usual = look(token.text) == look(token.lower)
            return Element(f"{token.lower}{'' if usual else '~' + look(token.text)}{there}", token)
        slot = slots.setdefault(token.text, len(slots) + 1)
        return Element(f"<n{slot}{there}>", token, (slot,))
    parts = token.text.split("/")
    numbers = [None if part in _FIXED else slots.setdefault(part, len(slots) + 1) for part in parts]
    written = "/".join(part if number is None else str(number) for part, number in zip(parts, numbers, strict=True))
    return Element(f"<{_LETTER[token.kind]}{written}{_looks(token)}{there}>", token, tuple(filter(None, numbers)))


def _looks(token: Token) -> str:
    """What of a name may be more than a name: an ending (".csv"), a place ("3rd"), a word that is taken for a path."""
    looks = [f"{token.ordinal}"] if token.ordinal is not None else []
    looks += ["word"] if token.kind == "path" and token.text.lower() in vocabulary() else []
    looks += [look(token.text)] if "b" in look(token.text) else []
    return "".join(f"~{each}" for each in looks)


def ranks(numbers: Mapping[int, int]) -> str:
    """Which of several numbers is the greater, as text; empty where there are fewer than two."""
    if len(numbers) < 2:
        return ""
    ordered = sorted(numbers.items(), key=lambda item: (item[1], item[0]))
    text = str(ordered[0][0])
    for (_, before), (slot, value) in itertools.pairwise(ordered):
        text += ("=" if value == before else "<") + str(slot)
    return f" |{text}"


class Noted:
    """A folder as it was when it was first asked, whatever becomes of it."""

    def __init__(self, folder: FolderView) -> None:
        self._folder = folder
        self._texts: dict[str, str | None] = {}
        self._names: dict[str, tuple[str, ...] | None] = {}
        self._kinds: dict[str, str] = {}

    def text(self, path: str) -> str | None:
        """The text of a file."""
        if path not in self._texts:
            self._texts[path] = self._folder.text(path)
        return self._texts[path]

    def names(self, path: str) -> tuple[str, ...] | None:
        """The names in a folder."""
        if path not in self._names:
            self._names[path] = self._folder.names(path)
        return self._names[path]

    def kind(self, path: str) -> str:
        """What is there."""
        if path not in self._kinds:
            self._kinds[path] = self._folder.kind(path)
        return self._kinds[path]


class Watched:
    """A folder that notes what it was asked."""

    def __init__(self, folder: FolderView) -> None:
        self._folder = folder
        self.kinds: set[str] = set()
        self.contents: set[str] = set()

    def text(self, path: str) -> str | None:
        """The text of a file."""
        self.contents.add(path)
        return self._folder.text(path)

    def names(self, path: str) -> tuple[str, ...] | None:
        """The names in a folder."""
        self.contents.add(path)
        return self._folder.names(path)

    def kind(self, path: str) -> str:
        """What is there."""
        self.kinds.add(path)
        return self._folder.kind(path)


class Retold(msgspec.Struct, frozen=True):
    """A request of the same shape with other values, and the folder as it would have to be for it."""

    request: str
    targets: dict[str, str]
    folder: FolderView
    values: tuple[str, ...]


def retold(
    shape: Shape, folder: FolderView, targets: Mapping[str, str] | None, values: Sequence[str], *, loud: bool
) -> Retold:
    """The request with other values in its slots; `loud`: words in the other case, and wider gaps."""
    fresh = dict(zip(shape.values, values, strict=True))
    spoken_at = {element.token.start: element for element in shape.elements}
    told, at = "", 0
    for token in shape.every:
        gap = shape.request[at : token.start]
        told += gap + " " if loud and gap else gap
        told += _told(token, spoken_at.get(token.start), shape.request, fresh, loud)
        at = token.end
    told += shape.request[at:]
    bound = {name: _swapped(path, fresh) for name, path in (targets or {}).items()}
    return Retold(told, bound, _Mirrored(folder, {new: old for old, new in fresh.items()}), tuple(values))


def _told(token: Token, element: Element | None, request: str, fresh: Mapping[str, str], loud: bool) -> str:
    raw = request[token.start : token.end]
    if token.kind == "target":
        return raw
    if element is None or not element.slots:
        return _otherwise(raw) if loud and token.kind == "word" else raw
    return raw.replace(token.text, _swapped(token.text, fresh), 1)


def _otherwise(word: str) -> str:
    """The word in another case, as far as the grammar sees no other word in it."""
    others = (word.swapcase(), word.capitalize(), word.lower(), word[:1].swapcase() + word[1:])
    return next((other for other in others if other != word and look(other) == look(word)), word)


def _swapped(path: str, by: Mapping[str, str]) -> str:
    return "/".join(by.get(part, part) for part in path.split("/"))


class _Mirrored:
    """A folder seen under other names."""

    def __init__(self, folder: FolderView, names: Mapping[str, str]) -> None:
        self._folder = folder
        self._names = names

    def text(self, path: str) -> str | None:
        return self._folder.text(_swapped(path, self._names))

    def names(self, path: str) -> tuple[str, ...] | None:
        return self._folder.names(_swapped(path, self._names))

    def kind(self, path: str) -> str:
        return self._folder.kind(_swapped(path, self._names))


def fresh_values(shape: Shape, turn: int) -> tuple[str, ...]:
    """Values for the slots that occur nowhere else and read alike: names stay names, words stay words."""
    ranks = {value: rank for rank, value in enumerate(sorted(set(shape.numbers.values())))}
    made = []
    for slot, value in enumerate(shape.values, 1):
        if slot in shape.numbers:
            made.append(str(700_001 + 9_000 * turn + 37 * ranks[shape.numbers[slot]]))
        else:
            points = len(value) - len(value.lstrip("."))
            tag = _tag(turn, slot).upper() if value.isupper() else _tag(turn, slot)
            turned = value[:points] + tag + _turned(value[points:], turn)
            stem, point, ending = value[points:].rpartition(".")
            # An ending that the grammar asks about, as ".csv", stays.
            kept = value[:points] + tag + _turned(stem, turn) + point + ending
            made.append(turned if look(turned) == look(value) else kept)
    return tuple(made)


def _tag(turn: int, slot: int) -> str:
    """Letters that no name has: at the front of a value, so that no value is a part of another."""
    high, low = divmod(slot, 26)
    return "zq" + "".join(chr(ord("a") + each % 26) for each in (turn, high, low)) + "qz"


def _turned(text: str, turn: int) -> str:
    """Other letters of the same kind."""
    return "".join(chr((ord(each) - 97 + turn) % 26 + 97) if "a" <= each <= "z" else each for each in text)
