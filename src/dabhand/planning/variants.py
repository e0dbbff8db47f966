"""Telling a plan that does what was asked from one that only happens to come out right in this folder."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

from dabhand.errors import DabhandError
from dabhand.goals import IsCopy
from dabhand.planning.target import Target
from dabhand.workspace import FOLDER, File, Node, State, encode_text
from dabhand.world import Prediction

LONG = 16 << 10
"""Bytes of a file that is long to imagine things about."""

Predict = Callable[[str, Mapping[str, str | int], State], Prediction]


def variants(target: Target, sources: tuple[str, ...]) -> tuple[Target, ...]:
    """The same goal in folders whose source files hold something else."""
    found = []
    for change in (_longer, _mixed, _shorter):
        changed = {
            path: File(encode_text(change(node.text)), node.executable)
            for path in sources
            if isinstance(node := target.before.get(path), File)
        }
        if changed:
            try:
                found.append(Target(target.goal, target.before.with_changes(changed)))
            except DabhandError:
                continue  # the goal has no meaning there, so that folder tells nothing
    if any(isinstance(one, IsCopy) for one in target.goal.conditions):
        found.append(Target(target.goal, target.before.with_changes(_other_modes(target.before, sources))))
    return tuple(found)


def shortened(target: Target, sources: tuple[str, ...], lines: int = 60) -> Target | None:
    """The same goal in a folder whose long source files hold only their first lines; None when none is long."""
    cut = {
        path: File(b"".join(node.data.splitlines(keepends=True)[:lines])[:LONG], node.executable)
        for path in sources
        if isinstance(node := target.before.get(path), File) and len(node.data) > LONG
    }
    if not cut:
        return None
    try:
        return Target(target.goal, target.before.with_changes(cut))
    except DabhandError:
        return None  # the goal has no meaning there


def surroundings(before: State) -> tuple[State, ...]:
    """The same folder beside which, or in which, other things lie that have nothing to do with it."""
    taken = {*before}
    name = next(name for name in map("other-{}".format, itertools.count(1)) if not {name, f"{name}.txt"} & taken)
    file = File(b"one\ntwo\n")
    return (
        before.with_changes({name: file}),
        before.with_changes({name: FOLDER}),
        before.with_changes({name: FOLDER, f"{name}/inside": file}),
        before.with_changes({name: FOLDER, f"{name}/deep": FOLDER, f"{name}/deep/run": File(b"", executable=True)}),
        before.with_changes({name: File(b""), f"{name}.txt": file}),
    )


def generality(
    steps: tuple[tuple[str, Mapping[str, str | int]], ...], folders: tuple[Target, ...], predict: Predict
) -> int:
    """In how many of these folders the same steps are expected to reach the goal too."""
    return sum(_reaches(steps, target, predict) for target in folders)


def _reaches(steps: tuple[tuple[str, Mapping[str, str | int]], ...], target: Target, predict: Predict) -> bool:
    state, answered = target.before, target.answer is None
    for command, slots in steps:
        expected = predict(command, slots, state)
        if not expected.known or expected.state is None:
            return False
        state = expected.state
        answered = answered or target.answers(expected.stdout)
    return answered and not target.wrong(state)


def _other_modes(before: State, sources: tuple[str, ...]) -> dict[str, Node | None]:
    """Sources that are executable where they are not, and the other way round: an entry is more than its text."""
    return {
        path: File(node.data, not node.executable)
        for source in sources
        for path in (source, *before.below(source))
        if isinstance(node := before.get(path), File)
    }


def _longer(text: str) -> str:
    lines = text.splitlines()
    return "".join(line + "\n" for line in [*reversed(lines), "kiwi 12", *lines[:1], "Apple pie", "10", *lines, "9"])


def _mixed(text: str) -> str:
    lines = text.splitlines()
    turned = lines[1:] + lines[:1]
    return "".join(
        line + "\n" for line in ["Zebra", "Zebra", "2 b", *turned, "fig", "fig", *(line + "s" for line in turned)]
    )


def _shorter(text: str) -> str:
    return "".join(line + "\n" for line in ["banana", *text.splitlines()[-1:], "apple", "banana"])
