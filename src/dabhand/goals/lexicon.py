"""The words that people use, by what they mean; the lists themselves are in lexicon.toml."""

from __future__ import annotations

import tomllib
from importlib import resources


def _pattern(phrases: str) -> str:
    """A list of phrases as a pattern of the grammar."""
    optional = phrases.lstrip().startswith("?")
    joined = "|".join(" ".join(phrase.split()) for phrase in phrases.strip().removeprefix("?").split("|"))
    return f"[{joined}]" if optional else f"({joined})"


MACROS = {
    name: _pattern(phrases)
    for name, phrases in tomllib.loads(resources.files(__package__).joinpath("lexicon.toml").read_text("utf-8")).items()
}
"""Patterns by name, for `{name}` in the grammar's own."""

DROPPED = frozenset({"please", "kindly", "simply"})
"""Plain words without content wherever they stand."""

INTRODUCERS = frozenset({"folder", "directory", "file", "called", "named", "subfolder"})
"""Words after which a name stands, which may then be spoken of by its name alone."""

UNSETTLED = frozenset({"nothing", "something", "anything", "everything"})
"""Words that stand for themselves only in quotes: unquoted, they may as well stand for what they mean."""

RESERVED = frozenset(
    """
    current home working same parent whole other following
    a after all an and any are as at be before beginning blank bottom but by called containing content contents copy
    count dir directories directory doubles duplicate duplicates each empty end every file files first folder
    folders for from here if in into is it its last line line-numbers lines named new not number numbered of on one
    only or place repeated repeats repetitions result results reversed row rows sentence so sorted text that the
    them then there these this those to top which with without word words
    """.split()  # noqa: SIM905  (a list of words reads best as words)
)
"""Words that are no names unless quoted, where nothing else says that they are."""
