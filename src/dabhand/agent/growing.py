"""Making tools for what no command does: which ones a goal takes, whom to ask, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from dabhand.goals import Answers, Condition, Holds
from dabhand.language import Term, show
from dabhand.store import Store
from dabhand.toolmaking.making import make_tool
from dabhand.toolmaking.registry import Registry, name_for, same
from dabhand.toolmaking.source import NoTool, of_one_text, read_by
from dabhand.workspace import State
from dabhand.world.reading import StateView

MAX_SAMPLE = 64_000
"""Characters of a file that a tool is tried out with."""


class Offer(msgspec.Struct, frozen=True):
    """A tool that could be made.

    Attributes:
        name: what it would be called.
        does: what it would write, as a term over the text of the file that it is `given`.
    """

    name: str
    does: str


Offering = Callable[[Offer], bool]
"""Shown a tool that could be made, says whether to make it."""


class Grown(msgspec.Struct, frozen=True):
    """What came of looking for tools.

    Attributes:
        names: of those that were made.
        hint: what to do so that one is made.
        reason: why one could not be.
    """

    names: tuple[str, ...] = ()
    hint: str = ""
    reason: str = ""


class Growing:
    """Makes tools for a store.

    Args:
        store: beside which they are kept.
        offer: whom to ask; None where nobody can be.
    """

    def __init__(self, store: Store, offer: Offering | None) -> None:
        self.store = store
        self.offer = offer
        self.registry = Registry.of(store)

    def grow(self, unreachable: Iterable[Condition], state: State) -> Grown:
        """Make what is missing for conditions that nothing leads to."""
        wanted: dict[Term, str] = {}
        for one in unreachable:
            if not isinstance(one, Holds | Answers):
                return Grown()
            try:
                body = of_one_text(one.content)
            except NoTool:
                return Grown()
            if same(self.registry.all(), body) is None:
                wanted.setdefault(body, read_by(one.content) or "")
        made: list[str] = []
        for body, path in wanted.items():
            found = self._make(body, StateView(state).text(path)[:MAX_SAMPLE])
            if not found.names:
                return msgspec.structs.replace(found, names=tuple(made))
            made += found.names
        return Grown(tuple(made))

    def _make(self, body: Term, sample: str) -> Grown:
        offered = Offer(self.registry.free_name(name_for(body)), show(body))
        if self.offer is None:
            hint = f"I could make a tool {offered.name!r} that does: {offered.does}. Agree to it with --yes."
            return Grown(hint=hint)
        if not self.offer(offered):
            return Grown(hint=f"You said no to the tool {offered.name!r}.")
        made = make_tool(self.store, offered.name, term=body, samples=[sample])
        if made.status == "failed":
            return Grown(reason=f"The tool {offered.name!r} was made and is of no use: {made.reason}")
        return Grown((made.name,))
