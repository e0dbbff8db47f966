"""Reading an imagined folder: the view through which terms see a state, and a memory of the values they gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dabhand.commands import Slot
from dabhand.language import FAILED, Call, EvalError, Kind, Term, Value, Var
from dabhand.workspace import File, Folder, State, resolve
from dabhand.world.places import Filling

KIND_OF = {"path": Kind.PATH, "word": Kind.WORD, "number": Kind.NUMBER}
MAX_VALUE = 4_000_000
"""Characters of text above which a value counts as none; commands on small files never come near."""


def variables(slots: Sequence[Slot]) -> tuple[Var, ...]:
    """The slots as variables of the language."""
    return tuple(Var(slot.name, KIND_OF[slot.kind]) for slot in slots)


def values_of(slots: Sequence[Slot], filling: Filling) -> dict[str, Value]:
    """The filling as values of the language: a path as the command is given it."""
    return {slot.name: _as_given(filling[slot.name], slot.kind) for slot in slots}


def _as_given(value: str | int, kind: str) -> Value:
    if kind == "number":
        return int(value)
    text = str(value)
    return "./" + text if kind == "path" and text.startswith("-") else text


class StateView:
    """A state as terms see it; what is no readable file reads as nothing.

    Args:
        state: the folder.
        emptied: a physical path that reads as an empty file, as a file does that a shell is about to write.
    """

    __slots__ = ("emptied", "state")

    def __init__(self, state: State, emptied: str | None = None) -> None:
        self.state = state
        self.emptied = emptied

    def text(self, path: str) -> str:
        """The text of the file; "" where there is none."""
        found = resolve(self.state, path)
        if not isinstance(found.target, File) or (self.emptied is not None and found.real == self.emptied):
            return ""
        return found.target.text

    def names(self, path: str) -> tuple[str, ...] | None:
        """The names in the folder; None where there is none."""
        found = resolve(self.state, path)
        if found.real is None or not isinstance(found.target, Folder):
            return None
        return self.state.children(found.real)

    def kind(self, path: str) -> str:
        """What the path leads to."""
        target = resolve(self.state, path).target
        return "file" if isinstance(target, File) else "folder" if isinstance(target, Folder) else "missing"


class Reader:
    """Values of terms for one filling in one folder, each shared part computed once."""

    __slots__ = ("_memos", "_slots", "_state")

    def __init__(self, slots: Mapping[str, Value], state: State) -> None:
        self._slots = slots
        self._state = state
        self._memos: dict[str | None, tuple[StateView, dict[int, tuple[Term, Value]]]] = {}

    def value(self, term: Term, emptied: str | None = None) -> Value:
        """The term's value, or FAILED where it has none."""
        found = self._memos.get(emptied)
        if found is None:
            found = self._memos[emptied] = (StateView(self._state, emptied), {})
        return self._value(term, found[0], found[1])

    def _value(self, term: Term, view: StateView, memo: dict[int, tuple[Term, Value]]) -> Value:
        found = memo.get(id(term))  # terms are shared, so identity finds nearly all; the memo keeps them from going
        if found is not None:
            return found[1]
        if isinstance(term, Call):
            value = self._call(term, view, memo)
        else:
            value = self._slots[term.name] if isinstance(term, Var) else term.value
        memo[id(term)] = (term, value)
        return value

    def _call(self, term: Call, view: StateView, memo: dict[int, tuple[Term, Value]]) -> Value:
        given = []
        for arg in term.args:
            value = self._value(arg, view, memo)
            if value is FAILED:
                return FAILED
            given.append(value)
        primitive = term.primitive
        try:
            result = primitive.meaning(view, *given) if primitive.reads_folder else primitive.meaning(*given)
        except EvalError:
            return FAILED
        return FAILED if isinstance(result, str) and len(result) > MAX_VALUE else result
