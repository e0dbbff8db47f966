"""Near shapes: a request that is another wording of one that is remembered.

Its pieces are laid beside those of the remembered shape, in order: slots beside slots of the same type that hold what
stands in the same way to the folder, words beside the same word. What differs must be on the list of what is harmless
(`wording`, or a word that was learned to say the same in requests of this kind); nothing may be left over on either
side. Where two remembered requests are as near and mean different things, none is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dabhand.errors import DabhandError
from dabhand.goals.goal import Goal
from dabhand.goals.memory import Known, Pattern, Remembered, Said, goal_in
from dabhand.goals.pattern import NUMBER, SLOT
from dabhand.goals.shape import Shape, ranks
from dabhand.goals.synonyms import Synonyms
from dabhand.goals.wording import FUNCTION_WORDS, core, slipped, spelled_alike
from dabhand.language import FolderView

MAX_COST = 3
"""How much two wordings may differ: a slip costs 2, anything else 1."""

_SLOT = re.compile(r"<([wpqtn])([^~=>]*)(~[a-z0-9~]+)?(=[a-z]+)?>\Z")
_NOUNS = {"file": "=file", "document": "=file", "folder": "=folder", "directory": "=folder"}


class Piece(msgspec.Struct, frozen=True):
    """One place of a wording.

    Attributes:
        word: in small letters; "" for a value.
        type: of a value: how it is written, how many parts it has, what is at its name; "" for a word.
        slots: numbers of the slots that it is made of.
        free: a bare word that the grammar does not know, which is a value or belongs to the wording.
    """

    word: str = ""
    type: str = ""
    slots: tuple[int, ...] = ()
    free: bool = False


def pieces_of(key: str, words: Mapping[int, str], wording: Mapping[int, str]) -> tuple[Piece, ...]:
    """The pieces of a shape.

    Args:
        key: the shape as text.
        words: bare words by slot, which are free to be values or wording.
        wording: bare words by slot that belong to the wording.
    """
    return tuple(_piece(text, words, wording) for text in key.partition(" |")[0].split(" "))


def _piece(text: str, words: Mapping[int, str], wording: Mapping[int, str]) -> Piece:
    match = _SLOT.match(text)
    if match is None:
        return Piece(word=text)
    parts = match[2].split("/")
    slots = tuple(int(part) for part in parts if part.isdecimal())
    kind = f"{match[1]}{'/'.join('#' if part.isdecimal() else part for part in parts)}{match[3] or ''}{match[4] or ''}"
    if match[1] == "w" and slots[0] in wording:
        return Piece(word=wording[slots[0]], slots=slots)
    word = words.get(slots[0], "") if match[1] == "w" and match[4] is None else ""
    return Piece(word, kind, slots, bool(word))


class Near(msgspec.Struct, frozen=True):
    """A remembered request of which another is a rewording.

    Attributes:
        pattern: of what it says, over the slots of the rewording.
        wording: bare words of the rewording that belong to its wording.
    """

    base: Remembered
    goal: Goal
    pattern: Pattern
    wording: dict[int, str]
    cost: int


def near(shape: Shape, folder: FolderView, known: Known) -> Near | None:
    """What a request says, if it is surely another wording of a remembered one."""
    pieces = pieces_of(shape.key, shape.plain_words, {})
    synonyms = Synonyms(known)
    found: list[Near] = []
    for base in known.with_slots_of(shape.key):
        laid = _Laid(pieces, pieces_of(base.key, {}, base.wording), synonyms, base).best()
        if laid is None or (mapping := _mapping(laid, shape, base)) is None:
            continue
        pattern = _renumbered(base.pattern, mapping)
        try:
            goal = goal_in(pattern, shape, folder)
        except DabhandError:
            return None  # the nearest request is refused or doubtful here: nothing to be sure of
        if goal is not None:
            found.append(Near(base, goal, pattern, _wording(laid), laid.cost))
    if not found or len({frozenset(one.goal.conditions) for one in found}) > 1:
        return None
    return min(found, key=lambda one: (one.cost, one.base.name))


class _Laying(msgspec.Struct, frozen=True):
    """Two wordings side by side: pairs of pieces, None where one has nothing."""

    cost: int
    pairs: tuple[tuple[Piece | None, Piece | None], ...]


class _Laid:
    """The cheapest way to lay one wording beside another, if there is any."""

    def __init__(self, mine: Sequence[Piece], theirs: Sequence[Piece], synonyms: Synonyms, base: Remembered) -> None:
        self._mine = mine
        self._theirs = theirs
        self._synonyms = synonyms
        self._base = base
        self._memo: dict[tuple[int, int], _Laying | None] = {}

    def best(self) -> _Laying | None:
        """The cheapest, not dearer than allowed."""
        if [one.type for one in self._mine if not one.free and one.type] != [
            one.type for one in self._theirs if one.type not in ("", "w#")
        ]:
            return None
        self._ends = core([one.word for one in self._mine])
        their_start, self._their_end = core([one.word for one in self._theirs])
        if self._ends == (0, 0) or their_start == self._their_end:
            return None
        courtesy = [(one, None) for at, one in enumerate(self._mine) if not self._ends[0] <= at < self._ends[1]]
        theirs = [(None, one) for at, one in enumerate(self._theirs) if not their_start <= at < self._their_end]
        laid = self._from(self._ends[0], their_start)
        if laid is None or laid.cost > MAX_COST:
            return None
        return _Laying(laid.cost, (*courtesy, *theirs, *laid.pairs))

    def _from(self, mine: int, theirs: int) -> _Laying | None:
        key = (mine, theirs)
        if key not in self._memo:
            ways = [way for way in self._ways(mine, theirs) if way is not None and way.cost <= MAX_COST]
            self._memo[key] = min(ways, key=lambda way: way.cost, default=None)
        return self._memo[key]

    def _ways(self, at: int, their_at: int) -> Iterator[_Laying | None]:
        mine = self._mine[at] if at < self._ends[1] else None
        theirs = self._theirs[their_at] if their_at < self._their_end else None
        if mine is None and theirs is None:
            yield _Laying(0, ())
        if mine is not None and theirs is not None and (cost := self._cost(mine, theirs)) is not None:
            yield _after((mine, theirs), cost, self._from(at + 1, their_at + 1))
        if mine is not None and _may_be_left_out(self._mine, at, self._ends[1]):
            yield _after((mine, None), 1, self._from(at + 1, their_at))
        if theirs is not None and _may_be_left_out(self._theirs, their_at, self._their_end):
            yield _after((None, theirs), 1, self._from(at, their_at + 1))

    def _cost(self, mine: Piece, theirs: Piece) -> int | None:
        """What it costs to take one piece for another; None when it cannot be."""
        if theirs.type:
            return 0 if mine.type == theirs.type else None
        if mine.type and not mine.free:
            return None
        if mine.word == theirs.word:
            return 0
        if mine.word in FUNCTION_WORDS or theirs.word in FUNCTION_WORDS:
            return None
        if spelled_alike(mine.word, theirs.word) or self._synonyms.same(mine.word, theirs.word, self._base):
            return 1
        return 2 if mine.free and slipped(mine.word, theirs.word) else None


def _after(pair: tuple[Piece | None, Piece | None], cost: int, rest: _Laying | None) -> _Laying | None:
    return None if rest is None else _Laying(rest.cost + cost, (pair, *rest.pairs))


def _may_be_left_out(pieces: Sequence[Piece], at: int, end: int) -> bool:
    """Whether a word says nothing where it stands: an article, or what is to be seen of a name anyway."""
    word, after = pieces[at].word, pieces[at + 1] if at + 1 < end else None
    if after is None or pieces[at].type:
        return False
    names = after.type.startswith(("p", "t"))
    if word == "the":
        return names or (bool(after.word) and not after.free and not after.slots)
    return names and word in _NOUNS and after.type.endswith(_NOUNS[word])


def _wording(laid: _Laying) -> dict[int, str]:
    """The bare words of the request that are no values."""
    return {
        mine.slots[0]: mine.word for mine, theirs in laid.pairs if mine is not None and mine.free and not _held(theirs)
    }


def _held(piece: Piece | None) -> bool:
    return piece is not None and bool(piece.type)


def _mapping(laid: _Laying, shape: Shape, base: Remembered) -> dict[int, int] | None:
    """For each slot of the remembered request the one of this; None where they do not go together one by one."""
    mapping: dict[int, int] = {}
    for mine, theirs in laid.pairs:
        if mine is None or theirs is None or not theirs.type:
            continue
        for slot, other in zip(theirs.slots, mine.slots, strict=True):
            if mapping.setdefault(slot, other) != other:
                return None
    used = set(mapping.values())
    if len(used) != len(mapping) or used & set(_wording(laid)):
        return None
    if used | set(_wording(laid)) != set(range(1, len(shape.values) + 1)):
        return None
    numbers = {slot: shape.numbers[other] for slot, other in mapping.items() if other in shape.numbers}
    return mapping if ranks(numbers) == base.key[len(base.key.partition(" |")[0]) :] else None


def _renumbered(pattern: Pattern, mapping: Mapping[int, int]) -> Pattern:
    if isinstance(pattern, Said):
        return msgspec.structs.replace(pattern, readings=_moved(pattern.readings, mapping))
    return msgspec.structs.replace(
        pattern, goal=_moved(pattern.goal, mapping), facts=_moved(list(map(list, pattern.facts)), mapping)
    )


def _moved(pattern: Any, mapping: Mapping[int, int]) -> Any:
    match pattern:
        case {"slot": [*parts]} if len(pattern) == 1:
            return {SLOT: [part if isinstance(part, str) else mapping[part] for part in parts]}
        case {"number": int(slot)} if len(pattern) == 1:
            return {NUMBER: mapping[slot]}
        case dict():
            return {key: _moved(inner, mapping) for key, inner in pattern.items()}
        case list():
            return [_moved(inner, mapping) for inner in pattern]
    return pattern
