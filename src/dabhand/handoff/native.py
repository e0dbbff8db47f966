"""The native backend: plans carried out by this process itself, as terms in their streaming form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from dabhand.handoff.blocks import Failed, Source, decoded
from dabhand.handoff.outcome import Done
from dabhand.handoff.packet import Searched, Skipped
from dabhand.handoff.places import Opened
from dabhand.handoff.plan import (
    CountLines,
    CountMatches,
    FindFiles,
    FirstLines,
    JsonField,
    LastLines,
    LineRange,
    ListFiles,
    Plan,
    Search,
    WholeFile,
)
from dabhand.handoff.raw import Raw, words_about_paths
from dabhand.workspace.confined import ConfinedFolder, Place, open_regular, reason

LISTED = 200
"""Paths that are listed at most as searched, and as skipped."""
_BINARY_HEAD = 8192


def carry_out(
    plan: Plan, folder: ConfinedFolder, opened: Opened, raw: Raw, new_file: Callable[[], int], now: float
) -> Done:
    """Carry out a plan and write its whole result.

    Args:
        plan: validated.
        folder: the root.
        opened: what the plan is about; what is read is what is open here, whatever its path names by now.
        raw: takes the result.
        new_file: a fresh file without a name, for what must be kept on the way.
        now: what ages are told from, in seconds since 1970.

    Raises:
        Failed: something could not be read.
        PlanError: a pattern is none.
    """
    match plan:
        case ListFiles() | FindFiles():
            return _names(plan, folder, opened, raw, now)
        case Search() | CountMatches():
            return _search(plan, opened, raw, new_file)
        case FirstLines() | LastLines() | LineRange() | WholeFile() | CountLines() | JsonField():
            with decoded(opened.taken(), opened.path, new_file) as source:
                return _file(plan, source, raw)
        case _:
            assert_never(plan)


def _file(
    plan: FirstLines | LastLines | LineRange | WholeFile | CountLines | JsonField, source: Source, raw: Raw
) -> Done:
    match plan:
        case CountLines():
            count = source.newlines(0, source.size) + source.ends_open
            return _counted(count, raw, Searched((source.path,), source.size, files=1), _notes(source))
        case JsonField(key=key):
            return _field(source, key, raw)
        case FirstLines() | LastLines() | LineRange() | WholeFile():
            from dabhand.handoff.native_lines import read_part

            read_part(source, plan, raw)
            total = raw.lines if isinstance(plan, WholeFile) else source.line_total()
            found = raw.lines > 0 or not isinstance(plan, LineRange)
            notes = _notes(source)
            if not found:
                notes += (f"{source.path!r} has no line {plan.first}." if isinstance(plan, LineRange) else "",)
            searched = Searched((source.path,), min(source.read, source.size), files=1)
            return Done(found, None, total, source.size, True, searched, notes)
        case _:
            assert_never(plan)


def _field(source: Source, key: str, raw: Raw) -> Done:
    from dabhand.handoff.native_json import field_text

    text, times = field_text(source, key)
    searched = Searched((source.path,), source.size, files=1)
    if text is None:
        return Done(False, searched=searched, notes=_notes(source))
    notes = _notes(source)
    if times > 1:
        notes += (f"{key!r} is there {times} times; this is the last, which is the one that counts.",)
    raw.add(text + b"\n", text.count(b"\n") + 1, 1)
    return Done(True, text.decode("utf-8", "surrogateescape"), searched=searched, notes=notes)


def _counted(count: int, raw: Raw, searched: Searched, notes: tuple[str, ...]) -> Done:
    raw.add(b"%d\n" % count, 1, 1)
    return Done(True, count, searched=searched, notes=notes)


def _names(plan: ListFiles | FindFiles, folder: ConfinedFolder, opened: Opened, raw: Raw, now: float) -> Done:
    from dabhand.handoff.native_folders import find_paths, list_names

    if isinstance(plan, ListFiles):
        skipped = list_names(folder, opened, plan, raw)
    else:
        skipped = find_paths(opened.fd, plan, raw, now)
    raw.complete = not skipped
    shown = tuple(skipped[:LISTED])
    searched = Searched((opened.path or ".",), 0, shown, 0, len(skipped) - len(shown))
    notes = ("Some names hold newlines; in the raw result each name ends with NUL.",) if raw.separator != b"\n" else ()
    return Done(raw.lines > 0, searched=searched, notes=notes)


def _notes(source: Source) -> tuple[str, ...]:
    return (f"{source.path!r} is {source.encoding}, given here as UTF-8.",) if source.encoding else ()


class _Tally:
    """What was searched so far."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.skipped: list[Skipped] = []
        self.notes: list[str] = []
        self.files = self.bytes = self.matches = 0

    def read(self, source: Source, matches: int, notes: tuple[str, ...]) -> None:
        self.files += 1
        self.bytes += source.size
        self.matches += matches
        self.notes += [*notes, *_notes(source)]
        if len(self.paths) < LISTED:
            self.paths.append(source.path)

    def searched(self) -> Searched:
        skipped = tuple(self.skipped[:LISTED])
        unlisted = self.files - len(self.paths) + len(self.skipped) - len(skipped)
        return Searched(tuple(self.paths), self.bytes, skipped, self.files, unlisted)


def _search(plan: Search | CountMatches, opened: Opened, raw: Raw, new_file: Callable[[], int]) -> Done:
    from dabhand.handoff.matching import matcher_of
    from dabhand.handoff.native_search import count_file, search_file

    matcher = matcher_of(plan)
    tally = _Tally()
    for source in _sources(plan, opened, tally, new_file):
        with source:
            if isinstance(plan, CountMatches):
                found = count_file(source, matcher)
            else:
                path = None
                if opened.kind == "folder":
                    raw.paths.append(source.path)
                    path = source.path
                most = None if plan.max_count is None else plan.max_count - tally.matches
                found = search_file(source, matcher, raw, before=plan.before, after=plan.after, most=most, path=path)
            if found.notes:
                raw.complete = False
            tally.read(source, found.matches, found.notes)
        if isinstance(plan, Search) and tally.matches == plan.max_count:
            break
    if any(each.reason not in HARMLESS for each in tally.skipped):
        raw.complete = False
    notes = tuple(tally.notes[:LISTED])
    if isinstance(plan, CountMatches):
        return _counted(tally.matches, raw, tally.searched(), notes)
    return Done(tally.matches > 0, searched=tally.searched(), notes=(*notes, *words_about_paths(raw)))


LINK, SPECIAL, BINARY = "a link, which is not followed", "no regular file", "binary: it holds NUL bytes"
HARMLESS = (LINK, SPECIAL, BINARY)
"""Reasons to skip that are as documented, and leave a search complete."""


def _sources(
    plan: Search | CountMatches, opened: Opened, tally: _Tally, new_file: Callable[[], int]
) -> Iterator[Source]:
    """The files to search, each open."""
    if opened.kind == "file":
        yield decoded(opened.taken(), opened.path, new_file)
        return
    from dabhand.handoff.names import chooser
    from dabhand.handoff.walking import Walk

    chosen = chooser(plan.glob, None, ignore_case=False, hidden=plan.hidden)
    start = opened.path + "/" if opened.path else ""
    walk = Walk(opened.fd, None if plan.recursive else 1, lambda name: plan.hidden or not name.startswith("."))
    for entry in walk.entries():
        path = start + entry.path
        if entry.what == "folder" or not chosen(entry.name):
            continue
        if entry.what != "file":
            tally.skipped.append(Skipped(path, LINK if entry.what == "link" else SPECIAL))
            continue
        try:
            fd = open_regular(Place(entry.folder, entry.name))
        except OSError as error:
            tally.skipped.append(Skipped(path, reason(error)))
            continue
        source = _text_source(fd, path, tally, new_file)
        if source is not None:
            yield source
    tally.skipped += [Skipped(start + each.path, each.reason) for each in walk.skipped]


def _text_source(fd: int, path: str, tally: _Tally, new_file: Callable[[], int]) -> Source | None:
    try:
        source = decoded(fd, path, new_file)
    except Failed as error:
        tally.skipped.append(Skipped(path, error.message))
        return None
    if b"\0" in source.part(0, _BINARY_HEAD):
        source.close()
        tally.skipped.append(Skipped(path, BINARY))
        return None
    return source
