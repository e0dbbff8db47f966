"""Calls that wait for their results, joined by identity and never by order; every reader of records keeps one."""

from __future__ import annotations

from collections.abc import Iterator

from dabhand.corpus.damage import Tally
from dabhand.corpus.triple import Call

ORPHANS = 64
"""Results that are kept in case their call still comes: only damage, or a sorted file, turns the two around."""


class Waiting:
    """The open calls of one file, and what is known of the closed ones.

    Attributes:
        finished: calls that are complete and were not taken yet.

    A key that comes again with the same command is a copy (a resumed session, a replay), and is counted.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._open: dict[str, Call] = {}
        self._background: dict[str, Call] = {}
        self._more: set[tuple[str, str]] = set()
        self._answered: dict[str, str] = {}
        self._others: set[str] = set()
        self._orphans: dict[str, object] = {}
        self.finished: list[Call] = []

    def call(self, call: Call) -> list[object]:
        """Take in a call; its result, where that stood before it."""
        key, held = call.key, self._open.get(call.key)
        if (key in self._answered and self._is_closed(call)) or (held is not None and held.command == call.command):
            self._tally.leave_out("a copy of a call in the same file")
            return []
        if held is not None:  # two calls of one name: the first will get no result any more
            self._open[f"{call.key}\0{held.line}"] = held
        self._open[key] = call
        return [self._orphans.pop(key)] if key in self._orphans else []

    def _is_closed(self, call: Call) -> bool:
        return self._answered[call.key] == call.command or (call.key, call.command) in self._more

    def pass_over(self, key: str) -> None:
        """Note a call that is no command, so that its result is not kept in vain."""
        if self._orphans.pop(key, None) is None:
            self._others.add(key)

    def answer(self, key: str | None, record: object) -> Call | None:
        """The open call that a result belongs to; without one, the record is kept for a while (None is not)."""
        if key is None:
            return None
        found = self._open.get(key)
        known = key in self._others or key in self._answered
        if found is None and record is not None and not known and len(self._orphans) < ORPHANS:
            self._orphans.setdefault(key, record)
        self._others.discard(key)
        return found

    def held(self, key: str) -> Call | None:
        """The open call of that key."""
        return self._open.get(key)

    def done(self, call: Call) -> None:
        """Close a call; whoever reads takes it from `finished`."""
        self._open.pop(call.key, None)
        if call.status != "running" and self._background:
            self._background = {task: other for task, other in self._background.items() if other is not call}
        if self._answered.setdefault(call.key, call.command) != call.command:
            self._more.add((call.key, call.command))
        self.finished.append(call)

    def in_background(self, call: Call, task: str) -> None:
        """Let a call wait on, under the name that the host gave to what runs."""
        self._background[task] = call

    def of_background(self, task: str | None) -> Call | None:
        """The call that runs in the background under that name."""
        return self._background.get(task) if task is not None else None

    def drop(self, call: Call) -> None:
        """Forget a call that turned out to be a copy."""
        self._open.pop(call.key, None)
        self._tally.leave_out("a copy of a call in the same file")

    def taken(self) -> Iterator[Call]:
        """The calls that are finished since the last time."""
        yield from self.finished
        self.finished.clear()

    def left(self) -> list[Call]:
        """The calls that never got (all of) their result, in the order of the file."""
        return sorted(self._open.values(), key=lambda call: call.line)

    def rest(self) -> Iterator[Call]:
        """What is finished, and then what never will be."""
        yield from self.taken()
        yield from self.left()
        self._open.clear()
