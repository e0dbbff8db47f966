"""What PowerShell's lines write, read back into the raw result."""

from __future__ import annotations

import json
from typing import Any

from dabhand.handoff.blocks import Failed, Source
from dabhand.handoff.native_folders import write_names
from dabhand.handoff.outcome import Done
from dabhand.handoff.packet import Searched
from dabhand.handoff.plan import CountLines, CountMatches, FindFiles, JsonField, ListFiles, Plan, Search
from dabhand.handoff.raw import Raw, prefix
from dabhand.handoff.shells.taking import first_number
from dabhand.workspace.confined import ConfinedFolder


class TextOfPowerShell:
    """Text, which PowerShell gives as a whole: lines end with the machine's own newline."""

    def __init__(self, plan: Plan, folder: ConfinedFolder, path: str, raw: Raw, source: Source | None) -> None:
        self.plan, self.folder, self.path, self.raw, self.source = plan, folder, path, raw, source
        self._data = bytearray()
        self._done = Done(False)

    def take(self, piece: bytes) -> None:
        """See `Taking`."""
        self._data += piece

    def finish(self) -> None:
        """See `Taking`."""
        text = bytes(self._data).replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
        lines = text.split(b"\n")[:-1] if text.endswith(b"\n") else [part for part in text.split(b"\n") if part]
        match self.plan:
            case CountLines() | CountMatches():
                self._count(lines)
            case JsonField():
                self._field(text)
            case Search():
                self._matches(text)
            case ListFiles() | FindFiles():
                self._names(lines)
            case _:
                self._lines(text, len(lines))

    def told(self) -> Done:
        """See `Taking`."""
        return self._done

    def _lines(self, text: bytes, count: int) -> None:
        if text:
            self.raw.add(text, count, first_number(self.plan, self.source))
        self._done = Done(count > 0)

    def _count(self, lines: list[bytes]) -> None:
        try:
            count = int(lines[-1]) if lines else 0
        except ValueError as error:
            raise Failed("What PowerShell wrote is no number.", "Use the native backend.") from error
        self.raw.add(b"%d\n" % count, 1, 1)
        self._done = Done(True, count, searched=Searched((self.path or ".",)))

    def _field(self, text: bytes) -> None:
        value = text.strip()
        if value:
            self.raw.add(value + b"\n", value.count(b"\n") + 1, 1)
        self._done = Done(bool(value), value.decode("utf-8", "surrogateescape") if value else None)

    def _names(self, lines: list[bytes]) -> None:
        names = [line.decode("utf-8", "surrogateescape").replace("\\", "/") for line in lines]
        if isinstance(self.plan, FindFiles):
            start = "" if self.plan.path in ("", ".") else self.plan.path.rstrip("/") + "/"
            top = str(self.folder.path / self.path).replace("\\", "/").rstrip("/") + "/"
            names = [start + name.removeprefix(top) for name in names]
        write_names(self.raw, sorted(names))
        self._done = Done(bool(names), searched=Searched((self.path or ".",)))

    def _matches(self, text: bytes) -> None:
        found = json.loads(text) if text.strip() else []
        for match in found if isinstance(found, list) else [found]:
            self._match(match)
        self._done = Done(self.raw.lines > 0, searched=Searched((self.path or ".",)))

    def _match(self, match: dict[str, Any]) -> None:
        n, context = int(match["LineNumber"]), match.get("Context") or {}
        before, after = context.get("PreContext") or [], context.get("PostContext") or []
        path = None if self.source is not None else str(match["Path"]).replace("\\", "/")
        if path is not None and (not self.raw.paths or self.raw.paths[-1] != path):
            self.raw.paths.append(path)
        for at, line in enumerate([*before, match["Line"], *after], n - len(before)):
            start = b"" if path is None else prefix(path, at, matched=at == n)
            self.raw.add(start + str(line).encode("utf-8", "surrogateescape") + b"\n", 1, at, matched=at == n)
