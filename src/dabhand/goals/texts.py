"""Texts as requests describe them: "the first 3 lines of x.txt in reverse", "x.txt in capitals", "x.txt and y.txt"."""

from __future__ import annotations

from typing import Any

from dabhand.goals.acts import BOTH, IT, Changed, Expression, FileText, Joined
from dabhand.goals.places import within
from dabhand.goals.rules import NoReading
from dabhand.goals.steps import Steps, applied, by_place, by_word, said_of, steps
from dabhand.goals.words import ENGLISH, WholeWord

rule, add = ENGLISH.rule, ENGLISH.add

# -- whole texts ------------------------------------------------------------------------------------------------------

_CONTENTS = "[entire|whole|full|complete] (contents|content|text)"
add(
    "BASE",
    FileText,
    "FILE",
    "{all} {line} {of} FILE",
    "{all} " + _CONTENTS + " {of} FILE",
    "FILE 's [all] ({line}|" + _CONTENTS + ")",
    "(everything|all|what is|whatever is|all there is) {of} FILE",
    "{all} (names|items|data|records|values) {of} FILE",
    "(the|its) [whole|entire] file FILE",
    "{all} same {line} as FILE",
    "the same {line} as {det} {line} of FILE",
)
add(
    "BASE",
    lambda: FileText(IT),
    "{it}",
    "(its|their) ({line}|" + _CONTENTS + ")",
    "the {line}",
    "all [of] [the] {line}",
)
add("BASE", lambda path: Changed("as_numbers", (), FileText(path)), "{all} numbers {of} FILE")
add("BASE", lambda path: Changed("as_words", (), FileText(path)), "{all} words {of} FILE")
add("BASE", lambda name, folder: FileText(within(name, folder)), "{det} NAME file {in} FOLDER")

# -- lines chosen and changed -----------------------------------------------------------------------------------------


def chosen(before: Steps | None, early: Steps | None, base: Expression, late: Steps | None) -> Expression:
    """Lines described by words before and after the noun.

    Raises:
        NoReading: for a choice by place before a filter after it: "the first 3 lines with x" has two readings, and
            each has a rule of its own.
    """
    after = (early or ()) + (late or ())
    if by_place(before) and by_word(after):
        raise NoReading
    return applied((before or ()) + after, base)


_SOME_LINES = "{all} [PRES] {line} [MODS] {of} BASE [MODS]"
add("PLAIN_LINES", chosen, _SOME_LINES)
add("PLAIN_LINES", lambda before, base, after: chosen(before, None, base, after), "BASE 's [PRES] {line} [MODS]")
add("LINES", lambda value: value, "PLAIN_LINES")
add("LINES", chosen, "{every} [PRES] {line} [MODS] {of} BASE [MODS]")
add(
    "LINES",
    lambda mods, base: applied(mods, base),
    "(everything|all) MODS {of} BASE",
    "(those|the ones|lines) MODS {of} BASE",
)
add("LINES", lambda base, mods: applied(mods, base), "(everything|all) {of} BASE MODS")


@rule("PLAIN_LINES", _SOME_LINES)
def _filtered_first(before: Any, early: Any, base: Expression, late: Any) -> Expression:
    after = (early or ()) + (late or ())
    if not (by_place(before) and by_word(after)):
        raise NoReading
    return applied(after + before, base)


@rule("PLAIN_LINES", _SOME_LINES)
def _placed_first(before: Any, early: Any, base: Expression, late: Any) -> Expression:
    after = (early or ()) + (late or ())
    if not (by_place(before) and by_word(after)):
        raise NoReading
    return applied(before + after, base)


def nth(place: int, base: Expression) -> Expression:
    """The line with a number."""
    if place < 1:
        raise NoReading
    return applied((("nth", (place,)),), base)


add(
    "LINES",
    lambda before, base: applied(before, base),
    "{det} PRES of {all} {line} {of} BASE",
    "{all} PRES {line} {of} PLAIN_LINES",
)
add("LINES", lambda before, base, after: applied(after + before, base), "{det} PRES of {all} {line} {of} BASE MODS")
add("ITS_LINES", lambda before: applied(before, FileText(IT)), "{det} PRES of {it}", "PRES {line}")
for _name, _place in {"first": "beginning|start|top|head", "last": "end|bottom|tail"}.items():
    add(
        "LINES",
        lambda count, base, _name=_name: applied(((_name, (count,)),), base),
        f"{{det}} NUMBER {{line}} (from|at|of) the ({_place}) of BASE",
    )
add("LINES", nth, "{det} ORDINAL {line} {of} BASE", "{det} line [number|no|no.|#] NUMBER {of} BASE")


@rule("LINES", "{det} ORDINAL (to|through|until) ORDINAL {line} {of} BASE")
@rule(
    "LINES",
    "{det} {line} [number|numbers] NUMBER (to|through|until|-|up to|till) NUMBER {of} BASE",
    "{det} {line} (from|between) [line] NUMBER (to|and|through|up to) [line] NUMBER {of} BASE",
)
def _between(first: int, last: int, base: Expression) -> Expression:
    if not 0 < first <= last:
        raise NoReading
    return applied((("between", (first, last)),), base)


@rule("LINES", "{det} {line} NUMBER and NUMBER {of} BASE")
def _neighbours(first: int, last: int, base: Expression) -> Expression:
    if last != first + 1:
        raise NoReading  # no operation takes lines that are apart
    return _between(first, last, base)


@rule(
    "LINES",
    "BASE (starting|beginning) (at|from|with) line [number] NUMBER [onwards|on]",
    "BASE from line [number] NUMBER (on|onwards|onward|to the end)",
    "{all} {line} {of} BASE (starting|beginning) (at|from|with) line [number] NUMBER",
)
def _starting(base: Expression, place: int) -> Expression:
    if place < 1:
        raise NoReading
    return applied((("without_first", (place - 1,)),), base) if place > 1 else base


add("LINES", lambda base: applied(steps("mirrored"), base), "{mirror_each} {of} BASE (reversed|backwards|in reverse)")

# -- lines of what was spoken of last ---------------------------------------------------------------------------------

add(
    "ITS_LINES",
    lambda before, after: chosen(before, None, FileText(IT), after),
    "{det} [only] PRES {line} [MODS]",
)
add("ITS_LINES", lambda before, after: chosen(before, None, FileText(IT), after), "(its|their) PRES {line} [MODS]")
add("ITS_LINES", lambda after: applied(after, FileText(IT)), "{all} {line} FILTERS", "those FILTERS")
add("ITS_LINES", lambda place: nth(place, FileText(IT)), "{det} ORDINAL {line}", "{det} {line} NUMBER")
add("ITS_LINES", lambda before: applied(before, FileText(IT)), "the PRES")
add(
    "ITS_LINES",
    lambda before, after=None: chosen(before, None, FileText(IT), after),
    "(only|just|nothing but) {det} PRES {line} [MODS]",
)

# -- any text ---------------------------------------------------------------------------------------------------------

add("TEXT", lambda value: value, "LINES", "BASE", "ITS_LINES")
add("TEXT", lambda base, mods: applied(mods, base), "BASE MODS", "the same as BASE [,] [but] MODS")
_VERSION = "(version|copy|list|form|variant|edition)"
add(
    "TEXT",
    lambda before, base: applied(before, base),
    "{det} PRES FILE_TEXT",
    "{det} PRES " + _VERSION + " {of} BASE",
    "{det} PRES (contents|content|text|data) {of} BASE",
)
add("FILE_TEXT", FileText, "FILE")
add("TEXT", lambda base, mods: applied(mods, base), "{det} " + _VERSION + " {of} BASE MODS")
add("TEXT", lambda base: Changed("reversed", (), base), "{det} lines of BASE reversed")


@rule(
    "TEXT",
    "{all} [{line} of] FILES (side by side|next to each other|in [two] columns|in parallel) [, in two columns] "
    "[with a tab between [them]] [MODS]",
    "FILES (column by column|line by line) [MODS]",
)
def _beside(paths: tuple[str, ...], mods: Steps | None) -> Expression:
    if len(paths) != 2 and paths != (BOTH,):
        raise NoReading
    return applied(mods or (), Joined(tuple(map(FileText, paths)), beside=True))


@rule("TEXT", "FILE on the left and FILE on the right [,] [(separated by|with) a tab [between [them]]]")
def _left_and_right(left: str, right: str) -> Expression:
    return Joined((FileText(left), FileText(right)), beside=True)


_IN_A_ROW = (
    "[together|joined|joined together|combined|concatenated|one after (the other|another)|in (that|this) order|"
    "in a row|"
    "merged]"
)


@rule("MANY_LINES", "{all} {line} of FILES " + _IN_A_ROW + " [MODS]")
@rule(
    "TEXT",
    "FILES " + _IN_A_ROW + " [MODS]",
    "{all} (contents|content|{line}|text) of FILES " + _IN_A_ROW + " [MODS]",
    "{det} (concatenation|combination) of FILES [MODS]",
)
def joined(paths: tuple[str, ...], mods: Steps | None = None) -> Expression:
    """Several files one after the other."""
    if len(paths) < 2 and paths != (BOTH,):
        raise NoReading
    return applied(mods or (), Joined(tuple(map(FileText, paths))))


# -- amounts ----------------------------------------------------------------------------------------------------------

for _unit, _words in {
    "lines": "{line}",
    "words": "words",
    "bytes": "bytes",
    "characters": "(characters|chars)",
    "vowels": "(vowels|vowel letters)",
    "plain vowels": "(the vowels|vowels) [⟨|,|:] a , e , i , o [,] [and|or] u [⟩|,]",
    "consonants": "(consonants|consonant letters)",
    "capitals": "(capitals|capital letters|uppercase letters|upper-case letters|upper case letters)",
    "smalls": "(small letters|lowercase letters|lower-case letters|lower case letters|letters in lower case)",
    "numerals": "(digits|numerals)",
    "letters": "(letters|letters of the alphabet|alphabetic characters)",
    "spaces": "(spaces|blanks|space characters)",
    "distinct words": "(different|distinct|unique) words",
    "distinct lines": "(different|distinct) lines",
    "blank lines": "(blank|empty) lines",
}.items():
    add("UNIT", lambda _unit=_unit: _unit, _words)


for _unit, _words in {
    "lines": "line",
    "words": "word",
    "bytes": "byte",
    "characters": "(character|char)",
    "vowels": "vowel",
    "consonants": "consonant",
    "capitals": "(capital|capital letter|uppercase letter|upper-case letter|upper case letter)",
    "smalls": "(small letter|lowercase letter|lower-case letter|lower case letter)",
    "numerals": "digit",
    "letters": "letter",
}.items():
    add("ONE_UNIT", lambda _unit=_unit: _unit, _words)


def counting(unit: str, described: Steps | None, base: Expression) -> Expression:
    """How many there are in a text; only lines can be described further."""
    if described and unit != "lines":
        raise NoReading
    return Changed("counted", (unit,), applied(described or (), base))


def _counted(before: Any, unit: str, early: Any, base: Expression, late: Any) -> Expression:
    return counting(unit, (before or ()) + (early or ()) + (late or ()), base)


_OF = "(of|in|from|inside|within|are in|there are in|are there in|that are in|is in|on|for)"
add(
    "COUNTED",
    _counted,
    "{all} [PRES] UNIT [FILTERS] " + _OF + " BASE [FILTERS] [have|has|contain|contains|there are]",
    "{all} number of {all} [PRES] UNIT [FILTERS] " + _OF + " BASE [FILTERS]",
)
_CASES = "(both (small and capital|capital and small|upper and lower case|uppercase and lowercase|large and small))"
_THERE = "[(that|which) (occurs|occur|appears|appear|is|are|is there|are there|is found|are found)]"
add(
    "COUNTED",
    lambda unit, base: counting(unit, None, base),
    "{every} ONE_UNIT " + _THERE + " {of} BASE",
    "{all} UNIT [,] " + _CASES + " [,] " + _THERE + " {of} BASE",
    "{all} UNIT " + _THERE + " {of} BASE",
)
add("COUNTED", lambda base: counting("bytes", None, base), "{det} size of BASE in bytes", "how big BASE is in bytes")
_HOW_MANY = "({det} [total|overall] (number|count|amount|quantity) of|how many [of (the|its|these)])"
add("AMOUNT", lambda value: value, _HOW_MANY + " COUNTED")
add(
    "AMOUNT",
    lambda base: counting("bytes", None, base),
    "{det} [file] size [in bytes] of BASE",
    "{det} [file] size of BASE in bytes",
    "how many bytes [large|big|long] [is] BASE [has|is|contains|have|long|big|large|takes up]",
    "how (big|large) [is] BASE [is] in bytes",
    "{det} byte count of BASE",
    "how (big|large|long) [is] BASE [is] , in bytes",
    "{det} number of bytes [that] BASE (has|takes up|is|contains|needs)",
)
add("AMOUNT", lambda unit, base: counting(unit, None, base), "{det} ONE_UNIT count (of|for|in) BASE")
add("AMOUNT", lambda path, unit: counting(unit, None, FileText(path)), "FILE 's ONE_UNIT count")
add(
    "AMOUNT",
    lambda before, unit, base, more=None: counting(unit, (before or ()) + (more or ()), base),
    "how many [PRES] UNIT BASE (has|contains|have|contain|is long|holds|consists of|is made of) [FILTERS]",
    "how many [PRES] UNIT (there are|are there) {of} BASE [FILTERS]",
    "how many [PRES] UNIT (does|do) BASE (have|contain|hold|consist of) [FILTERS]",
    "(in|on) how many [PRES] UNIT {of} BASE FILTERS",
    "how many [PRES] UNIT long is BASE [FILTERS]",
    "{det} number of [PRES] UNIT [that] BASE (has|contains|holds|consists of) [in it] [FILTERS]",
)
add(
    "AMOUNT",
    lambda unit, more, base: counting(unit, more, base),
    "how many UNIT FILTERS (there are|are there|are) {of} BASE",
    "how many UNIT FILTERS BASE (has|have)",
)


def _with_word(name: str) -> Any:
    return lambda unit, base, word: counting(unit, steps(said_of(name, word)), base)


add(
    "AMOUNT",
    _with_word("containing"),
    _HOW_MANY + " UNIT {of} BASE {containing} LITERAL",
    "(in|on) how many UNIT {of} BASE (does|do|is|are) LITERAL (appear|occur|show up|found|present|mentioned|there)",
    "(in|on) how many UNIT {of} BASE LITERAL {occurs}",
)
add("AMOUNT", _with_word("lacking"), _HOW_MANY + " UNIT {of} BASE {lacking} LITERAL")
add(
    "AMOUNT",
    lambda more, unit: counting(unit, more, FileText(IT)),
    "how many [PRES] UNIT (there are|are there|are left|remain|are there left|there are left|it has|it contains|"
    "does it have|does it contain|that is|that makes|are in it|they are) [now|in total|in it|altogether|left]",
    "{det} number of [PRES] (remaining|resulting) UNIT",
    "{det} number of [PRES] UNIT (that (are left|remain|are there then)|left|remaining)",
)
add("AMOUNT", lambda unit, more: counting(unit, more, FileText(IT)), "how many [of] (the|those) UNIT FILTERS")


@rule(
    "AMOUNT",
    "(how often|how many times) (does|do|is|are) LITERAL (occur|appear|show up|found|mentioned|come up|"
    "contained) {of} BASE",
    "(how often|how many times) LITERAL {occurs} {of} BASE",
    "{det} number of (occurrences|appearances|instances) of LITERAL {of} BASE",
    "{det} number of times [that] LITERAL {occurs} {of} BASE",
)
def _occurrences(word: str | WholeWord, base: Expression) -> Expression:
    return Changed(*said_of("occurring", word), base)


add("DATA", lambda unit: Changed("counted", (unit,), FileText(IT)), "{det} number of (its|the) UNIT", "its UNIT count")
add(
    "TEXT",
    lambda first, second: Joined((FileText(first), FileText(second))),
    "FILE with FILE (appended|added|attached) [(to|onto) (it|its end)|at the end|behind it]",
)
_PART = "{all} (contents|content|text|{line}) of FILE"
add(
    "TEXT",
    lambda first, second, mods=None: applied(mods or (), Joined((FileText(first), FileText(second)))),
    _PART + " [,] [followed by|and then|and|then] " + _PART + " [together] [MODS]",
)
add(
    "TEXT",
    lambda first, second: Joined((first, second)),
    "LINES [,] (and|and then|followed by|and after that) LINES",
)
add("DATA", lambda value: value, "TEXT", "AMOUNT")
