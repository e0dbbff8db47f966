"""Texts that go into files: written, left where they come from, added at an end."""

from __future__ import annotations

from dabhand.goals.acts import IT, Acts, Append, Changed, Expression, FileText, MakeFile, Mention, Write
from dabhand.goals.frames import deed, source_of
from dabhand.goals.places import within
from dabhand.goals.rules import NoReading
from dabhand.goals.steps import Steps, applied
from dabhand.goals.words import ENGLISH

rule, add = ENGLISH.rule, ENGLISH.add

# -- where a text goes ------------------------------------------------------------------------------------------------

_ARROW = "(->|-->|=>|>|→)"
_IT_GOES = "[,|;] [and|with|then] [{it}] [then] [being|is|is then|to be|should be|should go|going|goes|must be|must go]"
add(
    "DEST",
    lambda path: path,
    "[,] {into} (NAMED_TARGET|ITSELF)",
    _ARROW + " TARGET",
    "[,] [and] [then] {write} [{it}|{it_file}] [back] {into} TARGET",
    "[,] [and] [then] {write_ing} [{it}|{it_file}] [back] {into} TARGET",
    "[,] [and|with] [{it}] [then] [being|is|is to be|to be|should be] {write_ed} [back] {into} TARGET",
    _IT_GOES + " {into} (NAMED_TARGET|ITSELF)",
    "[,] (using|with|calling|naming|call|name) TARGET (for|as) {it}",
    "[,] (calling|naming|and (call|name)) {it} TARGET",
    "[,|and] [to|thereby|thus] (create|make|produce|produces|producing|creating|making|giving|generating|get|"
    "obtain|yielding|"
    "form|forming|resulting in|build) TARGET",
    "[,] (result|output|results) [goes] [:|=|->] [{into}] TARGET",
    "[,|⟨] (result|output) [file] [:|=|is] TARGET [⟩]",
    "[,] with {it} [going|stored|saved|written|being] {into} TARGET",
    "[,] with TARGET as [the] (output|result|target|destination) [file]",
    "[,] and (let|have) {it} (go|be written|be stored|be saved|end up) {into} TARGET",
)
add(
    "DEST",
    lambda: IT,
    "[directly|right] in place",
    "[,] [and] [then] {write} [{it}|{it_file}] [back] (in place|back)",
    "[,] [and] [then] {write} [{it}] [back] (to|into|in) (it|itself|(the|that) [same|original] file)",
    "[,] {write_ing} [{it}] (back|in place)",
    "[,] and (overwrite|replace|update) (it|the [original|old|same] (file|one)|the original) [with {it}]",
    "[,] (overwriting|replacing|updating) (it|the [original|old|same] (file|one)|the original)",
    "within the [same] file",
    "in the same file",
    "inside the file itself",
)

# -- writing ----------------------------------------------------------------------------------------------------------


def _write(content: Expression, path: str) -> Acts:
    return (Write(content, path),)


def _write_then(content: Expression, path: str, after: Steps | None = None) -> Acts:
    return (Write(applied(after or (), content), path),)


deed(_write_then, "write", "DATA", "[,] {into} TARGET [MODS]")
deed(_write, "write", "SAID", "{into} TARGET", elided=FileText(IT))
deed(_write, "copy", "(LINES|ITS_LINES)", "{into} TARGET")
deed(_write, "take", "(LINES|ITS_LINES)", "{into} TARGET")
add(
    "CLAUSE",
    _write,
    "{take} (LINES|ITS_LINES) [,] and ({write}|{copy}) [{it}] {into} TARGET",
    "{take} AMOUNT [,] and {write} {it} {into} TARGET",
)


@rule(
    "CLAUSE",
    "DATA " + _ARROW + " TARGET",
    "DATA [,] into TARGET",
    "[{wanted}] DATA [,] {write_ed} {into} TARGET",
)
def _without_verb(content: Expression, path: str) -> Acts:
    """A text and where it goes; a whole file would rather be one more thing that was named before."""
    if isinstance(content, FileText):
        raise NoReading
    return _write(content, path)


add(
    "CLAUSE",
    _write,
    "DATA {should} [all] (go|be|end up|land|appear|be put|be placed) {into} TARGET",
    "{wanted} DATA [,] {into} TARGET",
    "DATA (goes|go) {into} TARGET",
)
add(
    "CLAUSE",
    lambda base, mods, path: (Write(applied(mods, base), path),),
    "TEXT {should} (appear|be|be listed|occur|end up|be [found|stored|written|saved]) MODS {into} TARGET",
)


def _swapped(path: str, content: Expression) -> Acts:
    return (Write(content, path),)


add(
    "CLAUSE",
    _swapped,
    "({write}|{make}) {into} TARGET [:] (DATA|SAID)",
    "(fill|populate|overwrite|replace [the contents of]) TARGET with (DATA|SAID)",
    "TARGET [:|=] DATA",
    "(let|make|have|get) TARGET (contain|hold|have|consist of|be|list|show) [only|exactly] (DATA|SAID)",
    "{make} TARGET (from|as) DATA",
    "{make} TARGET , {write} DATA {into} (it|that file)",
)
_MUST = (
    "{should} [only|also|then|exactly] (contain|hold|have|consist of|list|store|show|be|read|say|include|"
    "carry|have the contents of) [only|exactly|nothing but]"
)
add(
    "CLAUSE",
    _swapped,
    "TARGET " + _MUST + " DATA",
    "{wanted} TARGET to (contain|hold|have|be|consist of|list) [only] DATA",
    "{wanted} TARGET (contains|holds|has|is|lists|consists of) [only] DATA",
)
add(
    "CLAUSE",
    lambda path, words: (Write(words, path, contains=True),),
    "TARGET " + _MUST + " SAID",
    "{wanted} TARGET to (contain|hold|say|read) SAID",
    "{wanted} TARGET (contains|holds|says|reads) SAID",
)
add(
    "CLAUSE",
    lambda path, words: (MakeFile(path, words),),
    "TARGET {should} be {det} new {file} " + "(containing|with|saying)" + " SAID",
)
add(
    "CLAUSE",
    lambda path: (Write(FileText(IT), path),),
    "{write} [{it}|{it_file}] [back] {into} TARGET",
    "({write}|{make}) {it} {into} TARGET",
    "using TARGET for the result",
    "[and] (call|name) {it} TARGET",
    "({make}|produce) TARGET (from|out of|with|using) {it}",
    "(result|output|the result|the output) [goes] [:|->] [{into}] TARGET",
    "TARGET {should} (contain|hold|have|be) {it}",
    "{it} {should} (go|be [{write_ed}]|end up|be put) {into} TARGET",
)
add("DOING", lambda path: (Write(FileText(IT), path),), "{write_ing} [{it}|{it_file}] {into} TARGET")
add(
    "CLAUSE",
    lambda: (Write(FileText(IT), IT),),
    "{write} [{it}] back",
    "{write} {it} [back] in place",
    "(overwrite|update) the [original] file [with {it}]",
)
add(
    "CLAUSE",
    lambda content, path, other: (Write(content, path), Write(content, other)),
    "{write} (DATA|SAID) {into} both TARGET and TARGET",
)


add(
    "CLAUSE",
    lambda path: (Write(Changed("emptied", (), FileText(path)), path),),
    "(empty|clear|clear out|blank) {det} {file} [{named}] NAME",
    "(empty|clear|clear out|delete|remove|erase) [all] {det} (contents|content|text|lines) of {det} [{file}] PATH",
    "(delete|remove|erase) everything (in|from|inside) {det} {file} [{named}] NAME",
)


# -- adding -----------------------------------------------------------------------------------------------------------


def _append(content: Expression, path: str) -> Acts:
    return (Append(content, path),)


_ANYTHING = "(SAID|TEXT|AMOUNT)"
deed(_append, "append", _ANYTHING, "[,] ({end}|{far_end}) FILE")
deed(_append, "write", _ANYTHING, "[,] {far_end} FILE")
_AS_ITS_LAST = (
    "({end}|{far_end}) FILE [,] as (its|the|a) [new] (last|final|additional) line [[,] after (everything|all|what) "
    "[else] [that] [is] [already] (in there|in it|there|in that file)]"
)
deed(lambda content, path: (Append(content, path, own_line=True),), "append", _ANYTHING, _AS_ITS_LAST)
add(
    "CLAUSE",
    lambda path, content: (Append(content, path, own_line=True),),
    "{append} (a|another|one more|one) [new|more|last|final] line ({end}|{far_end}) FILE [,] (with|saying|that "
    "says|reading|:|containing) SAID [on it|in it]",
)
add("CLAUSE", lambda content: _append(content, IT), "{append} SAID")
deed(lambda content, path: (Append(content, path, own_line=True),), "append", _ANYTHING, "{as_last_line} FILE")
deed(lambda content, path: (Append(content, path, own_line=True),), "write", _ANYTHING, "{as_last_line} FILE")
deed(lambda content: _append(content, IT), "append", _ANYTHING, "(at|to|on) the [very] (end|bottom)")
add(
    "CLAUSE",
    lambda content: _append(content, IT),
    "{append} SAID (to|into) (it|that file|the file)",
    "{write} SAID at the (end|bottom)",
)


def _append_to(path: str, content: Expression) -> Acts:
    return (Append(content, path),)


add(
    "CLAUSE",
    _append_to,
    "({append}|{write}) ({end}|{far_end}) FILE [,] " + _ANYTHING,
    "{far_end} FILE [,] ({append}|{write}) " + _ANYTHING,
    "(extend|expand|complete|continue|lengthen) FILE (with|by) " + _ANYTHING,
    "{in} FILE [,] ({append}|{write}) " + _ANYTHING + " at the (end|bottom)",
    "(let|have) FILE end with SAID",
    "FILE {should} (end|finish) (with|in) SAID",
    "FILE (needs|should get|should have|must have|gets) [another|one more|an additional] SAID [added] at the "
    "(end|bottom)",
)
deed(lambda content, path: (Append(content, path, at_front=True),), "append", "(SAID|TEXT)", "{front} FILE")
add(
    "CLAUSE",
    lambda content, path: (Append(content, path, at_front=True),),
    "({write}|prepend) (SAID|TEXT) {front} FILE",
    "prepend (SAID|TEXT) to FILE",
)
add(
    "CLAUSE",
    lambda path, content: (Append(content, path, at_front=True),),
    "FILE {should} (start|begin) with SAID",
    "{front} FILE [,] ({append}|{write}|insert) (SAID|TEXT)",
)


@rule("CLAUSE", "FILE (needs|is missing|lacks) SAID [:|.|,] [and|so] {append} it [at|to] [the] [end|bottom]")
def _missing(path: str, content: Expression) -> Acts:
    return _append(content, path)


# -- speaking of a file, to do something with it next -----------------------------------------------------------------


@rule(
    "CLAUSE",
    "(take|open|look at|delve into|dive into|look into|examine|read|load|get|grab|use|consider|go to|go through|"
    "pick|start from|start with|fetch) BASE",
)
@rule("CLAUSE", "(there is|i have|we have|here is|this is|let's delve into) (a|the|my|this|our) BASE")
def _take(base: Expression) -> Acts:
    path = source_of(base)
    if path is None or path == IT or not isinstance(base, FileText):
        raise NoReading
    return (Mention(path),)


add("ORIGIN", lambda path: path, "(from|out of|using|based on|with) FILE")


# -- what is only said of things, so that the next clause can speak of them ------------------

_USELESS = "[that (is|are) (of no use|not needed|no longer needed|not required) [any more|anymore]]"
add(
    "CLAUSE",
    lambda entry: (Mention(entry[0]),),
    "there is [already] (a|an) ENTRY {here} " + _USELESS,
    "i (have no [more] use for|do not need|don't need|no longer need) ENTRY [any more|anymore]",
    "i (do not|don't) want ENTRY to (be|stay|remain|lie) (there|here|where it is) [now|any more]",
)
add(
    "CLAUSE",
    lambda entry, folder: (Mention(within(entry[0], folder)),),
    "there is [already] (a|an) ENTRY THIS_FOLDER " + _USELESS,
)
add(
    "CLAUSE",
    lambda entry: (Mention(entry[0]),),
    "ENTRY (is|are) (no longer|not) (needed|required|wanted) [any more|anymore]",
)
add("CLAUSE", lambda entry, folder: (Mention(folder), Mention(entry[0])), "ENTRY belongs (in|into|inside|to) FOLDER")
