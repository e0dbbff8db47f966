"""What is being done now, on standard error, for somebody who waits at a terminal; nothing anywhere else."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dabhand.closing import Closing

if TYPE_CHECKING:
    from rich.status import Status


class Working(Closing):
    """A spinner with a few words.

    Args:
        shown: whether anybody wants it, given that standard error is a terminal.
    """

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown and sys.stderr.isatty()
        self._status: Status | None = None

    def say(self, what: str) -> None:
        """Say what is being done from here on."""
        if not self._shown:
            return
        if self._status is None:
            from dabhand.interfaces.cli.output import console

            self._status = console(error=True).status(what)
            self._status.start()
        self._status.update(what)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Stand aside while something is printed or asked."""
        if self._status is not None:
            self._status.stop()
        yield
        if self._status is not None:
            self._status.start()

    def close(self) -> None:
        """Say nothing any more."""
        if self._status is not None:
            self._status.stop()
