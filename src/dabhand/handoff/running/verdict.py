"""Which stages of a line failed, and of which of those it matters.

Every stage's failure matters, wherever it stands, unless
- a later stage of its pipeline stopped reading (SIGPIPE): it was cut short, and its own verdict is not known;
- the command answers by its status, 1 means "no" (`grep`, `diff`, `test`, ...), and that is not how the line ends;
- the line says that it does not: `|| true`, `|| exit 0`, or an alternative that was tried instead; `|| echo ...` only
  says so of looks (`ls x || echo none`), or where the errors are thrown away: a failed build stays one when it is told;
- it is a condition (`if`, `while`, `!`), or a look whose errors are thrown away in the middle of a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from dabhand.handoff.running.recording import Ending, Notes, Recorded
from dabhand.handoff.shells.syntax import AndOr, Command, Pipeline

SEARCHES = frozenset({"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "pgrep", "pkill", "killall"})
"""Programs that end with 1 when they found nothing."""
ANSWERS = SEARCHES | {"diff", "cmp", "test", "[", "which", "command", "type", "hash", "expr", "let", "read"}
"""Programs whose status 1 is an answer."""
LOOKS = ANSWERS | {"ls", "cat", "stat", "head", "tail", "readlink", "realpath", "file", "find", "wc"}
"""Programs that only look: what is not there is no failure of anything."""
EARLY_CLOSERS = frozenset({"head", "sed", "awk", "grep", "rg", "less", "more", "true", ":"})
THINNING = frozenset({"head", "tail", "grep", "egrep", "rg", "sed", "awk", "wc", "cut", "sort", "uniq"})
"""Filters that let only a part of what is written through."""
CUT = 141
"""128 and SIGPIPE: how bash says that a signal ended a stage."""
_BROKEN_PIPE = ("Broken pipe", "BrokenPipeError", "EPIPE")
_GIT_ANSWERS = (("git", "grep"), ("git", "diff"), ("git", "merge-base"), ("git", "show-ref"), ("git", "rev-parse"))


class StageEnd(msgspec.Struct, frozen=True):
    """A stage, how it ended, and what that means.

    Attributes:
        command: the stage.
        status: as bash has it; None where nobody noted it.
        meaning: fine, failed, excused, cut, or nothing (a search that found nothing, and the line ends with it).
        thinned_by: the later stage that let only a part of what it wrote through; "" where there is none.
    """

    command: Command
    status: int | None
    meaning: str
    thinned_by: str = ""


class Judgement(msgspec.Struct, frozen=True):
    """What became of the stages, in order."""

    stages: tuple[StageEnd, ...]

    def of(self, meaning: str) -> tuple[StageEnd, ...]:
        """The stages of that meaning."""
        return tuple(one for one in self.stages if one.meaning == meaning)


def judge(recorded: Recorded, notes: Notes, status: int | None, errors: str) -> Judgement:
    """Go through the line as the shell did.

    Args:
        recorded: the line.
        notes: what it wrote down.
        status: how the shell itself ended; None where it was killed.
        errors: the end of what was written to standard error.
    """
    return Judgement(tuple(_Judging(recorded, notes, status, errors).all()))


class _Judging:
    def __init__(self, recorded: Recorded, notes: Notes, status: int | None, errors: str) -> None:
        self.lists = recorded.script.lists if recorded.pipelines else ()
        self.numbers = {pipeline.begin: {} for pipeline in recorded.pipelines.values()}  # type: dict[int, dict[int, int]]
        for number, pipeline in recorded.pipelines.items():
            self.numbers[pipeline.begin][pipeline.end] = number
        self.notes, self.status = notes, status
        self.broken = any(word in errors for word in _BROKEN_PIPE)
        self.over = False

    def all(self) -> Iterator[StageEnd]:
        """Every stage that ran."""
        for at, one in enumerate(self.lists):
            if not one.background and not self.over:
                yield from self.list(one, last=at == len(self.lists) - 1, once=True)

    def list(self, one: AndOr, *, last: bool, once: bool) -> Iterator[StageEnd]:
        """The pipelines of a list that ran. `once`: it ran at most once, so what is not noted is where it ended."""
        status: int | None = 0
        for at, pipeline in enumerate(one.pipelines):
            if once and at and status is not None and (status == 0) == (one.operators[at - 1] == "||"):
                continue
            endings = self.endings(pipeline)
            if not endings and not once:
                continue
            if not endings and self.number(pipeline) is not None:
                self.over = True
                endings = self.exiting()
            guard = _guard(one, at)
            status = _status(pipeline, endings)
            skipped = bool(status) and "||" not in one.operators[at:]
            ends_here = last and (self.over or at == len(one.pipelines) - 1 or skipped)
            for ending in _telling(endings):
                yield from self.pipeline(pipeline, ending, guard, last=ends_here)
            if self.over:
                return

    def number(self, pipeline: Pipeline) -> int | None:
        """Under which number it was noted."""
        return self.numbers.get(pipeline.begin, {}).get(pipeline.end)

    def endings(self, pipeline: Pipeline) -> Sequence[Ending | None]:
        """How it ended, each time."""
        number = self.number(pipeline)
        return () if number is None else self.notes.pipelines.get(number, ())

    def exiting(self) -> Sequence[Ending | None]:
        """How the pipeline ended that the shell ended with."""
        if self.status is None:
            return [None]
        return [self.notes.at_exit or Ending(self.status, (self.status,))]

    def pipeline(self, pipeline: Pipeline, ending: Ending | None, guard: str, *, last: bool) -> Iterator[StageEnd]:
        """Its stages, and of what is inside them whatever failed and was not told."""
        statuses = _statuses(pipeline, ending)
        for at, (command, status) in enumerate(zip(pipeline.commands, statuses, strict=True)):
            ends_the_line = last and at == len(pipeline.commands) - 1
            meaning = self.meaning(pipeline, statuses, at, guard, ends_the_line)
            thinning = (later.text for later in pipeline.commands[at + 1 :] if later.name in THINNING)
            yield StageEnd(command, status, meaning, next(thinning, ""))
            if meaning == "fine":
                for inner in self.inside(command, guard):
                    yield msgspec.structs.replace(inner, meaning="excused") if pipeline.negated else inner

    def inside(self, command: Command, guard: str) -> Iterator[StageEnd]:
        """What failed inside a stage that says that it did not."""
        for one in command.inner:
            if not one.background:
                for found in self.list(one, last=False, once=False):
                    if found.meaning == "failed" and guard != "excused":
                        yield found

    def meaning(
        self, pipeline: Pipeline, statuses: Sequence[int | None], at: int, guard: str, ends_the_line: bool
    ) -> str:
        """What the status of one stage means."""
        status, command = statuses[at], pipeline.commands[at]
        if status is None or status == 0:
            return "fine"
        later = list(zip(pipeline.commands[at + 1 :], statuses[at + 1 :], strict=True))
        if later and (status == CUT or (self.broken and status in (1, 2, 120) and _closes_early(later))):
            return "cut"
        if guard == "excused" or pipeline.negated:
            return "excused"
        if _answers(command, status):
            if not ends_the_line:
                return "excused"
            return "nothing" if _searches(command) else "failed"
        if guard == "told" and (_looks(command) or _throws_errors_away(command)):
            return "excused"
        if not ends_the_line and _looks(command) and _throws_errors_away(command):
            return "excused"
        return "failed"


def _statuses(pipeline: Pipeline, ending: Ending | None) -> Sequence[int | None]:
    count = len(pipeline.commands)
    if ending is None:
        return [None] * count
    if count == 1:  # PIPESTATUS is not about compound commands
        return [ending.whole]
    if len(ending.stages) == count:
        return ending.stages
    return [None] * (count - 1) + [ending.whole]


def _telling(endings: Sequence[Ending | None]) -> Sequence[Ending | None]:
    """Of many rounds of a loop, the first that failed, else the last."""
    if len(endings) < 2:
        return endings
    return [next((one for one in endings if one is None or any(one.stages)), endings[-1])]


def _guard(one: AndOr, at: int) -> str:
    """What the list says about a failure of that pipeline: "" nothing, "told", or "excused"."""
    for operator, pipeline in zip(one.operators[at:], one.pipelines[at + 1 :], strict=True):
        if operator == "||":
            return "told" if _only_tells(pipeline) else "excused"
    return ""


def _only_tells(pipeline: Pipeline) -> bool:
    """`echo ...`, or braces around nothing else."""
    for command in pipeline.commands:
        inner = [part for one in command.inner for part in one.pipelines]
        if command.kind in ("group", "subshell") and inner and all(_only_tells(part) for part in inner):
            continue
        if command.name not in ("echo", "printf", "cat", "tail"):
            return False
    return True


def _status(pipeline: Pipeline, endings: Sequence[Ending | None]) -> int | None:
    """What the list goes on with."""
    ending = endings[-1] if endings else None
    if ending is None:
        return None
    return int(ending.whole == 0) if pipeline.negated else ending.whole


def _closes_early(later: Sequence[tuple[Command, int | None]]) -> bool:
    return all(status == 0 for _, status in later) and any(command.name in EARLY_CLOSERS for command, _ in later)


def _first_words(command: Command, count: int) -> tuple[str, ...]:
    return tuple(word.value or "" for word in command.words[:count])


def _answers(command: Command, status: int) -> bool:
    if command.name == "xargs" and status == 123:
        return any((word.value or "") in SEARCHES for word in command.words)
    if status != 1:
        return False
    return command.kind == "test" or command.name in ANSWERS or _first_words(command, 2) in _GIT_ANSWERS


def _searches(command: Command) -> bool:
    return command.name in SEARCHES | {"xargs"} or _first_words(command, 2) == ("git", "grep")


def _looks(command: Command) -> bool:
    return command.kind == "test" or command.name in LOOKS or command.name == "git"


def _throws_errors_away(command: Command) -> bool:
    return any(
        one.target is not None
        and one.target.value == "/dev/null"
        and (one.descriptor == "2" or one.operator in ("&>", "&>>"))
        for one in command.redirections
    )
