"""What is looked for in lines, how, and with which lines around it."""

from __future__ import annotations

import re

from dabhand.goals.rules import NoReading
from dabhand.handoff.words.terminals import Place, Said, Text, add

_QUOTED_OR_WORD = "(QUOTED | ANYWORD)"


def _first(*values: str | None) -> str:
    return next(value for value in values if value is not None)


def _literal(*values: str | None) -> Text:
    return Text(_first(*values))


def _said(*values: str | None) -> Text:
    return Text(_first(*values), said=True)


def _regex(*values: str | None) -> Text:
    return Text(_first(*values), regex=True, said=True)


add(
    "TEXT",
    _said,
    "{det} {literal} [: | of | like | that is] QUOTED",
    "{det} {literal} [:] ONEWORD",
    "{det} {literal} [:] SPAN",
    "{det} {literal} [:] DENIAL",
    "QUOTED {literal}",
)
add("TEXT", _literal, "{det} QUOTED", "{det} CODE")
add(
    "TEXT",
    _regex,
    "{det} {regex} [: | of | like] " + _QUOTED_OR_WORD,
    "QUOTED as [a | an] {regex}",
    "QUOTED (interpreted | taken | treated | used) as [a | an] {regex}",
)
add("TEXT", _literal, "{det} {regex} QUOTED literally")
add("SOUGHT", lambda text: text, "TEXT")
add("SOUGHT", lambda value: Text(value, plain=True), "SOLE")
add("SOUGHT", _literal, "FIGURE")
add("HELD", lambda text: text, "TEXT")
add("HELD", _literal, "FIGURE")
add("HELD", _literal, "SPAN")


def _lines_with(text: Text) -> Said:
    return (("text", text), ("lines", True), ("of lines", True))


add(
    "PIECE",
    _lines_with,
    "[{every}] ({lines} | {strings}) [(that | which)] {containing} HELD",
    "[{every}] ({lines} | {strings}) (where | in which | on which) HELD {occurs}",
    "[{every}] ({lines} | {strings}) (matching | that match | which match) HELD",
    "{every} QUOTED {lines}",
    "[{every}] {lines} [(that | which)] {containing} HELD (in it | in them | somewhere | anywhere)",
)
add("PIECE", lambda text: (("text", text), ("contains", True)), "{containing} HELD", "(that | which) {containing} HELD")
add(
    "PIECE",
    _lines_with,
    "(where | wherever | whether | if) [do | does | is | are] HELD {occurs}",
    "TEXT {occurs}",
    "(do | does) HELD (occur | appear | show up | come up)",
)
_OBJECT = (("object", True), ("of lines", True))
add("PIECE", lambda text: (("text", text), ("v:find", True), *_OBJECT), "{find} [for] [exactly | only | just] SOUGHT")
add(
    "PIECE",
    lambda text: (("text", text), ("v:find", True), ("searching", True), *_OBJECT),
    "{grep} [for] [exactly | only | just] SOUGHT",
    "{search_in} for SOUGHT",
)
add("PIECE", lambda text: (("text", text), ("object", True), ("of lines", True)), "for SOUGHT")
add(
    "PIECE",
    lambda text: (("text", text), ("lines", True), ("of lines", True), ("mentions", True)),
    "[for] {occurrences} TEXT",
    "[for] {every} (QUOTED | CODE) (occurrences | mentions | matches | references | usages | lines)",
)


def _line_begins(place: Place | Text | None, text: Text | None = None) -> Said:
    """Lines that begin with a text: exactly what a pattern can say."""
    return _anchored("^{}", place, text)


def _line_ends(place: Place | Text | None, text: Text | None = None) -> Said:
    """Lines that end in a text."""
    return _anchored("{}$", place, text)


def _anchored(form: str, *values: Place | Text | None) -> Said:
    text = next(value for value in values if isinstance(value, Text))
    if text.regex:
        raise NoReading
    pattern = Text(form.format(re.escape(text.value)), regex=True, said=True)
    places = tuple(("path", value) for value in values if isinstance(value, Place))
    return (*_lines_with(pattern), *places)


_BEGINNING = (
    "(starting | beginning | that (start | begin) | which (start | begin) | that starts | that begins) with HELD"
)
_ENDING = "(ending | that end | which end | that ends) (with | in) HELD"
for _between in ("", "{in} FILE "):
    add("PIECE", _line_begins, "{every} {lines} " + _between + _BEGINNING)
    add("PIECE", _line_ends, "{every} {lines} " + _between + _ENDING)


def _first_matches(number: int | None = None, text: Text | None = None) -> Said:
    """At most so many of the lines that hold something: the first 3 lines that ..."""
    if isinstance(number, Text):
        number, text = 1, number
    if number is None or text is None:
        raise NoReading
    return (("text", text), ("lines", True), ("of lines", True), ("most", number), ("part of matches", True))


add(
    "PIECE",
    _first_matches,
    "{det} {first} NUMBER ({lines} | {matches}) {containing} HELD",
    "{det} {first} NUMBER {lines} {containing} HELD",
    "{det} {first} NUMBER {matches} (of | for) HELD",
    "{det} {first} ({line} | match | occurrence | hit | mention | instance) ({containing} | of | for) HELD",
    "[at most | up to | only | no more than | a maximum of] NUMBER {lines} {containing} HELD",
    "[at most | up to | only | no more than | a maximum of] NUMBER {matches} (of | for) HELD",
)
_AT_MOST = (
    "(at most | up to | no more than | not more than | a maximum of | max | maximum | only | "
    "maximum of | limit of | limit to)"
)
add(
    "PIECE",
    lambda number: (("most", number),),
    "[with | and | showing | return | show | but | give [me] | , | only show | only return] "
    + _AT_MOST
    + " [the first] NUMBER {matches}",
    "[and | ,] (limit | limiting | limited | cut off | capped | cap | restrict | restricted) [it | them "
    "| the (output | results | matches | result)] [to | at] [the first | at most] NUMBER [{matches} | "
    "lines]",
    "[and | ,] (stop | stopping) after [the first] NUMBER [{matches}]",
    "[the] first NUMBER {matches} [only]",
    "[and | ,] [show | return | give [me] | list] only the first NUMBER {matches}",
    "[with] a limit of NUMBER [{matches} | lines]",
    "(max | maximum) [of] NUMBER {matches}",
)
add(
    "PIECE",
    lambda: (("most", 1),),
    "[and | ,] stop (after | at) the first (match | hit | occurrence | one)",
    "only the first (match | hit | occurrence)",
    "the first (match | hit | occurrence) [only]",
)
add("PIECE", lambda: (("ignore_case", True),), "{ignoring_case}")
add("PIECE", lambda: (("as_written", True),), "{as_written}")
add(
    "PIECE",
    lambda: (("regex", True),),
    "[as | using | with | treating it as | interpreted as] [a | an] {regex} [search]",
    "by {regex}",
)
add(
    "PIECE",
    lambda: (("filter", "whole words"),),
    "as [a] (whole | complete | full | entire) (word | words) [only]",
    "whole words only",
    "(whole | entire | complete) (word | words) [only]",
    "matching (whole | only whole) (words | word)",
)
add(
    "PIECE",
    lambda *_: (("filter", "how often a text occurs"),),
    "how (many times | often)",
    "[the] number of times",
    "the times",
    "how frequently",
)
add(
    "PIECE",
    lambda *_: (("filter", "lines that do not hold a text"),),
    "{lacking} HELD",
    "[{every}] {lines} {lacking} HELD",
)

# -- lines around

_LEAD = (
    "[with | and | showing | show | including | include | plus | , | along with | together with | "
    "also | print | give [me]]"
)
_CONTEXT = "[of] [surrounding | context | leading context | trailing context]"
add(
    "PIECE",
    lambda number: (("before", number), ("after", number)),
    _LEAD + " NUMBER {lines} of [surrounding] context [{around} {each_match}]",
    _LEAD + " NUMBER [{lines}] {around} {each_match}",
    _LEAD + " NUMBER (surrounding | context) {lines} [of context] [{around} {each_match}]",
    _LEAD + " NUMBER {lines} (before and after | above and below | on either side | on both sides | on each "
    "side | either side | each side) {each_match}",
    _LEAD + " [a] context [of] NUMBER [{lines}]",
    _LEAD + " NUMBER {lines} of context on (either | each | both) (side | sides) [of {each_match}]",
    _LEAD + " [the] NUMBER {lines} around {each_match}",
)
_OF_CONTEXT = "[of] [leading | trailing] [context]"
add(
    "PIECE",
    lambda number: (("before", number),),
    _LEAD + " [the] NUMBER {lines} " + _OF_CONTEXT + " {before} {each_match}",
    _LEAD + " NUMBER {lines} of leading context",
    _LEAD + " [the] NUMBER (preceding | previous | leading) {lines}",
)
add(
    "PIECE",
    lambda number: (("after", number),),
    _LEAD + " [the] NUMBER {lines} " + _OF_CONTEXT + " {after} {each_match}",
    _LEAD + " NUMBER {lines} of trailing context",
    _LEAD + " [the] NUMBER (following | next | subsequent | trailing) {lines}",
    _LEAD + " the next NUMBER {lines}",
)
add(
    "PIECE",
    lambda before, after: (("before", before), ("after", after)),
    _LEAD
    + " NUMBER {lines} "
    + _OF_CONTEXT
    + " {before} [{each_match}] and NUMBER [{lines}] "
    + _OF_CONTEXT
    + " {after} {each_match}",
)
add(
    "PIECE",
    lambda after, before: (("before", before), ("after", after)),
    _LEAD
    + " NUMBER {lines} "
    + _OF_CONTEXT
    + " {after} [{each_match}] and NUMBER [{lines}] "
    + _OF_CONTEXT
    + " {before} {each_match}",
)
add("PIECE", lambda: (("before", 1),), _LEAD + " the [one | single] {line} {before} {each_match}")
add("PIECE", lambda: (("after", 1),), _LEAD + " the [one | single] {line} {after} {each_match}")
add(
    "PIECE",
    lambda: (("open", True),),
    "with [some | a few | a bit of | a couple of lines of | the surrounding | surrounding | a little] "
    "(context | lines of context)",
)
