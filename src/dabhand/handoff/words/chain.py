"""The chain of translators: memory, the grammar, a local model, a remote one; the first that is sure is believed.

Here the grammar is the only one that is always there. Others are handed in; what the grammar understands and declines
(two readings, a filter that no plan has, a wish to change something) ends the chain: nothing may override it. Where a
model is asked though the grammar read the request, the two have to agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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


class Declined(msgspec.Struct, frozen=True):
    """Why a translator has no plan.

    Attributes:
        why: for people.
        lm_calls: how many times a language model was asked.
    """

    why: str
    lm_calls: int = 0


class Translator(Protocol):
    """Somebody else who translates requests."""

    @property
    def origin(self) -> Origin:
        """Which link of the chain it is."""

    def translate(
        self, request: str, references: Mapping[str, str], abstained: Abstained | None
    ) -> Translated | Declined | None:
        """A plan that the caller may rely on, why there is none, or None where there is nobody to ask.

        `abstained` is what the grammar said, where it was asked.
        """


def translate(
    request: str,
    references: Mapping[str, str] | None = None,
    *,
    translator: Choice = "auto",
    others: Sequence[Translator] | Callable[[], Sequence[Translator]] = (),
    look: Look | None = None,
) -> Translated | Abstained:
    """What a request means, by the first translator that is sure of it.

    Args:
        request: English, with references where targets were bound.
        references: what each reference is: "file", "folder", or "json" for a file that its name says is JSON.
        translator: ask this one alone.
        others: translators beside the grammar, those before it (memory) and those after it; or what finds those after
            it, once they are needed.
        look: what is at a path that is not bound: "file", "folder", or anything else.
    """
    known = references or {}
    before = [one for one in others if one.origin == "memory"] if not callable(others) else []
    for one in before if translator in ("auto", "memory") else ():
        if isinstance(found := one.translate(request, known, None), Translated):
            return found
    if translator == "memory":
        return Abstained("nothing", "No request of this shape is remembered.", hint="Leave out --translator memory.")
    said = read(request, known, look=look)
    if not isinstance(said, Abstained) and translator in ("auto", "grammar"):
        return Translated(said, "grammar")
    if isinstance(said, Abstained) and (said.reason != "unread" or translator == "grammar"):
        return said
    every = others() if callable(others) else others
    models = [one for one in every if one.origin in ("local", "remote") and translator in ("auto", one.origin)]
    return _asked(models, request, known, said, translator)


def _asked(
    models: Sequence[Translator], request: str, known: Mapping[str, str], said: Plan | Abstained, translator: Choice
) -> Translated | Abstained:
    """What models make of a request, one after the other."""
    abstained = said if isinstance(said, Abstained) else None
    declined: list[Declined] = []
    for one in models:
        found = one.translate(request, known, abstained)
        if isinstance(found, Declined):
            declined.append(found)
        elif found is not None:
            calls = found.lm_calls + sum(each.lm_calls for each in declined)
            if abstained is None and found.plan != said:
                return Abstained("ambiguous", "The grammar and the model take it in two ways.", lm_calls=calls)
            return msgspec.structs.replace(found, lm_calls=calls)
    if not declined and translator != "auto":
        return Abstained(
            "nothing",
            f"There is no {translator} model here to translate with.",
            hint="Use another --translator, or leave it out.",
        )
    return _in_vain(abstained or Abstained("nothing", "No model could say what it means."), declined)


def _in_vain(abstained: Abstained, declined: Sequence[Declined]) -> Abstained:
    if not declined:
        return abstained
    why = "; ".join(dict.fromkeys(each.why for each in declined))
    hint = f"{abstained.hint} A model was asked in vain ({why}).".strip()
    return msgspec.structs.replace(abstained, hint=hint, lm_calls=sum(each.lm_calls for each in declined))
