"""What reading a command line gives."""

from __future__ import annotations

import re

import msgspec

from dabhand.handoff.plan import Plan


class Reading(msgspec.Struct, frozen=True):
    """A typed plan that a command line says.

    Attributes:
        plan: its path is as in the line, without `./` in front and `/` behind; it may be absolute.
        folder: where the line went first (`cd FOLDER &&`); "" for where it was given.
        numbered: the line shows line numbers before the lines, which a packet carries anyway.
        differs: in which known ways the plan's result is not the line's; empty where both are the same.
    """

    plan: Plan
    folder: str = ""
    numbered: bool = False
    differs: tuple[str, ...] = ()

    def with_plan(self, plan: Plan, *differs: str) -> Reading:
        """The same line, saying another plan."""
        return msgspec.structs.replace(self, plan=plan, differs=(*self.differs, *differs))


class Unreadable(msgspec.Struct, frozen=True):
    """A command line that is no inspection, or not surely one."""

    reason: str


class Declined(Exception):
    """Why a line is not taken for a plan."""


def whole_number(text: str) -> int:
    """A number of lines, at least 1."""
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) == 0:
        raise Declined(f"{text} is no number of lines")
    return int(text)


def path_of(text: str) -> str:
    """A path as plans have it."""
    if not text or text == "-":
        raise Declined("it reads no file")
    slim = re.sub(r"/+", "/", text)
    while slim.startswith("./"):
        slim = slim[2:]
    return slim.rstrip("/") or ("/" if text.startswith("/") else ".")
