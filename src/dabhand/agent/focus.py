"""The part of a folder that a goal is about: what is imagined, staged and run on when the whole is large."""

from __future__ import annotations

from dabhand.goals import Goal, IsCopy
from dabhand.workspace import File, Node, State, difference, parent_of

SMALL_ENTRIES = 200
SMALL_BYTES = 1 << 20
"""A folder up to this size is taken as a whole."""


def focused(state: State, goal: Goal) -> State:
    """The folder, or of a large one only what the goal speaks of, with all above and below it."""
    size = sum(len(node.data) for node in state.values() if isinstance(node, File))
    if len(state) <= SMALL_ENTRIES and size <= SMALL_BYTES:
        return state
    spoken = {*goal.paths, *goal.reads}
    spoken |= {one.source for one in goal.conditions if isinstance(one, IsCopy)}
    kept: dict[str, Node] = {}
    for path in spoken:
        for inner in (path, *state.below(path)):
            if inner in state:
                kept[inner] = state[inner]
        above = parent_of(path)
        while above:
            if above in state:
                kept[above] = state[above]
            above = parent_of(above)
    return State(kept)


def restored(whole: State, part: State, final: State) -> State:
    """The whole folder with what became of a part of it."""
    if part is whole:
        return final
    nodes = dict(whole.items())
    for change in difference(part, final):
        if change.after is None:
            nodes.pop(change.path, None)
        else:
            nodes[change.path] = change.after
    return State(nodes)
