"""Where what people mean and what a term says come apart in this folder: then a request is declined, not guessed."""

from __future__ import annotations

import re

from dabhand.errors import LanguageError
from dabhand.goals.goal import Ambiguous, Refused
from dabhand.language import FolderView, Term, evaluate

_CASED = frozenset({"upper", "lower", "sorted_caseless", "sorted_caseless_reversed"})
_NUMBER = re.compile(r"\s*[+-]?\d+(?:[.,]\d+)*\s*\Z")
_LEADING = re.compile(r"\s*[+-]?\d")
_CLAIMS = {
    "as_numbers": (_NUMBER, "Not every line is one number"),
    "as_words": (re.compile(r"\s*\S+\s*\Z"), "Not every line is one word"),
    "leading_numbers": (_LEADING, "Not every line begins with a number"),
}
"""What a request says of lines in passing, and what holds when it is not so."""

WHOLE_WORD = "_word"
"""Ends the name of an operation whose word is to be no part of a longer word."""


def text_here(term: Term, folder: FolderView) -> str:
    """The text that a term has in this folder.

    Raises:
        Refused: it has none.
    """
    try:
        return str(evaluate(term, {}, folder))
    except LanguageError as error:
        raise Refused(f"What the request speaks of has no value here: {error.message}") from error


def require_one_meaning(operation: str, args: tuple[str | int, ...], of: Term, folder: FolderView) -> None:
    """Decline an operation that people would take in another way for the text it is done to.

    Raises:
        Ambiguous: with what the readings are.
        Refused: the text has no value here.
    """
    if operation in ("nth", "without_nth", "between"):
        _require_line(int(args[0]), text_here(of, folder))
    elif operation in _CLAIMS:
        _require_claim(operation, text_here(of, folder))
    elif operation in _CASED:
        _require_plain_letters(operation, text_here(of, folder))
    elif operation.endswith(WHOLE_WORD):
        for word in args[: 1 if operation.startswith("replaced") else None]:
            _require_whole_words(str(word), text_here(of, folder))


def _require_line(place: int, text: str) -> None:
    there = text.count("\n") + (not text.endswith("\n") and text != "")
    if place > there:
        raise Refused(f"There is no line {place}: the text has {there}.", "Count the lines first.")


def _require_claim(operation: str, text: str) -> None:
    pattern, otherwise = _CLAIMS[operation]
    for line in text.split("\n"):
        if line.strip() and not pattern.match(line):
            raise Ambiguous(
                f"{otherwise} ({line[:40]!r}), so the request can be taken in 2 ways: the whole lines are meant; or: "
                "only a part of each.",
                'Speak of "the lines" if whole lines are meant.',
            )


def require_ended(text: str, what: str, follows: str) -> None:
    """Decline to put something after a text whose last line is not ended.

    Raises:
        Ambiguous: with both readings.
    """
    if text and not text.endswith("\n"):
        raise Ambiguous(
            f"The last line of {what} is not ended by a newline, so the request can be taken in 2 ways: {follows} "
            "begins on a new line; or: it goes on in that last line.",
            'For words, say "as a new line at the end of"; for files, end that last line first.',
        )


def _require_plain_letters(operation: str, text: str) -> None:
    beyond = sorted({letter for letter in text if not letter.isascii() and letter.upper() != letter.lower()})
    if beyond:
        shown = ", ".join(map(repr, beyond[:5]))
        done = "sorting without regard to case" if operation.startswith("sorted") else f"{operation} case"
        raise Ambiguous(
            f"The text has letters beyond a-z ({shown}), and {done} is known for a-z only, so it would not do all "
            "that is asked.",
            "This text needs another tool.",
        )


def _require_whole_words(word: str, text: str) -> None:
    anywhere = len(re.findall(re.escape(word), text))
    whole = len(re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text))
    if anywhere != whole:
        raise Ambiguous(
            f"The request can be taken in 2 ways: {word!r} as a whole word ({whole} times in the text); or: "
            f"{word!r} inside longer words too ({anywhere} times).",
            f"Say {word!r} without calling it a word if it may be part of longer words.",
        )
