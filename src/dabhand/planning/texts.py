"""Texts as planning compares them: one text for the folder as it is, and one for each variant of it.

Two texts that are alike in one folder may be so by accident; two that are alike in all of them mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from dabhand.errors import LanguageError
from dabhand.language import FAILED, Const, Kind, Term, Value, evaluate
from dabhand.language.terms import size, subterms
from dabhand.planning.target import Target
from dabhand.workspace import File
from dabhand.world.reading import Reader

Texts = tuple[str, ...]
"""The same thing's text in each folder."""


class Landmark(msgspec.Struct, frozen=True):
    """A text that comes up while a text of the goal is worked out.

    Attributes:
        term: what it is the value of, said as shortly as can be.
        share: how far along it is, from 0 to 1.
    """

    term: Term
    share: float


def texts_at(path: str, folders: Sequence[Target]) -> Texts | None:
    """What a file holds before anything is done; None where it is none."""
    nodes = [folder.before.get(path) for folder in folders]
    return tuple(node.text for node in nodes if isinstance(node, File)) if all_files(nodes) else None


def texts_wanted(path: str, folders: Sequence[Target]) -> Texts | None:
    """What a file is to hold in the end."""
    nodes = [folder.wanted.get(path) for folder in folders]
    return tuple(node.text for node in nodes if isinstance(node, File)) if all_files(nodes) else None


def all_files(nodes: Sequence[object]) -> bool:
    """Whether they are files, all of them."""
    return all(isinstance(node, File) for node in nodes)


def landmarks(folders: Sequence[Target]) -> dict[Texts, Landmark]:
    """The texts that come up while the goal's texts are worked out, by what they are in each folder."""
    readers = [Reader({}, folder.before) for folder in folders]
    found: dict[Texts, Landmark] = {}
    for term in folders[0].goal.terms:
        whole = size(term)
        for part in subterms(term):
            for texts in forms(part, [reader.value(part) for reader in readers]):
                share = size(part) / whole
                if texts not in found or found[texts].share < share:
                    found[texts] = Landmark(found[texts].term if texts in found else part, share)
    return found


def forms(term: Term, values: Sequence[Value]) -> Iterator[Texts]:
    """How a value may stand in a file."""
    if any(value is FAILED for value in values):
        return
    if term.kind is Kind.TEXT:
        texts = tuple(str(value) for value in values)
        yield texts
        if isinstance(term, Const) or getattr(term, "name", "") == "then":
            yield from _beginnings(texts)
    elif term.kind is Kind.LINES:
        yield tuple("".join(line + "\n" for line in value) for value in values)
        yield tuple("".join(value) for value in values)
    elif term.kind is Kind.NUMBER and not isinstance(term, Const):
        yield tuple(f"{value}\n" for value in values)


def _beginnings(texts: Texts) -> Iterator[Texts]:
    """Texts that lack the last lines that all of them share, as they are before those are appended."""
    for _ in range(MAX_SHARED):
        heads = [text[:-1].rpartition("\n") if text.endswith("\n") else ("", "", "") for text in texts]
        if len({tail for _, _, tail in heads}) != 1 or not all(newline for _, newline, _ in heads):
            return
        texts = tuple(head + "\n" for head, _, _ in heads)
        yield texts


MAX_SHARED = 6
"""Lines written one by one, at most."""


class _Given:
    """A folder that holds nothing but the texts of some slots."""

    __slots__ = ("held",)

    def __init__(self, held: Mapping[str, str]) -> None:
        self.held = held

    def text(self, path: str) -> str:
        return self.held.get(path, "")

    def names(self, path: str) -> None:
        return None

    def kind(self, path: str) -> str:
        return "file" if path in self.held else "missing"


def value_of(term: Term, slots: Mapping[str, Value], held: Mapping[str, str]) -> str | None:
    """A term's text when each slot's file holds what is given; None where it has none."""
    try:
        return str(evaluate(term, slots, _Given(held)))
    except LanguageError:
        return None
