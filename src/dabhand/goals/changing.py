"""What is done to texts: sorted, reversed, numbered, filtered, replaced in, joined. Where they go may be said next."""

from __future__ import annotations

from typing import Any

import msgspec

from dabhand.goals.acts import ANSWER, BOTH, IT, Acts, Append, Changed, Expression, FileText, Hold, Joined, Write
from dabhand.goals.expressions import changes_a_part
from dabhand.goals.frames import deed, source_of
from dabhand.goals.operations import OPERATIONS
from dabhand.goals.rules import Build, NoReading
from dabhand.goals.steps import Manner, Steps, applied, said_of, sorting, steps
from dabhand.goals.words import ENGLISH

rule, add = ENGLISH.rule, ENGLISH.add

THE_TEXT = FileText(IT)


def held(content: Expression, dest: str | None, fallback: str | None = None) -> Acts:
    """A text that is worked out, and written where the clause says (IT: into the file that it came from)."""
    if dest == IT:
        source = source_of(content)
        if source is None or changes_a_part(content):
            raise NoReading
        dest = source
    return (Hold(content, fallback),) if dest is None else (Write(content, dest),)


# -- order ------------------------------------------------------------------------------------------------------------

_ORDERS = frozenset(name for name in OPERATIONS if name.startswith(("sorted", "reversed")))


def _sort(content: Any, manner: Any = None, dest: str | None = None, more: Any = None) -> Acts:
    if isinstance(content, frozenset) or content is None:
        content, manner = manner, content
    if isinstance(content, Joined) and content.beside:
        raise NoReading  # "arrange them in two columns" says how to arrange them
    if isinstance(content, Changed) and content.operation in _ORDERS:
        raise NoReading  # "sort the lines in reverse order" says how to sort, not what
    return held(applied(sorting(_both(manner, more)), content), dest)


def _both(manner: Manner | None, more: Manner | None) -> Manner | None:
    return manner if more is None else (manner or frozenset()) | more


deed(_sort, "sort", "TEXT", "[MANNERS] [DEST] [MANNERS]", elided=THE_TEXT)
add(
    "CLAUSE",
    _sort,
    "{sort} MANNERS TEXT [DEST]",
    "(put|bring|get) TEXT MANNERS [DEST]",
    "{sort} [MANNERS] FILES_TEXT [DEST]",
)
add("DOING", _sort, "{sort_ing} MANNERS TEXT [DEST]", "(putting|bringing) TEXT MANNERS [DEST]")
add("CLAUSE", lambda manner: _sort(THE_TEXT, manner), "sort [MANNERS]", "{sort} (by line|the output) [MANNERS]")
add("DOING", lambda manner: _sort(THE_TEXT, manner), "sorting [MANNERS]")
add(
    "CLAUSE",
    lambda base, dest=None: held(applied(sorting(frozenset("ar")), base), dest),
    "(reverse sort|reverse-sort) BASE [DEST]",
)
add("CLAUSE", lambda base, dest=None: held(applied(steps("sorted"), base), dest), "alphabetically sort BASE [DEST]")


def _transform(*done: str) -> Build:
    return lambda content, dest=None: held(applied(steps(*done), content), dest)


_FLOW = "(order|line order|order of lines|order of the lines|sequence|sequence of lines|lines' order)"
deed(_transform("reversed"), "reverse", "[[the] " + _FLOW + " of] (PLAIN_LINES|ITS_LINES)", "[DEST]", elided=THE_TEXT)
deed(_transform("reversed"), "reverse", "[the] " + _FLOW + " {of} BASE", "[DEST]")
add(
    "CLAUSE",
    _transform("reversed"),
    "(put|bring|arrange|turn) PLAIN_LINES {order_reversed} [DEST]",
    "(turn|flip|reverse) BASE {order_reversed} [DEST]",
    "{reverse} FILE_TEXT DEST",
    "(turn|flip) BASE (upside down|around|back to front|on its head) [DEST]",
)
add(
    "CLAUSE",
    lambda: held(applied(steps("reversed"), THE_TEXT), None),
    "{reverse} (the|its|their) " + _FLOW,
    "{reverse} {it}",
    "{reverse} the lines",
)
add(
    "DOING",
    lambda: held(applied(steps("reversed"), THE_TEXT), None),
    "{reverse_ing} (the|its|their) " + _FLOW,
    "{reverse_ing} the lines",
)
_EACH = "{mirror_each} {of} BASE"
_LETTERS_OF = "(the|all|all the) (characters|letters) [order] {of} (LINES|{every} {line} {of} BASE)"
deed(_transform("mirrored"), "reverse", _EACH, "[individually] [DEST]")
deed(_transform("mirrored"), "reverse", "(the|all|all the) (characters|letters) {of} LINES", "[DEST]")
deed(
    _transform("mirrored"), "reverse", "(the|all|all the) (characters|letters) {of} {every} {line} {of} BASE", "[DEST]"
)
deed(
    _transform("mirrored"),
    "reverse",
    "{every} {line} {of} BASE (character by character|letter by letter|characterwise)",
    "[DEST]",
)
deed(_transform("mirrored"), "mirror", _EACH + " backwards", "[DEST]")
deed(_transform("mirrored"), "mirror", "(LINES|BASE) (with each line backwards|backwards line by line)", "[DEST]")
add("CLAUSE", _transform("mirrored"), "mirror LINES [DEST]", "mirror {mirror_each} {of} BASE [DEST]")
add(
    "CLAUSE",
    lambda: held(applied(steps("mirrored"), THE_TEXT), None),
    "{reverse} {mirror_each}",
    "{mirror} {mirror_each} backwards",
)

# -- numbers, letters -------------------------------------------------------------------------------------------------

deed(_transform("numbered"), "number", "(LINES|BASE|ITS_LINES)", "[DEST]", elided=THE_TEXT)
add(
    "CLAUSE",
    _transform("numbered"),
    "({append}|put|prefix|give|write|insert) [the|a] [consecutive] (line numbers|line number|numbers) "
    "{front_of} ({every} {line} {of}|[the] {line} of|) BASE [DEST]",
    "(prefix|precede) (LINES|BASE) with [its|the|their|a] (line numbers|line number|numbers|number) [DEST]",
    "give LINES (a number|numbers|line numbers|its number|their numbers) [DEST]",
)
add(
    "CLAUSE",
    lambda: held(applied(steps("numbered"), THE_TEXT), None),
    "number",
    "({append}|put) line numbers [{front_of} {it}]",
)
deed(_transform("upper"), "uppercase", "TEXT", "[DEST]", elided=THE_TEXT)
deed(_transform("lower"), "lowercase", "TEXT", "[DEST]", elided=THE_TEXT)


def _convert(*done: str) -> Build:
    def build(content: Expression, dest: str | None = None) -> Acts:
        return held(applied(steps(*done), content), dest, source_of(content))

    return build


_LETTERS = "[{all} (letters|text|characters|words|content|contents) {of}]"
for _name, _case in {"upper": "{to_upper}", "lower": "{to_lower}"}.items():
    deed(_convert(_name), "convert", _LETTERS + " TEXT", _case + " [DEST]", elided=THE_TEXT)
    add(
        "CLAUSE",
        _convert(_name),
        "{convert} everything {of} BASE " + _case + " [DEST]",
        "{convert} {every} (letter|character|word) {of} BASE " + _case + " [DEST]",
    )

# -- fewer lines ------------------------------------------------------------------------------------------------------

deed(_convert("distinct"), "delete", "{dup_lines} {of} BASE", "[DEST]")
deed(_convert("distinct"), "dedupe", "TEXT", "[DEST]", elided=THE_TEXT)
add("CLAUSE", lambda: held(applied(steps("distinct"), THE_TEXT), None, IT), "{delete} {dup_lines}", "{dedupe}")
add("DOING", lambda: held(applied(steps("distinct"), THE_TEXT), None), "{delete_ing} {dup_lines}")
_BLANK = "{all} (blank|empty) {line}"
deed(_convert("not_blank"), "delete", _BLANK + " {of} BASE", "[DEST]")
add("CLAUSE", lambda: held(applied(steps("not_blank"), THE_TEXT), None, IT), "{delete} " + _BLANK)

OPPOSITES = {
    "containing": "lacking",
    "lacking": "containing",
    "containing_any": "lacking_any",
    "containing_word": "lacking_word",
    "containing_any_word": "lacking_any_word",
    "lacking_word": "containing_word",
    "lacking_any": "containing_any",
    "lacking_any_word": "containing_any_word",
}


def _opposite(found: Steps) -> Steps:
    """What is left when lines are taken away; several conditions at once have no opposite here."""
    if len(found) != 1 or found[0][0] not in OPPOSITES:
        raise NoReading
    return ((OPPOSITES[found[0][0]], found[0][1]),)


def _without(first: Any, second: Any, dest: str | None = None) -> Acts:
    found, base = (first, second) if isinstance(first, tuple) else (second, first)
    return _taken_away(applied(_opposite(found), base), dest, source_of(base))


def _taken_away(content: Expression, dest: str | None, fallback: str | None = None) -> Acts:
    """What is left when lines are taken away, and where that goes."""
    if dest in (None, IT):
        return tuple(
            msgspec.structs.replace(act, removing=True) if isinstance(act, Hold) else act
            for act in held(content, dest, fallback)
        )
    return (Hold(content, removing=True), Write(THE_TEXT, dest))


deed(_without, "delete", "({all}|{every}) {line} [,] FILTERS {of} BASE", "[DEST]")
deed(_without, "delete", "({all}|{every}) {line} {of} BASE FILTERS", "[DEST]")
add(
    "CLAUSE",
    _without,
    "from BASE [,] {delete} ({all}|{every}) {line} FILTERS [DEST]",
    "{in} BASE [,] {delete} ({all}|{every}) {line} FILTERS [DEST]",
)
add(
    "CLAUSE",
    lambda found, dest=None: _without(found, THE_TEXT, dest),
    "{delete} ({all}|{every}) ({line}|those) FILTERS [from {it}] [DEST]",
)

# -- lines that leave one file for another ----------------------------------------------------------------------------


def _moved(found: Steps, base: Expression, target: str, *, at_end: bool) -> Acts:
    """Some lines of a file into another, and out of the one that they were in."""
    source = source_of(base)
    if not isinstance(base, FileText) or source is None or source == target:
        raise NoReading
    there = Append(applied(found, base), target) if at_end else Write(applied(found, base), target, contains=True)
    return (there, Write(applied(_opposite(found), base), source))


for _to, _at_end in {"{into} TARGET": False, "({far_end}) TARGET": True}.items():
    _go = lambda found, base, target, _at_end=_at_end: _moved(found, base, target, at_end=_at_end)  # noqa: E731
    deed(_go, "move", "({all}|{every}) {line} FILTERS {of} BASE", _to)
    deed(
        lambda base, found, target, _go=_go: _go(found, base, target),
        "move",
        "({all}|{every}) {line} {of} BASE FILTERS",
        _to,
    )

_OPPOSITE_PLACE = {"first": "without_first", "last": "without_last"}


def _without_placed(before: Steps, base: Expression, dest: str | None = None) -> Acts:
    if len(before) != 1 or before[0][0] not in _OPPOSITE_PLACE:
        raise NoReading
    return _taken_away(applied(((_OPPOSITE_PLACE[before[0][0]], before[0][1]),), base), dest, source_of(base))


deed(_without_placed, "delete", "{det} PRES {line} {of} BASE", "[DEST]")
add("CLAUSE", lambda before: _without_placed(before, THE_TEXT), "{delete} {det} PRES {line}")
add("DOING", lambda before: _without_placed(before, THE_TEXT), "{delete_ing} {det} PRES {line}")


def _without_nth(place: int, base: Expression, dest: str | None = None) -> Acts:
    if place < 1:
        raise NoReading
    return _taken_away(applied((("without_nth", (place,)),), base), dest, source_of(base))


deed(_without_nth, "delete", "{det} ORDINAL {line} {of} BASE", "[DEST]")
deed(_without_nth, "delete", "{det} line [number|no.] NUMBER {of} BASE", "[DEST]")


def _keep(content: Expression, dest: str | None = None) -> Acts:
    return held(content, dest, source_of(content))


deed(_keep, "keep", "[only|nothing but] (LINES|ITS_LINES)", "[DEST]")
add(
    "CLAUSE",
    lambda base, before, dest=None: _keep(applied(before, base), dest),
    "{shorten} BASE to (its|the|their) PRES {line} [DEST]",
)
add("CLAUSE", lambda base, mods: _keep(applied(mods, base)), "(keep|make) BASE MODS")
add("CLAUSE", lambda content: held(content, None, ANSWER), "{take} [only] (LINES|ITS_LINES)")
add(
    "CLAUSE",
    lambda base, found, dest=None: held(applied(found, base), dest, ANSWER if dest is None else None),
    "({take}|{show}) (from|in|out of) BASE [,] ({all}|{every}) {line} FILTERS [DEST]",
)
add("DOING", lambda content: held(content, None), "{take_ing} [only] (LINES|ITS_LINES)")
deed(
    lambda base, word, dest=None: held(applied(steps(said_of("containing", word)), base), dest),
    "filter",
    "BASE",
    "for ([{all}] {line} {containing}|) LITERAL [DEST]",
)
add(
    "CLAUSE",
    lambda word, base, dest=None: held(applied(steps(said_of("containing", word)), base), dest),
    "(grep|grep for) LITERAL {of} FILE_TEXT [DEST]",
)
add(
    "CLAUSE",
    lambda base, mods, dest=None: held(applied(mods, base), dest),
    "{filter} BASE to [only] [keep] [{line}|those] FILTERS [DEST]",
)


def _omitted(first: Any, second: Any, dest: str | None = None) -> Acts:
    found, base = (first, second) if isinstance(first, tuple) else (second, first)
    return _taken_away(applied(_opposite(found), base), dest)


deed(_omitted, "omit", "({all}|{every}) {line} [,] FILTERS {of} BASE", "[DEST]")
deed(_omitted, "omit", "({all}|{every}) {line} {of} BASE FILTERS", "[DEST]")
add("CLAUSE", lambda found, dest=None: _omitted(found, THE_TEXT, dest), "{omit} ({all}|{every}) {line} FILTERS [DEST]")
add("CLAUSE", lambda: held(applied(steps("distinct"), THE_TEXT), None), "{omit} {dup_lines}")
for _name, _case in {"upper": "{to_upper}", "lower": "{to_lower}"}.items():
    add(
        "CLAUSE",
        lambda _name=_name: held(applied(steps(_name), THE_TEXT), None, IT),
        "{convert} (all|all of|) (its|the|their) [lower-case|lowercase|upper-case|uppercase|small] letters " + _case,
    )

# -- states: what a file's text should be like ------------------------------------------------------------------------


@rule("CLAUSE", "TEXT {should_be} MODS", "{wanted} BASE (to be|be|is|are) MODS", "TEXT {should} (have|contain) MODS")
def _should_be(content: Expression, mods: Steps) -> Acts:
    source = source_of(content)
    if source is None:
        raise NoReading
    return (Hold(applied(mods, content), source),)


# -- joining ----------------------------------------------------------------------------------------------------------

_ROW = "[,] [together|up|one after (the other|another)|in (that|this) order|end to end]"


def _join(paths: tuple[str, ...], mods: Any = None, dest: str | None = None) -> Acts:
    if isinstance(mods, str):
        mods, dest = None, mods
    if (len(paths) < 2 and paths != (BOTH,)) or IT in paths:
        raise NoReading
    return held(applied(mods or (), Joined(tuple(map(FileText, paths)))), dest)


deed(_join, "join", "FILES", _ROW + " [MODS] [DEST]")
deed(_join, "join", "{all} (contents|content|{line}|text|data) {of} FILES", _ROW + " [MODS] [DEST]")
add("CLAUSE", lambda content: held(content, None, ANSWER), "{take} MANY_LINES")
add("CLAUSE", lambda content, dest: held(content, dest), "{take} MANY_LINES DEST")


@rule("FILES_TEXT", "FILES [together]", "{all} {line} {of} FILES [together]")
def _files_text(paths: tuple[str, ...]) -> Expression:
    if len(paths) < 2 and paths != (BOTH,):
        raise NoReading
    return Joined(tuple(map(FileText, paths)))


def _paste(paths: tuple[str, ...], dest: str | None = None) -> Acts:
    if len(paths) != 2 and paths != (BOTH,):
        raise NoReading
    return held(Joined(tuple(map(FileText, paths)), beside=True), dest)


_BESIDE = (
    "[together] [,] (side by side|next to each other|beside each other|in [two] columns|as [two] columns|line by "
    "line|in parallel|"
    "column by column|column-wise|linewise|line-wise)"
)
deed(_paste, "paste", "{all} [{line} of] FILES", _BESIDE + " [(with a tab between|separated by a tab) [them]] [DEST]")
add("CLAUSE", _paste, "(paste|zip) FILES [together] [DEST]")
add(
    "CLAUSE",
    lambda first, second, dest=None: _paste((first, second), dest),
    "{paste} {all} {line} of FILE (with|to|and) (the|its) (corresponding|matching) {line} {of} FILE [,] "
    "[{between}] [DEST]",
)
deed(_transform("mirrored"), "mirror", "LINES , {by_character} ,", "[DEST]")


@rule(
    "CLAUSE",
    "(paste|put|place|set) [{all} {line} of] FILE (beside|next to|alongside) [{all} {line} of|those of] FILE [DEST]",
)
def _paste_two(first: str, second: str, dest: str | None = None) -> Acts:
    return _paste((first, second), dest)
