"""What a store has learned, recalled for a command: said where it takes long, kept so that it takes long only once."""

from __future__ import annotations

import sys
import time

from dabhand.store import Experiment, Store
from dabhand.world import Judgement, World

PATIENCE = 1.0
"""Seconds that nobody is told about."""

BETWEEN_LINES = 3.0


def recall(store: Store) -> World:
    """The beliefs of a store.

    Beliefs of other code, or of a practice that was killed, are concluded again from the experiments. That takes
    seconds for thousands of them, so it is said on standard error, and its result is kept.
    """
    world = _Recalling.load(store)
    if isinstance(world, _Recalling):
        world.is_recalled = True
        if world.concluded:
            world.save(store)
    return world


class _Recalling(World):
    """A world that says how far it is while it learns from earlier experiments."""

    def __init__(self) -> None:
        super().__init__()
        self.concluded = 0
        self.is_recalled = False
        self._next = time.monotonic() + PATIENCE

    def learn(self, experiment: Experiment, number: int = 0, *, judge: bool = True) -> Judgement:
        """Learn as a world does, and speak up now and then.

        Always judged: a status rests on how the last outcomes were predicted, in an earlier session as in this one.
        """
        if not self.is_recalled and time.monotonic() >= self._next:
            self._next = time.monotonic() + BETWEEN_LINES
            print(
                f"Drawing conclusions from earlier experiments (once): {self.concluded} done ...",
                file=sys.stderr,
                flush=True,
            )
        self.concluded += 1
        return super().learn(experiment, number, judge=True)
