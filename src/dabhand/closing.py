"""What is closed when a `with` block ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """Gives a class that can be closed its `with` block."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what is held. Closing twice is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
