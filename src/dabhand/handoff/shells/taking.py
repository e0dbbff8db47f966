"""What a shell's line writes, read back into the raw result: lines with their numbers, names, counts."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from decimal import Decimal
from typing import Any, Protocol

from dabhand.handoff.blocks import Failed, Source
from dabhand.handoff.native_folders import kind_of_link, write_names
from dabhand.handoff.outcome import Done
from dabhand.handoff.packet import Searched, Skipped
from dabhand.handoff.plan import (
    FindFiles,
    LastLines,
    LineRange,
    ListFiles,
    Plan,
    Search,
)
from dabhand.handoff.raw import Raw, prefix, words_about_paths
from dabhand.workspace.confined import ConfinedFolder, open_regular

BINARY = "binary: it holds NUL bytes"
_BINARY_HEAD = 8192
_LETTERS = {"f": "files", "d": "folders"}


class Taking(Protocol):
    """Takes in what a line writes."""

    def take(self, piece: bytes) -> None:
        """Take in a piece."""
        ...

    def finish(self) -> None:
        """Nothing more comes."""
        ...

    def told(self) -> Done:
        """What came of it."""
        ...


def first_number(plan: Plan, source: Source | None) -> int:
    """The number of the first line that a plan gives; below zero when it is counted from the end."""
    match plan:
        case LineRange(first=first):
            return first
        case LastLines(count=count):
            total = source.line_total() if source else None
            return -count if total is None else max(total - count, 0) + 1
    return 1


class Lines:
    """Lines that follow each other."""

    def __init__(self, raw: Raw, first: int) -> None:
        self.raw, self.first = raw, first
        self._last = b"\n"

    def take(self, piece: bytes) -> None:
        """See `Taking`."""
        if not self.raw.size:
            self.raw.add(b"", 0, self.first)
        self.raw.write(piece, piece.count(b"\n"))
        self._last = piece[-1:]

    def finish(self) -> None:
        """See `Taking`."""
        self.raw.lines += self._last != b"\n"

    def told(self) -> Done:
        """See `Taking`."""
        return Done(self.raw.lines > 0)


class _Pieces(ABC):
    """Output that comes in records."""

    def __init__(self) -> None:
        self._rest = b""

    def take(self, piece: bytes) -> None:
        """See `Taking`."""
        self._rest = self.records(self._rest + piece)

    @abstractmethod
    def records(self, data: bytes) -> bytes:
        """Take in whole records, and give back what is left."""


class Names(_Pieces):
    """Names, ended by NUL: of a listing with `/` and a letter for what it is behind each."""

    def __init__(self, plan: ListFiles | FindFiles, folder: ConfinedFolder, path: str, raw: Raw) -> None:
        super().__init__()
        self.plan, self.folder, self.path, self.raw = plan, folder, path, raw
        self.names: list[str] = []

    def records(self, data: bytes) -> bytes:
        """See `_Pieces`."""
        *whole, rest = data.split(b"\0")
        for record in whole:
            self._name(record.decode("utf-8", "surrogateescape"))
        return rest

    def _name(self, text: str) -> None:
        if isinstance(self.plan, FindFiles):
            start = "" if self.plan.path in ("", ".") else self.plan.path.rstrip("/") + "/"
            self.names.append(start + text)
            return
        name, _, letter = text.rpartition("/")
        kind = _LETTERS.get(letter, "other")
        if letter == "l" and self.plan.kind != "all":
            kind = kind_of_link(self.folder, f"{self.path}/{name}" if self.path else name)
        if self.plan.kind in ("all", kind):
            self.names.append(name)

    def finish(self) -> None:
        """See `Taking`."""
        write_names(self.raw, sorted(self.names))

    def told(self) -> Done:
        """See `Taking`."""
        notes = ("Some names hold newlines; in the raw result each name ends with NUL.",)
        return Done(
            bool(self.names),
            searched=Searched((self.path or ".",)),
            notes=notes if self.raw.separator != b"\n" else (),
        )


class _ByFile(_Pieces):
    """Records that begin with a file's path and NUL, where a folder was gone through."""

    def __init__(self, folder: ConfinedFolder, path: str, raw: Raw, *, below: bool) -> None:
        super().__init__()
        self.folder, self.path, self.raw, self.below = folder, path, raw, below
        self.current: bytes | None = None
        self.name: str | None = None
        self.skipped: list[Skipped] = []

    def records(self, data: bytes) -> bytes:
        """See `_Pieces`."""
        at = 0
        while True:
            begin = at
            if self.below:
                begin = data.find(b"\0", at) + 1
                if not begin:
                    return data[at:]
            end = data.find(b"\n", begin)
            if end < 0:
                return data[at:]
            if self.below and data[at : begin - 1] != self.current:
                self._enter(data[at : begin - 1])
            if not self.below or self.name is not None:
                self.record(data[begin:end])
            at = end + 1

    def _enter(self, raw_name: bytes) -> None:
        """Another file: what is no text, or is not inside the root any more, is passed over."""
        self.current, self.name = raw_name, None
        inner = raw_name.removeprefix(b"./").decode("utf-8", "surrogateescape")
        path = f"{self.path}/{inner}" if self.path else inner
        try:
            with self.folder.place(path, follow=False) as place:
                opened = open_regular(place)
        except (OSError, ValueError) as error:
            self.skipped.append(Skipped(path, str(error)))
            return
        try:
            if b"\0" in os.pread(opened, _BINARY_HEAD, 0):
                self.skipped.append(Skipped(path, BINARY))
                return
        finally:
            os.close(opened)
        self.name = path
        self.entered(path)

    def entered(self, path: str) -> None:
        """A file begins."""

    @abstractmethod
    def record(self, text: bytes) -> None:
        """Take in a record without its path."""

    def finish(self) -> None:
        """See `Taking`."""
        if self._rest:
            raise Failed("The line ended in the middle of what it writes.", "Ask again.")

    def searched(self) -> Searched:
        """What is known of what was searched."""
        return Searched((self.path or ".",), 0, tuple(self.skipped))


class Matches(_ByFile):
    """Lines with their numbers, as `grep -n` writes them."""

    def __init__(self, plan: Search, folder: ConfinedFolder, path: str, raw: Raw, *, below: bool) -> None:
        super().__init__(folder, path, raw, below=below)
        self.plan = plan
        self.matches = 0
        self.last_match = 0
        self.full = False

    def entered(self, path: str) -> None:
        """See `_ByFile`."""
        if self.matches != self.plan.max_count:
            self.raw.paths.append(path)
        else:
            self.full = True

    def record(self, text: bytes) -> None:
        """See `_ByFile`."""
        digits = 0
        while text[digits : digits + 1].isdigit():
            digits += 1
        n, matched, line = int(text[:digits]), text[digits : digits + 1] == b":", text[digits + 1 :]
        if self.matches == self.plan.max_count:  # what is owed of the lines after the last match, whatever they hold
            if self.full or n > self.last_match + self.plan.after:
                self.full = True
                return
            matched = False
        elif matched:
            self.matches += 1
            self.last_match = n
        start = b"" if self.name is None else prefix(self.name, n, matched=matched)
        self.raw.add(start + line + b"\n", 1, n, matched=matched)

    def told(self) -> Done:
        """See `Taking`."""
        return Done(self.matches > 0, searched=self.searched(), notes=words_about_paths(self.raw))


class Counts(_ByFile):
    """Numbers, which are added up."""

    total = 0

    def record(self, text: bytes) -> None:
        """See `_ByFile`."""
        self.total += int(text)

    def finish(self) -> None:
        """See `Taking`."""
        super().finish()
        self.raw.add(b"%d\n" % self.total, 1, 1)

    def told(self) -> Done:
        """See `Taking`."""
        return Done(True, self.total, searched=self.searched())


class Field:
    """A JSON value on one line, or nothing."""

    def __init__(self, raw: Raw, source: Source | None, key: str) -> None:
        self.raw, self.source, self.key = raw, source, key
        self._text = b""

    def take(self, piece: bytes) -> None:
        """See `Taking`."""
        self._text += piece

    def finish(self) -> None:
        """See `Taking`."""
        if self._text:
            self.raw.add(self._text, self._text.count(b"\n"), 1)

    def told(self) -> Done:
        """See `Taking`."""
        text = self._text.decode("utf-8", "surrogateescape").removesuffix("\n")
        failure = ""
        if self._text and self.source is not None and not self._is_the_same(text):
            failure = (
                "This jq does not give the value as the file has it: it writes numbers anew. Use the native backend."
            )
        return Done(bool(self._text), text if self._text else None, failure=failure)

    def _is_the_same(self, text: str) -> bool:
        """Whether it is the value that the file has, however it is written, with all the digits of its numbers."""
        from dabhand.handoff.native_json import field_text

        assert self.source is not None
        try:
            written, _ = field_text(self.source, self.key)
        except Failed:
            return False
        if written is None:
            return False
        whole = written.decode("utf-8", "surrogateescape")
        return bool(_exactly(whole) == _exactly(text))


def _exactly(text: str) -> Any:
    """A JSON value whose numbers are not rounded."""
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)
