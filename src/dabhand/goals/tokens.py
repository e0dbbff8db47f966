"""Cutting a request into words, names and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from dabhand.errors import NotUnderstood

MAX_TOKENS = 250

_QUOTES = {'"': '"', "'": "'", "`": "`'", "“": "”", "„": "“”", "‘": "’", "«": "»"}
_WITH_IS = frozenset("what that it let there here who how where which".split())  # noqa: SIM905
_TARGET = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")
_BARE = re.compile(r"[^\s\"`“”„‘«»,;:!?()]+(?:[,:!?()][^\s\"`“”„‘«»,;:!?()]+)*")
_LIKE_PATH = re.compile(
    r"\.?[^\s./][^\s]*[./][^\s]*\Z|\.{1,2}/.*|[/~].*|\.[^\s.]+\Z|[\w-]+_[\w-]+\Z|[A-Za-z]+\d+[\w-]*\Z"
)
_NUMBER = re.compile(r"\d+\Z|\d{1,3}(?:,\d{3})+\Z")
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_NUMBER_WORDS = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{ten: value for value, ten in zip(range(20, 100, 10), _TENS, strict=True)},
    **{
        f"{ten}-{_SMALL[one]}": value + one
        for value, ten in zip(range(20, 100, 10), _TENS, strict=True)
        for one in range(1, 10)
    },
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
}
_ORDINAL_WORDS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
_ORDINALS = {word: value for value, word in enumerate(_ORDINAL_WORDS, 1)}
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")


class Token(msgspec.Struct, frozen=True):
    """One piece of a request.

    Attributes:
        kind: a bare word, something that looks like a path, something quoted, a bound target, or a mark.
        text: the piece itself, without its quotes.
        start, end: where it stands in the request.
    """

    kind: Literal["word", "path", "quoted", "target", "mark"]
    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The word for looking up in the lexicon; "" for what is no plain word."""
        return self.text.lower().replace("’", "'") if self.kind in ("word", "mark") else ""

    @property
    def number(self) -> int | None:
        """The number that it says, in digits or in words."""
        if self.kind != "word":
            return None
        if _NUMBER.match(self.text):
            return int(self.text.replace(",", "")) if len(self.text) < 12 else None
        return _NUMBER_WORDS.get(self.lower)

    @property
    def ordinal(self) -> int | None:
        """The place that it says: 3 for "third" and "3rd"."""
        if self.kind not in ("word", "path"):
            return None
        found = _ORDINAL.match(self.text.lower())
        return int(found[1]) if found and len(found[1]) < 10 else _ORDINALS.get(self.lower)


def tokens_of(request: str, targets: Mapping[str, str] | None = None) -> tuple[Token, ...]:
    """The pieces of a request.

    Args:
        request: plain English.
        targets: paths bound to `{{name}}`.

    Raises:
        NotUnderstood: an unbound target, a quote that is not closed, or too many words.
    """
    found: list[Token] = []
    at = 0
    while at < len(request):
        if request[at].isspace():
            at += 1
            continue
        token, at = _token(request, at, targets or {})
        found += _parts(token)
        if len(found) > MAX_TOKENS:
            raise NotUnderstood(f"The request has more than {MAX_TOKENS} words.", "Ask for less at once.")
    return tuple(found)


def _token(request: str, at: int, targets: Mapping[str, str]) -> tuple[Token, int]:
    if (bound := _TARGET.match(request, at)) is not None:
        if bound[1] not in targets:
            raise NotUnderstood(f"{bound[0]!r} is bound to no path.", f"Add --target {bound[1]}=PATH.")
        return Token("target", targets[bound[1]], at, bound.end()), bound.end()
    if request[at] in _QUOTES:
        return _quoted(request, at)
    match = _BARE.match(request, at)
    if match is None or not (text := _without_stop(match[0], starts=at == 0 or request[at - 1].isspace())):
        return Token("mark", request[at], at, at + 1), at + 1
    end = at + len(text)
    kind: Literal["path", "word"] = "path" if _looks_like_path(text) else "word"
    return Token(kind, text, at, end), end


def _parts(token: Token) -> Iterator[Token]:
    """A name with "'s" behind it as two tokens."""
    owner = token.text[:-2]
    if token.kind in ("path", "word") and token.text[-2:] in ("'s", "’s") and owner.lower() not in _WITH_IS:
        yield Token(token.kind, owner, token.start, token.end - 2)
        yield Token("word", "'s", token.end - 2, token.end)
    else:
        yield token


def _quoted(request: str, at: int) -> tuple[Token, int]:
    closers = _QUOTES[request[at]]
    for end in range(at + 1, len(request)):
        after = request[end + 1 : end + 2]
        # An apostrophe inside a word closes nothing; a closing quote is followed by no letter or digit.
        if request[end] in closers and not (request[end] in "'’" and after.isalnum()):
            if end == at + 1:
                break
            return Token("quoted", request[at + 1 : end], at, end + 1), end + 1
    raise NotUnderstood(f"The quote at {request[at : at + 20]!r} is empty or not closed.")


def _without_stop(text: str, *, starts: bool) -> str:
    """The word without the marks that end a sentence or a clause; a lone "." stays when it stands as a word."""
    if text in (".", "..") and starts:
        return text
    stripped = text.rstrip(".,;:!?)")
    if stripped.endswith("'") and not stripped.startswith("'"):
        stripped = stripped.rstrip("'")
    return stripped


def _looks_like_path(text: str) -> bool:
    return not _NUMBER.match(text) and bool(_LIKE_PATH.match(text)) and text.lower() not in ("e.g", "i.e", "etc.")
