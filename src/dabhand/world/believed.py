"""What a command is believed to be able to do, whatever the context: where planning looks for means to an end."""

from __future__ import annotations

from dabhand.world.command import CommandModel
from dabhand.world.effects import Keep, Option, SameMode, Unsaid
from dabhand.world.places import Place
from dabhand.world.roles import NOTHING, ModeRole, NodeRole, PrintRole
from dabhand.world.rules import leaves

BelievedEffect = tuple[Place | None, Option]
"""What can become of a place; of None, what can be printed."""


def believed_of(model: CommandModel) -> tuple[BelievedEffect, ...]:
    """All that its rules end in, each once, what was seen most often first; what stays as it is left out."""
    support: dict[BelievedEffect, int] = {}
    for role in model.roles:
        if role.tree is None or not isinstance(role, NodeRole | ModeRole | PrintRole):
            continue
        place = None if isinstance(role, PrintRole) else role.place
        for leaf in leaves(role.tree):
            option = role.options[leaf.option]
            if not isinstance(option, Keep | SameMode | Unsaid) and option != NOTHING:
                support[place, option] = support.get((place, option), 0) + leaf.right.bit_count()
    return tuple(sorted(support, key=lambda belief: -support[belief]))
