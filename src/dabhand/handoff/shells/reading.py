"""A line of bash that only looks at files, as the typed plan that says the same; conservative.

`read_line` is the whole of it: what is not surely one inspection is answered with a reason, never with a guess. Where
the plan's result differs from the line's in a known way (the order of files, sizes beside names), the reading says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from dabhand.handoff.plan import (
    CountMatches,
    FindFiles,
    FirstLines,
    LastLines,
    LineRange,
    ListFiles,
    Plan,
    PlanError,
    Search,
    WholeFile,
    validated,
)
from dabhand.handoff.shells import reading_files, reading_listings, reading_searches
from dabhand.handoff.shells.reading_listings import ORDER
from dabhand.handoff.shells.readings import Declined, Reading, Unreadable, whole_number
from dabhand.handoff.shells.script import AndOr, Command, Pipeline, Script
from dabhand.handoff.shells.syntax import parse_line

_FIRST: Mapping[str, Callable[[Sequence[str], Command], Reading]] = {
    "cat": reading_files.cat,
    "nl": reading_files.nl,
    "head": reading_files.head,
    "tail": reading_files.tail,
    "sed": reading_files.sed,
    "awk": reading_files.awk,
    "wc": reading_files.wc,
    "jq": reading_files.jq,
    "grep": reading_searches.grep,
    "egrep": reading_searches.grep,
    "fgrep": reading_searches.grep,
    "rg": reading_searches.ripgrep,
    "ls": reading_listings.ls,
    "find": reading_listings.find,
}
_KEEPS_LINES = frozenset({"cat", "less", "more"})


def read_line(line: str) -> Reading | Unreadable:
    """The inspection that a command line is.

    Args:
        line: as somebody would type it into bash. `cd FOLDER &&` in front of it, `2>/dev/null`, a trailing `| head`
            and the like are understood.

    Returns:
        The plan, its path relative to `Reading.folder` and as written there; or why it is none.
    """
    script = parse_line(line)
    try:
        reading = _read(script)
        return msgspec.structs.replace(reading, plan=validated(reading.plan))
    except Declined as declined:
        return Unreadable(str(declined))
    except PlanError as error:
        return Unreadable(error.message)


def _read(script: Script) -> Reading:
    if not script.understood:
        raise Declined("the line cannot be read")
    if len(script.lists) != 1:
        raise Declined("it is several commands")
    folder, pipeline, notes = _one_pipeline(script.lists[0])
    if any(command.kind != "simple" or command.assignments for command in pipeline.commands):
        raise Declined("it is more than plain commands")
    reading = _first(pipeline.commands[0])
    for command in pipeline.commands[1:]:
        reading = _filtered(reading, command)
    return msgspec.structs.replace(reading, folder=folder, differs=(*reading.differs, *notes))


def _one_pipeline(one: AndOr) -> tuple[str, Pipeline, tuple[str, ...]]:
    """The folder that is gone to first, the pipeline that looks, and what is lost of the rest."""
    pipelines, operators = list(one.pipelines), list(one.operators)
    if one.background or one.here_document or any(pipeline.negated for pipeline in pipelines):
        raise Declined("it is more than a look")
    folder = ""
    if operators[:1] == ["&&"] and pipelines[0].commands[0].name == "cd" and len(pipelines[0].commands) == 1:
        words = reading_files.literal(pipelines[0].commands[0])
        if len(words) != 2 or words[1].startswith("-"):
            raise Declined("where it goes to is not written out")
        folder = words[1]
        pipelines, operators = pipelines[1:], operators[1:]
    notes: tuple[str, ...] = ()
    if operators[-1:] == ["||"] and len(pipelines) == 2 and _is_excuse(pipelines[1]):
        notes = ("what is said when nothing is found",)
        pipelines, operators = pipelines[:1], []
    if len(pipelines) != 1:
        raise Declined("it is several commands")
    return folder, pipelines[0], notes


def _is_excuse(pipeline: Pipeline) -> bool:
    """`|| true`, `|| echo nothing`."""
    first = pipeline.commands[0]
    return len(pipeline.commands) == 1 and first.name in ("true", ":", "echo", "printf") and not first.redirections


def _first(command: Command) -> Reading:
    """What the command that looks says."""
    source = _redirected_input(command)
    reader = _FIRST.get(command.name)
    if reader is None:
        raise Declined(f"{command.name or 'its command'} is no look at files that is known")
    words = reading_files.words_of(command)
    return reader([*words[1:], *([source] if source is not None else [])], command)


def _redirected_input(command: Command) -> str | None:
    """The file that comes in by `<`; other redirections must lose nothing but errors."""
    source = None
    for one in command.redirections:
        target = one.target.value if one.target else None
        if one.operator == "<" and not one.descriptor and target is not None and source is None:
            source = target
        elif one.descriptor != "2" or (one.operator, target) not in ((">", "/dev/null"), (">&", "1")):
            raise Declined("it writes somewhere")
    return source


def _filtered(reading: Reading, command: Command) -> Reading:
    """The reading, with a further stage of the pipeline."""
    if _redirected_input(command) is not None:
        raise Declined("a filter reads something else")
    words = reading_files.literal(command)
    name, rest = command.name, words[1:]
    if name in _KEEPS_LINES and not rest:
        return reading
    if name == "sort" and not rest and isinstance(reading.plan, ListFiles | FindFiles):
        return msgspec.structs.replace(reading, differs=tuple(one for one in reading.differs if one != ORDER))
    filters = {"head": _headed, "tail": _tailed, "sed": _cut_out, "grep": _searched, "wc": _counted}
    if name not in filters:
        raise Declined(f"no plan has the filter {name}")
    return filters[name](reading, rest)


def _no_filter(name: str) -> Declined:
    return Declined(f"no plan has {name} behind this")


def _headed(reading: Reading, words: Sequence[str]) -> Reading:
    count = reading_files.count_of(words, "head")
    match reading.plan:
        case WholeFile(path=path):
            return reading.with_plan(FirstLines(path=path, count=count))
        case FirstLines(path=path, count=before):
            return reading.with_plan(FirstLines(path=path, count=min(before, count)))
        case LineRange(path=path, first=first, last=last):
            end = first + count - 1
            return reading.with_plan(LineRange(path=path, first=first, last=end if last is None else min(last, end)))
        case Search(before=0, after=0, max_count=most) as plan:
            fewer = msgspec.structs.replace(plan, max_count=count if most is None else min(most, count))
            several = plan.recursive or plan.glob is not None
            return reading.with_plan(fewer, *(["which of the matches come first"] if several else []))
        case ListFiles() | FindFiles():
            return reading.with_plan(reading.plan, f"only the first {count}")
    raise _no_filter("head")


def _tailed(reading: Reading, words: Sequence[str]) -> Reading:
    if len(words) == 2 and words[0] == "-n" and words[1].startswith("+"):
        first, count = whole_number(words[1][1:]), 0
    else:
        first, count = 0, reading_files.count_of(words, "tail")
    match reading.plan:
        case WholeFile(path=path) if first:
            return reading.with_plan(LineRange(path=path, first=first))
        case WholeFile(path=path) if count:
            return reading.with_plan(LastLines(path=path, count=count))
        case LastLines(path=path, count=before) if count:
            return reading.with_plan(LastLines(path=path, count=min(before, count)))
    raise _no_filter("tail")


def _cut_out(reading: Reading, words: Sequence[str]) -> Reading:
    if not isinstance(reading.plan, WholeFile) or len(words) != 2 or words[0] != "-n":
        raise _no_filter("sed")
    first, last = reading_files.sed_range(words[1])
    return reading.with_plan(LineRange(path=reading.plan.path, first=first, last=last))


def _searched(reading: Reading, words: Sequence[str]) -> Reading:
    match reading.plan:
        case WholeFile(path=path) if not reading.numbered:
            return reading_searches.grep([*words, path], None)
        case ListFiles(glob=None, value=None) as plan if not reading.differs and len(words) == 1:
            if re.fullmatch(r"[A-Za-z0-9_ -]+", words[0]) and not words[0].startswith("-"):
                return reading.with_plan(msgspec.structs.replace(plan, value=words[0]))
    raise _no_filter("grep")


def _counted(reading: Reading, words: Sequence[str]) -> Reading:
    if list(words) != ["-l"]:
        raise _no_filter("wc")
    match reading.plan:
        case WholeFile(path=path):
            return reading_files.wc(["-l", path], None)
        case Search(before=0, after=0, max_count=None) as plan:
            fields = {name: getattr(plan, name) for name in CountMatches.__struct_fields__}
            return reading.with_plan(_counting(fields))
    raise _no_filter("wc")


def _counting(fields: Mapping[str, object]) -> Plan:
    return msgspec.convert(dict(fields), CountMatches)


__all__ = ["Reading", "Unreadable", "read_line"]
