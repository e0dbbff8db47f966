"""Examples that answers are judged by, as training sets hold them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from dabhand.errors import UsageError


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One example.

    Attributes:
        id: unique in its set.
        task: what is asked for.
        source: made by us, a command of a recorded session, or written by people.
        request: in words, with references; a wish, where lines are asked for.
        references: what each reference is.
        paths: where each reference is.
        things: what is at each name that the request says.
        lines: of an output.
        answer: a plan, a goal, numbers of lines; None where the request has to be given back.
    """

    id: str
    task: str
    source: str = "generated"
    request: str
    references: dict[str, str] = {}
    paths: dict[str, str] = {}
    things: dict[str, str] = {}
    lines: tuple[str, ...] = ()
    answer: Any = None


def cases_in(file: Path, task: str, limit: int | None = None) -> Iterator[Case]:
    """The cases of one task in a set.

    Raises:
        UsageError: there is no such set, or a line of it is no example.
    """
    decoder = msgspec.json.Decoder(Case)
    found = 0
    try:
        with file.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    case = decoder.decode(line)
                except msgspec.MsgspecError as error:
                    raise UsageError(f"Line {number} of {file} is no example: {error}.") from error
                if case.task == task and (limit is None or found < limit):
                    found += 1
                    yield case
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.", "Make it with dabhand model data.") from error
