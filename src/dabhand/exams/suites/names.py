"""Names of files and folders as people give them: mostly plain, now and then awkward."""

from __future__ import annotations

from random import Random

from dabhand.exams.suites.vocabulary import vocabulary

ODD = 0.07
"""Share of the names that are awkward: with blanks, accents, or no ending."""

USUAL_ENDING = 0.65
EXTENDED = 0.15
"""Share of the names that are made of more than one plain word."""


class Names:
    """Draws names that were not drawn before, whatever their case.

    Args:
        rng: draws them.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._list = vocabulary()
        self._taken: set[str] = set()

    def file(self, ending: str | None = None) -> str:
        """A name for a file, with this ending or any."""
        while True:
            name = self._file(ending)
            if self._is_fresh(name):
                return name

    def folder(self) -> str:
        """A name for a folder."""
        rng, known = self._rng, self._list
        while True:
            name = rng.choice(known.odd_folders if rng.random() < ODD else known.folders)
            if rng.random() < EXTENDED / 2:
                name += rng.choice("123456789")
            if self._is_fresh(name):
                return name

    def _is_fresh(self, name: str) -> bool:
        if name.casefold() in self._taken:
            return False
        self._taken.add(name.casefold())
        return True

    def _file(self, ending: str | None) -> str:
        rng, known = self._rng, self._list
        if ending is None and rng.random() < ODD:
            return rng.choice(known.odd_files)
        stem = rng.choice(known.scripts if ending == ".sh" else known.stems)
        if rng.random() < EXTENDED:
            another = f"{stem}_{rng.choice(known.stems)}"
            stem = rng.choice((f"{stem}{rng.randint(1, 9)}", f"old-{stem}", another, stem.title()))
        return stem + (self._ending() if ending is None else ending)

    def _ending(self) -> str:
        usual, *others = self._list.endings
        return usual if self._rng.random() < USUAL_ENDING else self._rng.choice(others)
