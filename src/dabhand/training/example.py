"""One example of a training set, and sets as files: JSON Lines whose bytes follow from the seed alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from dabhand.errors import UsageError

Task = Literal["plan", "goal", "evidence"]
Source = Literal["generated", "recovered", "people"]


class Example(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One example.

    Attributes:
        id: unique in all sets.
        task: what the model is asked for.
        family: what it must not be parted from: a wording, a session, a log's family.
        source: made by us, a command of a recorded session, or written by people.
        request: in words; a wish, where lines are asked for.
        references: what each reference in the request stands for (plans).
        paths: what each reference is in the folder that the request is about.
        things: what is at each name that the request says: file, folder or missing.
        lines: the numbered output, for evidence.
        answer: a typed plan, a goal in the contract's form, numbers of lines; None where it is to be given back.
        why: why it is to be given back.
    """

    id: str
    task: Task
    family: str
    source: Source = "generated"
    request: str
    references: dict[str, str] = {}
    paths: dict[str, str] = {}
    things: dict[str, str] = {}
    lines: tuple[str, ...] = ()
    answer: Any = None
    why: str = ""


def write_examples(path: Path, examples: Iterable[Example]) -> str:
    """Write a set; the SHA-256 of its bytes."""
    digest = hashlib.sha256()
    new = path.with_name(path.name + ".new")
    with new.open("wb") as stream:
        for example in examples:
            line = msgspec.json.encode(example) + b"\n"
            digest.update(line)
            stream.write(line)
    new.replace(path)
    return digest.hexdigest()


def read_examples(path: Path) -> Iterator[Example]:
    """The examples of a set.

    Raises:
        UsageError: there is no such set, or a line is no example.
    """
    decoder = msgspec.json.Decoder(Example)
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    yield decoder.decode(line)
                except msgspec.MsgspecError as error:
                    raise UsageError(f"Line {number} of {path} is no example: {error}.") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", "Make it with dabhand model data.") from error


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
