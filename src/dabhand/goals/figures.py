"""Figures: sums, averages and other single numbers out of many; the longest, the most common; chosen numbers."""

from __future__ import annotations

from typing import Any

from dabhand.goals.acts import ANSWER, IT, Acts, Changed, Expression, FileText, Hold, Mention, Write
from dabhand.goals.changing import held
from dabhand.goals.frames import deed, source_of
from dabhand.goals.riders import ridden
from dabhand.goals.rules import NoReading
from dabhand.goals.steps import Steps, applied
from dabhand.goals.words import ENGLISH

rule, add = ENGLISH.rule, ENGLISH.add

# -- one number out of many -------------------------------------------------------------------------------------------

_WORDS = {
    "total": "(sum|total|sum total|grand total|total sum|overall sum|overall total)",
    "average": "(average|mean|arithmetic mean|arithmetic average|mean value|average value)",
    "median": "(median|median value)",
    "largest": "(largest|highest|biggest|greatest|maximum|max|top)",
    "smallest": "(smallest|lowest|least|minimum|min)",
}
_NUMBERS = "[the|all|all the|all of the|these|its] (numbers|values|figures|amounts|integers|numeric values|entries)"
add("NUMBERS_IN", lambda base: base, "[" + _NUMBERS + " {of}] BASE", "{det} BARE_COLUMN", "CHOSEN_NUMBERS")
add("NUMBERS_IN", lambda base: base, _NUMBERS + " (that are|which are|written|listed|contained|found|stored) {of} BASE")
for _name, _words in _WORDS.items():
    add("AGGREGATE", lambda _name=_name: _name, _words)
    if _name in ("largest", "smallest"):
        add("EXTREME", lambda _name=_name: _name, _words)


def _figure(name: str, base: Expression) -> Expression:
    return Changed(name, ("",), base)


add("FIGURE", _figure, "{det} AGGREGATE (of|for|over) NUMBERS_IN", "{det} AGGREGATE [value|number] {of} NUMBERS_IN")
add("FIGURE", _figure, "{det} AGGREGATE BARE_COLUMN", "{det} AGGREGATE of {det} BARE_COLUMN")
add("FIGURE", lambda base, name: _figure(name, base), "BASE 's AGGREGATE")
add(
    "FIGURE",
    lambda base: _figure("total", base),
    "what NUMBERS_IN (add up to|sum to|come to|total|amount to) {altogether}",
)
add(
    "FIGURE",
    lambda base: _figure("total", base),
    "how much [is|are|do|does] NUMBERS_IN [add up to|come to|amount to|together] {altogether}",
)
add(
    "FIGURE",
    lambda base: _figure("total", base),
    "what (do|does) NUMBERS_IN (add up to|sum to|come to|total|amount to) {altogether}",
)
_COUNTED = (("counted", ("lines",)),)
_DIFFERENT = "(different|distinct|unique)"
add(
    "FIGURE",
    lambda name, path: applied((("column", (name,)), ("distinct", ()), *_COUNTED), FileText(path)),
    f"how many {_DIFFERENT} COLNAME (are|there are|are there|are listed|occur|appear) [there] {{of}} TABLE",
)
add(
    "FIGURE",
    lambda base: applied((("distinct", ()), *_COUNTED), base),
    "{det} number of (different|distinct|unique) (COLUMN_VALUES|BARE_COLUMN)",
    "how many (different|distinct|unique) (COLUMN_VALUES|BARE_COLUMN) [are there|there are]",
    f"how many {_DIFFERENT} values [are there in|there are in|are in|has|does] COLUMN [has|have|contains|contain]",
)

# -- one of many ------------------------------------------------------------------------------------------------------

_MOST = (
    "(most common|most frequent|commonest|most often occurring|most frequently occurring|most repeated|most used|"
    "most frequently used|most often used)"
)
_OFTEN = "(most often|most frequently|the most|most|the most often|most times|the most times)"
_OCCURS = "(occurs|appears|comes up|shows up|is used|is found|is repeated|is there|crops up)"
for _unit, _words in {"words": "word", "lines": "(line|row|entry|value|number|item|name)"}.items():
    add("ONE", lambda _unit=_unit: _unit, _words)


def _common(unit: str, base: Expression) -> Expression:
    return Changed("most_common", (unit, ""), base)


add(
    "FIGURE",
    _common,
    "{det} " + _MOST + " ONE {of} BASE",
    "{det} ONE (that|which) " + _OCCURS + " " + _OFTEN + " {of} BASE",
    "{det} ONE (that|which) " + _OCCURS + " {of} BASE " + _OFTEN,
    "(which|what) ONE " + _OCCURS + " " + _OFTEN + " {of} BASE",
    "(which|what) ONE " + _OCCURS + " {of} BASE " + _OFTEN,
    "(which|what) ONE BASE (uses|contains|has) " + _OFTEN,
)
add(
    "FIGURE",
    lambda cells: _common("lines", cells),
    "{det} " + _MOST + " BARE_COLUMN",
    "{det} " + _MOST + " (value|entry|item|name|cell) {of} BARE_COLUMN",
    "(which|what) value " + _OCCURS + " " + _OFTEN + " {of} BARE_COLUMN",
)
add(
    "FIGURE",
    lambda name, path: _common("lines", Changed("column", (name,), FileText(path))),
    "(which|what) COLNAME " + _OCCURS + " " + _OFTEN + " {of} TABLE",
    "{det} COLNAME (that|which) " + _OCCURS + " " + _OFTEN + " {of} TABLE",
)


add("CLAUSE", lambda base, dest=None: _reckoned("total", base, dest), "add NUMBERS_IN (up|together) [DEST]")
_IS_MOST = "is [the] " + _MOST
add("FIGURE", _common, "(which|what) ONE " + _IS_MOST + " {of} BASE", "(which|what) ONE {of} BASE " + _IS_MOST)
add(
    "FIGURE",
    lambda name, path: _common("lines", Changed("column", (name,), FileText(path))),
    "(which|what) COLNAME " + _IS_MOST + " {of} TABLE",
)


@rule("CLAUSE", "(take|read|use|consider|get|go through) " + _NUMBERS + " {of} BASE")
def _take_numbers(base: Expression) -> Acts:
    """Speak of numbers, to do something with them next."""
    if not isinstance(base, FileText) or base.path.startswith("\0"):
        raise NoReading
    return (Mention(base.path),)


_IT_ALL = "(them [all]|all of them|it all)"
_ADD_ALL = "add " + _IT_ALL + " (up|together) [DEST]"
add("CLAUSE", lambda dest=None: _reckoned("total", FileText(IT), dest), _ADD_ALL, "{sum} " + _IT_ALL + " [DEST]")
for _name, _most in {"longest": "(most|highest number of)", "shortest": "(fewest|least|smallest number of)"}.items():
    add(
        "FIGURE",
        lambda unit, base, _name=_name: Changed(_name, (unit, ""), base),
        f"(which|what) ONE_LENGTH {{of}} BASE is [the] {_name}",
        f"{{det}} ONE_LENGTH {{of}} BASE (that|which) (is [the] {_name}|has the {_most} characters)",
        f"{{det}} ONE_LENGTH (with|that has) the {_most} (characters|letters) {{of}} BASE",
    )
    add(
        "FIGURE",
        lambda unit, base, _name=_name: Changed(_name, (unit, ""), base),
        f"{{det}} [(single|very|first|one)] {_name} ONE_LENGTH {{of}} BASE",
        f"(which|what) [is] [the] {_name} ONE_LENGTH {{of}} BASE",
    )
add("ONE_LENGTH", lambda: "words", "word")
add("ONE_LENGTH", lambda: "lines", "line")
add("AMOUNT", lambda value: value, "FIGURE")
add("FIGURE", lambda name: _figure(name, FileText(IT)), "(its|their|the) AGGREGATE")
add("CLAUSE", lambda value: (Hold(value, ANSWER),), "how much is FIGURE", "{learn} what FIGURE (is|comes to)")
add(
    "CLAUSE",
    lambda value, rider, path: (Write(ridden(value, rider), path),),
    "({take}|{learn}) FIGURE [,] and {write} {it} [,] RIDER [,] {into} TARGET",
)
deed(lambda values, path: (Write(values, path),), "copy", "(CHOSEN_NUMBERS|COLUMN|FIELDS|FIGURE)", "{into} TARGET")

deed(lambda base, dest=None: _reckoned("total", base, dest), "sum", "NUMBERS_IN", "{altogether} [DEST]")
add(
    "CLAUSE",
    lambda name, base, dest=None: _reckoned(name, base, dest),
    "(average|calculate|compute|work out|determine|take|find) AGGREGATE_OF NUMBERS_IN [DEST]",
)
add("AGGREGATE_OF", lambda name: name, "{det} AGGREGATE (of|for|over)")
add("CLAUSE", lambda base, dest=None: _reckoned("average", base, dest), "average NUMBERS_IN [DEST]")
add("CLAUSE", lambda value, dest=None: _held(value, dest), "{take} FIGURE [DEST]")


def _reckoned(name: str, base: Expression, dest: str | None) -> Acts:
    return _held(_figure(name, base), dest)


def _held(value: Expression, dest: str | None) -> Acts:
    if dest is not None and dest.startswith("\0"):
        raise NoReading
    return (Hold(value, ANSWER),) if dest is None else (Write(value, dest),)


# -- chosen numbers ---------------------------------------------------------------------------------------------------

for _name in ("even", "odd"):
    add("PARITY", lambda _name=_name: ((_name, ("",)),), _name)
add("PARITY", lambda: (("above", ("", "0")),), "positive")
add("PARITY", lambda: (("below", ("", "0")),), "negative")
_IN = "(of|in|from|inside|on|that are in|that are on)"
_NUMBER_WORDS = "(numbers|values|ones|integers|entries)"
# Not "lines": the even lines may be those that hold even numbers, or every second one.
add(
    "CHOSEN_NUMBERS",
    lambda steps, base: applied(steps, base),
    "{all} PARITY " + _NUMBER_WORDS + " " + _IN + " BASE",
    "(the ones|those) " + _IN + " BASE that are PARITY",
)
add(
    "CHOSEN_NUMBERS",
    lambda base, steps: applied(steps, base),
    "{all} numbers " + _IN + " BASE (that|which) are PARITY",
    "{all} numbers " + _IN + " BASE [that are|which are] LIMITED",
)
add(
    "CHOSEN_NUMBERS",
    lambda steps, base: applied(steps, base),
    "{all} numbers [that are|which are] (LIMITED|PARITY) " + _IN + " BASE",
)
add(
    "LIMITED",
    lambda limit: (("above", ("", limit)),),
    "(over|above|more than|greater than|larger than|higher than|bigger than) DECIMAL",
)
add("LIMITED", lambda limit: (("below", ("", limit)),), "(under|below|less than|smaller than|lower than) DECIMAL")
add("TEXT", lambda value: value, "CHOSEN_NUMBERS")
add("ITS_LINES", lambda steps: applied(steps, FileText(IT)), "(those|the ones) (that|which) are (PARITY|LIMITED)")
add("ITS_LINES", lambda steps: applied(steps, FileText(IT)), "{all} PARITY " + _NUMBER_WORDS + " [(in|of|from) it]")


def _kept(value: Expression, dest: str | None = None) -> Acts:
    return held(value, dest, source_of(value))


deed(_kept, "keep", "[only|nothing but] CHOSEN_NUMBERS", "[DEST]")
add(
    "CLAUSE",
    lambda base, steps, dest=None: _kept(applied(steps, base), dest),
    "(filter|reduce|cut down) BASE to [only] [the] PARITY " + _NUMBER_WORDS + " [DEST]",
)
add(
    "CLAUSE",
    lambda steps, base, dest=None: _kept(applied(steps, base), dest),
    "{keep} [only|nothing but] {all} PARITY " + _NUMBER_WORDS + " of those {of} BASE [DEST]",
)
_OTHERS = {"even": "odd", "odd": "even"}


@rule("CLAUSE", "{delete} {all} PARITY " + _NUMBER_WORDS + " {of} BASE [DEST]")
def _without(steps: Steps, base: Expression, dest: str | None = None) -> Acts:
    name = steps[0][0]
    if name not in _OTHERS:
        raise NoReading
    return _kept(Changed(_OTHERS[name], ("",), base), dest)


add("CLAUSE", lambda value, dest=None: _held(value, dest), "{take} (CHOSEN_NUMBERS|COLUMN|FIELDS) [DEST]")

# -- capital letters --------------------------------------------------------------------------------------------------

add("MOD", lambda: (("title", ()),), "(in|to|into) (title case|title-case|titlecase)", "title-cased")
_FIRSTS = "the (first|initial) letter of (every|each) [single] word [of it|in it]"
_CAPITAL = (
    "(a capital [letter]|upper case|uppercase|upper-case|capitalized|capitalised|in upper case|in uppercase|capital|"
    "as a capital [letter])"
)
add(
    "MOD",
    lambda: (("capitalized", ()),),
    "with " + _FIRSTS + " " + _CAPITAL,
    "with (every|each) word (capitalized|capitalised)",
)
add("PRE", lambda: (("title", ()),), "(title-cased|title-case|title case)")


def _converted(operation: str) -> Any:
    def build(base: Expression, dest: str | None = None) -> Acts:
        return held(Changed(operation, (), base), dest, source_of(base))

    return build


deed(
    _converted("title"),
    "convert",
    "[{all} (text|words|contents|content) {of}] TEXT",
    "(to|into|in) (title case|title-case|titlecase) [DEST]",
)
add("CLAUSE", _converted("title"), "(title-case|titlecase|title case) TEXT [DEST]")
deed(
    _converted("capitalized"),
    "convert",
    "the (first|initial) letter of {every} word {of} BASE",
    "[into|to] " + _CAPITAL + " [DEST]",
)
add(
    "CLAUSE",
    _converted("capitalized"),
    "(capitalize|capitalise|uppercase) [the (first|initial) letter of] {every} word {of} BASE [DEST]",
    "(start|begin) {every} word {of} BASE with a capital [letter] [DEST]",
)
