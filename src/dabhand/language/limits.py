"""Between strings and bytes, and the sizes beyond which a value is refused, so that evaluation never explodes."""

from __future__ import annotations

from dabhand.language.kinds import EvalError

MAX_CHARACTERS = 64 * 2**20
"""No primitive that can multiply its input makes a text longer than this."""
MAX_ITEMS = 10**5
"""No primitive makes a list out of a number longer than this."""


def check_size(size: int) -> None:
    """Refuse to make a value so large.

    Raises:
        EvalError: the size, in characters or items, is beyond the limit.
    """
    if size > MAX_CHARACTERS:
        raise EvalError("the value would be too large")


def checked_text(text: str) -> str:
    """The text itself, its bytes regrouped into characters where pieces of characters met.

    Raises:
        EvalError: it is too large.
    """
    check_size(len(text))
    return text if text.isascii() else to_text(to_bytes(text))


def to_bytes(text: str) -> bytes:
    """The bytes that a text stands for."""
    return text.encode("utf-8", "surrogateescape")


def to_text(data: bytes) -> str:
    """The text that stands for some bytes."""
    return data.decode("utf-8", "surrogateescape")
