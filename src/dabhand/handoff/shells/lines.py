"""A command line as its parts, and how it is written: what is literal is quoted by construction, in either dialect."""

from __future__ import annotations

from typing import Literal

import msgspec

from dabhand.commands.pieces import Dialect, Hole
from dabhand.commands.posix import PosixDialect
from dabhand.commands.powershell import PowerShellDialect
from dabhand.errors import UsageError

Shell = Literal["bash", "powershell"]

_DIALECTS: dict[Shell, Dialect] = {"bash": PosixDialect(), "powershell": PowerShellDialect()}
_AS_NEEDED = Hole("T", "bare", True, False)
_ALWAYS = Hole("T", "bare", True, True)


class Value(msgspec.Struct, frozen=True):
    """A word that comes from a plan: it arrives as exactly this text."""

    text: str


Part = str | Value
"""A word of ours, which is written as it is, or a value."""
Stage = tuple[Part, ...]


class Rendered(msgspec.Struct, frozen=True):
    """A pipeline that does what a plan says.

    Attributes:
        shell: the dialect.
        stages: the words of each command.
    """

    shell: Shell
    stages: tuple[Stage, ...]

    @property
    def line(self) -> str:
        """The line. A value with a newline in it goes on behind it."""
        return " | ".join(" ".join(_written(part, self.shell) for part in stage) for stage in self.stages)

    @property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """What each command receives."""
        return tuple(
            tuple(part.text if isinstance(part, Value) else _meant(part) for part in stage) for stage in self.stages
        )


def _written(part: Part, shell: Shell) -> str:
    if isinstance(part, str):
        return part
    if "\0" in part.text:
        raise UsageError("A NUL character cannot be written in a command line.", "Use the native backend.")
    # in PowerShell a bare word may be a number (1kb, 0x10), so every value is quoted there
    return _DIALECTS[shell].quote(part.text, _AS_NEEDED if shell == "bash" else _ALWAYS)


def _meant(word: str) -> str:
    return word[1:] if word.startswith("\\") else word.strip("'")
