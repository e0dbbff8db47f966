"""Patterns as values: (syntax, words, options), what they match, and the primitives that make and use them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from dabhand.language import regex, regex_tree, substitution
from dabhand.language.automaton import automaton
from dabhand.language.declarations import primitive
from dabhand.language.kinds import BOOL, LINES, PATTERN, WORD, EvalError

Pattern: TypeAlias = tuple[str, str, str]
"""Syntax ("basic", "extended", "literal"), patterns (one a line), options: i any case, w as word, x whole line."""
Matcher: TypeAlias = Callable[[str], bool]
Lines: TypeAlias = tuple[str, ...]

MAX_LOOPS = 3
"""With more repeats without end, or one in another, Python's `re` could take very long."""


@primitive([WORD], PATTERN, cost=1)
def basic(word: str) -> Pattern:
    """A word as a basic regular expression: . * [ ] ^ $ and the backslash mean something."""
    return ("basic", word, "")


@primitive([WORD], PATTERN, cost=1)
def literal(word: str) -> Pattern:
    """A word as itself."""
    return ("literal", word, "")


@primitive([WORD], PATTERN, cost=2)
def extended(word: str) -> Pattern:
    """A word as an extended regular expression: + ? | ( ) { } mean something too."""
    return ("extended", word, "")


def with_option(pattern: Pattern, option: str) -> Pattern:
    """The pattern with one more option."""
    syntax, word, options = pattern
    return (syntax, word, "".join(sorted({*options, option})))


@primitive([PATTERN], PATTERN, cost=2)
def any_case(pattern: Pattern) -> Pattern:
    """The pattern, with no difference between capital and small letters."""
    return with_option(pattern, "i")


@primitive([PATTERN], PATTERN, cost=2)
def as_word(pattern: Pattern) -> Pattern:
    """The pattern, but only where no letter, digit or _ is next to it."""
    return with_option(pattern, "w")


@primitive([PATTERN], PATTERN, cost=2)
def whole_line(pattern: Pattern) -> Pattern:
    """The pattern, but only where it is a whole line."""
    return with_option(pattern, "x")


def matcher(pattern: Pattern) -> Matcher:
    """What decides whether a line (without newline) matches.

    Raises:
        EvalError: the pattern is invalid.
    """
    made = _matcher(pattern)
    if isinstance(made, str):
        raise EvalError(made)
    return made


@lru_cache(maxsize=4096)
def _matcher(pattern: Pattern) -> Matcher | str:
    """The matcher, or what is wrong with the pattern (so that it is found out only once)."""
    syntax, words, options = pattern
    try:
        tests = [_one(syntax, word, options) for word in words.split("\n")]
    except EvalError as error:
        return str(error)
    except (re.error, OverflowError, RecursionError):
        return "the pattern is too large"
    return tests[0] if len(tests) == 1 else lambda line: any(test(line) for test in tests)


def _one(syntax: str, word: str, options: str) -> Matcher:
    match syntax:
        case "literal" if not options:
            return lambda line: word in line
        case "literal":
            node: regex_tree.Node = regex_tree.Sequence(tuple([regex_tree.Atom(re.escape(char), 1) for char in word]))
        case "basic":
            node = regex.parse(word, "grep")
        case "extended":
            node = regex.parse(word, "extended")
        case _:
            raise EvalError(f"there is no kind of pattern {syntax!r}")
    return _node_matcher(node, options)


def _node_matcher(node: regex_tree.Node, options: str) -> Matcher:
    flags = re.IGNORECASE if "i" in options else 0
    whole = "x" in options
    if "w" in options and not whole:
        bounded = regex_tree.Sequence((regex_tree.Atom(r"(?<!\w)", 0), node, regex_tree.Atom(r"(?!\w)", 0)))
        if re.compile(regex_tree.python_source(node)).fullmatch(""):
            return _nullable_word_matcher(node, flags)
        node = bounded
    if regex_tree.count_loops(node) > MAX_LOOPS:
        machine = automaton(node, regex_tree.count_groups(node), flags)
        return lambda line: machine.matches(line, whole)
    compiled = re.compile(regex_tree.python_source(node), flags)
    find: Callable[[str], re.Match[str] | None] = compiled.fullmatch if whole else compiled.search
    return lambda line: find(line) is not None


def _nullable_word_matcher(node: regex_tree.Node, flags: int) -> Matcher:
    """Of a pattern that can match nothing: nothing only counts as a word where it is the longest match."""
    machine = automaton(node, regex_tree.count_groups(node), flags)

    def test(line: str) -> bool:
        for start in range(len(line) + 1):
            if not _IN_WORD_BEFORE(line, start):
                ends = machine.ends(line, start)
                if any(end > start or max(ends) == start for end in ends if not _WORD_AFTER(line, end)):
                    return True
        return False

    return test


_IN_WORD_BEFORE = re.compile(r"(?<=\w)").match
_WORD_AFTER = re.compile(r"\w").match


def selected(pattern: Pattern, lines: Lines, wanted: bool) -> Lines:
    """The lines that match (or, not wanted, those that do not), with their ends.

    Raises:
        EvalError: the pattern is invalid, or a line holds NUL.
    """
    test = matcher(pattern)
    if "\0" in "".join(lines):
        raise EvalError("the lines are not text")
    return tuple([line for line in lines if test(line[:-1] if line[-1:] == "\n" else line) == wanted])


@primitive([PATTERN, LINES], LINES, cost=1)
def matching(pattern: Pattern, lines: Lines) -> Lines:
    """The lines in which the pattern is found."""
    return selected(pattern, lines, True)


@primitive([PATTERN, LINES], LINES, cost=1)
def not_matching(pattern: Pattern, lines: Lines) -> Lines:
    """The lines in which the pattern is not found."""
    return selected(pattern, lines, False)


@primitive([PATTERN, LINES], LINES, cost=2)
def matching_numbered(pattern: Pattern, lines: Lines) -> Lines:
    """The lines in which the pattern is found, each after its number and a colon."""
    kept = set(selected(pattern, lines, True))
    return tuple([f"{number}:{line}" for number, line in enumerate(lines, 1) if line in kept])


@primitive([PATTERN, LINES], BOOL, cost=1)
def found(pattern: Pattern, lines: Lines) -> bool:
    """Whether the pattern is found in any of the lines."""
    return bool(selected(pattern, lines, True))


@primitive([PATTERN], BOOL, cost=1)
def valid(pattern: Pattern) -> bool:
    """Whether the pattern is one: its brackets and braces are complete, and so on."""
    return not isinstance(_matcher(pattern), str)


@primitive([WORD, WORD, LINES], LINES)
def substitute_all(word: str, other: str, lines: Lines) -> Lines:
    r"""Every line with all matches of a basic pattern replaced, as by s/pattern/replacement/g (&, \1 and so on)."""
    return substitution.substituted(word, other, "g", lines)


@primitive([WORD, WORD, LINES], LINES)
def substitute_first(word: str, other: str, lines: Lines) -> Lines:
    r"""Every line with the first match of a basic pattern replaced, as by s/pattern/replacement/ (&, \1 and so on)."""
    return substitution.substituted(word, other, "", lines)


@primitive([WORD, WORD], BOOL, cost=2)
def valid_substitution(word: str, other: str) -> bool:
    """Whether pattern and replacement make one complete s/pattern/replacement/g."""
    try:
        substitution.parsed(word, other, "g")
    except EvalError:
        return False
    return True
