"""The hypothesis space: for each signature of slots, the terms that could say what a command writes or prints.

There are two: terms over the building blocks of plain text, searched first, and terms over everything in the language,
searched only for what the first do not explain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from dabhand.commands import Slot
from dabhand.language import PRIMITIVES, Env, Kind, Pool, Value, Var, enumerate_terms
from dabhand.language.samples import random_number, random_text, random_word, word_from
from dabhand.workspace import FOLDER, File, Node, State, encode_text
from dabhand.world.reading import StateView, variables

PLAIN = [
    "text",
    "lines",
    "records",
    "unlines",
    "concat",
    "line",
    "just",
    "then",
    "name",
    "names",
    "visible",
    "spelled",
    "words",
    "sort",
    "sort_numbers",
    "sort_folded",
    "reverse",
    "unique",
    "distinct",
    "first",
    "last",
    "starting",
    "nonblank",
    "count",
    "newlines",
    "byte_count",
    "char_count",
    "digits",
    "basic",
    "literal",
    "any_case",
    "matching",
    "not_matching",
    "matching_numbered",
    "substitute_all",
    "substitute_first",
    "mirrored",
    "numbered",
    "upper",
    "lower",
    "beside",
    "field",
    "columns",
    "deleted",
    "legible",
    "before_illegible",
]
"""Building blocks about lines, words and letters; the others are about numbers, tables, JSON and programs."""

TELLING = (
    "10",
    "9",
    "-3",
    "2.5",
    "10",
    "b a",
    "a b",
    "B",
    "a",
    "a",
    "",
    "x,y,z",
    "1,2",
    "a\tb\tc",
    "  in",
    "é",
    "Z",
    "ab ab ab",
)
"""Lines on which orders, repetitions, fields and letters differ."""

MAX_COST = 7
MAX_PLAIN = 8000
MAX_WIDE = 12000
PANEL = 11
PANEL_SEED = 11
FILES = ("a.txt", "b", "box/c.md")
NAMES = (".hidden", "other", "B", "a b", "z.txt", "10", "9", "naïve", "c,d")


def plain_pool(slots: Sequence[Slot]) -> Pool:
    """The terms over these slots that the building blocks of plain text make, up to a cost."""
    return _pool(tuple(slots), True)


def wide_pool(slots: Sequence[Slot]) -> Pool:
    """The terms over these slots that all building blocks make, up to a cost."""
    return _pool(tuple(slots), False)


@lru_cache(maxsize=64)
def _pool(slots: tuple[Slot, ...], plain: bool) -> Pool:
    inputs = variables(slots)
    return enumerate_terms(
        inputs,
        panel_for(inputs),
        max_cost=MAX_COST,
        max_terms=MAX_PLAIN if plain else MAX_WIDE,
        kinds=(Kind.TEXT,),
        primitives=[name for name in PLAIN if name in PRIMITIVES] if plain else None,
    )


def panel_for(inputs: Sequence[Var]) -> list[Env]:
    """Situations on which terms that differ on some everyday or awkward file give different values."""
    rng = Random(PANEL_SEED)
    return [_example(inputs, rng, number) for number in range(PANEL)]


def _rich_text(rng: Random) -> str:
    """Lines of many sorts in one text, so that few texts tell many terms apart."""
    lines = [*random_text(rng).split("\n"), *random_text(rng).split("\n"), *rng.choices(TELLING, k=6)]
    rng.shuffle(lines)
    return "\n".join(lines[:14]) + ("\n" if rng.random() < 0.7 else "")


def _example(inputs: Sequence[Var], rng: Random, number: int) -> Env:
    texts = {path: _rich_text(rng) if number % 4 else random_text(rng) for path in FILES}
    paths = [*FILES]
    rng.shuffle(paths)
    first = paths[0]
    if number % 3 == 0:
        texts[first] = (texts[first].rstrip("\n") or "pear\n\nfig\nfig") + ("" if number % 2 else "\nlast")
    if number % 6 == 4:
        texts[rng.choice(FILES)] = ""
    nodes: dict[str, Node] = {path: File(encode_text(text)) for path, text in texts.items()}
    for name in rng.sample(NAMES, 4):
        nodes[f"box/{name}"] = FOLDER if rng.random() < 0.5 else File(b"x\n")
    if number % 5 == 4:
        paths[rng.randrange(len(inputs) if len(inputs) < len(paths) else len(paths))] = (
            "box" if number % 2 else "none/x"
        )
    slots: dict[str, Value] = {}
    for variable in inputs:
        match variable.kind:
            case Kind.PATH:
                slots[variable.name] = paths.pop(0)
            case Kind.WORD:
                slots[variable.name] = word_from(rng, texts[first] or "a") if number % 3 else random_word(rng)
            case _:
                slots[variable.name] = random_number(rng)
    return Env(slots, StateView(State(nodes)))
