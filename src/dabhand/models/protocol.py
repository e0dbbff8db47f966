"""What the protocols of remote models have in common: who is asked, pieces of answers, and ways to fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, Protocol

import msgspec

Provider = Literal["openai", "anthropic"]

RETRIES = 2
PATIENCE = 30.0
TOKENS = 1024


class Settings(msgspec.Struct, frozen=True):
    """Which remote model.

    Attributes:
        url: of the endpoint; empty: the provider's own.
        patience: seconds that one answer may take, retries included.
        retries: how many times it is asked again after a failure that may pass.
        pause: seconds before the first time, doubled each time, where the endpoint does not say.
    """

    provider: Provider
    model: str
    url: str = ""
    patience: float = PATIENCE
    retries: int = RETRIES
    pause: float = 0.5

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.provider}:{self.model}"


class Piece(msgspec.Struct, frozen=True):
    """A piece of an answer.

    Attributes:
        ended: why it ended there: "stop", "length", or anything else; empty while it goes on.
    """

    text: str = ""
    ended: str = ""
    read: int = 0
    written: int = 0


class Failure(Exception):
    """An endpoint failed, in one of the ways that are the same for all.

    Attributes:
        after: seconds after which to ask again, where it says so.
    """

    def __init__(self, status: int | None, *, late: bool = False, after: float | None = None) -> None:
        super().__init__(str(status))
        self.status = status
        self.late = late
        self.after = after


class Protocolled(Protocol):
    """One provider's protocol."""

    def pieces(self, system: str, user: str, schema: Mapping[str, Any], seconds: float) -> Iterator[Piece]:
        """Ask, and go through the answer as it comes.

        Raises:
            Failure: the endpoint failed.
        """

    def close(self) -> None:
        """Hang up."""
