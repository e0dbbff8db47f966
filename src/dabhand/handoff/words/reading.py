"""Reading a request: every way to divide all of it into pieces, and the plans that the pieces make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from dabhand.errors import NotUnderstood
from dabhand.goals.tokens import Token, tokens_of
from dabhand.handoff.plan import Plan, operation_of, plan_to_value
from dabhand.handoff.words import fields, frames, measures, names, parts, places, standing, texts
from dabhand.handoff.words.fitting import VERBS, Slots, plan_of, slots_of
from dabhand.handoff.words.lexicon import DROPPED
from dabhand.handoff.words.outcome import Abstained, Unfit
from dabhand.handoff.words.slips import mended
from dabhand.handoff.words.terminals import FILE_NOUNS, FOLDER_NOUNS, Look, Request, Said, known_words, listed

RULES = (standing, measures, fields, frames, names, parts, places, texts)
"""The modules that declare what requests can say."""

MAX_READINGS = 64
"""Ways to divide a rest of a request that say different things, at most."""

_STOPS = ".,;!?:"
_SOMETHING = "\ue000"
"""Stands for what is described and not named; nobody writes it."""


def read(request: str, references: Mapping[str, str] | None = None, *, look: Look | None = None) -> Plan | Abstained:
    """The one plan that a request states.

    Args:
        request: English; bound targets stand in it as references.
        references: what each reference is: "file", "folder", or "json" for a file that its name says is JSON.
        look: what is at a path that is not bound ("file", "folder", or anything else); nothing is read without it.
    """
    known = references or {}
    try:
        tokens = _spoken(_cut(request), known)
        found = _read(tokens, request, known, look)
        if isinstance(found, Abstained) and found.reason == "unread" and (spelled := mended(tokens)) is not None:
            again = _read(spelled, request, known, look)
            found = found if isinstance(again, Abstained) and again.reason == "unread" else again
    except NotUnderstood as error:
        return Abstained("unread", error.message, hint=error.hint or "Say it differently.")
    return found


def _cut(request: str) -> Sequence[Token]:
    """The pieces of a request; a last quote that closes nothing is passed over."""
    try:
        return tokens_of(request)
    except NotUnderstood:
        at = max(request.rfind(quote) for quote in "'\"`")
        if at <= 0 or request[at - 1].isspace():
            raise
        return tokens_of(f"{request[:at]} {request[at + 1 :]}")


def _spoken(tokens: Sequence[Token], references: Mapping[str, str]) -> list[Token]:
    """The tokens that say something; what only looks like a path and is a phrase of the grammar is words."""
    kept = []
    for token in tokens:
        if token.kind == "path" and token.text.lower() in known_words() and token.text not in references:
            token = Token("word", token.text, token.start, token.end)
        if token.lower not in DROPPED:
            kept.append(token)
    while kept and kept[-1].kind == "mark" and kept[-1].text in _STOPS:
        kept.pop()
    return kept


def _read(tokens: Sequence[Token], request: str, references: Mapping[str, str], look: Look | None) -> Plan | Abstained:
    if not tokens:
        return Abstained("nothing", "The request is empty.")
    reader = Request(tokens, request, references, look)
    plans: dict[str, Plan] = {}
    misfits: list[Unfit] = []
    for pieces in _Divided(reader).ways(0):
        try:
            plan = plan_of(slots_of(pieces), references)
            plans.setdefault(repr(plan), plan)
        except Unfit as error:
            misfits.append(error)
    return _decided(list(plans.values()), misfits) or _unread(reader, tokens, request)


def _decided(plans: Sequence[Plan], misfits: Sequence[Unfit]) -> Plan | Abstained | None:
    """The only plan; or why there is none, where the request was read at all."""
    understood = next((one for one in misfits if one.understood), None)
    if understood is not None and (not plans or understood.abstained.reason == "filter"):
        return understood.abstained
    if len(plans) > 1:
        return Abstained(
            "ambiguous",
            f"The request can be taken in {len(plans)} ways: {'; or: '.join(map(_sentence, plans[:4]))}.",
            hint="Say it differently, or put texts and names in quotes.",
        )
    if plans:
        return plans[0]
    return misfits[0].abstained if misfits else None


def _sentence(plan: Plan) -> str:
    said = {name: value for name, value in plan_to_value(plan).items() if value not in (None, False, 0)}
    said.pop("operation", None)
    return f"{operation_of(plan)} with " + ", ".join(f"{name} {value!r}" for name, value in said.items())


class _Divided:
    """All ways to divide a request into pieces, by what they say together."""

    def __init__(self, reader: Request) -> None:
        self._reader = reader
        self._memo: dict[tuple[int, _Last], tuple[tuple[Said, ...], ...]] = {}

    def ways(self, at: int, last: _Last = "") -> tuple[tuple[Said, ...], ...]:
        """The ways from a token to the end; none where something is left over.

        Args:
            at: the token.
            last: what the piece before says, as far as it limits what may follow.
        """
        if at == len(self._reader.tokens):
            return ((),)
        key = (at, last)
        if key not in self._memo:
            self._memo[key] = ()
            found: dict[frozenset[tuple[str, object]], tuple[Said, ...]] = {}
            for said, end in self._reader.read("PIECE", at):
                joins = not said and self._reader.tokens[at].lower in ("and", "or", "&")
                if not said and not joins and last in ("text", "joined text") and self._is_loose(at):
                    continue
                for rest in self.ways(end, _last(said, last, joins=joins)):
                    if rest and _belong_together(said, rest[0]):
                        continue
                    if said and last.startswith("joined ") and not _joins(last, said):
                        continue
                    pieces = (said, *rest)
                    found.setdefault(frozenset(pair for piece in pieces for pair in piece), pieces)
                    if len(found) > MAX_READINGS:
                        raise NotUnderstood("The request is too tangled to read.", "Ask for less at once.")
            self._memo[key] = tuple(found.values())
        return self._memo[key]

    def _is_loose(self, at: int) -> bool:
        """Whether a word without content stands right behind a text: then it may as well be part of it."""
        token = self._reader.tokens[at]
        return token.kind == "word" and token.lower in _LOOSE


_Last = Literal["", "text", "place", "joined text", "joined place"]
_LOOSE = frozenset(
    """
    there now next also exactly really so well again once do does be by my your it i we me you only currently presently
    arrange
    """.split()  # noqa: SIM905
)


def _last(said: Said, last: _Last, *, joins: bool) -> _Last:
    """What a piece leaves for the next: a text, a place that a verb was said of, and whether a word joins them on."""
    if joins:
        return {"text": "joined text", "place": "joined place"}.get(last, last)  # type: ignore[return-value]
    if not said:
        return last
    slots = {slot for slot, _ in said}
    if "text" in slots:
        return "text"
    return "place" if "path" in slots and not slots.isdisjoint(VERBS) else ""


def _joins(last: _Last, said: Said) -> bool:
    """Whether "and" may stand between what went before and a piece: else something was to be joined and was not."""
    slots = {slot for slot, _ in said}
    if last == "joined text":
        return not slots <= {"path", "below", "deep", "depth"} or "deep" in slots
    return "kind" not in slots or not slots.isdisjoint(VERBS)


def _belong_together(said: Said, after: Said) -> bool:
    """Whether two pieces are one, which is read as such too: "lines" and "that contain ..."; "README" and "files"."""
    slots, following = {slot for slot, _ in said}, {slot for slot, _ in after}
    if "lines" in slots and "text" not in slots and "contains" in following:
        return True
    if said == (("hidden", True),):
        return "kind" in following and "inside" not in following
    if slots and slots <= VERBS:
        return not VERBS.isdisjoint(following) and "text" not in following  # the second is a noun: "get report"
    return "object" in slots and (following == {"lines"} or ("kind" in following and "inside" not in following))


def _unread(reader: Request, tokens: Sequence[Token], request: str) -> Abstained:
    """What could not be used."""
    for before, token in zip([None, *tokens], tokens, strict=False):
        begins = before is None or before.kind == "mark" or before.lower in ("and", "then", "to", "you", "also")
        if begins and token.lower in listed("changes"):
            return Abstained(
                "change",
                f"{token.text!r} is no inspection: only what is there is read.",
                token.text,
                "Use dabhand do for changes, and dabhand run for commands.",
            )
    if (
        not reader.references
        and any(token.lower in FILE_NOUNS | FOLDER_NOUNS for token in tokens)
        and any(
            not isinstance(_read(tokens, request, {_SOMETHING: kind}, None), Abstained) for kind in ("file", "folder")
        )
    ):
        return Abstained(
            "not_named",
            "The file or folder is described, not named.",
            hint="Name it, or bind it with --target NAME=PATH.",
        )
    for token in tokens:
        if token.lower in listed("open"):
            return Abstained("open_number", f"{token.text!r} leaves open how many.", token.text, "Say a number.")
    at = min(reader.furthest, len(tokens) - 1)
    part = request[tokens[at].start :]
    return Abstained("unread", f"I do not understand {part!r}.", part)


def explain(request: str, references: Mapping[str, str] | None = None) -> Iterator[tuple[Slots | None, str]]:
    """Every way in which a request is read, with what it comes to; for whoever mends the grammar."""
    known = references or {}
    reader = Request(_spoken(_cut(request), known), request, known, None)
    for pieces in _Divided(reader).ways(0):
        slots = None
        try:
            slots = slots_of(pieces)
            yield slots, repr(plan_of(slots, known))
        except Unfit as error:
            yield slots, f"{error.abstained.reason}: {error}"
