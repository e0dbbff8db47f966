"""The folder of a task while it is drawn, and what a kind of task makes of it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from random import Random

import msgspec

from dabhand.exams.suites import contents
from dabhand.exams.suites.names import Names
from dabhand.exams.task import Entry

SCRIPT = "#!/bin/sh\necho hello\n"
NOT_TEXT = b"\xff\xfe\x00\x80 raw \xc3\n"


class Drawn(msgspec.Struct, frozen=True):
    """A task of some kind, without its words.

    Attributes:
        slots: what is filled into the wording.
        files: what must be there in the end, None for nothing.
        answer: what the answer must be.
        wording: which wordings it is asked in, where those are not the kind's own.
    """

    slots: Mapping[str, str | int]
    files: Mapping[str, Entry | None] = {}
    answer: str | None = None
    wording: str = ""


class Scene:
    """A folder to which a kind of task adds what it is about.

    Args:
        rng: draws it.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.names = Names(rng)
        self.files: dict[str, Entry] = {}
        self.folders: list[str] = []

    def file(self, text: str, *, executable: bool = False, ending: str | None = None, top: bool = False) -> str:
        """Put a file in the folder, now and then in a folder of its own unless at the `top`; return its path."""
        inside = self.folder() + "/" if not top and self.rng.random() < 0.1 else ""
        path = inside + self.names.file(ending)
        self.files[path] = entry_of(text, executable=executable)
        return path

    def folder(self) -> str:
        """Put an empty folder in the folder; return its path."""
        path = self.names.folder()
        self.files[path] = {"dir": True}
        return path

    def new(self, ending: str | None = None) -> str:
        """A path where nothing is yet."""
        return self.names.file(ending)

    def clutter(self) -> None:
        """Put things there that the task is not about, so that leaving them alone means something."""
        rng = self.rng
        for _ in range(rng.randint(2, 4)):
            chosen = contents.lines(rng, 2, 9, blanks=True)
            self.files[self.names.file()] = entry_of(contents.text_of(rng, chosen, ended=False))
        folder = self.folder()
        self.files[f"{folder}/{self.names.file()}"] = entry_of(contents.text_of(rng, contents.lines(rng)))
        for chance, put in ((0.4, self._empty), (0.4, self._script), (0.3, self._link), (0.3, self._raw)):
            if rng.random() < chance:
                put()
        if rng.random() < 0.3:
            self.folder()

    def _empty(self) -> None:
        self.files[self.names.file()] = entry_of("")

    def _script(self) -> None:
        self.files[self.names.file(".sh")] = entry_of(SCRIPT, executable=True)

    def _link(self) -> None:
        """A link that leads to something of its own, so that no task changes what is seen through it."""
        target = self.names.file(".txt")
        self.files[target] = entry_of("linked\n")
        self.files[self.names.file(".txt")] = {"link": target}

    def _raw(self) -> None:
        self.files[self.names.file(".dat")] = {"base64": base64.b64encode(NOT_TEXT).decode("ascii")}


Kind = Callable[[Scene], Drawn]
KINDS: dict[str, Kind] = {}
"""Every kind of task by its name."""


def kind(make: Kind) -> Kind:
    """Register a kind of task under the name of its function."""
    KINDS[make.__name__] = make
    return make


def entry_of(text: str, *, executable: bool = False) -> Entry:
    """A file in the contract's form."""
    return {"text": text, "executable": True} if executable else {"text": text}


def name_of(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]
