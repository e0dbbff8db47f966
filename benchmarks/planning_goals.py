"""Goals to plan for: one to four operations on a text, and one to four things that are to become so, drawn by seed.

They are made without any English, so that what is measured is planning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from dabhand.errors import DabhandError
from dabhand.goals import Answers, Condition, Goal, Holds, IsAbsent, IsCopy, IsExecutable, IsFolder
from dabhand.goals.goal import text_of
from dabhand.goals.operations import OPERATIONS, beside, joined, line_of
from dabhand.language import Term
from dabhand.planning import Target
from dabhand.workspace import State

NAMES = (
    "list.txt",
    "report.md",
    "data.csv",
    "todo",
    "notes (old).txt",
    "big-words.log",
    "box/inner.txt",
    "box/plan.md",
)
WORDS = ("amber", "birch", "comet", "delta", "ember", "flint", "gravel", "hollow", "indigo", "juniper")
FINAL = ("lines", "words", "bytes")


@dataclass(frozen=True)
class Wanted:
    """One goal in one folder.

    Attributes:
        kind: what it is made of.
        operations: how many operations on a text it asks for.
    """

    kind: str
    operations: int
    target: Target


def wanted(seed: int, count: int) -> list[Wanted]:
    """So many goals, of every kind in turn."""
    rng = Random(f"planning {seed}")
    found: list[Wanted] = []
    kinds = list(KINDS)
    while len(found) < count:
        kind = kinds[len(found) % len(kinds)]
        drawing = Drawing(rng)
        operations, conditions = KINDS[kind](drawing)
        try:
            found.append(Wanted(kind, operations, Target(Goal(tuple(conditions), tuple(drawing.read)), drawing.folder)))
        except DabhandError:
            continue  # it has no meaning in this folder: another is drawn
    return found


class Drawing:
    """A folder, and names for what a goal wants of it."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.names = rng.sample(NAMES, 5)
        files = {name: {"text": self._text()} for name in self.names}
        self.folder = State.from_json(
            {**files, "old": {"dir": True}, "old/a.txt": {"text": "x\n"}, "box": {"dir": True}}
        )
        self.free = iter([name for name in NAMES if name not in self.names] + [f"new-{i}.txt" for i in range(9)])
        self.unread = list(self.names)
        self.read: list[str] = []

    def _text(self) -> str:
        lines = [" ".join(self.rng.choices(WORDS, k=self.rng.randint(1, 4))) for _ in range(self.rng.randint(5, 12))]
        if self.rng.random() < 0.4:
            lines += self.rng.sample(lines, 2)
        return "".join(f"{line}\n" for line in lines)

    def source(self) -> str:
        """A file that is to be read, another one each time."""
        name = self.unread.pop(self.rng.randrange(len(self.unread)))
        self.read.append(name)
        return name

    def new(self) -> str:
        """A name that is not in use."""
        return next(self.free)

    def change(self, term: Term, count: int) -> Term:
        """So many operations on a text, one after the other."""
        chosen = self.rng.sample(STEPS, count)
        for step in chosen:
            term = step(self, term)
        return term


Step = Callable[[Drawing, Term], Term]


def _plain(name: str) -> Step:
    return lambda drawing, term: OPERATIONS[name](term)


STEPS: tuple[Step, ...] = (
    _plain("sorted"),
    _plain("sorted_reversed"),
    _plain("sorted_distinct"),
    _plain("reversed"),
    _plain("mirrored"),
    _plain("numbered"),
    _plain("upper"),
    lambda drawing, term: OPERATIONS["first"](term, drawing.rng.randint(2, 4)),
    lambda drawing, term: OPERATIONS["last"](term, drawing.rng.randint(2, 4)),
    lambda drawing, term: OPERATIONS["containing"](term, drawing.rng.choice(WORDS)),
    lambda drawing, term: OPERATIONS["lacking"](term, drawing.rng.choice(WORDS)),
    lambda drawing, term: OPERATIONS["replaced"](term, drawing.rng.choice(WORDS), "zinc"),
)


def _into_file(count: int, *, counted: bool = False) -> Callable[[Drawing], tuple[int, list[Condition]]]:
    def draw(drawing: Drawing) -> tuple[int, list[Condition]]:
        term = drawing.change(text_of(drawing.source()), count - counted)
        if counted:
            term = OPERATIONS["counted"](term, drawing.rng.choice(FINAL))
        return count, [Holds(drawing.new(), term)]

    return draw


def _in_place(drawing: Drawing) -> tuple[int, list[Condition]]:
    source = drawing.source()
    return 1, [Holds(source, drawing.change(text_of(source), 1))]


def _answer(drawing: Drawing) -> tuple[int, list[Condition]]:
    term = drawing.change(text_of(drawing.source()), drawing.rng.randint(0, 2))
    return 2, [Answers(OPERATIONS["counted"](term, drawing.rng.choice(FINAL)))]


def _two_files(drawing: Drawing) -> tuple[int, list[Condition]]:
    make = drawing.rng.choice((joined, beside))
    term = make(text_of(drawing.source()), text_of(drawing.source()))
    return 2, [Holds(drawing.new(), drawing.change(term, 1))]


def _append(drawing: Drawing) -> tuple[int, list[Condition]]:
    source = drawing.source()
    return 1, [Holds(source, joined(text_of(source), line_of(drawing.rng.choice(WORDS))))]


def _write(drawing: Drawing) -> tuple[int, list[Condition]]:
    return 1, [Holds(drawing.new(), line_of(" ".join(drawing.rng.choices(WORDS, k=3))))]


def _move(drawing: Drawing) -> tuple[int, list[Condition]]:
    source = drawing.source()
    return 0, [IsCopy(drawing.new(), source), IsAbsent(source)]


def _entries(drawing: Drawing) -> tuple[int, list[Condition]]:
    source, gone = drawing.source(), drawing.source()
    return 0, [IsFolder("fresh/inner"), IsFolder("fresh"), IsCopy("fresh/inner/copy", source), IsAbsent(gone)]


def _script(drawing: Drawing) -> tuple[int, list[Condition]]:
    name = drawing.new()
    return 1, [Holds(name, line_of("echo " + drawing.rng.choice(WORDS))), IsExecutable(name)]


def _many(drawing: Drawing) -> tuple[int, list[Condition]]:
    """Four things at once: two texts, something deleted, something renamed."""
    first, second, moved = drawing.source(), drawing.source(), drawing.source()
    return 4, [
        Holds(drawing.new(), drawing.change(text_of(first), 2)),
        Holds(drawing.new(), OPERATIONS["counted"](drawing.change(text_of(second), 1), "lines")),
        IsAbsent("old"),
        IsAbsent("old/a.txt"),
        IsCopy(drawing.new(), moved),
        IsAbsent(moved),
    ]


def _made_and_deleted(drawing: Drawing) -> tuple[int, list[Condition]]:
    source = drawing.source()
    return 2, [Holds(drawing.new(), drawing.change(text_of(source), 2)), IsAbsent(source)]


KINDS: dict[str, Callable[[Drawing], tuple[int, list[Condition]]]] = {
    "one operation": _into_file(1),
    "two operations": _into_file(2),
    "three operations": _into_file(3),
    "four operations": _into_file(4),
    "count of two": _into_file(3, counted=True),
    "count of three": _into_file(4, counted=True),
    "in place": _in_place,
    "answer": _answer,
    "two files": _two_files,
    "append": _append,
    "write": _write,
    "move": _move,
    "entries": _entries,
    "script": _script,
    "many": _many,
    "made and deleted": _made_and_deleted,
}
