"""Which commands are nearly the same: MinHash over shingles (Broder 1997; `datasketch`), then checked exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from dabhand.corpus.extras import needed

if TYPE_CHECKING:
    from datasketch import MinHash

PERMUTATIONS = 64
NEAR = 0.8
"""Jaccard likeness of shingles from which two texts count as nearly the same."""

SHINGLE = 3
"""Words in a shingle."""

_WORD = re.compile(r"[A-Za-z_]+|\d+|[^\sA-Za-z_\d]")


def shingles(text: str) -> frozenset[str]:
    """The runs of words in a text; numbers count as one another, because they change from call to call."""
    words = ["0" if word.isdigit() else word.lower() for word in _WORD.findall(text)]
    if len(words) <= SHINGLE:
        return frozenset([" ".join(words)]) if words else frozenset()
    return frozenset(" ".join(words[place : place + SHINGLE]) for place in range(len(words) - SHINGLE + 1))


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard likeness: shared shingles over all."""
    return len(one & other) / len(one | other) if one or other else 0.0


class Likeness:
    """An index of texts by their shingles; equal texts cost nothing more."""

    def __init__(self) -> None:
        sketches = needed("datasketch", "Telling what is nearly the same")
        self._index = sketches.MinHashLSH(threshold=NEAR - 0.3, num_perm=PERMUTATIONS)
        self._hashes: dict[frozenset[str], str] = {}
        self._sets: dict[str, frozenset[str]] = {}
        self._minhashes: dict[str, MinHash] = {}
        self._near: dict[str, tuple[str, ...]] = {}

    def add(self, text: str) -> str:
        """Take a text in; gives the name of its set of shingles."""
        found = shingles(text)
        name = self._hashes.get(found)
        if name is None:
            name = str(len(self._sets))
            self._hashes[found] = name
            self._sets[name] = found
            self._near.clear()
            if found:
                self._minhashes[name] = _minhash(found)
                self._index.insert(name, self._minhashes[name])
        return name

    def near(self, name: str) -> tuple[str, ...]:
        """The names of other sets that are nearly the same, those that came first first."""
        known = self._near.get(name)
        if known is None:
            known = self._near[name] = tuple(self._looked_up(name))
        return known

    def _looked_up(self, name: str) -> Iterator[str]:
        own = self._sets[name]
        if not own:
            return
        for other in sorted(self._index.query(self._minhashes[name]), key=int):
            if other != name and alike(own, self._sets[other]) >= NEAR:
                yield other

    def size(self, name: str) -> int:
        """How many shingles a set has."""
        return len(self._sets[name])


def _minhash(found: Iterable[str]) -> MinHash:
    made: MinHash = needed("datasketch", "Telling what is nearly the same").MinHash(num_perm=PERMUTATIONS, seed=1)
    made.update_batch([each.encode("utf-8", "surrogateescape") for each in sorted(found)])
    return made


class Union:
    """Disjoint sets of names."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def find(self, name: str) -> str:
        """The one that stands for the set of a name."""
        root = name
        while self._parents.setdefault(root, root) != root:
            root = self._parents[root]
        while self._parents[name] != root:
            self._parents[name], name = root, self._parents[name]
        return root

    def join(self, one: str, other: str) -> None:
        """Make two sets one; the smaller name stands for it, whatever the order."""
        first, second = sorted((self.find(one), self.find(other)))
        self._parents[second] = first

    def sets(self) -> Mapping[str, list[str]]:
        """All sets, by the name that stands for each."""
        found: dict[str, list[str]] = {}
        for name in sorted(self._parents):
            found.setdefault(self.find(name), []).append(name)
        return found
