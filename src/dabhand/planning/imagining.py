"""Imagining what a command does, once for every part of a folder that it has to do with."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from dabhand.commands import Template
from dabhand.planning.beliefs import Imagination
from dabhand.workspace import Link, Node, State, parent_of
from dabhand.world import Prediction

Slots = Mapping[str, str | int]
Delta = dict[str, Node | None]


class Memory:
    """Predictions that were made before, kept for one search.

    What becomes of a folder without links depends on nothing but what is at, above and below the paths that fill the
    slots, as long as the command is believed to touch nothing else. So the same prediction holds in every folder that
    is alike there, whatever else was done to it.

    Args:
        world: what is believed.
        local: the commands that touch nothing but what their slots name.
    """

    def __init__(self, world: Imagination, local: Collection[str]) -> None:
        self.world = world
        self.local = local
        self._known: dict[object, tuple[Prediction, Delta]] = {}
        self._linked: dict[State, bool] = {}

    def predict(self, template: Template, slots: Slots, state: State) -> tuple[Prediction, Delta]:
        """The outcome expected, and what it changes."""
        key = self._key(template, slots, state)
        found = self._known.get(key)
        if found is None:
            prediction = self.world.predict(template.text, slots, state)
            expected = state if prediction.state is None else prediction.state  # which may be an empty folder
            found = prediction, delta(state, expected)
            self._known[key] = found
            return found
        prediction, changes = found
        after = applied(state, changes) if prediction.state is not None else None
        return msgspec.structs.replace(prediction, state=after), changes

    def _key(self, template: Template, slots: Slots, state: State) -> object:
        filling = tuple(slots.items())
        paths = [str(slots[slot.name]) for slot in template.slots if slot.kind == "path"]
        if template.text not in self.local or not all(map(_is_plain, paths)) or self._has_links(state):
            return template.text, filling, state
        return template.text, filling, tuple(_around(path, state) for path in paths)

    def _has_links(self, state: State) -> bool:
        found = self._linked.get(state)
        if found is None:
            found = self._linked[state] = any(isinstance(node, Link) for node in state.values())
        return found


def delta(before: State, after: State) -> Delta:
    """What is different in a folder, in its order."""
    if before is after:
        return {}
    found: Delta = {path: node for path, node in after.items() if before.get(path) != node}
    found.update((path, None) for path in before if path not in after)
    return found


def applied(state: State, changes: Delta) -> State:
    """A folder with changes that were found elsewhere."""
    nodes = dict(state.items())
    for path, node in changes.items():
        if node is None:
            nodes.pop(path, None)
        else:
            nodes[path] = node
    return State.trusted({path: nodes[path] for path in sorted(nodes)})


def _is_plain(path: str) -> bool:
    return all(part not in ("", ".", "..") for part in path.split("/"))


def _around(path: str, state: State) -> object:
    """What is at, above and below a path."""
    found: list[tuple[str, Node | None]] = [(path, state.get(path))]
    found += [(lower, state[lower]) for lower in state.below(path)]
    above = parent_of(path)
    while above:
        found.append((above, state.get(above)))
        above = parent_of(above)
    return tuple(found)
