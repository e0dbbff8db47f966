"""Doing the last request again for another file: what it would be, or what has to be asked first."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec

from dabhand.agent.document import DoDocument
from dabhand.agent.intents import Named
from dabhand.agent.moves import Surroundings
from dabhand.agent.same import new_name, reworded, sources_of, suggestion, swapped
from dabhand.goals import Goal


class Redirection(msgspec.Struct, frozen=True, kw_only=True):
    """What the same for another file is, or what is to be known before.

    Attributes:
        request, goal: what to carry out; the goal only where the words alone can be taken in several ways.
        sources: of these paths, one has to be chosen to be replaced.
        old: the path that is replaced.
        result: what the first result is to be called; empty where there is none.
        guessed: that could not be told from what it was called before, so a free name was made up.
        reason, hint: why it cannot be.
    """

    request: str = ""
    goal: Goal | None = None
    sources: tuple[str, ...] = ()
    old: str = ""
    result: str = ""
    guessed: bool = False
    reason: str = ""
    hint: str = ""


_INTO = frozenset("into as call called named name save write writing put output under saved".split())  # noqa: SIM905
_IN_FULL = "Say the whole request with the other name in it."


def sources_and_outputs(names: Sequence[Named], around: Surroundings) -> tuple[list[str], list[str]]:
    """The files that the same is to be done for (the first is always one), and what their results are to be called."""

    def is_output(name: Named) -> bool:
        return name.role in _INTO or (name.role == "to" and around.kind(name.text) == "missing")

    sources = [name.text for at, name in enumerate(names) if not at or not is_output(name)]
    return sources, [name.text for at, name in enumerate(names) if at and is_output(name)]


def redirection(
    document: DoDocument, new: str, output: str | None, around: Surroundings, old: str | None = None
) -> Redirection:
    """The last request for another file.

    Args:
        document: of the last request; it has a goal.
        new: the other file.
        output: what the result is to be called, if that was said.
        around: the folder.
        old: the path that is replaced, if that was said.
    """
    goal = Goal.from_json(document.goal)
    created = [change.path for change in document.changes if change.change == "created"]
    sources = sources_of(goal, created or [path for path in goal.paths if around.kind(path) == "missing"])
    makes_only = set(sources) <= set(created)
    if not makes_only and around.kind(new) == "missing":
        return Redirection(reason=f"Nothing here is called {new!r}.", hint="I did nothing.")
    if old is None:
        alike = [path for path in sources if path != new and (makes_only or _kind_of(path, around) == around.kind(new))]
        if len(alike) > 1:
            return Redirection(sources=tuple(alike))
        if not alike:
            return Redirection(reason=f"I cannot tell in whose place {new!r} should be.", hint=_IN_FULL)
        (old,) = alike
    return _named(goal, document, old, new, output, [path for path in goal.paths if path not in sources], around)


def _named(
    goal: Goal, document: DoDocument, old: str, new: str, output: str | None, outputs: list[str], around: Surroundings
) -> Redirection:
    """The same with its results named."""
    paths, result, guessed = {old: new}, "", False
    for at, path in enumerate(outputs):
        if any(path.startswith(above + "/") for above in outputs if above in paths):
            continue  # what lies in a folder that is renamed is renamed with it
        name = output if output is not None and at == 0 else new_name(path, old, new)
        if name is None or (name != output and around.kind(name) != "missing") or name == new:
            name = _free(suggestion(path, new), around)
            guessed = guessed or not result
        result = result or name
        paths[path] = name
    found = _checked(goal, document, paths, around)
    return msgspec.structs.replace(found, result=result, guessed=guessed)


def _free(name: str, around: Surroundings) -> str:
    """The name, or one like it that is not taken."""
    for number in itertools.count(2):
        if around.kind(name) == "missing":
            break
        stem, dot, end = name.rpartition(".")
        name = f"{stem.removesuffix(f'-{number - 1}')}-{number}{dot}{end}" if stem else f"{end}-{number}"
    return name


def _checked(goal: Goal, document: DoDocument, paths: dict[str, str], around: Surroundings) -> Redirection:
    """The new request, if what it says in words is what the goal comes to with the names swapped."""
    expected = swapped(goal, paths)
    request = reworded(document.request, paths)
    if request is None:
        return Redirection(reason="I cannot put another name into that request.", hint=_IN_FULL)
    found = around.understand(request)
    if not found.goals:
        return Redirection(reason=f"For that file it cannot be done: {found.reason}", hint=found.hint)
    for one in found.goals:
        if set(one.conditions) == set(expected.conditions):
            only = one if len(found.goals) > 1 else None
            return Redirection(request=request, goal=only, old=next(iter(paths)))
    return Redirection(reason="For that file the same words come to something else.", hint=_IN_FULL)


def _kind_of(path: str, around: Surroundings) -> str:
    """What a path is, or was: what is gone by now was a file."""
    kind = around.kind(path)
    return "file" if kind == "missing" else kind
