"""Which numbers, columns and records are meant in this folder, and where what is asked of them has two meanings."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from dabhand.errors import LanguageError
from dabhand.goals.computing import BOUNDS, FIGURES
from dabhand.goals.goal import Ambiguous, Refused
from dabhand.goals.operations import OPERATIONS
from dabhand.language import LINES, Call, FolderView, Term, evaluate, show
from dabhand.language.json_values import read_json
from dabhand.language.numbers import NUMBER_TEXT, digits, read_number
from dabhand.language.tables import read_csv

Args = tuple[str | int, ...]

MOST_PLACES = 10
"""Digits after the point that a figure may have without anything being said of rounding."""
VOWELS = frozenset("aeiou")


def meant(operation: str, args: Args, of: Term, folder: FolderView) -> tuple[str, Args]:
    """The operation and arguments that a request means, for the text that it is done to.

    Raises:
        Ambiguous: they have several meanings for this text.
        Refused: they have none.
    """
    if operation in ("column", *(f"rows_{each}" for each in ("where", *BOUNDS))):
        return _in_a_table(operation, args, _text(of, folder))
    if operation in FIGURES or operation in ("even", "odd", "above", "below"):
        args = (_apart(str(args[0]), of, folder), *args[1:])
        if operation in FIGURES:
            _require_some(operation, OPERATIONS[operation](of, *args), folder)
        else:
            _require_as_written(OPERATIONS["above"](of, args[0], "-" + "9" * 99), of, folder)
    elif operation in _CHECKS:
        _CHECKS[operation](args, _text(of, folder))
    elif operation in ("most_common", "longest", "shortest"):
        _require_one(operation, args, of, folder)
    elif operation in ("sorted", "sorted_reversed"):
        _require_one_order(operation, of, folder)
    elif operation == "rounded":
        _require_no_half(int(args[0]), of, folder, exactly=args[-1] == "written")
    return operation, args


def require_short(term: Term, folder: FolderView) -> None:
    """Decline to write out a number without end, where nothing is said of rounding it.

    Raises:
        Ambiguous: with what may be meant.
    """
    match term:
        case Call(name="line", args=(Call(name="digits", args=(Call(name="mean" | "median"),)),)):
            text = _text(term, folder).strip()
            if len(text.partition(".")[2]) > MOST_PLACES:
                raise Ambiguous(
                    f"The number goes on without end ({text[:12]}...), so the request can be taken in several ways: to "
                    "how many decimals it is to be rounded is not said.",
                    'Add "rounded to 2 decimals".',
                )


def _text(term: Term, folder: FolderView) -> str:
    try:
        return str(evaluate(term, {}, folder))
    except LanguageError as error:
        raise Refused(f"What the request speaks of has no value here: {error.message}") from error


# -- numbers ----------------------------------------------------------------------------------------------------------


def _apart(said: str, of: Term, folder: FolderView) -> str:
    """How the numbers of a text are told apart."""
    if said:
        return said
    lines = [line for line in _text(of, folder).split("\n") if line.strip()]
    strange = next((line for line in lines if not NUMBER_TEXT.match(line)), None)
    if strange is None:
        return "lines"
    pieces = [piece for line in lines for piece in line.split()]
    if all(map(NUMBER_TEXT.match, pieces)):
        return "words"
    raise Refused(
        f"{strange[:40]!r} is not a number.", 'Name the column, or say "ignoring lines that are not numbers".'
    )


def _require_some(operation: str, term: Term, folder: FolderView) -> None:
    """Refuse to calculate with no numbers at all."""
    found = Call("how_many", (term.args[0].args[0].args[0],))  # type: ignore[union-attr]
    if evaluate(found, {}, folder) == 0:
        raise Refused(f"There are no numbers, so there is no {operation}.", "Check the name of the file or column.")


def _require_as_written(every: Term, of: Term, folder: FolderView) -> None:
    """Decline to choose numbers that are not written as they would be written out."""
    written = _text(every, folder).split("\n")[:-1]
    there = [line for line in re.split(r"\s+", _text(of, folder)) if line]
    if written != [line for line in there if NUMBER_TEXT.match(line)]:
        odd = next((line for line in there if NUMBER_TEXT.match(line) and digits(read_number(line)) != line), "")
        raise Ambiguous(
            f"Some numbers are written in another way than I write them ({odd!r}), so the request can be taken in 2 "
            "ways: they are to stay as they are written; or not.",
            "This text needs another tool.",
        )


def _require_one_order(operation: str, of: Term, folder: FolderView) -> None:
    """Decline to sort a column of numbers where it is not said that they are numbers."""
    if not (isinstance(of, Call) and of.name == "unlines" and of.args[0].kind == LINES and "column" in show(of)):
        return
    cells = [cell for cell in _text(of, folder).split("\n") if cell.strip()]
    numeric = operation.replace("sorted", "sorted_numbers")
    if all(map(NUMBER_TEXT.match, cells)) and _text(OPERATIONS[operation](of), folder) != _text(
        OPERATIONS[numeric](of), folder
    ):
        raise Ambiguous(
            "The column holds numbers, so the request can be taken in 2 ways: they are sorted as numbers; or as text.",
            'Say "numerically" or "alphabetically".',
        )


def _require_no_half(places: int, of: Term, folder: FolderView, *, exactly: bool) -> None:
    """Decline to round what lies in the middle, and what may or may not have zeros at its end."""
    text = _text(of, folder).strip()
    after = text.partition(".")[2]
    if after[places:].rstrip("0") == "5":
        raise Ambiguous(f"{text} lies just between two numbers of {places} decimals.", "Ask for more decimals.")
    shown = _text(OPERATIONS["rounded"](of, places), folder).strip().partition(".")[2]
    if exactly and len(shown) < places:
        raise Ambiguous(
            f"{text} rounded to {places} decimals ends in zeros, so the request can be taken in 2 ways: they are "
            "written; or not.",
            f"Ask for {len(shown)} decimals." if shown else "Ask for a whole number.",
        )


# -- one of many ------------------------------------------------------------------------------------------------------

_PUNCTUATED = re.compile(r"\A[^\w\s]+|[^\w\s]+\Z")


def _require_one(operation: str, args: Args, of: Term, folder: FolderView) -> None:
    """Decline to pick one where several are alike, and where words are told apart by what people overlook."""
    text = _text(of, folder)
    unit, tie = str(args[0]), str(args[1]) if len(args) > 1 else ""
    pieces = text.split() if unit == "words" else [line for line in text.split("\n") if line.strip()]
    if not pieces:
        raise Refused(f"There are no {unit}, so none is the {operation.replace('_', ' ')}.", "Check the name.")
    best = _best(operation, pieces)
    if len(best) > 1 and not tie:
        shown = " and ".join(map(repr, sorted(best)[:2]))
        raise Ambiguous(
            f"{len(best)} {unit} are alike in that ({shown}), so the request can be taken in {len(best)} ways.",
            'Say which of them: "the first one", "the last one", or "the first in alphabetical order".',
        )
    if unit == "words" or operation == "most_common":
        _require_same_words(operation, pieces, best, unit)


def _best(operation: str, pieces: Sequence[str]) -> set[str]:
    counted = Counter(pieces)
    measure: Callable[[str], int] = counted.__getitem__ if operation == "most_common" else len
    chosen = (min if operation == "shortest" else max)(map(measure, counted))
    return {piece for piece in counted if measure(piece) == chosen}


def _require_same_words(operation: str, pieces: Sequence[str], best: set[str], unit: str) -> None:
    bare = [_PUNCTUATED.sub("", piece) if unit == "words" else piece.strip() for piece in pieces]
    alike = {bare[at] for at, piece in enumerate(pieces) if piece in best}
    if any(bare) and (_best(operation, [piece for piece in bare if piece]) != alike or alike - best):
        marks = "marks like commas" if unit == "words" else "spaces"
        raise Ambiguous(
            f"Some {unit} have {marks} around them, so the request can be taken in 2 ways: they are a part of them; or "
            "not.",
            "Take them out first.",
        )
    if operation != "most_common":
        return
    folded = {piece.lower() for piece in best}
    if _best(operation, [piece.lower() for piece in pieces]) != folded:
        raise Ambiguous(
            "Some words differ only in capital letters, so the request can be taken in 2 ways: they are the same; or "
            "not.",
            "Change the text to lower case first.",
        )


# -- letters ----------------------------------------------------------------------------------------------------------


def _require_plain(args: Args, text: str) -> None:
    """Decline to count letters of which not everybody says that they are what is counted."""
    unit = str(args[0])
    if unit in ("vowels", "consonants"):
        doubtful = {each for each in text if not each.isascii() and each.isalpha() and _is_like_vowel(each, unit)}
    elif unit in ("capitals", "smalls"):
        doubtful = {each for each in text if not each.isascii() and each.lower() != each.upper()}
        doubtful = {each for each in doubtful if each.isupper() == (unit == "capitals")}
    elif unit == "numerals":
        doubtful = {each for each in text if not each.isascii() and each.isdigit()}
    else:
        return
    if doubtful:
        shown = ", ".join(map(repr, sorted(doubtful)[:5]))
        raise Ambiguous(
            f"The text has letters beyond a-z ({shown}), so the request can be taken in 2 ways: they are counted too; "
            "or not.",
            'Say "the vowels a, e, i, o and u" if only those are meant.' if unit == "vowels" else "",
        )


def _is_like_vowel(letter: str, unit: str) -> bool:
    """Whether a letter is a vowel with a mark on it, or (of consonants) any letter beyond a-z."""
    return unit == "consonants" or any(each in VOWELS for each in unicodedata.normalize("NFD", letter.lower()))


def _require_plain_title(args: Args, text: str) -> None:
    """Decline title case where hyphens, marks or letters beyond a-z leave open what is a capital."""
    for each in text.split():
        first = next((at for at, letter in enumerate(each) if letter.isalpha()), None)
        hyphened = re.search(r"[^\W\d_][-/_.][^\W\d_]", each)
        beyond = any(not letter.isascii() and letter != letter.lower() for letter in each[1:])
        if hyphened or beyond or (first and not each[:first].isalnum()):
            raise Ambiguous(
                f"Which letters of {each[:40]!r} are to be capitals is not clear, so the request can be taken in 2 "
                "ways.",
                "This text needs another tool.",
            )


_CHECKS: dict[str, Callable[[Args, str], None]] = {
    "counted": _require_plain,
    "title": _require_plain_title,
    "capitalized": lambda args, text: _require_plain_title(args, re.sub(r"\w\w+", lambda one: one[0].lower(), text)),
}

# -- columns and records ----------------------------------------------------------------------------------------------


def _in_a_table(operation: str, args: Args, text: str) -> tuple[str, Args]:
    """A column of CSV or a field of JSON, by the name that it has there."""
    is_json = text.lstrip()[:1] in ("[", "{")
    names = _fields(text) if is_json else _header(text)
    if isinstance(args[0], int):
        if is_json or not 0 < args[0] <= len(names):
            raise Refused(f"There is no column number {args[0]}.", f"There are {len(names)}.")
        if NUMBER_TEXT.match(names[args[0] - 1]):
            raise Ambiguous("Whether the first row is a header is not clear.", "Name the column.")
        return operation, args
    name = _named(args[0], names)
    if is_json:
        operation = "field" if operation == "column" else operation.replace("rows_", "items_")
    elif names.count(name) > 1:
        raise Ambiguous(f"{names.count(name)} columns are called {name!r}.", "Give its number.")
    if is_json and operation.removeprefix("items_") in BOUNDS:
        _require_numbers(name, text)
    if operation.endswith("_where"):
        _require_value(name, str(args[1]), text, is_json)
    return operation, (name, *args[1:])


def _header(text: str) -> list[str]:
    try:
        return list(read_csv(text)[0])
    except LanguageError as error:
        raise Refused(f"This is no table: {error.message}.") from error


def _fields(text: str) -> list[str]:
    try:
        kind, items = read_json(text)
    except LanguageError as error:
        raise Refused(f"This is no JSON: {error.message}.") from error
    if kind != "array":
        raise Refused("This JSON is no list of records.")
    return list(dict.fromkeys(name for item in items if item[0] == "object" for name, _ in item[1]))


def _named(said: str, names: Sequence[str]) -> str:
    """The column that a request speaks of: by its exact name, else in other case, else as one of many."""
    for candidates in (
        [name for name in names if name == said],
        [name for name in names if name.strip().lower() == said.lower()],
        [name for name in names if said.lower() in _plurals(name.strip().lower())],
    ):
        if len(set(candidates)) == 1:
            return candidates[0]
        if candidates:
            raise Ambiguous(
                f"{said!r} may be {' or '.join(map(repr, candidates))}.", "Write it as it is written there."
            )
    shown = ", ".join(names[:8])
    raise Refused(f"There is no column {said!r}.", f"There are: {shown}.")


def _plurals(name: str) -> set[str]:
    return {name + "s", name + "es", name[:-1] + "ies" if name.endswith("y") else name + "s"}


def _require_numbers(name: str, text: str) -> None:
    """Refuse to compare fields that are no numbers, as they would be left out in silence."""
    for row in read_json(text)[1]:
        for key, item in row[1] if row[0] == "object" else ():
            if key == name and item[0] not in ("number", "null"):
                raise Refused(f"Not every {name!r} is a number: one is a {item[0]}.", "This file needs another tool.")


def _require_value(name: str, value: str, text: str, is_json: bool) -> None:
    """Decline where the value is written in another way only."""
    if is_json:
        found = [item[1] for row in read_json(text)[1] if row[0] == "object" for key, item in row[1] if key == name]
        cells = [str(each) for each in found]
    else:
        rows = read_csv(text)
        at = rows[0].index(name)
        cells = [row[at] for row in rows[1:] if len(row) > at]
    alike = {cell for cell in cells if cell != value and cell.strip().lower() == value.strip().lower()}
    if alike:
        raise Ambiguous(f"{value!r} is also written {sorted(alike)[0]!r}.", "Write it as it is written there.")
    if value not in cells:
        raise Refused(f"No {name!r} is {value!r}.", "Write it as it is written there.")
