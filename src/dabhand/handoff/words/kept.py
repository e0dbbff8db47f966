"""The grammar, compiled once: kept beside the bytecode of its modules, and made anew whenever one of them changed.

Reading the lists of words and compiling the patterns costs ten times what reading a request does. Python keeps what it
compiles in `__pycache__`, and is told by times and sizes that a file changed; so is this.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
from collections.abc import Callable
from functools import cached_property
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import msgspec

from dabhand.goals import patterns, rules
from dabhand.goals.patterns import Beginnings, Pattern, words_in
from dabhand.goals.rules import Build, Grammar, Rule

_HERE = Path(__file__).parent
_OURS = (*sorted(_HERE.glob("*.py")), _HERE / "lexicon.toml", Path(patterns.__file__), Path(rules.__file__))


class Compiled(msgspec.Struct, frozen=True):
    """What the patterns and lists come to.

    Attributes:
        given: the patterns of each rule in the order in which they were added, with what they begin with.
        words: every plain word that a pattern names.
        lists: other lists of words, by name.
    """

    given: dict[str, tuple[tuple[Pattern, Beginnings], ...]]
    words: frozenset[str]
    lists: dict[str, Any]


class KeptGrammar(Grammar):
    """A grammar whose patterns are compiled when they are first needed, or taken as they were compiled before.

    Args:
        lexicon: gives the entries that patterns may name, and the other lists; called only to compile.
    """

    def __init__(self, lexicon: Callable[[], tuple[dict[str, str], dict[str, Any]]]) -> None:
        super().__init__({})
        self._lexicon = lexicon
        self._written: list[tuple[str, str, Build]] = []

    def add(self, name: str, build: Build, *patterns: str) -> None:
        """Declare that each of the patterns reads as `name`; they are not looked at yet."""
        self._written.extend((name, text, build) for text in patterns)

    @cached_property
    def compiled(self) -> Compiled:
        """The patterns, from where they are kept if nothing changed since."""
        place = Path(cache_from_source(str(_HERE / "grammar.py"))).with_suffix(".pickle")
        state = _state()
        with contextlib.suppress(OSError, pickle.UnpicklingError, EOFError, AttributeError, ValueError, TypeError):
            made_of, found = pickle.loads(place.read_bytes())  # as trusted as the bytecode that it lies beside
            if made_of == state:
                return found  # type: ignore[no-any-return]
        made = self._compile()
        if not sys.dont_write_bytecode:
            _keep(place, pickle.dumps((state, made), protocol=5))
        return made

    def _compile(self) -> Compiled:
        macros, lists = self._lexicon()
        whole = Grammar(macros)
        whole.terminals = self.terminals
        for name, text, build in self._written:
            whole.add(name, build, text)
        words = frozenset(word for given in whole.rules.values() for rule in given for word in words_in(rule.pattern))
        given = {name: tuple((rule.pattern, rule.begins) for rule in every) for name, every in whole.rules.items()}
        return Compiled(given, words, lists)

    @cached_property
    def rules(self) -> dict[str, tuple[Rule, ...]]:
        """All rules by name."""
        builds: dict[str, list[Build]] = {}
        for name, _, build in self._written:
            builds.setdefault(name, []).append(build)
        return {
            name: tuple(
                Rule(pattern, build, begins) for (pattern, begins), build in zip(given, builds[name], strict=True)
            )
            for name, given in self.compiled.given.items()
        }

    @cached_property
    def words(self) -> frozenset[str]:
        """Every plain word that a pattern names."""
        return self.compiled.words


def _state() -> tuple[object, ...]:
    """What tells that one of the files changed."""
    return tuple((file.name, found.st_mtime_ns, found.st_size) for file in _OURS for found in (file.stat(),))


def _keep(place: Path, data: bytes) -> None:
    """Write a file at once or not at all; where nothing can be written, it is compiled again next time."""
    beside = place.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(data)
        beside.replace(place)
