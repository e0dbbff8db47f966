"""What is done to the lines of a text, as words before the noun ("the first 3 sorted") or after it ("in reverse")."""

from __future__ import annotations

from typing import Any

from dabhand.goals.acts import Changed, Expression
from dabhand.goals.computing import SINGLE
from dabhand.goals.rules import NoReading
from dabhand.goals.words import ENGLISH, WholeWord

rule, add = ENGLISH.rule, ENGLISH.add

Step = tuple[str, tuple[str | int, ...]]
"""An operation and its arguments."""

Steps = tuple[Step, ...]
Manner = frozenset[str]
"""How to sort: "n" as numbers, "m" as numbers where the request leaves open which, "r" reversed, "i" without regard to
case, "s" by size, which numbers have, "f" said to be ascending, "u" without duplicates, "a" said to be alphabetical,
"o" unique in one sense or another."""


def steps(*given: Step | str) -> Steps:
    """Several operations, those without arguments by name."""
    return tuple((one, ()) if isinstance(one, str) else one for one in given)


_NUMBERS = ("as_numbers", "even", "odd", "above", "below")
"""Operations that give numbers, which are sorted as such."""
_OF_NUMBERS = {"sorted": "sorted_numbers", "sorted_reversed": "sorted_numbers_reversed"}


def applied(done: Steps, to: Expression) -> Expression:
    """A text after several operations, the first of them first.

    Raises:
        NoReading: of a single number or line it makes no sense to say so.
    """
    if done and isinstance(to, Changed) and to.operation in ("counted", *SINGLE):
        raise NoReading
    for operation, args in done:
        if isinstance(to, Changed) and to.operation in _NUMBERS:
            operation = _OF_NUMBERS.get(operation, operation)
        to = Changed(operation, args, to)
    return to


def said_of(name: str, *literals: str | WholeWord) -> Step:
    """An operation on what literals say; with the first called a word, it is about whole words."""
    whole = isinstance(literals[0], WholeWord)
    texts = tuple(one.text if isinstance(one, WholeWord) else one for one in literals)
    return name + ("_word" if whole else ""), texts


def by_place(given: Steps | None) -> bool:
    """Whether lines are chosen by where they stand."""
    return any(name in ("first", "last", "without_first", "without_last", "nth") for name, _ in given or ())


def by_word(given: Steps | None) -> bool:
    """Whether lines are chosen by what is in them."""
    return any(
        name.removesuffix("_word") in ("containing", "containing_any", "lacking", "lacking_any", "not_blank")
        for name, _ in given or ()
    )


# -- manners of sorting -----------------------------------------------------------------------------------------------

_MANNERS = {
    "alphabetically": "a",
    "ascending": "f",
    "numerically": "n",
    "by_number": "m",
    "by_size": "s",
    "backwards": "r",
    "numerically_reversed": "nr",
    "caseless": "i",
    "distinct": "u",
}
for _name, _flags in _MANNERS.items():
    add("MANNER", lambda _flags=_flags: frozenset(_flags), "{" + _name + "}")
add("MANNER", lambda: frozenset("u"), "and {distinct}", "{unique}")
add("MANNER", lambda: frozenset("o"), "{unique}")


@rule("MANNERS", "[,|⟨] MANNER [⟩] [,] [and|but|then] MANNERS", "[,|⟨] MANNER [⟩]")
def _manners(first: Manner, rest: Manner | None = None) -> Manner:
    return first | (rest or frozenset())


def sorting(manner: Manner | None) -> Steps:
    """The operations that "sort" means in a manner."""
    flags = manner or frozenset()
    numbers = flags & {"n", "m"} or flags & {"s"}
    if {"f", "r"} <= flags:
        raise NoReading  # two orders at once
    if (numbers and flags & {"a", "i"}) or len(numbers) > 1 or {"u", "o"} <= flags:
        raise NoReading
    name = "sorted_caseless" if "i" in flags else "sorted_numbers" if numbers else "sorted"
    made = steps(name + ("_reversed" if "r" in flags else ""))
    if "s" in flags:
        made = steps("as_numbers") + made
    if "m" in flags:
        made = steps("leading_numbers") + made
    if "o" in flags:
        return made + steps("single")
    return made + steps("distinct") if "u" in flags else made


_SORTED = "(sorted|ordered|arranged|alphabetized)"
add("SORTED", sorting, _SORTED + " [MANNERS]")
add(
    "SORTED",
    lambda manner=None: sorting(frozenset("r") | (manner or frozenset())),
    "(reverse|reversely) sorted [MANNERS]",
)
add("SORTED", lambda: sorting(frozenset("n")), "numerically sorted", "{numerically}")
add("SORTED", lambda: sorting(frozenset("nr")), "{numerically_reversed}")
add("SORTED", lambda: sorting(frozenset("a")), "alphabetically sorted", "{alphabetically}")
add("SORTED", lambda: sorting(frozenset("f")), "{ascending}")
add("SORTED", lambda: sorting(frozenset("ai")), "{alphabetically} {caseless}")
add(
    "SORTED",
    lambda: sorting(frozenset("r")),
    "in (descending|descending alphabetical|reverse alphabetical|reversed alphabetical) order",
    "(reverse-sorted|from z to a|reverse alphabetically)",
)

# -- after the noun ---------------------------------------------------------------------------------------------------


def _filter(name: str) -> Any:
    return lambda literal: steps(said_of(name, literal))


add("MOD", lambda value: value, "SORTED", "FILTER")
for _operation in ("mirrored", "distinct", "upper", "lower", "numbered"):
    add("MOD", lambda _operation=_operation: steps(_operation), "{" + _operation + "}")
add("MOD", lambda: steps("reversed"), "{order_reversed}")
add("MOD", lambda: (), "in the (same|original) order", "in their original order")
for _operation, _words in {"first": "first|top", "last": "last|bottom"}.items():
    add(
        "MOD",
        lambda count, _operation=_operation: ((_operation, (count,)),),
        f"({_words}) NUMBER (only|{{line}})",
        f"only the ({_words}) NUMBER",
    )
add(
    "MOD",
    lambda old, new: steps(said_of("replaced", old, new)),
    "with {occurrence} LITERAL {replace_ed} {with} LITERAL [{everywhere}]",
    "(in which|where) {occurrence} LITERAL is {replace_ed} {with} LITERAL {everywhere}",
)
add("FILTER", _filter("containing"), "{containing} LITERAL", "{in_which} LITERAL {occurs}", "in which LITERAL {occurs}")
add("FILTER", _filter("lacking"), "{lacking} LITERAL", "{but_those} [(the|those|all) [{line}]] {containing} LITERAL")
add("FILTER", _filter("lacking"), "{in_which} LITERAL (does not|doesn't|do not) (occur|appear|show up)")
add("FILTER", _filter("containing"), "{in_which} there is LITERAL")
add("FILTER", _filter("containing"), "{matching} MATCHED")
add("FILTER", _filter("lacking"), "{not_matching} MATCHED")
add("FILTER", lambda: steps("not_blank"), "{not_blank}")


_EITHER = "[either|any of] LITERAL [, LITERAL] [, LITERAL] [,] or LITERAL"
_BOTH = "(both LITERAL and LITERAL|LITERAL as well as LITERAL|LITERAL and also LITERAL)"


@rule("FILTER", "{containing} " + _EITHER, "{in_which} " + _EITHER + " {occurs}")
def _any_of(*given: str | WholeWord | None) -> Steps:
    """Lines with one of several words; of words joined by "and" alone it is not said whether all must be there."""
    return steps(said_of("containing_any", *(one for one in given if one is not None)))


@rule("FILTER", "{lacking} " + _EITHER, "{containing} neither LITERAL nor LITERAL", "{lacking} LITERAL nor LITERAL")
def _none_of(*given: str | WholeWord | None) -> Steps:
    return steps(*(said_of("lacking", one) for one in given if one is not None))


@rule("FILTER", "{containing} " + _BOTH)
def _all_of(*given: str | WholeWord | None) -> Steps:
    return steps(*(said_of("containing", one) for one in given if one is not None))


_AND = "[,|⟨] [and|but|then] [also|all|finally|each]"


@rule("MODS", _AND + " MOD [⟩] MODS", _AND + " MOD [⟩]")
def _mods(first: Steps, rest: Steps | None = None) -> Steps:
    if first == rest and first in (steps("reversed"), steps("mirrored")):
        raise NoReading  # said twice: whether it is done twice is not for us to say
    return first + (rest or ())


@rule("MODS", "MOD ⟨ MOD ⟩", "MOD , MOD ,")
def _in_other_words(first: Steps, again: Steps) -> Steps:
    if first != again:
        raise NoReading
    return first


@rule("FILTERS", "[,|⟨] [and|but] FILTER [⟩] FILTERS", "[,|⟨] [and|but] FILTER [⟩]")
def _filters(first: Steps, rest: Steps | None = None) -> Steps:
    return first + (rest or ())


# -- before the noun, the one nearest to it is done first -------------------------------------------------------------


def _counted(name: str) -> Any:
    return lambda count: ((name, (count,)),)


add(
    "PRE",
    _counted("first"),
    "[very] (first|top|initial|leading|topmost|uppermost|starting) NUMBER",
    "NUMBER (first|topmost|top)",
)
add("PRE", _counted("last"), "[very] (last|bottom|final|trailing|closing|ending) NUMBER", "NUMBER (last|final)")
_ALL_BUT = "(all|everything) (but|except [for]) the"
add("PRE", _counted("without_first"), _ALL_BUT + " first NUMBER")
add("PRE", _counted("without_last"), _ALL_BUT + " last NUMBER")
add("PRE", lambda: (("without_first", (1,)),), _ALL_BUT + " first")
add("PRE", lambda: (("without_last", (1,)),), _ALL_BUT + " last")
_BEFORE = {
    "sorted": "[alphabetically] (sorted|ordered)|alphabetized",
    "sorted_numbers": "numerically (sorted|ordered)",
    "sorted_reversed": "(reverse|reversely) sorted|reverse-sorted",
    "reversed": "reversed",
    "numbered": "numbered",
    "upper": "uppercase|upper-case|uppercased|capitalized|upper case",
    "lower": "lowercase|lower-case|lowercased|lower case",
    "distinct": "deduplicated|de-duplicated|distinct|different|unique",
    "single": "unique",
    "not_blank": "non-blank|non-empty|nonempty|nonblank",
}
for _operation, _words in _BEFORE.items():
    add("PRE", lambda _operation=_operation: steps(_operation), f"({_words})")


@rule("PRES", "PRE [,] [and] PRES", "PRE")
def _pres(first: Steps, rest: Steps | None = None) -> Steps:
    return (rest or ()) + first


add("PRES", lambda _: (("first", (1,)),), "{det} [very] (first|top|topmost) ONE_FOLLOWS")
add("PRES", lambda _: (("last", (1,)),), "{det} [very] (last|bottom|final) ONE_FOLLOWS")
