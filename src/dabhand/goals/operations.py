"""What people do to texts, as terms: each operation takes the term of a text and gives the term of another."""

from __future__ import annotations

from collections.abc import Callable

from dabhand.language import Call, Const, Kind, Term

Operation = Callable[..., Term]
OPERATIONS: dict[str, Operation] = {}
"""Every operation by name: (term of a text, arguments: words or numbers) -> term of a text."""

LETTERS = {
    "consonants": "[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z]",
    "capitals": "[A-Z]",
    "smalls": "[a-z]",
    "numerals": "[0-9]",
}
"""Letters and the like that can be counted in a text, as patterns."""


def number(value: int) -> Term:
    """A number as a term."""
    return Const(value, Kind.NUMBER)


def word(value: str) -> Term:
    """A word as a term."""
    return Const(value, Kind.WORD)


def lines_of(text: Term) -> Term:
    """The lines of a text."""
    return Call("lines", (text,))


def line_of(value: str) -> Term:
    """The text that is one line; of several lines each is ended."""
    return Const(value if value.endswith("\n") else value + "\n", Kind.TEXT)


def _on_lines(name: str, *steps: str) -> None:
    """An operation that rebuilds the text from its changed lines, each ended by a newline."""

    def operation(text: Term) -> Term:
        made = lines_of(text)
        for step in steps:
            made = Call(step, (made,))
        return Call("unlines", (made,))

    OPERATIONS[name] = operation


def _on_records(name: str, primitive: str, place: Callable[[int], int] = lambda count: count) -> None:
    """An operation that chooses lines by place and keeps each exactly as it ends."""

    def operation(text: Term, count: int) -> Term:
        return Call("concat", (Call(primitive, (number(place(count)), Call("records", (text,)))),))

    OPERATIONS[name] = operation


def _on_matches(name: str, primitive: str) -> None:
    """An operation that chooses lines by a word in them, or any of several."""

    def operation(text: Term, *values: str) -> Term:
        pattern = Call("literal", (word("\n".join(values)),))
        return Call("unlines", (Call(primitive, (pattern, lines_of(text))),))

    OPERATIONS[name] = operation


_on_lines("sorted", "sort")
_on_lines("sorted_reversed", "sort", "reverse")
_on_lines("sorted_numbers", "sort_numbers")
_on_lines("sorted_numbers_reversed", "sort_numbers", "reverse")
_on_lines("sorted_caseless", "sort_folded")
_on_lines("sorted_caseless_reversed", "sort_folded", "reverse")
_on_lines("reversed", "reverse")
_on_lines("mirrored", "mirrored")
_on_lines("distinct", "distinct")
_on_lines("merged", "unique")
_on_lines("numbered", "numbered")
_on_lines("sorted_distinct", "sort", "unique")
_on_records("first", "first")
_on_records("last", "last")
_on_records("without_first", "starting", lambda count: count + 1)
_on_records("without_last", "first", lambda count: -count)
_on_matches("containing", "matching")
_on_matches("lacking", "not_matching")
_on_matches("containing_any", "matching")
_on_matches("lacking_any", "not_matching")


def _operation(function: Operation) -> Operation:
    OPERATIONS[function.__name__.strip("_")] = function
    return function


@_operation
def as_numbers(text: Term) -> Term:
    """The text itself, of which it is said that its lines are numbers."""
    return text


@_operation
def as_words(text: Term) -> Term:
    """The text itself, of which it is said that its lines are words."""
    return text


@_operation
def leading_numbers(text: Term) -> Term:
    """The text itself, of which it is said that its lines have numbers to go by."""
    return text


@_operation
def single(text: Term) -> Term:
    """Lines that occur once, sorted."""
    return Call("unlines", (Call("single", (Call("sort", (lines_of(text),)),)),))


@_operation
def occurring(text: Term, value: str) -> Term:
    """How often a word occurs, as a line."""
    return Call("line", (Call("digits", (Call("occurrences", (word(value), text)),)),))


@_operation
def emptied(_: Term) -> Term:
    """Nothing."""
    return Const("", Kind.TEXT)


@_operation
def upper(text: Term) -> Term:
    """Letters made capitals."""
    return Call("upper", (text,))


@_operation
def lower(text: Term) -> Term:
    """Letters made small."""
    return Call("lower", (text,))


@_operation
def not_blank(text: Term) -> Term:
    """Without empty lines."""
    return Call("unlines", (Call("not_matching", (Call("basic", (word("^$"),)), lines_of(text))),))


@_operation
def between(text: Term, first: int, last: int) -> Term:
    """Lines by number, both ends included."""
    return Call("concat", (Call("between", (number(first), number(last), Call("records", (text,)))),))


@_operation
def nth(text: Term, place: int) -> Term:
    """The one line with a number."""
    return between(text, place, place)


@_operation
def without_nth(text: Term, place: int) -> Term:
    """All but the one line with a number."""
    records = Call("records", (text,))
    after = Call("concat", (Call("starting", (number(place + 1), records)),))
    if place == 1:
        return after
    return joined(Call("concat", (Call("first", (number(place - 1), records)),)), after)


@_operation
def replaced(text: Term, old: str, new: str) -> Term:
    """A word replaced wherever it stands."""
    return Call("replaced", (word(old), word(new), text))


@_operation
def counted(text: Term, what: str) -> Term:
    """How many lines, words, bytes or characters there are, as a line."""
    match what:
        case "lines":
            amount: Term = Call("count", (lines_of(text),))
        case "words":
            amount = Call("count", (Call("words", (text,)),))
        case "bytes":
            amount = Call("byte_count", (text,))
        case "vowels" | "plain vowels":
            amount = Call("count", (Call("vowels", (Call("chars", (text,)),)),))
        case "letters":
            amount = Call("count", (Call("alphabetic", (Call("chars", (text,)),)),))
        case "distinct words":
            amount = Call("count", (Call("distinct", (Call("words", (text,)),)),))
        case "distinct lines":
            amount = Call("count", (Call("distinct", (lines_of(text),)),))
        case "blank lines":
            amount = Call("count", (Call("matching", (Call("basic", (word("^$"),)), lines_of(text))),))
        case "spaces":
            amount = Call("occurrences", (word(" "), text))
        case _ if what in LETTERS:
            amount = Call("count", (Call("matching", (Call("basic", (word(LETTERS[what]),)), Call("chars", (text,)))),))
        case _:
            amount = Call("char_count", (text,))
    return Call("line", (Call("digits", (amount,)),))


def joined(first: Term, second: Term) -> Term:
    """One text followed by another."""
    return Call("then", (first, second))


def beside(first: Term, second: Term) -> Term:
    """The lines of two texts side by side."""
    return Call("unlines", (Call("beside", (lines_of(first), lines_of(second))),))


def finished(text: Term) -> Term:
    """The text with its last line ended, as it must be before a line is added."""
    return Call("unlines", (lines_of(text),))
