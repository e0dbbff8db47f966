"""Beliefs as plain values that can be kept, and back again.

What is kept is a cache: everything here can be learned again from the experiments. It holds no observation itself,
only what the rules need, so that asking a store with thousands of experiments costs reading a few kilobytes.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dabhand.language import Call, Const, Var, parse, show
from dabhand.world.command import CommandModel
from dabhand.world.effects import (
    Absent,
    CopyTree,
    Keep,
    MakeFolder,
    MakeLink,
    ModeOf,
    No,
    Option,
    Print,
    SameMode,
    Unsaid,
    Write,
    Yes,
)  # fmt: skip
from dabhand.world.places import Place
from dabhand.world.reading import variables
from dabhand.world.record import Count
from dabhand.world.roles import NodeRole, PrintRole, Role
from dabhand.world.rules import Leaf, Split, Tree

Plain = Keep | Absent | MakeFolder | CopyTree | Unsaid | Yes | No | SameMode | ModeOf


def to_bytes(model: CommandModel) -> bytes:
    """Everything believed about a command."""
    return msgspec.json.encode(
        {
            "ids": model.ids,
            "places": model.places,
            "undefined": [show(term) for term in model.undefined],
            "beginnings": model.beginnings,
            "vectors": [format(bits, "x") for bits in model.vectors],
            "endings": [format(bits, "x") for bits in model.endings],
            "contexts": [[list(key), format(bits, "x")] for key, bits in model.contexts.items()],
            "marked": [[key, format(bits, "x")] for key, bits in model.marked.items()],
            "standings": [[*key, *counts] for key, counts in model.standings.items()],
            "outcomes": "".join("y" if right else "n" for right in model.outcomes),
            "free": "".join("y" if right else "n" for right in model.free),
            "first": "".join("y" if right else "n" for right in model.first),
            "verdicts": "".join(model.verdicts),
            "repeats": [model.repeats_same, model.repeats_other],
            "successes": model.successes,
            "odd": model.odd,
            "doubt": model.doubt,
            "record": model.record.share(model.template.text),
            "roles": [
                {
                    "options": role.options,
                    "explains": [format(bits, "x") for bits in role.explains],
                    "silent": [format(bits, "x") for bits in role.silent],
                    "alive": _plain_alive(role),
                    "members": format(role.members, "x"),
                    "fitted_at": role.fitted_at,
                    "tree": None if role.tree is None else _plain_tree(role.tree),
                }
                for role in model.roles
            ],
        },
        enc_hook=_encode_term,
    )


def restore(model: CommandModel, data: bytes) -> None:
    """Put what `to_bytes` gave into a fresh model of the same template.

    Raises:
        LanguageError, msgspec.DecodeError, KeyError: the bytes were made by other code.
    """
    kept = msgspec.json.decode(data)
    names = variables(model.template.slots)

    if not len(kept["ids"]) == len(kept["verdicts"]) == len(kept["vectors"]) == len(kept["endings"]):
        raise ValueError("the belief was kept in the middle of learning")
    model.ids = list(kept["ids"])
    model.places = msgspec.convert(kept["places"], list[Place])
    model.undefined = [parse(text, names) for text in kept["undefined"]]
    model.beginnings = [(str(slot), str(start)) for slot, start in kept["beginnings"]]
    model.prepare()
    model.vectors = [int(bits, 16) for bits in kept["vectors"]]
    model.endings = [int(bits, 16) for bits in kept["endings"]]
    model.contexts = {tuple(key): int(bits, 16) for key, bits in kept["contexts"]}
    model.marked = {key: int(bits, 16) for key, bits in kept["marked"]}
    model.note_optional()
    for slot, word, futile, tried, worked in kept["standings"]:
        model.standings[slot, word] = (futile, tried, worked)
        model.kinship.note(model.template, slot, word, futile, tried)
    model.outcomes.extend(mark == "y" for mark in kept["outcomes"])
    model.free.extend(mark == "y" for mark in kept["free"])
    model.first.extend(mark == "y" for mark in kept["first"])
    model.verdicts = list(kept["verdicts"])
    model.repeats_same, model.repeats_other = kept["repeats"]
    model.successes = kept["successes"]
    model.odd = kept["odd"]
    model.doubt = kept["doubt"]
    model.record.take(model.template.text, msgspec.convert(kept["record"], dict[str, Count]))
    for context, bits in model.contexts.items():
        worked = (bits & int(kept["roles"][-1]["explains"][0], 16)).bit_count()
        model.kinship.note_context(model.template, context, True, worked)
        model.kinship.note_context(model.template, context, False, bits.bit_count() - worked)
    for number, bits in enumerate(model.endings):
        model.index(number, bits)
    for bits in model.vectors:
        model.some |= bits
        model.every &= bits
    for role, state in zip(model.roles, kept["roles"], strict=True):
        role.options = [_option(option, names) for option in state["options"]]
        role.explains = [int(bits, 16) for bits in state["explains"]]
        role.silent = [int(bits, 16) for bits in state["silent"]]
        if isinstance(role, NodeRole | PrintRole) and state["alive"] is not None:
            role.alive.audits, terms = state["alive"]
            role.alive.terms = None if terms is None else {parse(term, names) for term in terms}
        role.members = int(state["members"], 16)
        role.fitted_at = state["fitted_at"]
        role.tree = None if state["tree"] is None else _tree(state["tree"])
    model.speak()


def _plain_alive(role: Role) -> tuple[int, list[str] | None] | None:
    if not isinstance(role, NodeRole | PrintRole):
        return None
    terms = role.alive.terms
    return role.alive.audits, None if terms is None else sorted(show(term) for term in terms)


def _encode_term(value: Any) -> str:
    if isinstance(value, Var | Const | Call):
        return show(value)
    raise NotImplementedError(f"{type(value)} is not kept")  # what msgspec asks of a hook for what it cannot encode


def _option(value: Any, names: tuple[Var, ...]) -> Option:
    match value["type"]:
        case "write":
            return Write(parse(value["term"], names), value["emptied"])
        case "print":
            return Print(parse(value["term"], names))
        case "link":
            return MakeLink(parse(value["term"], names))
        case _:
            plain: Option = msgspec.convert(value, Plain)
            return plain


def _plain_tree(tree: Tree) -> list[Any]:
    if isinstance(tree, Split):
        return [tree.feature, list(tree.others), _plain_tree(tree.yes), _plain_tree(tree.no)]
    marks = (tree.members, tree.right, tree.some, tree.every)
    return [tree.option, list(tree.rivals), *(format(bits, "x") for bits in marks)]


def _tree(plain: list[Any]) -> Tree:
    if len(plain) == 4:
        return Split(plain[0], tuple(plain[1]), _tree(plain[2]), _tree(plain[3]))
    return Leaf(plain[0], tuple(plain[1]), *(int(bits, 16) for bits in plain[2:]))
