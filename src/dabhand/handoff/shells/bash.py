"""A typed plan as a line of bash, for GNU coreutils, findutils, grep and (for JSON) jq."""

from __future__ import annotations

import re
from collections.abc import Iterator

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

_OPEN, _CLOSE, _NOT = "\\(", "\\)", "'!'"
_FIELD = (
    'if length == 1 and (.[0] | type) == "object" then .[0] | (if has($key) then .[$key] else empty end) '
    'else error("no JSON object") end'
)
"""All that the file holds is taken in first (`-s`), so that a second document is not overlooked."""


def render_bash(plan: Plan, path: str, *, folder: bool, now: float = 0.0) -> Rendered:
    """The line that does what a plan says.

    Args:
        plan: validated.
        path: what stands for the plan's path in the line.
        folder: whether a folder is there; a search goes through its files.
        now: what ages are told from, in seconds since 1970.
    """
    place = Value(_no_option(path or "."))
    match plan:
        case FirstLines(count=count):
            stages: tuple[Stage, ...] = (("head", "-n", str(count), "--", place),)
        case LastLines(count=count):
            stages = (("tail", "-n", str(count), "--", place),)
        case LineRange(first=first, last=None):
            stages = (("tail", "-n", f"+{first}", "--", place),)
        case LineRange(first=first, last=int(last)):
            stages = (("tail", "-n", f"+{first}", "--", place), ("head", "-n", str(last - first + 1)))
        case WholeFile():
            stages = (("cat", "--", place),)
        case CountLines():
            stages = (("grep", "-a", "-c", "''", "--", place),)
        case JsonField(key=key):
            stages = (("jq", "-c", "-s", "--arg", "key", Value(key), Value(_FIELD), place),)
        case Search() | CountMatches() if folder:
            stages = _search_below(plan, place)
        case Search() | CountMatches():
            stages = (("grep", *_pattern(plan), "--", place),)
        case ListFiles():
            stages = _sorted("find", place, *_listing(plan))
        case FindFiles():
            stages = _sorted("find", place, *_finding(plan, now))
    return Rendered("bash", stages)


def _no_option(path: str) -> str:
    return "./" + path if path.startswith("-") else path


def _sorted(*words: Part) -> tuple[Stage, ...]:
    """Each name ends with NUL, because a name may hold a newline."""
    return (words, ("sort", "-z"))


def _pattern(plan: Search | CountMatches) -> Iterator[Part]:
    """The options of grep, which takes every file for text."""
    yield "-a"
    yield "-c" if isinstance(plan, CountMatches) else "-n"
    yield "-P" if plan.regex else "-F"
    if plan.ignore_case:
        yield "-i"
    if isinstance(plan, Search):
        if plan.before or plan.after:
            yield "--no-group-separator"
            yield from ("-B", str(plan.before), "-A", str(plan.after))
        elif plan.max_count is not None:
            yield from ("-m", str(plan.max_count))
    yield from ("-e", Value(plan.value))


def _search_below(plan: Search | CountMatches, place: Value) -> tuple[Stage, ...]:
    """Through the files of a folder, in the order of their names."""
    find: list[Part] = ["find", place, "-mindepth", "1"]
    if not plan.recursive:
        find += ["-maxdepth", "1"]
    if not plan.hidden:
        find += [_OPEN, "-type", "d", "-name", "'.*'", "-prune", _CLOSE, ","]
    find += [_OPEN, "-type", "f", *_names(plan.glob, None, False, plan.hidden), "-print0", _CLOSE]
    return tuple(find), ("sort", "-z"), ("xargs", "-0", "-r", "grep", "-H", "-Z", *_pattern(plan), "--")


def _listing(plan: ListFiles) -> Iterator[Part]:
    """A link counts as what it points to, which is looked up afterwards, inside the root only."""
    yield from ("-mindepth", "1", "-maxdepth", "1")
    if plan.kind != "all":
        yield from (_OPEN, "-type", "l", "-o", "-type", "f" if plan.kind == "files" else "d", _CLOSE)
    yield from _names(plan.glob, plan.value, plan.ignore_case, plan.hidden)
    yield from ("-printf", Value("%f/%y\\0"))


def _finding(plan: FindFiles, now: float) -> Iterator[Part]:
    yield from ("-mindepth", "1")
    if plan.max_depth is not None:
        yield from ("-maxdepth", str(plan.max_depth))
    if not plan.hidden:
        yield from (_OPEN, "-type", "d", "-name", "'.*'", "-prune", _CLOSE, ",")
    yield _OPEN
    sized = plan.min_bytes is not None or plan.max_bytes is not None
    if sized or plan.kind != "all":
        yield from ("-type", "f" if sized or plan.kind == "files" else "d")
    if sized and plan.kind == "folders":
        yield "-false"
    yield from _names(plan.glob, plan.value, plan.ignore_case, plan.hidden)
    if plan.min_bytes:
        yield from ("-size", f"+{plan.min_bytes - 1}c")
    if plan.max_bytes is not None:
        yield from ("-size", f"-{plan.max_bytes + 1}c")
    if plan.min_age is not None:
        yield from (_NOT, "-newermt", f"@{now - plan.min_age:.6f}")
    if plan.max_age is not None:
        yield from ("-newermt", f"@{now - plan.max_age:.6f}")
    yield from ("-printf", Value("%P\\0"), _CLOSE)


def _names(glob: str | None, value: str | None, ignore_case: bool, hidden: bool) -> Iterator[Part]:
    test = "-iname" if ignore_case else "-name"
    if not hidden and not (glob or "").startswith("."):
        yield from (_NOT, "-name", "'.*'")
    if glob is not None:
        yield from (test, Value(glob.replace("\\", "\\\\")))
    if value is not None:
        yield from (test, Value("*" + re.sub(r"([\\*?\[])", r"\\\1", value) + "*"))
