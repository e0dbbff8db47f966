r"""A typed plan as a line of PowerShell, for pwsh 7 and Windows PowerShell 5.1.

Both read single-quoted text alike (a quote is doubled, typographic ones too), and both have these commands. They differ
in what a file without a mark is taken for (UTF-8 in 7, the machine's code page in 5.1), so the encoding is always said.
Both end a line at a lone `\\r` too, and give text and not bytes: see docs/shells.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dabhand.errors import UsageError
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
from dabhand.handoff.shells.lines import Part, Rendered, Stage, Value

_UTF8 = ("-Encoding", "utf8")
_COUNT: tuple[Stage, ...] = (("Measure-Object",), ("Select-Object", "-ExpandProperty", "Count"))


def render_powershell(plan: Plan, path: str, *, folder: bool, separator: str = "/") -> Rendered:
    """The line that does what a plan says.

    Args:
        plan: validated.
        path: what stands for the plan's path in the line.
        folder: whether a folder is there; a search goes through its files.
        separator: what stands between the names of a path on that machine.

    Raises:
        UsageError: something in it is not text, or PowerShell has no such search.
    """
    place = _literal(path.replace("/", separator) or ".")
    read: Stage = ("Get-Content", "-LiteralPath", place, *_UTF8)
    match plan:
        case FirstLines(count=count):
            stages: tuple[Stage, ...] = ((*read, "-TotalCount", str(count)),)
        case LastLines(count=count):
            stages = ((*read, "-Tail", str(count)),)
        case LineRange(first=first, last=None):
            stages = (read, ("Select-Object", "-Skip", str(first - 1)))
        case LineRange(first=first, last=int(last)):
            stages = ((*read, "-TotalCount", str(last)), ("Select-Object", "-Skip", str(first - 1)))
        case WholeFile():
            stages = (read,)
        case CountLines():
            stages = (read, *_COUNT)
        case JsonField(key=key):
            stages = (
                (*read, "-Raw"),
                ("ConvertFrom-Json",),
                ("Select-Object", "-ExpandProperty", _literal(key)),
                ("ConvertTo-Json", "-Compress", "-Depth", "100"),
            )
        case Search() | CountMatches():
            stages = _search(plan, place, folder)
        case ListFiles():
            stages = _listing(plan, place)
        case FindFiles():
            stages = _finding(plan, place)
    return Rendered("powershell", stages)


def _literal(text: str) -> Value:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError("PowerShell has no way to name what is not text.", "Use the native backend.") from error
    return Value(text)


def _search(plan: Search | CountMatches, place: Value, folder: bool) -> tuple[Stage, ...]:
    options: list[Part] = ["-Pattern", _literal(plan.value), *_UTF8]
    options += [] if plan.regex else ["-SimpleMatch"]
    options += [] if plan.ignore_case else ["-CaseSensitive"]
    if isinstance(plan, Search) and (plan.before or plan.after):
        options += ["-Context", f"{plan.before},{plan.after}"]
    if folder:
        files = [part for stage in _children(plan, place) for part in stage]
        stages: list[Stage] = [tuple(files), *_chosen(plan.glob, None, False), ("Select-String", *options)]
    else:
        stages = [("Select-String", "-LiteralPath", place, *options)]
    if isinstance(plan, CountMatches):
        return (*stages, *_COUNT)
    if plan.max_count is not None:
        stages.append(("Select-Object", "-First", str(plan.max_count)))
    return (*stages, ("ConvertTo-Json", "-Compress", "-Depth", "4"))


def _children(plan: Search | CountMatches, place: Value) -> tuple[Stage, ...]:
    words: list[Part] = ["Get-ChildItem", "-LiteralPath", place, "-File"]
    words += ["-Recurse"] if plan.recursive else []
    words += ["-Force"] if plan.hidden else []
    return (tuple(words),)


def _listing(plan: ListFiles, place: Value) -> tuple[Stage, ...]:
    words: list[Part] = ["Get-ChildItem", "-LiteralPath", place]
    words += {"files": ["-File"], "folders": ["-Directory"], "all": []}[plan.kind]
    words += ["-Force"] if plan.hidden or (plan.glob or "").startswith(".") else []
    name: Stage = ("Select-Object", "-ExpandProperty", "Name")
    return (tuple(words), *_chosen(plan.glob, plan.value, plan.ignore_case), name)


def _finding(plan: FindFiles, place: Value) -> tuple[Stage, ...]:
    if plan.min_age is not None or plan.max_age is not None:
        raise UsageError("No line of PowerShell is written for ages.", "Use the native backend.")
    sized = plan.min_bytes is not None or plan.max_bytes is not None
    words: list[Part] = ["Get-ChildItem", "-LiteralPath", place, "-Recurse"]
    words += {"files": ["-File"], "folders": ["-Directory"], "all": ["-File"] if sized else []}[plan.kind]
    words += ["-Force"] if plan.hidden else []
    words += ["-Depth", str(plan.max_depth - 1)] if plan.max_depth is not None else []
    stages: list[Stage] = [tuple(words), *_chosen(plan.glob, plan.value, plan.ignore_case)]
    if plan.min_bytes:
        stages.append(("Where-Object", "-Property", "Length", "-GE", str(plan.min_bytes)))
    if plan.max_bytes is not None:
        stages.append(("Where-Object", "-Property", "Length", "-LE", str(plan.max_bytes)))
    return (*stages, ("Select-Object", "-ExpandProperty", "FullName"))


def _chosen(glob: str | None, value: str | None, ignore_case: bool) -> Iterator[Stage]:
    """Names, by PowerShell's own patterns: what is special in them is kept literal by a backtick."""
    like = "-ILike" if ignore_case else "-CLike"
    if glob is not None:
        yield ("Where-Object", "-Property", "Name", like, _literal(_pattern(glob)))
    if value is not None:
        yield ("Where-Object", "-Property", "Name", like, _literal("*" + re.sub(r"([`*?\[\]])", r"`\1", value) + "*"))


def _pattern(glob: str) -> str:
    """`*`, `?` and `[a-z]` are the same; `[!a]` there is none."""
    if "[!" in glob:
        raise UsageError("PowerShell has no pattern for names without certain letters.", "Use the native backend.")
    return glob.replace("`", "``")
