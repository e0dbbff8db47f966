"""The words that people use, by what they mean; the lists themselves are in lexicon.toml and verbs.toml."""

from __future__ import annotations

import tomllib
from importlib import resources

from dabhand.goals.forms import Forms


def _read(name: str) -> dict[str, str]:
    return tomllib.loads(resources.files(__package__).joinpath(name).read_text("utf-8"))


def _split(phrases: str) -> list[str]:
    return [" ".join(phrase.split()) for phrase in phrases.strip().removeprefix("?").split("|")]


def _pattern(phrases: str) -> str:
    """An entry as a pattern of the grammar."""
    joined = " ".join(phrases.strip().removeprefix("?").split())
    return f"[{joined}]" if phrases.lstrip().startswith("?") else f"({joined})"


def _verb_patterns(verbs: dict[str, str], forms: Forms) -> dict[str, str]:
    """Patterns for each list of verbs: as an order ("copy", "copies"), "copying", and "copied"."""
    made: dict[str, str] = {}
    for name, phrases in verbs.items():
        every = _split(phrases)
        made[name] = _pattern("|".join([*every, *map(forms.third, every)]))
        made[name + "_ing"] = _pattern("|".join(map(forms.gerund, every)))
        made[name + "_ed"] = _pattern("|".join(map(forms.participle, every)))
    return made


_WORDS = _read("lexicon.toml")
_VERBS = _read("verbs.toml")
_FORMS = Forms(
    dict(pair.split("/") for pair in _split(_VERBS.pop("irregular"))), frozenset(_split(_VERBS.pop("doubling")))
)

_PATTERNS = {name: _pattern(phrases) for name, phrases in _WORDS.items()} | _verb_patterns(_VERBS, _FORMS)

THIRDS = frozenset(_FORMS.third(verb) for phrases in _VERBS.values() for verb in _split(phrases) if " " not in verb)
"""Verbs as in "he changes", most of which are nouns too."""


def _expanded(pattern: str) -> str:
    """A pattern with the entries that it names put in."""
    while "{" in pattern:
        pattern = pattern.format_map(_PATTERNS)
    return pattern


MACROS = {name: _expanded(pattern) for name, pattern in _PATTERNS.items()}
"""Patterns by name, for `{name}` in the grammar's own."""

DROPPED = frozenset({"please", "kindly", "simply", "just", "pls", "plz"})
"""Plain words without content wherever they stand."""

INTRODUCERS = frozenset({"folder", "directory", "file", "called", "named", "subfolder"})
"""Words after which a name stands, which may then be spoken of by its name alone."""

UNSETTLED = frozenset({"nothing", "something", "anything", "everything"})
"""Words that stand for themselves only in quotes: unquoted, they may as well stand for what they mean."""

DESCRIBING = frozenset(
    {"capitals", "letters", "lowercase", "uppercase", "name", "case", "caps", "spaces", "vowels"}
) | frozenset(
    """
    comma commas semicolon semicolons colon colons period periods dash dashes hyphen hyphens underscore underscores
    digit digits number numbers zero zeros zeroes whitespace space tab tabs newline newlines vowel consonant consonants
    total sum average mean median maximum minimum sums totals averages
    punctuation quote quotes character characters apostrophe apostrophes bracket brackets slash slashes
    """.split()  # noqa: SIM905
)
"""Words that stand for themselves only in quotes: unquoted, they describe what is in a text."""

RESERVED = frozenset(
    """
    a after all also an and any are as at be before beginning below blank both bottom but by called containing
    content contents copies copy count current dir directories directory dirs doubles duplicate duplicates each
    empty end every everything executable file files first folder folders following for from her here him his home
    if in inside into is it its last least line line-numbers lines most my named new next no not nothing number
    numbered numbers of on one only or original other our parent place rather repeated repeats repetitions result
    results reversed row rows runnable same sentence should so something sorted subfolder subfolders text than that
    the their them then there these they this those to too top twice under unless until up upon via was were what
    when where which while whole whose will with within without word words working would you your
    """.split()  # noqa: SIM905  (a list of words reads best as words)
)
"""Words that are no names unless quoted, where nothing else says that they are."""
