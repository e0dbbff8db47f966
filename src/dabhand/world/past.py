"""The observations of a command, those of earlier sessions fetched only when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dabhand.world.observation import Observation


class Past(Sequence[Observation]):
    """The observations of a command; those of earlier sessions are fetched when a rule is in doubt.

    Attributes:
        fetch: gives all earlier observations, in order.
    """

    def __init__(self) -> None:
        self._seen: list[Observation] = []
        self.fetch: Callable[[], list[Observation]] | None = None

    def append(self, seen: Observation) -> None:
        """Add the newest observation."""
        self._seen.append(seen)

    def _all(self) -> list[Observation]:
        if self.fetch is not None:
            fetch, self.fetch = self.fetch, None
            self._seen = fetch() + self._seen
        return self._seen

    def __getitem__(self, number: Any) -> Any:
        return self._all()[number]

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Observation]:
        return iter(self._all())
