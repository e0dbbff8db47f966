"""Reading a log of any length: up to a limit all of it, beyond it what a wish may be about, in bounded memory."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain

from dabhand.handoff.evidence import endings, outcomes
from dabhand.handoff.evidence.finding import wide
from dabhand.handoff.evidence.levels import WORDS
from dabhand.handoff.evidence.routine import shape
from dabhand.handoff.evidence.text import Log
from dabhand.handoff.evidence.unfolding import PIECE, unfolded
from dabhand.handoff.evidence.wish import Ask, Wish

WHOLE = 20_000_000  # characters that are looked at as a whole
EACH = 64  # what a line costs besides its characters, so that a million short ones stay within the memory granted
_HEAD = 1_000  # lines
_TAIL = 10_000  # lines: verdicts stand near the end
_CHUNK = 4_000_000  # characters that are searched at once
_ALIKE = 1_000  # promising lines of one shape; more of them would crowd out the rare ones
_BELOW = 6  # lines after a promising one that may belong to it
_PATTERNS = {
    "exit": endings.EXIT,
    "cut": endings.CUT,
    "skipped": outcomes.SKIPPED,
    "xfail": outcomes.XFAIL,
    "assertion": outcomes.ASSERTED,
    "failure": f"{outcomes.FAILED}|{outcomes.ASSERTED}",
}


def gathered(
    lines: Iterable[str] | Iterable[bytes], wish: Wish, *, whole: int = WHOLE, whole_lines: bool = False
) -> tuple[Log, bool]:
    """A log of all lines, or of those that the wish may be about.

    Args:
        lines: in order.
        wish: what is asked for.
        whole: characters up to which all of it is looked at.
        whole_lines: every row of the log is a line, however long; else it may be a part of one.

    Returns:
        The log, and whether nothing that could have been wanted was left out.
    """
    texts = map(_text, lines)
    first: list[str] = []
    size = 0
    for text in texts:
        first.append(text)
        size += len(text) + EACH
        if size > whole:
            return _condensed(chain(first, texts), wish, whole)
    return (Log(first) if whole_lines else _log(first, range(1, len(first) + 1))), True


def _log(lines: Sequence[str], numbers: Sequence[int], *, chars: int | None = None, count: int | None = None) -> Log:
    if not any("\r" in line or len(line) > PIECE for line in lines):
        return Log(lines, numbers, total_chars=chars, total_lines=count)
    rows, of, lengths = unfolded(lines, numbers)
    chars = sum(map(len, lines)) + len(lines) if chars is None else chars
    return Log(rows, of, lengths=lengths, total_chars=chars, total_lines=len(lines) if count is None else count)


def _text(line: str | bytes) -> str:
    text = line.decode("utf-8", "surrogateescape") if isinstance(line, bytes) else line
    return text.removesuffix("\n")


def _condensed(texts: Iterator[str], wish: Wish, most: int) -> tuple[Log, bool]:
    pattern = _promising(wish)
    kept: list[tuple[int, str]] = []
    tail: deque[tuple[int, str]] = deque(maxlen=_TAIL)
    tail_room = most // 2
    alike: Counter[str] = Counter()
    room = most
    number = total = 0
    full = False
    for chunk in _chunks(texts):
        wanted = _wanted(chunk, pattern) if pattern else set()
        for place, text in enumerate(chunk):
            number += 1
            total += len(text) + 1
            if number <= _HEAD or place in wanted:
                alike[shape(text)] += number > _HEAD
                if len(text) + EACH < room and alike[shape(text)] <= _ALIKE:
                    kept.append((number, text))
                    room -= len(text) + EACH
                else:
                    full = True
            tail_room += len(tail[0][1]) + EACH if len(tail) == _TAIL else 0
            tail.append((number, text))
            tail_room -= len(text) + EACH
            while tail_room < 0:
                tail_room += len(tail.popleft()[1]) + EACH
    last = kept[-1][0] if kept else 0
    known = {one for one, _ in kept[-_TAIL * 2 :]} if kept and tail and last >= tail[0][0] else set()
    rows = sorted(kept + [row for row in tail if row[0] not in known])
    log = _log([text for _, text in rows], [one for one, _ in rows], chars=total, count=number)
    return log, not full and not _needs_all(wish)


def _chunks(texts: Iterator[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for text in texts:
        chunk.append(text)
        size += len(text) + 1
        if size > _CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _wanted(chunk: list[str], pattern: str) -> set[int]:
    parts = [text.lower().encode("utf-8", "replace") for text in chunk]
    starts = list(accumulate((len(part) + 1 for part in parts[:-1]), initial=0))
    text = b"\n".join(parts)
    search = wide(pattern).search
    found: set[int] = set()
    at = 0
    while (match := search(text, at)) is not None:
        place = bisect_right(starts, match.start()) - 1
        found.update(range(place, place + _BELOW))
        if place + 1 >= len(starts):
            break
        at = starts[place + 1]
    return found


def _promising(wish: Wish) -> str:
    """A pattern for the lines that a wish may be about, over small letters."""
    patterns: list[str] = []
    for ask in wish.asks:
        patterns += [topic.pattern for topic in ask.topics if topic.telling or not ask.topics[0].telling]
        patterns += [re.escape(text.lower()) for text in (*ask.literals, *ask.exact, *(ask.span or ()))]
        patterns += [re.escape(text.lower()) for text in (ask.begins, ask.ends) if text]
        patterns += [f"(?i:{_PATTERNS[kind]})" for kind in ask.kinds if kind in _PATTERNS]
        narrowed = ask.literals or ask.exact or any(not topic.light for topic in ask.topics)
        if ask.kinds - {"summary", "verdict"} and not narrowed:
            patterns.append("|".join(re.escape(word.strip()) for word in WORDS if len(word.strip()) > 1))
    return "|".join(filter(None, patterns))


def _needs_all(wish: Wish) -> bool:
    """Whether lines without any of its words may be wanted."""
    return wish.times is not None or any(_without_words(ask) for ask in wish.asks)


def _without_words(ask: Ask) -> bool:
    return bool(ask.demands) or (not ask.topics and not ask.literals and not ask.exact and not ask.kinds)
