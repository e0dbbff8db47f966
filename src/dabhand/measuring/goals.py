"""Who makes goals, and whether they come to what was wanted: terms are evaluated on folders, not compared as text."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dabhand.errors import DabhandError
from dabhand.goals.chain import translate
from dabhand.goals.goal import Answers, Goal, Holds, IsCopy
from dabhand.goals.models import TranslationModel
from dabhand.language import FolderView, Term, evaluate
from dabhand.language.evaluation import FAILURES
from dabhand.measuring.cases import Case
from dabhand.models.completion import Ask, Completion, Engine

_TEXTS = (
    "kiwi 10\nfig two\nkiwi 10\n\nApple pie\n  fig  \n7\n{own}error: disk full\nlatency WARN 3\nzeta\n",
    "b,a\n2,x\n1,y\n1,y\n{own}\n#c\nlast line without end",
)
"""What files hold: repeats, blanks, capitals, numbers, blanks at the ends, no newline at the end; and lines of their
own, in each file another number of them, so that no file passes for another."""

Answerer = Callable[[Case, FolderView], Goal]


class Sample:
    """A folder in which a request's names are what it says they are.

    Args:
        things: what is at each name.
        number: which of the texts files hold.
    """

    def __init__(self, things: Mapping[str, str], number: int = 0) -> None:
        self._files = {name.rstrip("/") for name, kind in things.items() if kind == "file"}
        self._folders = {name.rstrip("/") for name, kind in things.items() if kind == "folder"} | {"."}
        for name in (*self._files, *self._folders):
            parts = name.split("/")[:-1]
            self._folders |= {"/".join(parts[:end]) for end in range(1, len(parts) + 1)}
        self._number = number

    def text(self, path: str) -> str | None:
        """The text of a file."""
        if path not in self._files:
            return None
        if path.endswith(".json"):
            return '{"name": "a", "version": "1.2"}\n'
        own = f"{path}\n" * (1 + sorted(self._files).index(path))
        return _TEXTS[self._number].replace("{own}", own)

    def names(self, path: str) -> tuple[str, ...] | None:
        """The names in a folder."""
        if path not in self._folders:
            return None
        below = "" if path == "." else f"{path}/"
        inside = {each[len(below) :].split("/")[0] for each in (*self._files, *self._folders) if each.startswith(below)}
        return tuple(sorted(inside - {"", "."}))

    def kind(self, path: str) -> str:
        """What is there."""
        return "file" if path in self._files else "folder" if path in self._folders else "missing"


def comes_to(goal: Goal, things: Mapping[str, str]) -> frozenset[object]:
    """What a goal comes to in sample folders."""
    return frozenset(
        (number, one.path, one.word, _value(one, Sample(things, number)))
        for one in goal.conditions
        for number in range(len(_TEXTS))
    )


def _value(condition: object, folder: FolderView) -> object:
    match condition:
        case Holds(content=content) | Answers(content=content):
            return _evaluated(content, folder)
        case IsCopy(source=source):
            return folder.text(source) if folder.kind(source) == "file" else ("copy", source)
    return None


def _evaluated(term: Term, folder: FolderView) -> object:
    try:
        return evaluate(term, {}, folder)
    except FAILURES:
        return "no value"


class Judged(msgspec.Struct, frozen=True):
    """One case."""

    id: str
    verdict: str
    milliseconds: float
    why: str = ""


def by_grammar(case: Case, folder: FolderView) -> Goal:
    """The grammar alone."""
    return translate(case.request, folder, only="grammar").goal


def by_chain(*models: TranslationModel) -> Answerer:
    """The grammar, and models after it."""
    return lambda case, folder: translate(case.request, folder, models=models).goal


def by_model(model: TranslationModel) -> Answerer:
    """A model alone; the grammar has to agree where it reads the request."""
    return lambda case, folder: translate(case.request, folder, models=(model,), only=model.kind).goal


def by_oracle(case: Case, folder: FolderView) -> Goal:
    """What is wanted: a floor for latency, never called accuracy."""
    return Goal((), ()) if case.answer is None else Goal.from_json(case.answer)


def judged(cases: Sequence[Case], answerers: Mapping[str, Answerer]) -> Iterator[tuple[str, Judged]]:
    """Judge every case by everybody, who take turns in going first."""
    names = list(answerers)
    for place, case in enumerate(cases):
        for name in names[place % len(names) :] + names[: place % len(names)]:
            yield name, _judge(case, answerers[name])


def _judge(case: Case, answerer: Answerer) -> Judged:
    wanted = None if case.answer is None else comes_to(Goal.from_json(case.answer), case.things)
    started = time.perf_counter()
    try:
        goal: Goal | None = answerer(case, Sample(case.things))
        why = ""
    except DabhandError as error:
        goal, why = None, f"{error.message} {error.hint}"
    took = round((time.perf_counter() - started) * 1000, 2)
    if goal is None or not goal.conditions:
        return Judged(case.id, "right" if wanted is None else "abstained", took, why)
    return Judged(case.id, "right" if comes_to(goal, case.things) == wanted else "wrong", took, why)


def summary(found: Sequence[Judged]) -> dict[str, Any]:
    """Counts and times."""
    times = sorted(one.milliseconds for one in found)
    counts = {name: sum(one.verdict == name for one in found) for name in ("right", "wrong", "abstained")}
    return {"of": len(found), **counts, "median_ms": times[len(times) // 2] if times else 0.0}


class Recording:
    """An engine that keeps what it answered last."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.last: Completion | None = None

    def complete(self, ask: Ask, stop: Any = None) -> Completion:
        """Go on with a text."""
        self.last = self._engine.complete(ask, stop)
        return self.last

    def close(self) -> None:
        """Give back the memory."""
        self._engine.close()
