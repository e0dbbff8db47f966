"""Which lines of a file: the first, the last, a range, all of them."""

from __future__ import annotations

from typing import Any

from dabhand.goals.rules import NoReading
from dabhand.handoff.words.terminals import Said, add


def _part(which: str, *numbers: int | None) -> Said:
    return (("part", (which, *numbers)),)


_FROM_START, _FROM_END = "(from | at) {det} {start}", "(from | at) {det} {end}"
add(
    "PIECE",
    lambda number: _part("first", number),
    "{det} {first} NUMBER {lines}",
    "{det} NUMBER {first} {lines}",
    "{det} NUMBER {lines} " + _FROM_START,
    "{lines} up to line NUMBER",
    "{det} {first} NUMBER",
    "{every} {lines} up to [and including] [line] NUMBER",
)
add("PIECE", lambda: _part("first", 1), "{det} {first} [single] {line}")
add(
    "PIECE",
    lambda number: _part("last", number),
    "{det} {last} NUMBER {lines}",
    "{det} NUMBER {last} {lines}",
    "{det} NUMBER {lines} " + _FROM_END,
    "{det} {last} NUMBER",
)
add("PIECE", lambda: _part("last", 1), "{det} {last} [single] {line}")


def _range(first: int | tuple[int, int], last: int | None = None) -> Said:
    return _part("range", *first) if isinstance(first, tuple) else _part("range", first, last)


def _next_to(first: int, last: int) -> Said:
    """Two lines, which are a range only if one follows the other."""
    if last != first + 1:
        raise NoReading
    return _part("range", first, last)


_THE_LINES = "[{every}] {lines} [number | numbers | numbered | no. | nos. | # | ranging | range]"
add(
    "PIECE",
    _range,
    _THE_LINES + " [from] NUMBER (to | {to}) [and | including] NUMBER [inclusive | included | ⟨ inclusive ⟩]",
    _THE_LINES + " between NUMBER and NUMBER [inclusive | included | ⟨ inclusive ⟩]",
    _THE_LINES + " RANGE [inclusive | included | ⟨ inclusive ⟩]",
    "between {lines} [number | numbers] NUMBER and [{lines}] [number] NUMBER [inclusive | included | ⟨ inclusive ⟩]",
    "from {lines} [number | numbers] NUMBER {to} [and including] [{lines}] [number] "
    "NUMBER [inclusive | included | ⟨ inclusive ⟩]",
    "[from] {line} [number] NUMBER {to} [{line}] [number] NUMBER [inclusive | included]",
    "{det} (line range | range of lines | range | range of rows) [from | of] (RANGE | NUMBER (to | {to}) NUMBER)",
    "NUMBER {to} NUMBER",
)
add("PIECE", lambda first, last: _next_to(first, last), "{every} {lines} [number | numbers] NUMBER and [{line}] NUMBER")
add(
    "PIECE",
    lambda number: _part("range", number, number),
    "[on | at] {det} [only | just | exactly] {line} [number | no. | # | at number] NUMBER",
    "{det} ORDINAL {line}",
)
_ON = (
    "(on | onwards | onward | to the end | to the last line | till the end | until the end | through "
    "the end | to end | on to the end | and on | and onwards | to the very end | forward | and after | "
    "and later | up to the end)"
)
add(
    "PIECE",
    lambda number: _part("range", number, None),
    "[from | starting (from | at | with) | beginning (from | at | with)] {line} [number] NUMBER " + _ON,
    "(everything | all | {every} {lines} | the rest | the remainder) (from | starting (from | at | with) "
    "| beginning (from | at | with)) {line} [number] NUMBER [" + _ON + "]",
    "(starting | beginning) (from | at | with) {line} [number] NUMBER [" + _ON + "]",
)
add(
    "PIECE",
    lambda number: _part("range", number + 1, None),
    "(everything | all | {every} {lines} | the rest | the remainder) (after | following | past | beyond) "
    "{line} [number] NUMBER",
    "(everything | all | {every} {lines}) (but | except | except for | after | other than | apart from | "
    "without) the {first} NUMBER [{lines}]",
    "(skipping | skip | omitting | omit | leaving out | leave out | without) the {first} NUMBER {lines}",
)
add(
    "PIECE",
    lambda: _part("range", 2, None),
    "(everything | all | {every} {lines}) (but | except | except for | after | other than | apart from | "
    "without) the {first} [{line}]",
    "(skipping | skip | omitting | leaving out | without) the {first} {line}",
)
add("PIECE", lambda: (("whole", True),), "{whole}")
add("PIECE", lambda: (("content", True),), "{content} [of]")
add("PIECE", lambda *_: (("open", True),), "{first_few}")


def _count_said(*_: Any) -> Said:
    return (("count", True),)


add(
    "PIECE",
    _count_said,
    "{how_many}",
    "and (count | count up | tally) (them | those | these | the matches | the lines | how many there are)",
)
add(
    "PIECE",
    lambda: (("count", True), ("lines", True)),
    "{line_count}",
    "{how_many} [total] {lines}",
    "{count} [{every} | how many] {lines}",
    "how many {lines} long",
    "in how many {lines}",
    "on how many {lines}",
    "length [of] in lines",
    "how long in lines",
)
add(
    "PIECE",
    lambda: (("has", True),),
    "{have} [in total | altogether | overall]",
    "(in total | altogether | overall | in all | there (are | is))",
)
add(
    "PIECE",
    lambda: (("lines", True),),
    "[{every}] {lines}",
    "[{every}] {strings}",
    "which {lines}",
    "on (which | what) {line} [number | numbers]",
    "the ({line} number | {line} numbers) [of | where | on which | at which]",
    "(which | what) {line} [number | numbers]",
    "[{every}] places where",
    "(on | in) (which | what) {lines} [number]",
    "in any {line}",
)
add(
    "PIECE",
    lambda: (("open", True),),
    "the [very] ({start} | {end}) [part | portion | section] of",
    "({start} | {end}) of",
)
