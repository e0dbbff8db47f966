"""When to ask an endpoint again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

MOST = 3600.0


def seconds_to_wait(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """What `Retry-After` says, in seconds or as a date; None where it says nothing that can be read."""
    said = headers.get("retry-after")
    if said is None:
        return None
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - (time.time() if now is None else now)
        except (ValueError, TypeError, OverflowError):
            return None
    return min(max(0.0, seconds), MOST) if seconds == seconds else None


def is_late(error: BaseException) -> bool:
    """Whether an error of a transport says that time was up."""
    return isinstance(error, TimeoutError) or "timeout" in type(error).__name__.lower()
