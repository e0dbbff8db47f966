"""Which stages of a line failed, and of which of those it matters.

Every stage's failure matters, wherever it stands, unless
- a later stage of its pipeline stopped reading (SIGPIPE): it was cut short, and its own verdict is not known;
- the command answers by its status, 1 means "no" (`grep`, `diff`, `test`, ...), and that is not how the line ends;
- the line says that it does not: `|| true`, `|| exit 0`, or an alternative that was tried instead; `|| echo ...` only
  says so of looks (`ls x || echo none`). A failed build or test stays one, whatever the line does about it;
- it is what a condition asks (`if`, `while`, `!`), or a look whose errors are thrown away in the middle of a list;
- it is a function's own status, which whoever calls it sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from dabhand.handoff.running.meanings import (
    CUT,
    CUT_BY_OWN_WORD,
    THINNING,
    answers,
    broke_its_pipe,
    closes_early,
    gives_a_verdict,
    guard_of,
    looks,
    only_tells,
    status_meaning,
)
from dabhand.handoff.running.recording import Ending, Notes, Recorded
from dabhand.handoff.shells.script import AndOr, Branch, Command, Pipeline, Substitution


class StageEnd(msgspec.Struct, frozen=True):
    """A stage, how it ended, and what that means.

    Attributes:
        command: the stage.
        status: as bash has it; None where nobody noted it.
        meaning: fine, failed, excused, cut, unknown (nobody noted how it ended), or nothing (a search that found
            nothing, and the line ends with it).
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
        self.numbers = {id(pipeline): number for number, pipeline in recorded.pipelines.items()}
        self.notes, self.status, self.errors = notes, status, errors
        self.over = False

    def all(self) -> Iterator[StageEnd]:
        """Every stage that ran."""
        for at, one in enumerate(self.lists):
            if one.background:
                yield from self.chain(one, last=False, once=False)
            elif not self.over:
                yield from self.chain(one, last=at == len(self.lists) - 1, once=True)

    def chain(
        self, one: AndOr, *, last: bool, once: bool, asked: bool | None = None, seen: bool = False
    ) -> Iterator[StageEnd]:
        """The pipelines of a list that ran.

        Args:
            one: the list.
            last: the line ends with it.
            once: it ran at most once, so what is not noted is where it ended.
            asked: it is what a condition asks, whose "no" is told nowhere (True) or only told (False); None if neither.
            seen: how it ended as a whole is seen by whoever runs it, and judged there.
        """
        status: int | None = 0
        for at, pipeline in enumerate(one.pipelines):
            if once and at and status is not None and (status == 0) == (one.operators[at - 1] == "||"):
                continue
            if len(pipeline.commands) == 1 and pipeline.commands[0].kind == "function":
                yield from self.function(pipeline.commands[0])
                continue
            endings = self.endings(pipeline)
            if not endings and not once:
                continue
            if not endings and self.number(pipeline) is not None:
                self.over = True
                endings = self.exiting()
            guard = guard_of(one, at)
            status = _status(pipeline, endings)
            skipped = bool(status) and "||" not in one.operators[at:]
            ends_here = last and (self.over or at == len(one.pipelines) - 1 or skipped)
            whole_seen = seen and "||" not in one.operators[at:]
            for ending in _telling(endings, but_last=whole_seen or asked is not None):
                yield from self.pipeline(pipeline, ending, guard, last=ends_here, asked=asked, seen=whole_seen)
            if self.over:
                return

    def number(self, pipeline: Pipeline) -> int | None:
        """Under which number it was noted."""
        return self.numbers.get(id(pipeline))

    def endings(self, pipeline: Pipeline) -> Sequence[Ending | None]:
        """How it ended, each time."""
        number = self.number(pipeline)
        return () if number is None else self.notes.pipelines.get(number, ())

    def exiting(self) -> Sequence[Ending | None]:
        """How the pipeline ended that the shell ended with."""
        if self.status is None:
            return [None]
        return [self.notes.at_exit or Ending(self.status, (self.status,))]

    def pipeline(
        self, pipeline: Pipeline, ending: Ending | None, guard: str, *, last: bool, asked: bool | None, seen: bool
    ) -> Iterator[StageEnd]:
        """Its stages, and of what is inside them whatever failed and was not told."""
        statuses = _statuses(pipeline, ending)
        for at, (command, status) in enumerate(zip(pipeline.commands, statuses, strict=True)):
            final = at == len(pipeline.commands) - 1
            meaning = self.meaning(pipeline, statuses, at, guard, ends=last and final, asked=asked if final else None)
            if final and seen and meaning == "failed":
                continue
            thinning = (later.text for later in pipeline.commands[at + 1 :] if later.name in THINNING)
            yield StageEnd(command, status, meaning, next(thinning, ""))
            if meaning == "fine":
                for inner in self.inside(command, guard):
                    yield msgspec.structs.replace(inner, meaning="excused") if pipeline.negated else inner

    def inside(self, command: Command, guard: str) -> Iterator[StageEnd]:
        """What failed inside a stage that says that it did not."""
        for branch in command.branches or (Branch((), command.inner),):
            for one in branch.asks:
                yield from self.failures(one, guard, asked=_is_told(command, branch, one))
            for one in branch.does:
                yield from self.failures(one, guard)
        for substitution in command.substitutions:
            for one in substitution.lists:
                yield from self.failures(one, guard, process=substitution.kind == "process")

    def failures(
        self, one: AndOr, guard: str, *, process: bool = False, asked: bool | None = None, seen: bool = False
    ) -> Iterator[StageEnd]:
        """What failed in a list that ran inside of something, and what of it the line allows."""
        ran = False
        for found in self.chain(one, last=False, once=False, asked=asked, seen=seen):
            ran = True
            if not (process and found.status == CUT) and _is_worth_telling(found):
                allowed = guard == "excused" and not gives_a_verdict(found.command)
                yield msgspec.structs.replace(found, meaning="excused") if allowed else found
        if process and not ran and any(self.number(pipeline) is not None for pipeline in one.pipelines):
            yield StageEnd(one.pipelines[0].commands[0], None, "unknown")

    def function(self, command: Command) -> Iterator[StageEnd]:
        """What failed inside a function, whenever it was called, and its callers did not see."""
        for branch in command.branches:
            for at, one in enumerate(branch.does):
                yield from self.failures(one, "", seen=at == len(branch.does) - 1)

    def meaning(
        self,
        pipeline: Pipeline,
        statuses: Sequence[int | None],
        at: int,
        guard: str,
        *,
        ends: bool,
        asked: bool | None,
    ) -> str:
        """What the status of one stage means."""
        status, command = statuses[at], pipeline.commands[at]
        if status is None:
            return "unknown" if self.status is not None else "fine"
        if status == 0:
            return "fine"
        later = list(zip(pipeline.commands[at + 1 :], statuses[at + 1 :], strict=True))
        if later and (status == CUT or (status in CUT_BY_OWN_WORD and self.was_cut(command, later))):
            return "cut"
        if command.kind == "other" and (inner := self.substituted(command)):
            return "failed" if any(one.meaning in ("failed", "unknown") for one in inner) else "excused"
        if asked is False:
            guard = "told"
        return status_meaning(command, status, guard, negated=pipeline.negated, asked=asked is True, ends_the_line=ends)

    def was_cut(self, command: Command, later: Sequence[tuple[Command, int | None]]) -> bool:
        """Whether a stage ended because a later one stopped reading, by what it says itself."""
        return (
            all(status == 0 for _, status in later)
            and any(closes_early(one) for one, _ in later)
            and broke_its_pipe(command, self.errors)
        )

    def substituted(self, command: Command) -> list[StageEnd]:
        """What ran in `x=$( )`, whose status is that of the assignment."""
        last: Substitution | None = command.substitutions[-1] if command.substitutions else None
        if last is None or last.kind not in ("command", "backticks"):
            return []
        return [found for one in last.lists for found in self.chain(one, last=False, once=False)]


def _is_worth_telling(found: StageEnd) -> bool:
    """Whether a stage inside of another is told: all that failed, but not what only answers "no"."""
    if found.meaning == "excused":
        return not (looks(found.command) or answers(found.command, found.status or 0))
    return found.meaning in ("failed", "unknown")


def _is_told(command: Command, branch: Branch, one: AndOr) -> bool:
    """Whether a condition's failure is anything but told: False for `if make; then ...; else echo broken; fi`."""
    if command.kind != "choice" or len(one.pipelines) != 1:
        return True
    if one.pipelines[0].negated:
        followed = branch.does
    else:
        at = command.branches.index(branch)
        rest = command.branches[at + 1 :]
        followed = rest[0].does if rest and not rest[0].asks else ()
    pipelines = [pipeline for does in followed for pipeline in does.pipelines]
    return not (pipelines and all(map(only_tells, pipelines)))


def _statuses(pipeline: Pipeline, ending: Ending | None) -> Sequence[int | None]:
    count = len(pipeline.commands)
    if ending is None:
        return [None] * count
    if count == 1:  # PIPESTATUS is not about compound commands
        return [ending.whole]
    if len(ending.stages) == count:
        return ending.stages
    return [None] * (count - 1) + [ending.whole]


def _telling(endings: Sequence[Ending | None], *, but_last: bool) -> Sequence[Ending | None]:
    """Of many rounds of a loop, the first that failed, else the last. `but_last`: how the last stage ended is seen."""
    if len(endings) < 2:
        return endings

    def failed(one: Ending | None) -> bool:
        return one is None or any(one.stages[: -1 if but_last else None])

    return [next((one for one in endings if failed(one)), endings[-1])]


def _status(pipeline: Pipeline, endings: Sequence[Ending | None]) -> int | None:
    """What the list goes on with."""
    ending = endings[-1] if endings else None
    if ending is None:
        return None
    return int(ending.whole == 0) if pipeline.negated else ending.whole
