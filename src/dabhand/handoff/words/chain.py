"""The chain of translators: memory, the grammar, a local model, a remote one; the first that is sure is believed.

Here the grammar is the only one that is always there. Others are handed in; what the grammar understands and declines
(two readings, a filter that no plan has, a wish to change something) ends the chain: nothing may override it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from dabhand.handoff.plan import Plan
from dabhand.handoff.words.outcome import Abstained
from dabhand.handoff.words.reading import read
from dabhand.handoff.words.terminals import Look

Origin = Literal["memory", "grammar", "local", "remote"]
Choice = Literal["auto", "memory", "grammar", "local", "remote"]


class Translated(msgspec.Struct, frozen=True):
    """A plan, and who made it.

    Attributes:
        lm_calls: how many times a language model was asked.
    """

    plan: Plan
    origin: Origin
    lm_calls: int = 0


class Translator(Protocol):
    """Somebody else who translates requests."""

    @property
    def origin(self) -> Origin:
        """Which link of the chain it is."""

    def translate(self, request: str, references: Mapping[str, str], abstained: Abstained | None) -> Translated | None:
        """A plan that the caller may rely on, or None; `abstained`: what the grammar said, where it was asked."""


def translate(
    request: str,
    references: Mapping[str, str] | None = None,
    *,
    translator: Choice = "auto",
    others: Sequence[Translator] = (),
    look: Look | None = None,
) -> Translated | Abstained:
    """What a request means, by the first translator that is sure of it.

    Args:
        request: English, with references where targets were bound.
        references: what each reference is: "file", "folder", or "json" for a file that its name says is JSON.
        translator: ask this one alone.
        others: translators beside the grammar, those before it (memory) and those after it.
        look: what is at a path that is not bound: "file", "folder", or anything else.
    """
    known = references or {}
    asked = [one for one in others if translator in ("auto", one.origin)]
    for one in asked:
        if one.origin == "memory" and (found := one.translate(request, known, None)) is not None:
            return found
    if translator == "memory":
        return Abstained("nothing", "No request of this shape is remembered.", hint="Leave out --translator memory.")
    said = read(request, known, look=look)
    if not isinstance(said, Abstained) and translator in ("auto", "grammar"):
        return Translated(said, "grammar")
    abstained = said if isinstance(said, Abstained) else None
    if abstained is not None and abstained.reason != "unread":
        return abstained
    for one in asked:
        if one.origin in ("local", "remote") and (found := one.translate(request, known, abstained)) is not None:
            return found
    return abstained or Abstained(
        "nothing",
        f"There is no {translator} model here to translate with.",
        hint="Use another --translator, or leave it out.",
    )
