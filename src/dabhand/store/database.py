"""The store as its users see it: append, read, remember."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from dabhand.closing import Closing
from dabhand.errors import StateError, StoreError, TemplateError
from dabhand.store.records import (
    EXPERIMENT_COLUMNS,
    Belief,
    Exam,
    Experiment,
    GoalShape,
    Row,
    Run,
    experiment_from_row,
    experiment_row,
    opened,
    sealed,
    triable_template,
)
from dabhand.store.schema import faults, open_file

FILE_NAME = "dabhand.sqlite"

_BATCH = 500
_log = logging.getLogger(__name__)
_INSERT_EXPERIMENT = f"INSERT INTO experiments ({EXPERIMENT_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?)"
_TEMPLATES = (
    "SELECT id, template, slots, CASE WHEN json_valid(before) AND json_valid(changes) THEN"
    " json_type(before) = 'object' AND json_type(changes) = 'object' AND typeof(stdout) = 'blob'"
    " AND typeof(exit_code) IN ('integer', 'null') AND typeof(seed) = 'integer' END"
    " FROM experiments ORDER BY id"
)
_SAVE_BELIEF = (
    "INSERT INTO beliefs (template, kind, payload, based_on, fingerprint) VALUES (?,?,?,?,?)"
    " ON CONFLICT DO UPDATE SET payload = excluded.payload, based_on = excluded.based_on,"
    " fingerprint = excluded.fingerprint"
    " WHERE excluded.based_on >= beliefs.based_on OR excluded.fingerprint <> beliefs.fingerprint"
)


_FORGET_SHAPES = """DELETE FROM goal_shapes WHERE shape IN (
    SELECT shape FROM goal_shapes ORDER BY time + 604800 * min(uses, 52) DESC, shape LIMIT -1 OFFSET ?)"""
_SAVE_SHAPE = (
    "INSERT INTO goal_shapes (shape, goal, origin, example, uses, time) VALUES (?,?,?,?,?,?)"
    " ON CONFLICT DO UPDATE SET goal = excluded.goal, origin = excluded.origin, example = excluded.example,"
    " uses = goal_shapes.uses + excluded.uses, time = max(goal_shapes.time, excluded.time)"
)


class Store(Closing):
    """An open store. Use it as a context manager, from one thread.

    Attributes:
        unreadable: the experiments that were met and left out so far, by number, each with the reason.
    """

    def __init__(self, connection: sqlite3.Connection, file: Path) -> None:
        self._connection = connection
        self.file = file
        self.unreadable: dict[int, str] = {}

    @classmethod
    def open(cls, directory: Path | str) -> Store:
        """Open the store in a folder, making both where they are missing and bringing an older one up to date.

        Raises:
            StoreError: the folder cannot be used, the file is no store, or a newer dabhand wrote it (left as is).
        """
        file = Path(directory) / FILE_NAME
        return cls(open_file(file), file)

    def close(self) -> None:
        """Let go of the file; what was appended is already in it."""
        self._connection.close()

    # experiments -----------------------------------------------------------------------------------------------------

    def append_experiment(self, experiment: Experiment) -> int:
        """Keep one experiment for good, and return its number."""
        row = experiment_row(experiment)
        with faults(self.file):
            number = self._connection.execute(_INSERT_EXPERIMENT, row).lastrowid
        assert number is not None
        return number

    def experiments(self, since_id: int = 0) -> Iterator[Experiment]:
        """All experiments with a number above `since_id`, oldest first; what is appended meanwhile comes along."""
        while True:
            with faults(self.file):
                rows = self._connection.execute(
                    f"SELECT id, {EXPERIMENT_COLUMNS} FROM experiments WHERE id > ? ORDER BY id LIMIT {_BATCH}",
                    (since_id,),
                ).fetchall()
            if not rows:
                return
            yield from self._readable(rows)
            since_id = rows[-1][0]

    def add_experiments(self, experiments: Iterable[Experiment]) -> int:
        """Take in what another store holds, all or nothing; return how many experiments were new.

        Experiments that are here already are left out. Numbers are kept only into an empty store.
        """
        with self._transaction() as connection:
            here = {row[1:] for row in connection.execute(f"SELECT id, {EXPERIMENT_COLUMNS} FROM experiments")}
            new = [(one.id or None, *row) for one in experiments if (row := experiment_row(one)) not in here]
            if here:
                new = [(None, *row[1:]) for row in new]
            connection.executemany(f"INSERT INTO experiments (id, {EXPERIMENT_COLUMNS}) VALUES (?{',?' * 11})", new)
        return len(new)

    def experiment_templates(self) -> list[tuple[int, str]]:
        """The number and template of every experiment, oldest first, without those that are damaged at first sight.

        At first sight, because it is quick: of the folders it is only seen that they are JSON objects.
        """
        with faults(self.file):
            rows = self._connection.execute(_TEMPLATES).fetchall()
        found = []
        for number, template, slots, whole in rows:
            try:
                if not whole:
                    raise StoreError("it is damaged.")
                found.append((number, triable_template(template, slots)))
            except (StoreError, TemplateError) as error:
                self._leave_out(number, error.message)
        return found

    def experiments_by_id(self, numbers: Iterable[int]) -> Iterator[Experiment]:
        """The experiments with these numbers, in the order given; one that is not there is left out."""
        wanted = list(numbers)
        for start in range(0, len(wanted), _BATCH):
            batch = wanted[start : start + _BATCH]
            marks = ",".join("?" * len(batch))
            with faults(self.file):
                rows = self._connection.execute(
                    f"SELECT id, {EXPERIMENT_COLUMNS} FROM experiments WHERE id IN ({marks})", batch
                ).fetchall()
            found = {row[0]: row for row in rows}
            yield from self._readable(found[number] for number in batch if number in found)

    def count_experiments(self) -> int:
        """How many experiments the store holds."""
        with faults(self.file):
            (count,) = self._connection.execute("SELECT count(*) FROM experiments").fetchone()
        return int(count)

    def last_experiment_id(self) -> int:
        """The number of the newest experiment; 0 when there is none."""
        with faults(self.file):
            (number,) = self._connection.execute("SELECT max(id) FROM experiments").fetchone()
        return number or 0

    def _readable(self, rows: Iterable[Row]) -> Iterator[Experiment]:
        """The experiments of rows, without those that cannot be read: one damaged row leaves the others their worth."""
        for row in rows:
            try:
                yield experiment_from_row(row)
            except (StoreError, StateError, TemplateError) as error:
                self._leave_out(row[0], error.message)

    def _leave_out(self, number: int, why: str) -> None:
        if number not in self.unreadable:
            _log.warning(
                "Experiment %d in %r is left out: %s\n  To be rid of it: dabhand world export FILE, and"
                " dabhand world import FILE --store ANOTHER.",
                number, str(self.file), why,
            )  # fmt: skip
        self.unreadable[number] = why

    # beliefs ---------------------------------------------------------------------------------------------------------

    def save_beliefs(self, beliefs: Iterable[Belief]) -> None:
        """Keep beliefs in place of those of the same template and kind, all or none.

        Of two processes that learn at once, the belief that rests on more experiments stays.
        """
        rows = [msgspec.structs.astuple(belief) for belief in beliefs]
        with self._transaction() as connection:
            connection.executemany(_SAVE_BELIEF, rows)

    def load_beliefs(self, kind: str | None = None) -> list[Belief]:
        """The beliefs, of one kind or of all, in order of template and kind."""
        with faults(self.file):
            rows = self._connection.execute(
                "SELECT template, kind, payload, based_on, fingerprint FROM beliefs"
                " WHERE ?1 IS NULL OR kind = ?1 ORDER BY template, kind",
                (kind,),
            ).fetchall()
        return [Belief(*row) for row in rows]

    def forget_belief(self, template: str, kind: str) -> None:
        """Drop a belief, so that it is concluded anew."""
        with faults(self.file):
            self._connection.execute("DELETE FROM beliefs WHERE template = ? AND kind = ?", (template, kind))

    # goal shapes -----------------------------------------------------------------------------------------------------

    def save_goal_shape(self, shape: GoalShape) -> None:
        """Keep a shape in place of one that is equal; their uses add up."""
        self.save_goal_shapes([shape])

    def save_goal_shapes(self, shapes: Iterable[GoalShape]) -> None:
        """Keep several shapes, all or none."""
        rows = [(sealed(one.shape), one.goal, one.origin, sealed(one.example), one.uses, one.time) for one in shapes]
        with self._transaction() as connection:
            connection.executemany(_SAVE_SHAPE, rows)

    def goal_shapes(self, key: str | None = None) -> list[GoalShape]:
        """The shapes with this key, alone or with what follows a tab after it; all of them without a key."""
        columns = "SELECT shape, goal, origin, example, uses, time FROM goal_shapes"
        with faults(self.file):
            if key is None:
                rows = self._connection.execute(f"{columns} ORDER BY shape").fetchall()
            else:
                rows = self._connection.execute(
                    f"{columns} WHERE shape = ?1 OR (shape >= ?1 || char(9) AND shape < ?1 || char(10)) ORDER BY shape",
                    (sealed(key),),
                ).fetchall()
        return [
            GoalShape(opened(shape), goal, origin, opened(example), *rest)
            for shape, goal, origin, example, *rest in rows
        ]

    def use_goal_shape(self, shape: str, time: float) -> None:
        """Count one more use of a shape."""
        with faults(self.file):
            self._connection.execute(
                "UPDATE goal_shapes SET uses = uses + 1, time = max(time, ?2) WHERE shape = ?1", (sealed(shape), time)
            )

    def forget_goal_shapes(self, most: int) -> None:
        """Drop shapes until there are this many: those that were used longest ago, where one more use counts a week."""
        with faults(self.file):
            self._connection.execute(_FORGET_SHAPES, (most,))

    def count_goal_shapes(self) -> int:
        """How many shapes the store holds."""
        with faults(self.file):
            (count,) = self._connection.execute("SELECT count(*) FROM goal_shapes").fetchone()
        return int(count)

    # runs ------------------------------------------------------------------------------------------------------------

    def append_run(self, run: Run) -> int:
        """Keep one run for the history, and return its number."""
        with faults(self.file):
            number = self._connection.execute(
                "INSERT INTO runs (request, root, document, time) VALUES (?,?,?,?)",
                (sealed(run.request), sealed(run.root), run.document, run.time),
            ).lastrowid
        assert number is not None
        return number

    def runs(self, limit: int = 100) -> list[Run]:
        """The newest runs, newest first."""
        with faults(self.file):
            rows = self._connection.execute(
                "SELECT request, root, document, time, id FROM runs ORDER BY id DESC LIMIT ?", (limit,)
            ).fetchall()
        return [Run(opened(request), opened(root), *rest) for request, root, *rest in rows]

    def forget_runs(self, root: str) -> None:
        """Drop the runs on a folder that was only made for them."""
        with faults(self.file):
            self._connection.execute("DELETE FROM runs WHERE root = ?", (sealed(root),))

    # exams -----------------------------------------------------------------------------------------------------------

    def append_exam(self, exam: Exam) -> int:
        """Keep one exam, and return its number."""
        with faults(self.file):
            number = self._connection.execute(
                "INSERT INTO exams (suite, seed, document, time) VALUES (?,?,?,?)",
                (sealed(exam.suite), exam.seed, exam.document, exam.time),
            ).lastrowid
        assert number is not None
        return number

    def exams(self, limit: int = 100) -> list[Exam]:
        """The newest exams, newest first."""
        with faults(self.file):
            rows = self._connection.execute(
                "SELECT suite, seed, document, time, id FROM exams ORDER BY id DESC LIMIT ?", (limit,)
            ).fetchall()
        return [Exam(opened(suite), *rest) for suite, *rest in rows]

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with faults(self.file):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
