"""What is said of things before or after what is asked: how a file is, what a new one is to be, which are meant."""

from __future__ import annotations

from dabhand.goals.acts import IT, Acts, Append, Changed, Copy, Expression, FileText, Hold, Joined, Mention, Write
from dabhand.goals.changing import held
from dabhand.goals.rules import Build, NoReading
from dabhand.goals.steps import applied
from dabhand.goals.words import ENGLISH

rule, add = ENGLISH.rule, ENGLISH.add

# -- how a file is, before something is asked of it -------------------------------------------------------------------

_NUMBER = "{a} [single] number"
add(
    "CLAUSE",
    lambda path: (Mention(path, "as_numbers"),),
    "FILE (has|contains|holds) " + _NUMBER + " (on|in) (each|every) [single] line",
    "FILE (has|contains|holds) [only|nothing but] numbers , one (on each line|on every line|per line|a line)",
    "there is " + _NUMBER + " ((on|in) (each|every) [single]|per) line {of} FILE",
    "(each|every) line (of|in) FILE (is|has|holds|contains|consists of) " + _NUMBER,
    "[all] the lines (of|in) FILE are numbers",
)
_SEVERAL = "(several times|more than once|repeatedly|twice [or more]|many times|in duplicate)"
add(
    "CLAUSE",
    lambda path: (Mention(path, "of_lines"),),
    "(some|many|several|a few) lines (occur|appear|are|are there|are repeated|come up) [" + _SEVERAL + "] in FILE",
    "(some|many|several|a few) lines (of|in) FILE (occur|appear|are there|are repeated|come up) [" + _SEVERAL + "]",
    "FILE (has|contains|holds) {dup_lines}",
    "there are {dup_lines} in FILE",
)
add(
    "CLAUSE",
    lambda path: (Mention(path),),
    "FILE (has|bears|carries) (the|a) (wrong|bad|misleading|old|silly) name",
    "FILE (is (wrongly|badly) named|is misnamed|should have (another|a different|a new) name)",
    "FILE needs a [new|better] name",
)

# -- what a new thing is to be like, after it was asked for -----------------------------------------------------------

add(
    "CLAUSE",
    lambda words: (Write(words, IT, contains=True),),
    "(its|the) [only|one|single|first and only] (line|content|contents|text) "
    "({should_be}|{should} (say|read)) [:] SAID",
)

# -- which lines are meant, before what is done with them -------------------------------------------------------------

add(
    "CLAUSE",
    lambda path, lines: (Mention(path), Hold(lines)),
    "{of} FILE [,] i (only (need|want)|(need|want) only) ITS_LINES",
)
add("CLAUSE", lambda lines: (Hold(lines),), "i (only (need|want)|(need|want) only) LINES")
add(
    "CLAUSE",
    lambda lines, before, path: (Write(applied(before, lines), path),),
    "(of|from|out of) LINES [,] ({write}|{take}|{copy}) [only] {det} PRES [{line}] {into} TARGET",
)

# -- the largest of some numbers: in which order they are to come has to be said ------------------------------------

ORDERS = {
    "sorted_numbers_reversed": (
        "(largest|highest|biggest|greatest)",
        "{numerically_reversed}|in (descending|decreasing) order",
    ),
    "sorted_numbers": ("(smallest|lowest|least)", "{numerically}|in (ascending|increasing) order"),
}


def _extremes(order: str) -> Build:
    def lines(count: int, base: Expression | None = None) -> Expression:
        numbers = Changed("as_numbers", (), FileText(IT) if base is None else base)
        return applied(((order, ()), ("first", (count,))), numbers)

    return lines


for _order, (_words, _manner) in ORDERS.items():
    _said = (
        f"[,|⟨] ({_manner}|(the {_words} [one|number|value] first)|((beginning|starting) with the {_words} [one])) [⟩]"
    )
    _name = f"EXTREMES_{'UP' if _order == 'sorted_numbers' else 'DOWN'}"
    add(
        _name,
        _extremes(_order),
        f"{{det}} NUMBER {_words} (numbers|values|ones) {{of}} BASE",
        f"{{det}} NUMBER {_words} (numbers|values|ones|lines)",
    )
    add("LINES", lambda lines: lines, f"{_name} {_said}")
    add(
        "CLAUSE",
        lambda lines, path: (Write(lines, path),),
        f"{{write}} {_name} {{into}} TARGET {_said}",
        f"({{take}}|{{show}}) {_name} [,] and {{write}} {{it}} {{into}} TARGET {_said}",
    )
    add(
        "LINES",
        lambda base, _order=_order: _extremes(_order)(1, base),
        f"{{det}} {_words} (number|value) {{of}} BASE",
    )

# -- order said once more --------------------------------------------------------------------------------------------


@rule("CLAUSE", "{join} FILES DEST , first [comes] FILE [,] [and] then [comes] FILE")
def _join_in_order(paths: tuple[str, ...], dest: str, first: str, second: str) -> Acts:
    if paths != (first, second):
        raise NoReading
    return held(Joined((FileText(first), FileText(second))), dest)


# -- copies of what is spoken of -------------------------------------------------------------------------------------

add(
    "CLAUSE",
    lambda name: (Copy(IT, name, False),),
    "({make}|have|get) {a} [exact] (identical|second|similar|equal) (file|copy|one) {named} NAME",
    "({make}|have|get) {det} [second|exact|identical] (copy|duplicate) of {it} {named} NAME",
)
add(
    "CLAUSE",
    lambda entry, name, mods: (Write(applied(mods, FileText(entry[0])), name),),
    "{make} {det} (copy|duplicate|version) of ENTRY {named} NAME [,] MODS",
    "{make} {det} (copy|duplicate|version) {named} NAME of ENTRY [,] MODS",
)


@rule("SAYING", "{leave} WHAT_IS_IN_IT {unchanged} [,|;|.] [and|but] CLAUSE")
def _added_only(_: None, acts: Acts) -> Acts:
    """What is in a file stays as it is: true of what only adds to it."""
    if not all(isinstance(act, Append) for act in acts):
        raise NoReading
    return acts


add(
    "WHAT_IS_IN_IT",
    lambda: None,
    "(what is (in it|there|in the file)|its (content|contents|text|lines)|what it (has|holds))",
)
