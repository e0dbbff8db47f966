"""What a store has learned, recalled for a command: said where it takes long, kept so that it takes long only once."""

from __future__ import annotations

import sys
import time

from dabhand.store import Experiment, Store
from dabhand.world import Judgement, World

PATIENCE = 1.0
"""Seconds that nobody is told about."""

BETWEEN_LOOKS = 0.2


def recall(store: Store) -> World:
    """The beliefs of a store.

    Beliefs of other code, or of a practice that was killed, are concluded again from the experiments. That takes
    seconds for thousands of them, so it is said at a terminal, in one line that is gone afterwards, and its result is
    kept.
    """
    world = _Recalling.load(store)
    if isinstance(world, _Recalling):
        world.is_recalled = True
        world.say_no_more()
        if world.concluded:
            world.save(store)
    return world


class _Recalling(World):
    """A world that says how far it is while it learns from earlier experiments."""

    def __init__(self) -> None:
        super().__init__()
        self.concluded = 0
        self.is_recalled = False
        self._said = ""
        self._next = time.monotonic() + PATIENCE

    def learn(self, experiment: Experiment, number: int = 0, *, judge: bool = True) -> Judgement:
        """Learn as a world does, and speak up now and then.

        Always judged: a status rests on how the last outcomes were predicted, in an earlier session as in this one.
        """
        if not self.is_recalled and time.monotonic() >= self._next:
            self._next = time.monotonic() + BETWEEN_LOOKS
            self._say(f"Drawing conclusions from earlier experiments (once): {self.concluded} done ...")
        self.concluded += 1
        return super().learn(experiment, number, judge=True)

    def _say(self, line: str) -> None:
        """Put a line in place of the one before, where somebody can watch it."""
        if sys.stderr.isatty():
            sys.stderr.write("\r" + line.ljust(len(self._said)))
            sys.stderr.flush()
            self._said = line

    def say_no_more(self) -> None:
        """Wipe the line away."""
        if self._said:
            sys.stderr.write("\r" + " " * len(self._said) + "\r")
            sys.stderr.flush()
            self._said = ""
