"""When to ask an endpoint again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any

from dabhand.models.protocol import Failure

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


@contextmanager
def as_failures(late: type[Exception], refused: type[Exception], *lost: type[Exception]) -> Iterator[None]:
    """Turn what a library raises while an answer comes into failures of the endpoint.

    Args:
        late: time was up.
        refused: the endpoint answered with a status and headers that say no.
        lost: it could not be reached, or anything else that the library says.

    Raises:
        Failure: the endpoint failed.
    """
    try:
        yield
    except late as error:
        raise Failure(None, late=True) from error
    except refused as error:
        answer: Any = error
        raise Failure(answer.status_code, after=seconds_to_wait(answer.response.headers)) from error
    except lost as error:
        raise Failure(None) from error
    except Failure:
        raise
    except Exception as error:
        raise Failure(None, late=is_late(error)) from error


def is_late(error: BaseException) -> bool:
    """Whether an error of a transport says that time was up."""
    return isinstance(error, TimeoutError) or "timeout" in type(error).__name__.lower()
