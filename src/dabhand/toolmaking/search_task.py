"""What is searched for: a term over some inputs that has given values; and the constants worth trying for it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from dabhand.language import NUMBER, WORD, Call, Const, Env, Kind, Term, Value, Var, subterms
from dabhand.language.numbers import NUMBER_TEXT, read_number
from dabhand.language.terms import cost

MAX_WORDS = 24
MAX_NUMBERS = 12
MAX_SPLITS = 400
ROUND = ((100, 1), (10, 1), (5, 2))
"""What numbers people mean: multiples of 100 and of 10 rather than of 5, those rather than others."""
ODD_PRICE = 2
MARKS = (" ", ",", ".", "-", "/", ":", "=", "_", "@", "(", ")", "<", ">", ";", "|", "\t", ", ", "#", "%", "+")

Priced = tuple[Const, int]


class Task(msgspec.Struct, frozen=True):
    """A term is searched for whose values on some examples are known.

    Attributes:
        inputs: the slots it may read.
        envs: the examples.
        goal: its value on each.
        kind: of the term.
        constants: those that it may hold, each with its price.
        shadows: further inputs, on which terms are told apart though nothing is known of their values.
        form: what all inputs are: "csv", "json", "numbers" or "" for plain text.
        unlikely: blocks that read what the inputs do not hold, with what each costs more.
        is_always_one: every output is one line, so that a list as the result is unlikely.
    """

    inputs: tuple[Var, ...]
    envs: tuple[Env, ...]
    goal: tuple[Value, ...]
    kind: Kind
    constants: tuple[Priced, ...] = ()
    shadows: tuple[Env, ...] = ()
    form: str = ""
    unlikely: tuple[tuple[str, int], ...] = ()
    is_always_one: bool = False

    @property
    def penalties(self) -> dict[str, int]:
        """What blocks cost more where the inputs have a form that those disregard."""
        if not self.form:
            return {"sort_numbers": 2} | dict(self.unlikely)
        if self.form == "numbers":
            return {"sort_numbers": 1, "sort": 1} | dict(self.unlikely) | dict.fromkeys(_FORMED[self.form], -1)
        formless = dict.fromkeys(_FORMLESS, FORM_PENALTY)
        return {"sort_numbers": 2} | formless | dict(self.unlikely) | dict.fromkeys(_FORMED[self.form], -1)

    def length(self, term: Term) -> int:
        """The length of the description of a term: costs, penalties, and what its constants are worth."""
        prices, penalties = dict(self.constants), self.penalties
        total = cost(term) + (LISTED if self.is_always_one and isinstance(term, Call) and term.name == "unlines" else 0)
        for node in subterms(term):
            total += roundabout(node)
            if isinstance(node, Const):
                body = getattr(node.value, "body", None)
                mine = prices.get(node, price_of(node)) if body is None else self.length(body)
                total += mine - cost(node)
            elif isinstance(node, Call):
                total += penalties.get(node.name, 0)
        return total


FORM_PENALTY = 3
_FORMLESS = ("number_runs", "letter_runs", "words", "chars", "lines", "split", "numbers_among")
"""Blocks that read a table or JSON as if it were any text."""
_FORMED = {
    "csv": ("csv", "column", "rows_where", "rows_above"),
    "json": ("json", "key", "each_key", "items_above"),
    "numbers": ("numbers",),
}
"""Blocks that read it as what it is."""


LISTED = 2
ROUNDABOUT = 2
_WHOLE = frozenset({"line", "unlines", "just", "as_csv"})
_READS_LINES = frozenset({"then", "text_if"})


def roundabout(node: Term) -> int:
    """What a term's outermost block costs more, because it takes apart again what was just put together."""
    if not isinstance(node, Call) or node.name in _READS_LINES:
        return 0
    return ROUNDABOUT * sum(isinstance(arg, Call) and arg.name in _WHOLE for arg in node.args)


ABSENT = 4
SAME = 2
_ABOUT_REPEATS = (
    "most_common", "most_common_first", "recurring", "unrepeated", "by_frequency", "frequencies", "repeated",
    "single", "unique", "distinct", "tally",
)  # fmt: skip


def unlikely_in(texts: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Blocks that read plain texts as what they are not, with what each costs more for it."""
    made: dict[str, int] = {}
    everything = "".join(texts)
    if "," not in everything:
        made |= {"csv": ABSENT}
    if not any(mark in everything for mark in "[{"):
        made |= {"json": ABSENT}
    if not any(not char.isalnum() and not char.isspace() for char in everything):  # then they are the words
        made |= {"letter_runs": SAME}
    if not any(_has_repeats(text) for text in texts):
        made |= dict.fromkeys(_ABOUT_REPEATS, SAME)
    lines = [line for text in texts for line in text.split("\n") if line.strip()]
    if lines and all(len(line.split()) == 1 for line in lines):  # then the words are the lines, and only seem others
        made |= {"words": SAME, "letter_runs": SAME}
        made |= {"chars": SAME} if all(len(line) == 1 for line in lines) else {}
    return tuple(made.items())


def _has_repeats(text: str) -> bool:
    """Whether a line or a word of a text, capitals or not, occurs twice."""
    lines, words = [line for line in text.split("\n") if line], _WORD.findall(text.lower())
    return len(set(lines)) < len(lines) or len(set(words)) < len(words)


def blocks_in(term: Term) -> list[str]:
    """The names of the blocks of a term, those in functions too."""
    names = []
    for node in subterms(term):
        if isinstance(node, Call):
            names.append(node.name)
        elif isinstance(node, Const) and hasattr(node.value, "body"):
            names += blocks_in(node.value.body)
    return names


def form_of(texts: Sequence[str]) -> str:
    """The form that all of some texts have: "csv", "json", "numbers" (one a line), or "" for none."""
    for form, names in (("json", _fields), ("csv", _columns)):
        if texts and all(names(text) for text in texts):
            return form
    numbers = all(NUMBER_TEXT.match(line) for text in texts for line in text.split("\n") if line.strip())
    return "numbers" if numbers and any(text.strip() for text in texts) else ""


def price_of(constant: Const) -> int:
    """What a constant is worth: round numbers and short words little."""
    value: Any = constant.value
    if constant.kind is NUMBER:
        return number_price(value)
    return 1 + len(value) // 6 if isinstance(value, str) else 1


def roundest(least: Any, most: Any) -> list[Any]:
    """Whole numbers from one to another: those that people mean rather than others, then the first and the last."""
    low, high = math.ceil(least), math.floor(most)
    if low > high:
        return [least]
    for step in (1000, 100, 10, 5):
        first, last = -(-low // step) * step, high // step * step
        if first <= high:
            return list(dict.fromkeys((first, last, low, high)))
    return list(dict.fromkeys((low, high)))


def number_price(number: Any) -> int:
    """What a number is worth: people mean nothing more often than anything else, then round ones and small ones."""
    if isinstance(number, int) and abs(number) <= 3:
        return 0 if number == 0 else 1 if abs(number) < 2 else 2
    for step, price in ROUND:
        if isinstance(number, int) and number % step == 0:
            return price
    return ODD_PRICE if isinstance(number, int) and abs(number) < 100 else ODD_PRICE + 1


def constants_of(given: Sequence[Sequence[str]], wanted: Sequence[str]) -> tuple[Priced, ...]:
    """Constants worth trying: words and marks that all examples share, names of columns and fields, numbers.

    Args:
        given: the input texts of every example.
        wanted: the output text of every example.
    """
    texts = [text for each in given for text in each]
    named = [*_names(given), *_marks(texts, wanted), *_separators([" ".join(each) for each in given])]
    words = [*named, *_shared([" ".join(each) for each in given]), *_shared(wanted)]
    words += [word for word in _words(" ".join(wanted)) if len(wanted) > 1 and _repeats(word, wanted)]
    made = {word: 1 + (word not in named) for word in list(dict.fromkeys(words))[:MAX_WORDS] if word}
    numbers = {number: number_price(number) for number in _numbers(texts)}
    return (
        *[(Const(word, WORD), price) for word, price in made.items()],
        *[(Const(number, NUMBER), price) for number, price in sorted(numbers.items(), key=lambda one: one[1])],
    )


_WORD = re.compile(r"\w+(?:[-'.]\w+)*")


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(_WORD.findall(text)))


def _repeats(word: str, texts: Sequence[str]) -> bool:
    return sum(word in text for text in texts) > 1


def _shared(texts: Sequence[str]) -> list[str]:
    """Words that all of several texts hold."""
    if len(texts) < 2:
        return []
    first, *others = (set(_WORD.findall(text)) for text in texts)
    return [word for word in _words(texts[0]) if word in first and all(word in other for other in others)]


def _marks(given: Iterable[str], wanted: Iterable[str]) -> list[str]:
    everything = "".join([*given, *wanted])
    return [mark for mark in MARKS if mark in everything]


_SEPARATOR = re.compile(r"(?:[^\w\s] | [^\w\s] ?)(?=\w)")


def _separators(texts: Sequence[str]) -> list[str]:
    """Marks with a blank beside them that every text has at least one of."""
    found = [dict.fromkeys(_SEPARATOR.findall(text)) for text in texts]
    return [mark for mark in found[0] if all(mark in each for each in found)] if len(found) > 1 else []


def _names(given: Sequence[Sequence[str]]) -> list[str]:
    """Names of columns and of fields, where all first texts are tables or JSON."""
    found = [names for names in (_columns(each[0]) or _fields(each[0]) for each in given if each) if names]
    if not found or len(found) < len(given):
        return []
    return [name for name in found[0] if all(name in names for names in found)]


def _columns(text: str) -> list[str]:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or "," not in lines[0] or not all("," in line for line in lines):
        return []
    cells = [cell.strip('"') for cell in lines[0].split(",")]
    return cells if all(cell and not NUMBER_TEXT.match(cell) for cell in cells) else []


def _fields(text: str) -> list[str]:
    if text.lstrip()[:1] not in ("[", "{"):
        return []
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    rows = value if isinstance(value, list) else [value, *(value.values() if isinstance(value, dict) else [])]
    names = [name for row in rows if isinstance(row, dict) for name in row]
    inner = [name for row in rows if isinstance(row, list) for each in row if isinstance(each, dict) for name in each]
    return list(dict.fromkeys([*names, *inner]))


_NUMBER = re.compile(r"(?<![\w.])-?\d{1,6}(?:\.\d{1,4})?(?![\w.])")


def _numbers(texts: Sequence[str]) -> list[Any]:
    """Numbers for thresholds: round ones between the smallest and the largest that occur, and those that occur."""
    found = sorted({read_number(each) for text in texts for each in _NUMBER.findall(text)[:MAX_SPLITS]})
    if not found:
        return []
    made: list[Any] = []
    for step in (100, 10, 5):
        first = int(found[0] // step + 1) * step
        round_ones = list(range(first, int(found[-1]) + 1, step))
        made += round_ones if len(round_ones) <= MAX_NUMBERS else []
    made += found if len(found) <= MAX_NUMBERS else []
    return list(dict.fromkeys(made))


def number_constants(envs: Sequence[Env], wanted: Sequence[Value]) -> tuple[Priced, ...]:
    """Constants for tasks about numbers: the small ones."""
    return tuple([(Const(number, NUMBER), max(abs(number), 1)) for number in (-1, 0, 1, 2, 3, 4)])
