"""Evidence: from a wish in words to the numbers of the lines that answer it, or to none.

Conditions choose whole sets of lines (by level, structure, outcome, exact name, number, topic); nothing is rewritten,
and a text in a log is never taken for an instruction.
"""

from dabhand.handoff.evidence.selecting import DEFAULT_FAILED, DEFAULT_PASSED, default_wish, select
from dabhand.handoff.evidence.selection import Budget, Selection, taken

__all__ = ["DEFAULT_FAILED", "DEFAULT_PASSED", "Budget", "Selection", "default_wish", "select", "taken"]
