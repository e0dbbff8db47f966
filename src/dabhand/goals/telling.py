"""Answers: texts shown, things counted, names listed; asked for as an order or as a question."""

from __future__ import annotations

from typing import Any

from dabhand.goals.acts import ANSWER, IT, Acts, Changed, Expression, FileText, Hold, Names, Tell, Write
from dabhand.goals.computing import SINGLE
from dabhand.goals.frames import deed
from dabhand.goals.rules import NoReading
from dabhand.goals.steps import applied, said_of, steps
from dabhand.goals.texts import counting
from dabhand.goals.words import ENGLISH, WholeWord

rule, add = ENGLISH.rule, ENGLISH.add

# -- texts ------------------------------------------------------------------------------------------------------------


def _tell(content: Expression) -> Acts:
    return (Tell(content),)


def _asked(content: Expression) -> Acts:
    """A text that a question is about; single numbers and the like are asked for by rules of their own."""
    if isinstance(content, Changed) and content.operation in ("counted", *SINGLE):
        raise NoReading
    return _tell(content)


_ON = (
    "[on (the screen|screen|standard output|stdout|the terminal)|to (the screen|standard output|stdout|me|the "
    "terminal)]"
)
add(
    "CLAUSE",
    _tell,
    "{show} [me|us] [:] (DATA|ITS_LINES) " + _ON,
    "(what is|what's) (on|in) LINES",
    "(what|what all) (does|do) BASE (contain|say|hold|look like|have in it)",
    "(what|what all) is (in|inside|written in|stored in|there in|contained in) BASE",
    "what's (in|inside|written in|stored in) BASE",
    "(may|can|could) i (have a look at|look at|see|take a look at) [what's inside|what is inside|what is in] DATA",
    "(have|take) a look (at|into|inside) BASE",
    "[on (the screen|stdout)] {show} DATA",
    "{wanted} to (see|look at|read|view) DATA",
    "{show} what (BASE contains|is in BASE)",
    "what is {of} BASE",
    "(cat|view|see|look at) BASE " + _ON,
)
add("CLAUSE", _asked, "(what is|what are|what's|what're|what was|what were) [in] DATA")
add("CLAUSE", lambda: _tell(FileText(IT)), "{show} {it} " + _ON, "{show} (it|them) [to] (me|us)")
add("DOING", _tell, "{show_ing} DATA " + _ON)
add("CLAUSE", lambda base, mods: _tell(applied(mods, base)), "{show} BASE MODS " + _ON)
add("CLAUSE", lambda before: _tell(applied(before, FileText(IT))), "{show} [me] PRES")


@rule(
    "CLAUSE",
    "(which|what) {line} {of} BASE FILTERS",
    "(which|what) {line} FILTERS (are [there]|there are) {of} BASE",
    "(which|what) (is|are) {det} {line} {of} BASE FILTERS",
    "(which|what) of {det} {line} {of} BASE FILTERS",
    "(search|look|grep|scan|go) [through|in|inside|within] BASE for ([all|any|the] {line} FILTERS)",
)
def _which(first: Any, second: Any) -> Acts:
    found, base = (first, second) if isinstance(first, tuple) else (second, first)
    return (Hold(applied(found, base), ANSWER),)


def _found(word: str | WholeWord, base: Expression) -> Acts:
    return (Hold(applied(steps(said_of("containing", word)), base), ANSWER),)


add(
    "CLAUSE",
    lambda base, word: _found(word, base),
    "(search|look|grep|scan) [through|in|inside|within] BASE for LITERAL",
)
add(
    "CLAUSE",
    _found,
    "(search for|look for|grep|grep for|find) LITERAL {of} BASE",
    "grep LITERAL FILE_TEXT",
    "(search|look|grep) for LITERAL {of} BASE",
)

# -- amounts ----------------------------------------------------------------------------------------------------------


def _count(content: Expression, dest: str | None = None) -> Acts:
    if dest == IT:
        raise NoReading
    return (Hold(content, ANSWER),) if dest is None else (Write(content, dest),)


deed(_count, "count", "(COUNTED|AMOUNT)", "[DEST]")
deed(_count, "learn", "AMOUNT", "[DEST]")
add(
    "CLAUSE",
    _count,
    "AMOUNT [DEST]",
    "(what is|what's) AMOUNT",
    "{wanted} to know AMOUNT",
    "{learn} {det} size of BASE_SIZE",
)
add("BASE_SIZE", lambda base: counting("bytes", None, base), "BASE in bytes")
add(
    "CLAUSE",
    lambda unit, dest=None: _count(Changed("counted", (unit,), FileText(IT)), dest),
    "{count} {det} UNIT [of {it}|in {it}] [DEST]",
    "({count}|{learn}) {det} number of UNIT [in {it}] [DEST]",
    "({count}|{learn}) how many UNIT (it has|there are|it contains|that is|that makes) [DEST]",
)
add("CLAUSE", lambda: _count(Changed("counted", ("lines",), FileText(IT))), "count (them|those|these)")
add("DOING", lambda unit: _count(Changed("counted", (unit,), FileText(IT))), "{count_ing} {det} UNIT [of {it}]")

add(
    "CLAUSE",
    lambda names: _count(Changed("counted", ("lines",), names)),
    "how many NAMES_IN",
    "{count} NAMES_OF",
)

# -- names ------------------------------------------------------------------------------------------------------------

_ENTRIES = {
    "files": "[regular] files",
    "folders": "{folders}",
    "all": "(files and {folders}|{folders} and files|(contents|content)|entries|everything|names|files/folders|"
    "items|all)",
}
_HERE = (
    "(here|in (the|this) [current|working|present|top|root|main|whole] ({folder}|project|place|workspace)|"
    "there are [here]|there|present)"
)
for _kind, _words in _ENTRIES.items():
    _names = "[a list of] {all} [names of {all}|filenames of] [visible] " + _words + " [names]"
    add(
        "NAMES_OF",
        lambda folder, _kind=_kind: Names(folder, _kind),
        _names + " (in|inside|of|within|from|directly in) FOLDER",
    )
    add("NAMES_OF", lambda _kind=_kind: Names(".", _kind), _names + " " + _HERE)
add("NAMES_OF", lambda folder: Names(folder, "all"), "{det} {folder} FOLDER")
add(
    "CLAUSE",
    _tell,
    "(list|show|show me|print|display|name|tell me|give me|list me|list out|enumerate|see|list all) NAMES_OF",
    "(what|which) NAMES_IN",
    "(what is|what are|what's) NAMES_OF",
    "{wanted} (to see|) NAMES_OF",
)
add(
    "CLAUSE",
    lambda path: _tell(Names(path, "all")),
    "(list|ls) FOLDER",
    "what (is|'s) (in|inside) SURE_FOLDER",
    "what's (in|inside) SURE_FOLDER",
    "what does SURE_FOLDER contain",
    "what (is|'s) (in|inside) FOLDER",
    "what's (in|inside) FOLDER",
)
for _kind, _words in _ENTRIES.items():
    add(
        "NAMES_IN",
        lambda folder, _kind=_kind: Names(folder, _kind),
        _words + " (are|is|exist) [there] (in|inside|within) FOLDER",
        _words + " does FOLDER (contain|have|hold)",
    )
    add(
        "NAMES_IN",
        lambda _kind=_kind: Names(".", _kind),
        _words + " (are|exist) [there] " + _HERE,
        _words + " do (i|we) have",
    )
