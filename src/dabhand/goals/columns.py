"""Columns of tables and fields of records as requests speak of them, and which rows are meant."""

from __future__ import annotations

from collections.abc import Iterator

from dabhand.goals.acts import IT, Acts, Expression, FileText, Hold, Mention
from dabhand.goals.lexicon import RESERVED
from dabhand.goals.looks import looked_at
from dabhand.goals.places import within
from dabhand.goals.riders import with_rider
from dabhand.goals.rules import NoReading, Reader
from dabhand.goals.steps import Step, Steps, applied
from dabhand.goals.words import ENGLISH, WholeWord, last_value

rule, add, terminal = ENGLISH.rule, ENGLISH.add, ENGLISH.terminal

# -- names of columns -------------------------------------------------------------------------------------------------

MAX_WORDS = 3
_NO_NAMES = frozenset(
    """
    a an the of in from on at by to for with where whose which that who is are was were has have and or but not all
    any each every column columns field fields row rows cell cells file into onto inside within called named over under
    above
    below than as it its their them this these those between per
    """.split()  # noqa: SIM905
)
"""Words that are no part of a column's name unless it is quoted."""


_is_table = looked_at(r"(?i)\.(?:csv|json)\Z")
_is_decimal = looked_at(r"\A[+-]?(?:\d{1,18}(?:\.\d{1,18})?|\.\d{1,18})\Z")
_SPOKEN = frozenset({"csv", "json", "column", "columns", "field", "fields"})


def _speaks_of_tables(reader: Reader) -> bool:
    """Whether a request speaks of tables at all: elsewhere no word is the name of a column."""
    return any(token.lower in _SPOKEN or _is_table(token.text) for token in reader.tokens)


@terminal("COLNAME")
def _colname(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """The name of a column: quoted, or up to three plain words."""
    token = reader.token(at)
    if token is None or not _speaks_of_tables(reader):
        return
    if token.kind == "quoted":
        yield token.text, at + 1
        return
    for end in range(at + 1, min(len(reader.tokens), at + MAX_WORDS) + 1):
        last = reader.tokens[end - 1]
        if last.kind not in ("word", "path") or last.lower in _NO_NAMES or last.number is not None:
            return
        named = at > 0 and reader.tokens[at - 1].lower in ("called", "named")
        if last.text == "'s" or (reader.exists(last.text) and not named) or (end > at + 1 and reader.left_out(end - 1)):
            return
        following = reader.token(end)
        if end > at + 1 or last.lower not in RESERVED or (following is not None and following.lower in _SPOKEN):
            yield reader.span(at, end), end


@terminal("TABLE_NAME")
def _table_name(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """The name of a file that is a table by its ending."""
    token = reader.token(at)
    if token is not None and token.kind != "mark" and _is_table(token.text):
        yield token.text, at + 1


@terminal("DECIMAL")
def _decimal(reader: Reader, at: int) -> Iterator[tuple[str, int]]:
    """A number, perhaps with a sign and digits after the point."""
    token = reader.token(at)
    if token is not None and token.kind in ("word", "path") and _is_decimal(token.text):
        yield token.text, at + 1
    elif token is not None and token.number is not None:
        yield str(token.number), at + 1


_KIND_OF_TABLE = "(the|my|our|that) [only] KIND (file|document)"
add("TABLE", last_value, "{det} [{file}|table|spreadsheet] [{named}] TABLE_NAME [file|document]", _KIND_OF_TABLE)
add("TABLE", within, "{det} [{file}|table] [{named}] TABLE_NAME {in} FOLDER")

# -- which rows are meant ---------------------------------------------------------------------------------------------

_ABOVE = (
    "(over|above|more than|greater than|larger than|higher than|bigger than|older than|longer than|exceeding|beyond|>|"
    "at more than|later than)"
)
_BELOW = "(under|below|less than|smaller than|lower than|fewer than|younger than|shorter than|<|earlier than)"
_FROM = "(at least|no less than|not less than|not under|not below|>=|a minimum of)"
_IS = "(is|are|was|were|of|=|being|comes to|amounts to|lies|has a value)"
_WITH = (
    "(whose|where|when|with [a|an]|having [a|an]|for which|in which|if|that have [a|an]|who have [a|an]|"
    "which have [a|an])"
)
for _bound, _words in {"above": _ABOVE, "below": _BELOW, "from": _FROM}.items():
    add("COMPARED", lambda limit, _bound=_bound: (_bound, limit), _words + " DECIMAL")
add("COMPARED", lambda limit: ("from", limit), "DECIMAL or (more|above|over|higher|older|greater)")
add("COMPARED", lambda limit: ("above", limit), "(exceeds|exceed) DECIMAL")


@rule("WHICH", _WITH + " [the|their|its|an|a] COLNAME [" + _IS + "] COMPARED")
def _compared(name: str, bound: tuple[str, str]) -> Step:
    return ("rows_" + bound[0], (name, bound[1]))


@rule("WHICH", _WITH + " [the|their|its|an|a] COLNAME (is|are|=|equals|says|reads|being|of|is equal to) LITERAL")
def _equal(name: str, value: str | WholeWord) -> Step:
    return ("rows_where", (name, value.text if isinstance(value, WholeWord) else value))


_YEARS = "[years [old|of age]]"
add(
    "OF_AGE",
    lambda limit: ("rows_above", ("age", limit)),
    "[(who|that|which) (are|is)] [aged] (older than|over|above|over the age of|above the age of) DECIMAL " + _YEARS,
    "(who|that|which) (are|is) more than DECIMAL years old",
)
add(
    "OF_AGE",
    lambda limit: ("rows_below", ("age", limit)),
    "[(who|that|which) (are|is)] [aged] (younger than|under|below|under the age of|below the age of) DECIMAL " + _YEARS,
    "(who|that|which) (are|is) less than DECIMAL years old",
)
add(
    "OF_AGE",
    lambda limit: ("rows_from", ("age", limit)),
    "[(who|that|which) (are|is)] [aged] (at least DECIMAL|DECIMAL (or|and) (older|over|above|more)) " + _YEARS,
)

_RECORD = "(rows|lines|entries|records|items|objects|elements|ones|row|entry|record|item|those|data|cases)"
_PERSON = "(people|persons|users|members|everyone|everybody|all|those|anyone|person|ones|entries|records|every person)"
_ALL = "[all|all the|all of the|the|only the|just the|only|every|each|any|those]"
add("ROWS", lambda which: which, _ALL + " " + _RECORD + " [,] WHICH", "[,] WHICH")
add("PEOPLE", lambda which: which, _ALL + " " + _PERSON + " (OF_AGE|WHICH)")

# -- columns ----------------------------------------------------------------------------------------------------------

_CELLS = "[the|all|all the] [different] (values|numbers|entries|cells|figures|contents|words|names|amounts)"
_COLUMN = "(column|field)"
_OF = "(of|in|from|inside|within|on)"


def _cells(name: str | int, path: str, which: Step | None = None) -> Expression:
    return applied(((which,) if which is not None else ()) + (("column", (name,)),), FileText(path))


def _cells_where(name: str | int, which: Step, path: str) -> Expression:
    return _cells(name, path, which)


add("THE_COLUMN", lambda name: name, "{det} COLNAME " + _COLUMN, "{det} " + _COLUMN + " [called|named|:] COLNAME")
add("THE_COLUMN", lambda place: place, "{det} ORDINAL column", "{det} column [number|no.|no] NUMBER")
add("COLUMN", _cells, "[" + _CELLS + " " + _OF + "] THE_COLUMN " + _OF + " FILE [[,] [only] [for|of|in|over] ROWS]")
add("COLUMN", _cells_where, "[" + _CELLS + " " + _OF + "] THE_COLUMN [,] (for|of|in|over) ROWS " + _OF + " FILE")
add("COLUMN", lambda path, name: _cells(name, path), "FILE 's COLNAME column")

# A column without the word, where what is asked of it says that there are numbers or values in it.
add("BARE_COLUMN", lambda value: value, "COLUMN")
_EACH_OF = "[(for|of|in|over) [all] [the] (rows|records|entries|items|people|employees|products|orders)]"
add(
    "BARE_COLUMN",
    _cells,
    "COLNAME [column|values|numbers|entries] " + _EACH_OF + " " + _OF + " TABLE [[,] [only] (for|of|in|over) ROWS]",
)
add("BARE_COLUMN", _cells, "COLNAME " + _OF + " TABLE [,] WHICH")
add(
    "BARE_COLUMN",
    _cells_where,
    "COLNAME [column|values] [,] (for|of|in|over) (ROWS|PEOPLE) " + _OF + " TABLE",
    "COLNAME [,] WHICH [,] " + _OF + " TABLE",
)

# -- fields of records ------------------------------------------------------------------------------------------------


def _of_everybody(name: str, which: Step | None, path: str, also: Step | None = None) -> Expression:
    if which is not None and also is not None:
        raise NoReading
    return _cells(name, path, which or also)


_EACH = (
    "[all|all the|all of the|the|every|each|those] (people|persons|users|members|everyone|everybody|records|entries|"
    "rows|items|objects|entry|record|row|item|object|person)"
)
add("FIELDS", _of_everybody, "{all} COLNAME of (PEOPLE|ROWS) {of} TABLE [,]")
add(
    "FIELDS",
    lambda name, path, which=None: _cells(name, path, which),
    "{all} COLNAME of " + _EACH + " {of} TABLE [,] [OF_AGE|WHICH]",
)
add(
    "FIELDS",
    lambda name, which, path=None: _cells(name, path, which),
    "{all} COLNAME (OF_AGE_ONLY|WHICH) {of} TABLE",
)
add("OF_AGE_ONLY", lambda which: which, "(of those|of all|of everyone|of everybody|of anyone) OF_AGE")


@rule("FIELDS", "{all} COLNAME of [all|all the|the|those] SAIDWORD {of} TABLE [,] (OF_AGE|WHICH)")
@rule("FIELDS", "{all} COLNAME of [all|all the|the|those] SAIDWORD [,] (OF_AGE|WHICH) [,] {of} TABLE")
def _of_what_the_file_lists(name: str, what: str, first: str | Step, second: str | Step) -> Expression:
    """The records may be called as the file is: "the names of the dogs in dogs.json that ..."."""
    path, which = (first, second) if isinstance(first, str) else (second, first)
    stem = str(path).rpartition("/")[2].partition(".")[0].lower()
    if what.lower() not in (stem, stem + "s", stem.removesuffix("s")):
        raise NoReading
    return _cells(name, str(path), which)  # type: ignore[arg-type]


add("FIELDS", _cells, "{all} COLNAME " + _OF + " TABLE [,] WHICH")
add("BASE", lambda value: value, "COLUMN")
add("TEXT", lambda value: value, "FIELDS")
add("TEXT", lambda mods, value: applied(mods, value), "{det} DISTINCT COLUMN_VALUES")
add("DISTINCT", lambda: (("distinct", ()),), "(different|distinct|unique)")
add(
    "COLUMN_VALUES",
    _cells,
    "(values|entries|cells) (of|in|from) THE_COLUMN {of} FILE",
    "COLNAME values (of|in|from) TABLE",
)


def of_rows(steps: Steps, path: str) -> Expression:
    """The rows that are meant, as a table of their own."""
    return applied(steps, FileText(path))


add("TEXT", lambda which, path: of_rows((which,), path), "{all} (rows|records|entries) [,] WHICH {of} TABLE")
add("TEXT", lambda path, which: of_rows((which,), path), "{all} (rows|records|entries) {of} TABLE [,] WHICH")
add("BARE_COLUMN", lambda value: value, "FIELDS")

# -- a table or a column that is spoken of first ----------------------------------------------------------------------

_THAT = "(that|this|the) column"
add("NUMBERS_IN", lambda: FileText(IT), _THAT, "[the] (values|numbers|cells) (in|of) " + _THAT)
add("NUMBERS_IN", lambda name: _cells(name, IT), "(its|their) COLNAME")
add("TEXT", lambda name: _cells(name, IT), "(its|their) COLNAME", "the COLNAME of each [of them]", "the COLNAME")
add("CLAUSE", lambda which: (Hold(of_rows((which,), IT)),), "{take} [only] ROWS")
_THOSE_IN = _ALL + " " + _PERSON + " {of} FILE [,] (OF_AGE|WHICH)"
add("CLAUSE", lambda path, which: (Hold(of_rows((which,), path)),), "{take} " + _THOSE_IN)
_FOR_EACH = "for " + _ALL + " " + _RECORD + " {of} FILE [,] WHICH"
add("SAYING", lambda path, which, acts: (Hold(of_rows((which,), path)), *acts), _FOR_EACH + " [,] CLAUSE")
add(
    "SAYING",
    lambda path, which, acts, rider: with_rider((Hold(of_rows((which,), path)), *acts), rider),
    _FOR_EACH + " [,] CLAUSE [,] RIDER",
)
_LISTED = "(records|rows|entries|items|people|lines)"
add("SAYING", lambda path, acts: (Mention(path), *acts), "from [the|all|all the] " + _LISTED + " {of} FILE [,] CLAUSE")
_HAS = "(is|has|contains|holds) [a table with] [a|the|one] " + _COLUMN


@rule("CLAUSE", "(in|from) {det} [table|file] FILE [,] there is [a|the] " + _COLUMN + " [called|named] COLNAME")
@rule("CLAUSE", "FILE " + _HAS + " [called|named] COLNAME")
def _column_of(path: str, name: str) -> Acts:
    return (Hold(_cells(name, path)),)


add("CLAUSE", lambda column: (Hold(column),), "(take|go through|look at|read|consider|get|use) COLUMN")
add(
    "CLAUSE",
    lambda path, names=None: (Mention(path),),
    "TABLE (has|is|holds|contains) {a} (list|table|record|collection) of [the] (people|records|persons|items|entries) "
    "[with their COLUMN_NAMES]",
)
add("COLUMN_NAMES", lambda first, second=None: (first, second), "COLNAME [and COLNAME]")
add("TEXT", lambda name, which: _cells(name, IT, which), "{all} COLNAME of PEOPLE")
