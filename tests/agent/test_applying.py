"""What would be lost by changes: also what is edited or deleted in a folder that is moved."""

from __future__ import annotations

from dabhand.agent.applying import losses, origins_of
from dabhand.goals import Goal, Holds, IsAbsent, IsCopy
from dabhand.goals.goal import text_of
from dabhand.goals.operations import joined, line_of
from dabhand.planning import Target
from dabhand.workspace import State, difference

BEFORE = State.from_json({f"box/{name}": {"text": f"{name}\n"} for name in ("edited", "gone", "kept", "out")})
GOAL = Goal(
    (
        IsAbsent("box"),
        IsCopy("crate", "box"),
        IsAbsent("crate/gone"),
        Holds("crate/edited", joined(text_of("box/edited"), line_of("more"))),
        IsAbsent("crate/out"),
        IsCopy("out", "box/out"),
    )
)


def test_only_what_moved_as_it_was_is_not_lost() -> None:
    final = Target(GOAL, BEFORE).wanted
    changes = difference(BEFORE, final)
    origins = origins_of(GOAL, BEFORE, final)
    assert losses(changes, origins) == ("box/edited", "box/gone")
    assert origins["crate/edited"].path == "box/edited"  # whose mode it keeps
