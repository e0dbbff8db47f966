"""What is said besides of a figure: how it is rounded, which of several that are alike is meant, what is left out."""

from __future__ import annotations

import msgspec

from dabhand.goals.acts import Acts, Append, Changed, Expression, Hold, MakeFile, Tell, Write
from dabhand.goals.computing import FIGURES, LISTS
from dabhand.goals.rules import NoReading
from dabhand.goals.words import ENGLISH

rule, add = ENGLISH.rule, ENGLISH.add

Rider = tuple[str, str | int]
"""What it is about, and what is said of it."""

# -- rounding ---------------------------------------------------------------------------------------------------------

_PLACES = "(decimals|decimal places|decimal digits|digits after the [decimal] point|places|decimal|decimal place)"
add("ROUNDING", lambda places: ("rounded", places), "to NUMBER " + _PLACES)
for _places, _nearest in enumerate(("tenth", "hundredth", "thousandth"), 1):
    add("ROUNDING", lambda _places=_places: ("rounded", _places), "to the nearest " + _nearest)
add("ROUNDING", lambda: ("rounded", 0), "to ({det} nearest|a|the next) (whole number|integer|full number)")
add(
    "RIDER",
    lambda rider: rider,
    "[and] rounded [off] ROUNDING",
    "[and] [please] round (it|the (result|number|average|mean|median|answer|value)) [off] ROUNDING",
)
add("RIDER", lambda places: ("written", places), "(to|with) [exactly] NUMBER " + _PLACES)

# -- which of several -------------------------------------------------------------------------------------------------

_ALIKE = "[equally|as] (common|frequent|often|long|short)"
_SEVERAL = "(several|two [or more]|more than one|some) [words|lines|values|names|entries|of them]"
_TIE = (
    "((if|when|should|where) there (is|are|be) (a tie|ties|several|more than one)|in [the] case of (a tie|ties)|on a "
    f"tie|for ties|with ties|if it is a tie|(if|when|where) {_SEVERAL} "
    f"(tie|are tied|(are|is|occur|appear|come up) {_ALIKE}|(occur|appear) the same number of times))"
)
_TAKE = (
    "(take|use|choose|pick|write|give|give me|show|tell me|i want|the answer is|it is|it should be|i mean|prefer|"
    "go for)"
)
_OF_THEM = "[of them|of these|among them|of those]"
_FIRST = "(comes|appears|occurs|is|stands)"
_WHICH = {
    "first": f"(the first [one]|the one that {_FIRST} first|the earliest [one]|the first to appear)",
    "last": f"(the last [one]|the one that {_FIRST} last)",
    "alphabet": (
        "(the first [one] (in|by) (alphabetical order|the alphabet)|the alphabetically first [one]|the first [one] "
        f"alphabetically|the one that {_FIRST} first (in (the alphabet|alphabetical order)|alphabetically))"
    ),
}
for _tie, _one in _WHICH.items():
    add(
        "RIDER",
        lambda _tie=_tie: ("tie", _tie),
        f"{_TIE} [,] [then] [{_TAKE}] {_one} [in (the|that) file] {_OF_THEM}",
        f"{_TAKE} {_one} [in (the|that) file] {_OF_THEM} [,] {_TIE}",
        f"{_one} [in (the|that) file] {_OF_THEM} [,] {_TIE}",
    )

# -- what is left out -------------------------------------------------------------------------------------------------

_IGNORE = "[and] (ignore|skip|skipping|ignoring|leave out|leaving out|leaving aside) [all|the|any]"
_EMPTY = "(missing|empty|blank)"
_CELLS = "(cells|values|entries|ones|fields|cell|prices|amounts|numbers)"
add(
    "RIDER",
    lambda: ("skipping", ""),
    f"{_IGNORE} {_EMPTY} {_CELLS}",
    f"{_IGNORE} (rows|those|records) (without|with no) [a] (value|number|one|amount)",
    f"{_IGNORE} (rows|those|records) (where|in which) (it|there|the value|the cell) is ({_EMPTY}|no value)",
    f"{_EMPTY} {_CELLS} (do not|don't|should not) count",
    f"{_EMPTY} {_CELLS} (are|should be|are to be|must be) (ignored|skipped|left out)",
    "(rows|records|those) (with no|without|without a) (value|number|one|amount) (are|should be|are to be|must be) "
    "(ignored|skipped|left out)",
)
add(
    "RIDER",
    lambda: ("listed", ""),
    "one (per|on each|to a|on every|a) line",
    "each (on|in) (a|its) [own] line [of its own]",
    "in [the|their] (same|original) order [as (there|in the file|they are there)]",
    "one (per|on each|to a|on every) line [,] in the same order",
)
add("RIDER", lambda: ("bare", ""), "(without|leaving out|but not) [the|its] (header|heading|column name|first row)")
_SMALL = "[and (goes|continues) [on] (in|with) small (ones|letters)]"
add("RIDER", lambda: ("titled", ""), "so that {every} word (starts|begins) with a capital [letter] " + _SMALL)
add("RIDER", lambda: ("among", ""), f"{_IGNORE} lines (that (are not|aren't) [a] (number|numbers)|without a number)")


def ridden(value: Expression, rider: Rider) -> Expression:
    """A figure with what is said besides.

    Raises:
        NoReading: it is no figure of which that can be said.
    """
    kind, what = rider
    if not isinstance(value, Changed):
        raise NoReading
    match kind:
        case "rounded" | "written" if value.operation in FIGURES:
            return Changed("rounded", (what, kind), value)
        case "tie" if value.operation in ("most_common", "longest", "shortest"):
            return msgspec.structs.replace(value, args=(value.args[0], what))
        case "among" if value.operation in FIGURES:
            return msgspec.structs.replace(value, args=("among",))
        case "skipping" if value.operation in FIGURES or value.operation == "most_common":
            if not (isinstance(value.of, Changed) and value.of.operation == "column"):
                raise NoReading
            return value
        case "listed" if value.operation in LISTS:
            return value
        case "titled" if value.operation == "title":
            return value
        case "bare" if value.operation == "column":
            return value
        case "among" | "skipping" if value.operation == "rounded":
            return msgspec.structs.replace(value, of=ridden(value.of, rider))
    raise NoReading


add("AMOUNT", lambda value, rider: ridden(value, rider), "FIGURE [,|⟨] RIDER [⟩]")


@rule("SAYING", "CLAUSE [,|.|;|⟨|-|?] [,] [and] RIDER [⟩|,]")
def _clause_ridden(acts: Acts, rider: Rider) -> Acts:
    return with_rider(acts, rider)


@rule("SAYING", "CLAUSE [,|.|;|⟨|-|?] [and] RIDER [⟩|,] [,|.|;|⟨|-|?] [and] RIDER [⟩|,]")
def _clause_ridden_twice(acts: Acts, rider: Rider, other: Rider) -> Acts:
    return with_rider(with_rider(acts, rider), other)


def with_rider(acts: Acts, rider: Rider) -> Acts:
    """Acts of which the last that works out a figure does so in this way."""
    for at in reversed(range(len(acts))):
        act = acts[at]
        if isinstance(act, Write | Hold | Tell | Append | MakeFile) and isinstance(act.content, Changed):
            changed = msgspec.structs.replace(act, content=ridden(act.content, rider))
            return (*acts[:at], changed, *acts[at + 1 :])
    raise NoReading
