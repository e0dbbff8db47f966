"""What a run came to: its status, its stages as a packet tells them, and what else a reader must know."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Sequence

import msgspec

from dabhand.handoff.packet import Problem, Stage, Status
from dabhand.handoff.running.meanings import CUT, LOOKS, SEARCHES, looks
from dabhand.handoff.running.process import Ended, signal_name
from dabhand.handoff.running.recording import Recorded, read_notes, words_about_unwatched
from dabhand.handoff.running.verdict import Judgement, StageEnd, judge

_BY_SIGNAL = 128
_LONGEST_NAME = 80
_ASKS = re.compile(
    r"\[y/n\]|\(y/n\)|\(yes/no\b|pass(?:word|phrase)[^\n]*:\s*$|are you sure|press (?:any key|enter|return)"
    r"|EOF(?:Error)? when reading|a terminal is required|/dev/tty|terminal prompts disabled|not a (?:tty|terminal)"
    r"|stdin is not|no tty present|(?:continue|proceed|overwrite)[^\n]*\?\s*$",
    re.IGNORECASE,
)


class Judged(msgspec.Struct, frozen=True):
    """Status and stages.

    Attributes:
        judgement: what the stages of a shell line mean; None for an argument vector.
        unwatched: parts of the line of which nobody knows how they ended.
        only_looked: what failed only shows what is in files, so what is shown says nothing of it.
    """

    status: Status
    stages: tuple[Stage, ...]
    judgement: Judgement | None = None
    unwatched: tuple[str, ...] = ()
    only_looked: bool = False


def judged_argv(argv: Sequence[str], ended: Ended, errors: str) -> Judged:
    """What a single command came to."""
    signal = None if ended.signal is None else signal_name(ended.signal)
    code = ended.exit_code
    if ended.failed_to_start is not None:
        code = 127 if ended.failed_to_start == errno.ENOENT else 126
    stage = Stage(" ".join(argv), code, signal)
    if code == 0 and not (ended.timed_out or ended.interrupted):
        return Judged("ok", (stage,))
    searched = argv[0].rsplit("/", 1)[-1] in SEARCHES or list(argv[:2]) == ["git", "grep"]
    if code == 1 and searched and not errors.strip() and not ended.interrupted:
        return Judged("no_match", (stage,))
    return Judged("failed", (stage,), only_looked=argv[0].rsplit("/", 1)[-1] in LOOKS)


def judged_line(recorded: Recorded, notes: bytes, ended: Ended, errors: str) -> Judged:
    """What a line of several stages came to."""
    status = ended.exit_code if ended.signal is None else None
    judgement = judge(recorded, read_notes(notes), status, errors)
    stages = tuple(_stage(one) for one in judgement.stages)
    unwatched = recorded.unwatched
    if not stages:
        line = recorded.script.source.decode("utf-8", "surrogateescape").strip()
        signal = None if ended.signal is None else signal_name(ended.signal)
        stages = (Stage(line, ended.exit_code, signal),)
    if ended.timed_out or ended.interrupted or ended.signal is not None or judgement.of("failed"):
        failed = judgement.of("failed")
        return Judged(
            "failed", stages, judgement, unwatched, bool(failed) and all(looks(one.command) for one in failed)
        )
    if judgement.of("nothing") and not errors.strip():
        return Judged("no_match", stages, judgement, unwatched)
    return Judged("ok" if ended.exit_code == 0 else "failed", stages, judgement, unwatched)


def _stage(one: StageEnd) -> Stage:
    """A stage as a packet tells it. Whether 128 + N was a signal bash does not say; of a broken pipe it is."""
    signal = signal_name(one.status - _BY_SIGNAL) if one.meaning == "cut" and one.status == CUT else None
    return Stage(one.command.text, one.status, signal)


def why_not_started(argv: Sequence[str], ended: Ended) -> Problem | None:
    """Why there is nothing that ran."""
    match ended.failed_to_start:
        case None:
            return None
        case errno.ENOENT:
            return Problem("no_program", f"There is no program {argv[0]!r}.", "Check its name, or give its whole path.")
        case number:
            return Problem("no_program", f"{argv[0]!r} cannot be run: {os.strerror(number)}.", "Check what it is.")


def words_about(ended: Ended, judged: Judged, last_words: Sequence[str]) -> Iterator[str]:
    """Sentences about what the numbers do not say."""
    if ended.timed_out:
        yield f"Its time was up after {ended.seconds:.1f} s, and all that it had started was ended."
    if ended.interrupted:
        yield "It was interrupted, and all that it had started was ended."
    if ended.unkillable:
        yield f"{ended.unkillable} process(es) could not be ended."
    if judged.status != "ok" and not judged.only_looked and any(_ASKS.search(words) for words in last_words):
        yield "It asked for input, and there is none here: give the answer as an option or in a file."
    if ended.background:
        names = "; ".join(f"{left.pid} ({left.command[:_LONGEST_NAME]})" for left in ended.background)
        yield f"Still running in the background: {names}." + (" What it writes from now on is lost." * ended.held_open)
    yield from _words_about_stages(judged)


def _words_about_stages(judged: Judged) -> Iterator[str]:
    if judged.judgement is None:
        return
    for one in judged.judgement.of("cut"):
        yield f"{_name(one)} was cut short when a later stage stopped reading, so how it would have ended is not known."
    for one in judged.judgement.of("excused"):
        yield f"{_name(one)} ended with {one.status}, which the line allows."
    for one in judged.judgement.of("unknown"):
        yield f"How {_name(one)} ended is not known."
    for one in judged.judgement.of("failed"):
        signal = _by_signal(one.status)
        if one is judged.judgement.stages[-1] and not signal:
            continue
        thinned = (
            f" What it wrote went through `{one.thinned_by}`: run it without, to have all." if one.thinned_by else ""
        )
        yield f"{_name(one)} failed with {one.status}{signal}.{thinned}"
    yield from words_about_unwatched(judged.unwatched)


def _by_signal(status: int | None) -> str:
    if status is None or not _BY_SIGNAL < status <= _BY_SIGNAL + 31:
        return ""
    return f" (which bash also says of what {signal_name(status - _BY_SIGNAL)} ended)"


def _name(one: StageEnd) -> str:
    text = " ".join(one.command.text.split())
    return "`" + (text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…") + "`"
