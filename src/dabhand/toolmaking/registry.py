"""The tools that are kept: each a Python file, its tests and what is known of it beside it, in the store's folder."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from dabhand.commands import Template, parse_template
from dabhand.errors import LanguageError, StoreError, UsageError
from dabhand.language import Term, parse, show
from dabhand.sandbox.tier import python_for_worker
from dabhand.store import Store
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.source import GIVEN
from dabhand.workspace.durable import replace_file

MODE = 0o600
"""Of every file here: tools and their tests may hold what is in somebody's files."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}\Z")


class Tool(msgspec.Struct, frozen=True):
    """One tool.

    Attributes:
        name: what it is called; its file is NAME.py.
        term: what it does, as text, over the text `given` of the file that it reads; "" where no term says it, and only
            running the tool tells (it is *simulated*).
        digest: of the file as it was tested: one that was edited since is not trusted.
        tests: what it was tested with.
        tried, right: how often it was practised, and how often it did just what its term says.
        source: the file itself.
        writer: who wrote it: "search", "goal", or the name of a model.
    """

    name: str
    term: str
    digest: str
    tests: tuple[Example, ...]
    tried: int
    right: int
    source: str = ""
    writer: str = "search"

    @property
    def is_simulated(self) -> bool:
        """Whether only running it tells what it does."""
        return not self.term

    @property
    def template(self) -> Template:
        """The tool as a command."""
        return parse_template(f"python3 TOOLS/{self.name}.py {{A}} {{B}}")

    @property
    def meaning(self) -> Term:
        """Its term."""
        return parse(self.term, (GIVEN,))

    @property
    def is_intact(self) -> bool:
        """Whether the file is the one that was tested."""
        return digest_of(self.source) == self.digest

    @property
    def distrust(self) -> str:
        """Why it is not trusted; nothing where it is."""
        if self.is_intact:
            return ""
        return "its file was edited since it was tested" if self.source else "its file is gone or empty"

    def line(self, filling: dict[str, str | int]) -> str:
        """The command line that runs it in the sandbox, where its file is not visible: the program goes with it."""
        interpreter, _ = python_for_worker()
        paths = [_as_argument(str(filling[slot])) for slot in ("A", "B")]
        return shlex.join((interpreter, "-I", "-c", self.source, *paths))


def _as_argument(path: str) -> str:
    return "./" + path if path.startswith("-") else path


def digest_of(source: str) -> str:
    """Of a file's text."""
    return hashlib.sha256(source.encode("utf-8", "surrogateescape")).hexdigest()


class NoSuchTool(UsageError):
    """A tool that is not there."""

    code = "no_such_tool"


class DamagedTool(StoreError):
    """A tool whose record cannot be read."""

    code = "damaged_tool"


class BadName(UsageError):
    """A name that no tool can have."""

    code = "tool_name"


class Registry:
    """The tools of a store.

    Args:
        folder: where they are; it need not be there yet.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def of(cls, store: Store) -> Registry:
        """The tools kept beside a store's file."""
        return cls(store.file.parent / "tools")

    def path(self, name: str) -> Path:
        """Where a tool's file is."""
        return self.folder / f"{name}.py"

    def _record(self, name: str) -> Path:
        """Where what is known of a tool is; this is what makes a file a tool."""
        return self.folder / f"{name}.json"

    def all(self) -> tuple[Tool, ...]:
        """Every tool whose record can be read, by name; one whose file was lost is not intact."""
        if not self.folder.is_dir():
            return ()
        found = (self._read(file) for file in sorted(self.folder.glob("*.json")))
        return tuple(tool for tool in found if tool is not None)

    def damaged(self) -> tuple[str, ...]:
        """The names of the records that cannot be read: what they were the records of is no tool any more."""
        if not self.folder.is_dir():
            return ()
        return tuple(file.stem for file in sorted(self.folder.glob("*.json")) if self._read(file) is None)

    def _read(self, file: Path) -> Tool | None:
        try:
            record = msgspec.convert(json.loads(file.read_bytes()), Tool)
            record.is_simulated or record.meaning  # noqa: B018  (one that cannot be read is none)
        except (OSError, ValueError, RecursionError, msgspec.MsgspecError, LanguageError):
            return None
        if file.stem != record.name:
            return None
        return msgspec.structs.replace(record, source=self._source(record.name))

    def _source(self, name: str) -> str:
        """What is in a tool's file; nothing where it was lost, so that the tool is seen not to be what was tested."""
        try:
            return self.path(name).read_text("utf-8", "surrogateescape")
        except OSError:
            return ""

    def keep(self, tool: Tool, *, new: bool = False) -> None:
        """Keep a tool; its file is written before its record, which is what makes it one.

        Args:
            tool: to be kept.
            new: it takes no other's place, though another process may be making one of the same name.

        Raises:
            BadName: it is new, and there is one of that name.
            StoreError: it cannot be written; nothing of a new one is left then.
        """
        with self._changing(f"The tool {tool.name!r} was not kept"):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._alone():
                if new:
                    self.require_free(tool.name)
                self._put(tool)

    def _put(self, tool: Tool) -> None:
        path, had_record = self.path(tool.name), self._record(tool.name).exists()
        if path.exists() and not had_record:
            _put_aside(path)
        try:
            replace_file(path, tool.source.encode("utf-8", "surrogateescape"), MODE)
            self._write_record(tool)
        except OSError:
            if not had_record:
                path.unlink(missing_ok=True)
            raise

    def note(self, tool: Tool) -> None:
        """Keep what is known of a tool that is kept, and leave its file alone, which may have been edited again."""
        with self._changing(f"What was seen of the tool {tool.name!r} was not kept"), self._alone():
            self._write_record(tool)
            self.path(tool.name).chmod(MODE)

    def _write_record(self, tool: Tool) -> None:
        record = msgspec.structs.replace(tool, source="")
        # The standard library's, because an example may hold bytes that are not UTF-8, as lone surrogates.
        data = json.dumps(msgspec.to_builtins(record), indent=1).encode("ascii")
        replace_file(self._record(tool.name), data, MODE)

    @contextlib.contextmanager
    def _changing(self, said: str) -> Iterator[None]:
        """What the file system refuses is said as the store's error."""
        try:
            yield
        except OSError as error:
            raise StoreError(f"{said}: {error.strerror}.", f"The tools are in {str(self.folder)!r}.") from error

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """While no other process changes what is kept."""
        handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def get(self, name: str) -> Tool:
        """One tool.

        Raises:
            NoSuchTool: there is none of that name.
            DamagedTool: its record cannot be read.
        """
        found = next((tool for tool in self.all() if tool.name == name), None)
        if found is None and name in self.damaged():
            raise DamagedTool(
                f"The record of the tool {name!r} cannot be read.",
                f"Remove it, and make it again: dabhand tool remove {name}",
            )
        if found is None:
            raise NoSuchTool(f"There is no tool {name!r}.", "See: dabhand tool list")
        return found

    def remove(self, name: str) -> None:
        """Remove a tool; its record goes first, so that what is left after a crash is no tool.

        Raises:
            NoSuchTool: there is none of that name.
        """
        if not _NAME.match(name) or not self._record(name).exists():
            self.get(name)
        with self._changing(f"The tool {name!r} was not removed"), self._alone():
            self._record(name).unlink(missing_ok=True)
            self.path(name).unlink(missing_ok=True)

    def require_free(self, name: str) -> None:
        """Make sure that a tool may be called so.

        Raises:
            BadName: it is no name, or it is taken.
        """
        if not _NAME.match(name):
            raise BadName(f"{name!r} cannot be the name of a tool.", "Use small letters, digits and _, a letter first.")
        if name in sys.stdlib_module_names:
            raise BadName(
                f"{name!r} is a module of Python's, and a tool of that name would hide it.", "Use another name."
            )
        if self._record(name).exists():  # a file alone is what is left of one that was being made, and no tool
            raise BadName(f"There is a tool {name!r} already.", f"Remove it first: dabhand tool remove {name}")

    def free_name(self, wanted: str) -> str:
        """The name, or the name with a number, that no tool has."""
        taken = {tool.name for tool in self.all()}
        name = wanted if _NAME.match(wanted) and wanted not in sys.stdlib_module_names else "tool"
        number = 2
        while name in taken:
            name, number = f"{wanted[:55]}_{number}", number + 1
        return name


def _put_aside(path: Path) -> None:
    """Give a file that is no tool another name: it may be somebody's own."""
    number = 1
    while (beside := path.with_name(f"{path.name}.{number}")).exists():
        number += 1
    path.rename(beside)


_SPOKEN = {
    "mean": "average",
    "sum": "sum",
    "most_common": "most_common",
    "capitalized": "title_case",
    "even": "even_numbers",
    "odd": "odd_numbers",
    "above": "numbers_above",
    "below": "numbers_below",
    "longest": "longest",
    "shortest": "shortest",
    "rows_where": "where",
    "items_above": "over",
    "items_below": "under",
    "rounded_half_up": "rounded",
}
_SILENT = frozenset(
    """
    text lines words chars unlines line digits written concat csv json content numbers scalars nonblank lower just
    records literal basic extended matching
    """.split()  # noqa: SIM905
)


_COLUMNS = re.compile(r'(?:column|each_key)\("((?:[^"\\]|\\.)*)"')


def name_for(term: Term) -> str:
    """What a tool that does this may be called: `count_vowels` of `line(digits(count(vowels(...))))`."""
    parts = [_SPOKEN.get(word, word) for word in re.findall(r"[a-z_]+(?=\()", show(term)) if word not in _SILENT]
    columns = [re.sub(r"\W+", "_", name.lower()) for name in _COLUMNS.findall(show(term))]
    parts = [part for part in parts if part not in ("column", "each_key", "column_at")] + columns
    name = re.sub(r"[^a-z0-9_]+", "", "_".join(dict.fromkeys(parts))).strip("_")[:50]
    return name if _NAME.match(name) else "tool"


def same(tools: Sequence[Tool], term: Term) -> Tool | None:
    """The tool that does this already."""
    shown = show(term)
    return next((tool for tool in tools if tool.term == shown and tool.is_intact), None)
