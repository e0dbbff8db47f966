"""What a conversation wants done: words to say, a question to ask, work for whoever holds the folder and store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from dabhand.agent.document import DoDocument
from dabhand.agent.history import PastRun
from dabhand.agent.shown import Shown
from dabhand.goals import Goal
from dabhand.goals.sketch import Sketch
from dabhand.world import CommandReport

Tone = Literal["plain", "strong", "good", "bad", "faint"]


class Say(msgspec.Struct, frozen=True, tag=True):
    """One line of words; what is in it may come from files and is shown escaped."""

    text: str
    tone: Tone = "plain"


class Ask(msgspec.Struct, frozen=True, tag=True):
    """A question; the next line is its answer.

    Attributes:
        choices: of which one is to be named by its number.
        loses: yes would lose something.
        free: any words are an answer.
    """

    text: str
    choices: tuple[str, ...] = ()
    loses: bool = False
    free: bool = False


class Carry(msgspec.Struct, frozen=True, tag=True):
    """Carry a request out, and tell the conversation of it: `proposed`, then `carried`."""

    request: str
    goal: Goal | None = None


class TakeBack(msgspec.Struct, frozen=True, tag=True):
    """Undo a run, and tell the conversation: `taken_back` or `failed`."""

    run: PastRun


class ShowDocument(msgspec.Struct, frozen=True, tag=True):
    """Show a document: what is planned (`proposal`), or what became of it."""

    document: DoDocument
    proposal: bool = False


class ShowFile(msgspec.Struct, frozen=True, tag=True):
    """Show a part of a file, or what is in a folder, from an entry or line on; tell the conversation: `shown`."""

    path: str
    start: int = 1


class ShowReport(msgspec.Struct, frozen=True, tag=True):
    """Show what it has become."""


class Practise(msgspec.Struct, frozen=True, tag=True):
    """Practise, and tell the conversation: `practised`."""


class LookFor(msgspec.Struct, frozen=True, tag=True):
    """Look for a program that does what was shown, and tell the conversation: `looked`."""

    shown: Shown


class Quit(msgspec.Struct, frozen=True, tag=True):
    """End the conversation."""


Move = Say | Ask | Carry | TakeBack | ShowDocument | ShowFile | ShowReport | Practise | LookFor | Quit
Moves = tuple[Move, ...]


class Understood(msgspec.Struct, frozen=True):
    """What a request comes to in the folder.

    Attributes:
        goals: the ways to take it; none when it is not understood, or must not be done.
        reason, hint: why none.
        refused: it was understood, and cannot be done.
        askable: what the grammar cannot read can be asked of a language model.
        sketch: what can be told all the same: the file that it is about, and the one that is to be made.
        text: what the first of these holds.
    """

    goals: tuple[Goal, ...] = ()
    reason: str = ""
    hint: str = ""
    refused: bool = False
    askable: bool = False
    sketch: Sketch | None = None
    text: str = ""


class Surroundings(Protocol):
    """What a conversation asks of the folder and the store; asking changes neither."""

    root: str

    def kind(self, path: str) -> str:
        """What is at a path: "file", "folder", or "missing"."""

    def understand(self, request: str) -> Understood:
        """What a request comes to."""

    def reports(self) -> tuple[CommandReport, ...]:
        """What is believed of every command."""

    def experiments(self) -> int:
        """How many there were."""

    def runs(self) -> Sequence[PastRun]:
        """What was asked for in this folder, oldest first."""

    def now(self) -> float:
        """Seconds since the epoch."""
