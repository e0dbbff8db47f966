"""The same for another file: a goal and its request with one path swapped, and what its results are to be called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals import Answers, Condition, Goal, Holds, IsCopy
from dabhand.goals.tokens import Token, tokens_of
from dabhand.language import Call, Const, Kind, Term
from dabhand.workspace import name_of

KindOf = Callable[[str], str]


def sources_of(goal: Goal, created: Iterable[str]) -> tuple[str, ...]:
    """The paths that a goal is about and did not make; of one that only makes something, the paths that it makes."""
    made = set(created)
    spoken = dict.fromkeys((*_read(goal), *goal.paths))
    old = tuple(path for path in spoken if path not in made)
    return old or goal.paths


def swapped(goal: Goal, paths: Mapping[str, str]) -> Goal:
    """The goal with other paths in place of these, and of what lies below them."""
    return Goal(tuple(_swapped_condition(one, paths) for one in goal.conditions))


def new_name(output: str, old: str, new: str) -> str | None:
    """What a result is called for another source, where that can be told from what it was called for the old one.

    `piano-sorted.txt` of `piano.txt` is `notes-sorted.txt` of `notes.txt`; of `uniq.txt` it cannot be told.
    """
    folder, slash, last = output.rpartition("/")
    if name_of(old) in last:
        return folder + slash + last.replace(name_of(old), name_of(new), 1)
    old_stem, old_end = _split(name_of(old))
    new_stem, new_end = _split(name_of(new))
    if not old_stem or old_stem not in last:
        return None
    stem, end = _split(last)
    if end == old_end:
        end = new_end
    renamed = stem.replace(old_stem, new_stem, 1) + end if old_stem in stem else last.replace(old_stem, new_stem, 1)
    return folder + slash + renamed


def suggestion(output: str, new: str) -> str:
    """A name that might do where none can be told."""
    folder, slash, last = output.rpartition("/")
    return f"{folder}{slash}{_split(name_of(new))[0]}-{last}"


def reworded(request: str, paths: Mapping[str, str]) -> str | None:
    """The request with other names in place of these paths; None when one of them is not written out in it.

    A path that is only implied (a copy's, inside the folder that is named) is implied in the new request as well.
    """
    try:
        tokens = tokens_of(request)
    except NotUnderstood:
        return None
    pieces, at, found = [], 0, set()
    for token in tokens:
        path = next((path for path in paths if token.kind != "mark" and _is_named(path, token.text)), None)
        if path is None:
            continue
        found.add(path)
        name = paths[path] if token.text.count("/") == path.count("/") else name_of(paths[path])
        written = _written(name, token)
        if written is None:
            return None
        pieces += [request[at : token.start], written]
        at = token.end
    first = next(iter(paths), None)
    return "".join(pieces) + request[at:] if first in found else None


def _read(goal: Goal) -> tuple[str, ...]:
    """The paths that a goal's terms read, and those that it copies."""
    found: dict[str, None] = {}
    for one in goal.conditions:
        if isinstance(one, IsCopy):
            found[one.source] = None
        elif isinstance(one, Holds | Answers):
            found.update(dict.fromkeys(_paths_in(one.content)))
    return tuple(found)


def _paths_in(term: Term) -> tuple[str, ...]:
    match term:
        case Const(value=str(path), kind=Kind.PATH):
            return (path,)
        case Call(args=args):
            return tuple(path for arg in args for path in _paths_in(arg))
    return ()


def _swapped_condition(condition: Condition, paths: Mapping[str, str]) -> Condition:
    changes: dict[str, object] = {}
    if condition.path is not None:
        changes["path"] = _swapped_path(condition.path, paths)
    if isinstance(condition, IsCopy):
        changes["source"] = _swapped_path(condition.source, paths)
    if isinstance(condition, Holds | Answers):
        changes["content"] = _swapped_term(condition.content, paths)
    return msgspec.structs.replace(condition, **changes)


def _swapped_term(term: Term, paths: Mapping[str, str]) -> Term:
    match term:
        case Const(value=str(path), kind=Kind.PATH):
            return Const(_swapped_path(path, paths), Kind.PATH)
        case Call(name=name, args=args):
            return Call(name, tuple(_swapped_term(arg, paths) for arg in args))
    return term


def _swapped_path(path: str, paths: Mapping[str, str]) -> str:
    for old, new in paths.items():
        if path == old or path.startswith(old + "/"):
            return new + path[len(old) :]
    return path


def _split(name: str) -> tuple[str, str]:
    """Stem and ending: `piano`, `.txt`."""
    stem, dot, end = name.rpartition(".")
    return (stem, dot + end) if stem else (name, "")


def _is_named(path: str, text: str) -> bool:
    plain = "/".join(part for part in text.split("/") if part not in ("", "."))
    return plain == path or ("/" not in plain and name_of(path) == plain)


def _written(name: str, like: Token) -> str | None:
    """A name as it can stand in a request in place of a token."""
    if like.kind != "quoted":
        try:
            alone: Sequence[Token] = tokens_of(name)
        except NotUnderstood:
            alone = ()
        if len(alone) == 1 and alone[0].kind == "path" and alone[0].text == name:
            return name
    return None if '"' in name or "{{" in name else f'"{name}"'
