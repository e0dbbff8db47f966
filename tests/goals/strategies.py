"""Hypothesis strategies: goals, of any well-typed content."""

from __future__ import annotations

from hypothesis import strategies as st

from dabhand.goals import Answers, Condition, Goal, Holds, IsAbsent, IsCopy, IsExecutable, IsFolder
from dabhand.language import PRIMITIVES, Call, Const, Kind, Term

plain_text = st.text(st.characters(codec="utf-8"), max_size=8)
paths = plain_text.filter(bool)
CONSTANTS = {
    Kind.PATH: plain_text,
    Kind.WORD: plain_text,
    Kind.TEXT: plain_text,
    Kind.LINES: st.lists(plain_text, max_size=3).map(tuple),
    Kind.NUMBER: st.one_of(st.integers(-5, 30), st.decimals(-99, 99, places=2).filter(lambda value: value % 1 != 0)),
    Kind.BOOL: st.booleans(),
}


@st.composite
def contents(draw: st.DrawFn, kind: Kind = Kind.TEXT, depth: int = 4) -> Term:
    """A term of a kind without slots, its constants of the kinds that the schema has constants for."""
    makers = [each for each in PRIMITIVES.values() if each.gives is kind and (depth > 1 or _flat(each.takes))]
    if kind in CONSTANTS and (depth == 0 or not makers or draw(st.integers(0, 3)) == 0):
        return Const(draw(CONSTANTS[kind]), kind)
    chosen = draw(st.sampled_from(makers))
    return Call(chosen.name, tuple(draw(contents(each, max(depth - 1, 0))) for each in chosen.takes))


def _flat(kinds: tuple[Kind, ...]) -> bool:
    return all(each in CONSTANTS for each in kinds)


conditions: st.SearchStrategy[Condition] = st.one_of(
    st.builds(Holds, paths, contents()),
    st.builds(IsFolder, paths),
    st.builds(IsAbsent, paths),
    st.builds(IsCopy, paths, paths),
    st.builds(IsExecutable, paths, st.booleans()),
    st.builds(Answers, contents()),
)
goals = st.lists(conditions, min_size=1, max_size=4).map(lambda chosen: Goal(tuple(chosen)))
