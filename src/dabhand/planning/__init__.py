"""Planning in imagination: beam search over what commands are believed to do, and the check of what came of it.

Nothing here touches a file; the world model says what would happen, and the target says what is wanted.
"""

from __future__ import annotations

from dabhand.planning.beliefs import Imagination
from dabhand.planning.fillings import Material
from dabhand.planning.plan import NoPlan, Plan, Step, Untrusted, needed_for
from dabhand.planning.planner import Planner
from dabhand.planning.target import Target
from dabhand.planning.variants import shortened, surroundings, variants

__all__ = [
    "Imagination",
    "Material",
    "NoPlan",
    "Plan",
    "Planner",
    "Step",
    "Target",
    "Untrusted",
    "needed_for",
    "shortened",
    "surroundings",
    "variants",
]
