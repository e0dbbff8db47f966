"""A world whose commands do what terms say, and whose beliefs are those terms: planning without practice."""

from __future__ import annotations

from collections.abc import Mapping

from dabhand.commands import parse_template
from dabhand.language import Kind, parse
from dabhand.workspace import FOLDER, File, Folder, Node, State, parent_of
from dabhand.world import Prediction
from dabhand.world.effects import ABSENT, MAKE_FOLDER, CopyTree, Option, Print, Write
from dabhand.world.places import At, Place
from dabhand.world.reading import Reader, values_of

KINDS = {"A": Kind.PATH, "B": Kind.PATH, "C": Kind.PATH, "T": Kind.WORD, "U": Kind.WORD, "N": Kind.NUMBER}

TERMS = {
    "sort {A} > {B}": "unlines(sort(lines(text(A))))",
    "sort -u {A} > {B}": "unlines(sort(distinct(lines(text(A)))))",
    "uniq {A} > {B}": "unlines(unique(lines(text(A))))",
    "tac {A} > {B}": "concat(reverse(records(text(A))))",
    "tr a-z A-Z < {A} > {B}": "upper(text(A))",
    "nl {A} > {B}": "unlines(numbered(lines(text(A))))",
    "head -n {N} {A} > {B}": "concat(first(N, records(text(A))))",
    "tail -n {N} {A} > {B}": "concat(last(N, records(text(A))))",
    "grep {T} {A} > {B}": "unlines(matching(basic(T), lines(text(A))))",
    "wc -l < {A} > {B}": "line(digits(newlines(text(A))))",
    "wc -w < {A} > {B}": "line(digits(count(words(text(A)))))",
    "cat {A} {B} > {C}": "then(text(A), text(B))",
    "cp {A} {B}": "text(A)",
}
LAST = {text: text.count("{A}") and ("C" if "{C}" in text else "B") for text in TERMS}


class World:
    """Each command writes the value of its term; `mkdir`, `rm`, `mv`, `cat` and `echo >>` besides.

    Args:
        without: commands that there are not.
        doubted: commands that are not trusted.
    """

    def __init__(self, *, without: tuple[str, ...] = (), doubted: tuple[str, ...] = ()) -> None:
        self.doubted = doubted
        every: dict[str, list[tuple[Place | None, Option]]] = {
            text: [(At(LAST[text]), Write(parse(term, KINDS), emptied=True))] for text, term in TERMS.items()
        }
        every |= {
            "mkdir {A}": [(At("A"), MAKE_FOLDER)],
            "rm -r {A}": [(At("A"), ABSENT)],
            "mv {A} {B}": [(At("A"), ABSENT), (At("B"), CopyTree(At("A")))],
            "cp -r {A} {B}": [(At("B"), CopyTree(At("A")))],
            "cat {A}": [(None, Print(parse("text(A)", KINDS)))],
            "echo {T} > {A}": [(At("A"), Write(parse("line(T)", KINDS)))],
            "echo {T} >> {A}": [(At("A"), Write(parse("then(text(A), line(T))", KINDS)))],
        }
        self.effects = {text: tuple(many) for text, many in every.items() if text not in without}
        self.templates = {text: parse_template(text) for text in self.effects}

    def believed(self, command: str) -> tuple[tuple[Place | None, Option], ...]:
        return self.effects[command]

    def predict(self, command: str, slots: Mapping[str, str | int], state: State) -> Prediction:
        changes: dict[str, Node | None] = {}
        printed = ""
        reader = Reader(values_of(self.templates[command].slots, slots), state)
        if any(not isinstance(state.get(path), File) for path in _read(command, slots, state)):
            return Prediction(known=True, trusted=True, confidence=0.9, ok=False, state=state)
        for place, option in self.effects[command]:
            path = str(slots[place.slot]) if isinstance(place, At) else ""
            match option:
                case Write(term, emptied):
                    text = str(reader.value(term, path if emptied else None)).encode()
                    changes[path] = File(text, isinstance(old := state.get(path), File) and old.executable)
                case Print(term):
                    printed = str(reader.value(term))
                case CopyTree(source):
                    changes |= _tree(state, str(slots[getattr(source, "slot", "")]), path)
                case _:
                    changes[path] = FOLDER if option == MAKE_FOLDER else None
        if not all(_stands(state, path, node, changes) for path, node in changes.items()):
            return Prediction(known=True, trusted=True, confidence=0.9, ok=False, state=state)
        after = state.with_changes(changes)
        trusted = command not in self.doubted
        return Prediction(
            known=True, trusted=trusted, confidence=0.9, ok=True, state=after, stdout=printed,
            reason="" if trusted else "never tried here",
        )  # fmt: skip


def _read(command: str, slots: Mapping[str, str | int], state: State) -> list[str]:
    """Paths that must be files; what is moved or removed may be anything that is there."""
    if command.startswith(("mkdir", "echo", "rm", "mv", "cp -r")):
        return []
    return [str(value) for slot, value in slots.items() if slot in ("A", "B", "C") and slot != LAST.get(command)]


def _tree(state: State, source: str, path: str) -> dict[str, Node | None]:
    return {path + one[len(source) :]: state[one] for one in (source, *state.below(source)) if one in state} or {
        path: None
    }


def _stands(state: State, path: str, node: Node | None, changes: Mapping[str, Node | None]) -> bool:
    there, above = state.get(path), parent_of(path)
    if node is None:
        return there is not None
    if above and not isinstance(changes.get(above, state.get(above)), Folder):
        return False
    return not isinstance(there, Folder) and (there is None or not isinstance(node, Folder))
