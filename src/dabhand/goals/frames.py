"""The forms in which people say what is to be done: as an order, as doing it, as its being done."""

from __future__ import annotations

import msgspec

from dabhand.goals.acts import Act, Acts, Changed, Expression, FileText, Hold
from dabhand.goals.rules import Build
from dabhand.goals.words import ENGLISH

add = ENGLISH.add


def deed(build: Build, verb: str, what: str, how: str = "", *, elided: object = None) -> None:
    """Declare what may be done to what, and how, in all the forms in which people say it.

    Args:
        build: gets the values of `what`, then those of `how`; returns acts.
        verb: a list of verbs in verbs.toml.
        what: a pattern for what it is done to.
        how: a pattern for what is said besides.
        elided: what stands for `what` where it is left out ("... and renamed to x.txt"); None where that cannot be.
    """
    add("CLAUSE", build, f"{{{verb}}} {what} {how}")
    add("DOING", build, f"{{{verb}_ing}} {what} {how}")
    add("DONE", build, f"{what} {{be}} {{{verb}_ed}} {how}")
    add("DONE_SO", lambda *values: in_place(build(*values)), f"{what} {{should_be}} {{{verb}_ed}} {how}")
    asked = f"(can|could|may|should|shall|must|would) {what} [please] be {{{verb}_ed}} {how}"
    add("DONE_SO", lambda *values: in_place(build(*values)), asked)
    if elided is not None:
        add("DONE_TOO", lambda *values: build(elided, *values), f"{{{verb}_ed}} {how}")


def in_place(acts: Acts) -> Acts:
    """Acts of which the last, when it says no place for its text, is about the file that the text comes from."""
    last = acts[-1]
    if isinstance(last, Hold) and last.fallback is None:
        return (*acts[:-1], msgspec.structs.replace(last, fallback=source_of(last.content)))
    return acts


def source_of(content: Expression) -> str | None:
    """The one file that a text comes from, None when there are several."""
    match content:
        case FileText(path):
            return path
        case Changed(of=of):
            return source_of(of)
        case _:
            return None


def placed(value: Act, folder: str) -> Act:
    """An act with all its paths inside a folder.

    Raises:
        ValueError: never for acts, whose fields are paths, texts, flags and expressions.
    """
    return msgspec.structs.replace(value, **_placed_fields(value, folder))


_PATHS = frozenset({"path", "source", "target", "fallback", "first", "second"})


def _placed_fields(value: Act | Expression, folder: str) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name in value.__struct_fields__:
        old = getattr(value, name)
        if name in _PATHS and isinstance(old, str) and not old.startswith("\0"):
            fields[name] = f"{folder.rstrip('/')}/{old}"
        elif isinstance(old, msgspec.Struct):
            fields[name] = msgspec.structs.replace(old, **_placed_fields(old, folder))  # type: ignore[arg-type]
        elif isinstance(old, tuple) and old and isinstance(old[0], msgspec.Struct):
            fields[name] = tuple(msgspec.structs.replace(one, **_placed_fields(one, folder)) for one in old)
    return fields
