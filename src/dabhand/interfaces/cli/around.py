"""The folder and the store, as a conversation asks about them."""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from dabhand.agent.focus import LiveView
from dabhand.agent.history import History, PastRun
from dabhand.agent.moves import Understood
from dabhand.errors import DabhandError, NotUnderstood, StoreError
from dabhand.goals import Refused
from dabhand.goals.chain import translate
from dabhand.goals.finding import every_model
from dabhand.goals.goal import Unread
from dabhand.goals.memory import GoalMemory
from dabhand.goals.sketch import sketch_of
from dabhand.interfaces.cli.recall import recall
from dabhand.store import Store
from dabhand.workspace import ConfinedFolder
from dabhand.world import CommandReport, World, report_on

MAX_SHOWN = 20_000
"""Characters of a file of which somebody may show what should come of it."""
MAX_RUNS = 1000
"""Of the newest runs, how many are spoken of."""


class Around:
    """What is here and what is known, read when it is asked for.

    Args:
        store: what was learned.
        folder: the one that is spoken about.
        clock: seconds since the epoch.
    """

    def __init__(self, store: Store, folder: Path, clock: Callable[[], float]) -> None:
        self.store = store
        self.folder = folder
        self.root = str(folder)
        self.history = History(store)
        self.clock = clock
        self._world: World | None = None
        self._until = -1
        self._reports: dict[str, tuple[int, CommandReport]] = {}

    def now(self) -> float:
        """Seconds since the epoch."""
        return self.clock()

    def world(self, store: Store | None = None) -> World:
        """What was learned, with what others learned meanwhile."""
        last = self.store.last_experiment_id()
        if self._world is None or last != self._until:
            self._world = recall(self.store)
            self._reports.clear()
        self._until = last
        return self._world

    def learned(self) -> None:
        """Note that what was appended to the store just now is in the world already."""
        try:
            self._until = self.store.last_experiment_id()
        except StoreError:
            self.forget()  # what is wrong with the store is said once it is asked again

    def forget(self) -> None:
        """Recall anew: somebody else learned."""
        self._world = None

    def reports(self) -> tuple[CommandReport, ...]:
        """What is believed of every command."""
        for text, model in self.world().models.items():
            kept = self._reports.get(text)
            if kept is None or kept[0] != len(model.ids):
                self._reports[text] = len(model.ids), report_on(model)
        return tuple(report for _, report in self._reports.values())

    def experiments(self) -> int:
        """How many experiments the store holds."""
        return self.store.count_experiments()

    def kind(self, path: str) -> str:
        """What is at a path of the folder, links followed as long as they stay in it."""
        if not path or "\0" in path:
            return "missing"
        try:
            with ConfinedFolder(self.folder) as folder:
                found = folder.stat(path, follow=True)
        except (DabhandError, OSError):
            return "missing"
        if found is None:
            return "missing"
        return "folder" if stat.S_ISDIR(found.st_mode) else "file"

    def understand(self, request: str) -> Understood:
        """What a request comes to in the folder as it is now."""
        try:
            with ConfinedFolder(self.folder) as folder:
                found = translate(request, LiveView(folder), memory=GoalMemory(self.store))
            return Understood((found.goal,))
        except NotUnderstood as error:
            askable = isinstance(error, Unread) and bool(every_model())
            return self._with_sketch(request, Understood(error.readings, error.message, error.hint, askable=askable))
        except Refused as error:
            return Understood((), error.message, error.hint, refused=True)

    def _with_sketch(self, request: str, found: Understood) -> Understood:
        """What can be told of a request that is not understood."""
        if found.goals:
            return found
        try:
            with ConfinedFolder(self.folder) as folder:
                view = LiveView(folder)
                sketch = sketch_of(request, view)
                text = None if sketch is None else view.text(sketch.source)
        except (DabhandError, OSError):
            return found
        if text is None or len(text) > MAX_SHOWN:
            return found
        return msgspec.structs.replace(found, sketch=sketch, text=text)

    def runs(self) -> Sequence[PastRun]:
        """What was asked for in this folder, oldest first."""
        return self.history.runs(self.folder, MAX_RUNS)
