"""From the slots that a request fills to the one plan that they make, or to why they make none."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

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
    PlanError,
    Search,
    WholeFile,
    validated,
)
from dabhand.handoff.words.names import escaped
from dabhand.handoff.words.outcome import Reason, Unfit
from dabhand.handoff.words.terminals import NAME_LIKE, Place, Said, Text

Slots = Mapping[str, Any]

_CLASHES: dict[str, tuple[Reason, str]] = {
    "path": ("several", "Several files or folders are named"),
    "part": ("several", "Two different parts of a file are asked for"),
    "text": ("several", "Two different texts are looked for"),
    "key": ("several", "Two different fields are asked for"),
    "kind": ("several", "Two different kinds of things are asked for"),
    "glob": ("filter", "Names are to fit two conditions at once"),
    "value": ("filter", "Names are to hold two texts at once"),
    "deep": ("numbers", "It is said to look below the folder and not to"),
}
VERBS = frozenset({"v:show", "v:find", "v:list"})
_OF_NAMES = frozenset(
    {
        "inside",
        "kind",
        "searching",
        "glob",
        "value",
        "prefix",
        "suffix",
        "sought names",
        "sorted",
        "hidden",
        "min",
        "max",
        "min_age",
        "max_age",
        "by name",
    }
)
_WHERE = frozenset({"path", "below", "deep", "depth"})


def slots_of(pieces: Iterable[Said]) -> Slots:
    """The slots that pieces fill together.

    Raises:
        Unfit: two pieces fill one slot with different things.
    """
    slots: dict[str, Any] = {}
    for said in pieces:
        for name, value in said:
            slots[name] = value if name not in slots else _met(name, slots[name], value)
    return slots


def _met(name: str, one: Any, other: Any) -> Any:
    """What one slot holds when two pieces fill it."""
    if one == other:
        return one
    match one, other:
        case Place(), Place() if one.path == other.path:
            return one if one.kind is not None else other
        case Text(), Text() if one.value == other.value and one.regex == other.regex:
            return one
    reason, message = _CLASHES.get(name, ("numbers", f"Two different values are given for {name}"))
    raise Unfit(reason, f"{message}: {_shown(one)} and {_shown(other)}.", understood=reason == "several")


def _shown(value: Any) -> str:
    match value:
        case Place(path):
            return repr(path)
        case Text(text):
            return repr(text)
        case tuple():
            return " ".join(str(part) for part in value if part is not None)
    return repr(value)


def plan_of(slots: Slots, references: Mapping[str, str]) -> Plan:
    """The one plan that slots make.

    Args:
        slots: what the request says.
        references: bound targets; a lone one that the request does not speak of is what it is about.

    Raises:
        Unfit: they make none.
    """
    if "filter" in slots:
        raise Unfit("filter", f"No plan does this: {slots['filter']}.", understood=True)
    if "ends" in slots and "part" not in slots:
        raise Unfit("open_number", "How many lines is left open.", "Say a number.", understood=True)
    if "open" in slots:
        raise Unfit("open_number", "How many is left open.", "Say a number.", understood=True)
    slots = _with_place(slots, references)
    try:
        return validated(_build(slots))
    except PlanError as error:
        raise Unfit("numbers", error.message, error.hint) from error
    except msgspec.ValidationError as error:
        raise Unfit("numbers", f"A number is out of range: {error}.") from error


def _with_place(slots: Slots, references: Mapping[str, str]) -> Slots:
    place = slots.get("path")
    if (place is None or place.path == ".") and len(references) == 1:
        name, kind = next(iter(references.items()))
        if place is None or kind == "folder":
            return {**slots, "path": Place(name, kind if kind in ("file", "folder", "json") else None, bound=True)}  # type: ignore[arg-type]
    if place is not None and not place.bound and references:
        raise Unfit("not_named", f"{next(iter(references))!r} is bound, and the request does not speak of it.")
    return slots


def _build(slots: Slots) -> Plan:
    if "key" in slots:
        return _field(slots)
    if "text" in slots:
        return _search(slots)
    if "part" in slots:
        return _part(slots)
    if "kind" in slots or (_OF_NAMES - {"searching", "inside"}) & slots.keys():
        return _listing(slots)
    if "lines" in slots and "count" in slots:
        _require(slots, _WHERE | {"lines", "count", "has", "content", "whole"})
        return CountLines(path=_file(slots))
    return _all(slots)


def _require(slots: Slots, allowed: frozenset[str]) -> None:
    """Raise for a slot that the plan has no place for."""
    for name in slots:
        if name not in allowed and name not in VERBS:
            said = _SAID.get(name, name)
            raise Unfit("several", f"{said} does not go together with the rest of the request.")


_SAID = {
    "count": "Counting",
    "text": "Looking for a text",
    "part": "A part of a file",
    "kind": "Listing files or folders",
    "lines": "Speaking of lines",
    "whole": "The whole file",
    "content": "Speaking of contents",
    "before": "Lines before",
    "after": "Lines after",
    "most": "A greatest number of matches",
    "ignore_case": "Ignoring case",
    "regex": "A pattern",
    "deep": "How deep to look",
    "below": "Looking below a folder",
    "depth": "How deep to look",
}


def _file(slots: Slots) -> str:
    place = slots.get("path")
    if place is None:
        raise Unfit("not_named", "No file is named.", "Name the file, or bind it with --target NAME=PATH.")
    if place.kind == "folder" or "below" in slots or "deep" in slots or "depth" in slots:
        raise Unfit("several", f"{place.path!r} is spoken of as a folder, and one file is needed.")
    return str(place.path)


def _field(slots: Slots) -> Plan:
    _require(slots, frozenset({"key", "path", "content", "contains"}))
    key: str = slots["key"]
    if "." in key.strip(".") or "/" in key or "[" in key:
        raise Unfit(
            "nested", f"{key!r} may be a field within a field, and only top-level fields are read.", understood=True
        )
    return JsonField(path=_file(slots), key=key)


def _part(slots: Slots) -> Plan:
    _require(slots, frozenset({"part", "path", "content", "lines", "has", "ends"}))
    path = _file(slots)
    match slots["part"]:
        case ("first", count):
            return FirstLines(path=path, count=count)
        case ("last", count):
            return LastLines(path=path, count=count)
        case (_, first, last):
            return LineRange(path=path, first=first, last=last)
    raise Unfit("unread", "The part of the file is not clear.")


_OF_SEARCH = _WHERE | {
    "prefix", "suffix", "of lines", "inside", "searching",
    "text", "lines", "contains", "object", "mentions", "ignore_case", "as_written", "regex", "before", "after", "most",
    "part of matches", "count", "has", "kind", "glob", "hidden", "whole", "content",
}  # fmt: skip


def _search(slots: Slots) -> Plan:
    _require(slots, _OF_SEARCH)
    text: Text = slots["text"]
    if not isinstance(text, Text):  # what is quoted before "entry" names something, and is no text in lines
        raise Unfit("unread", f"It is not clear what {text!r} is.", "Say whether it is a text, a field or a name.")
    place: Place | None = slots.get("path")
    if "kind" in slots and "of lines" not in slots:
        raise Unfit("filter", "No plan lists files by what they hold.", understood=True)
    if "sought names" in slots:
        raise Unfit("several", "Both files and a text are looked for.", understood=True)
    if slots.get("kind") in ("folders", "all"):
        raise Unfit("several", "Folders hold no lines.")
    if "contains" in slots and "lines" not in slots:
        raise Unfit("unread", "It is not said that lines are wanted.")
    if {"whole", "content"} & slots.keys() and "lines" not in slots and "object" not in slots:
        raise Unfit("several", "Both a text and all of a file are asked for.")
    if "object" in slots and "lines" not in slots and not text.regex:
        _require_search(slots, text, place)
    if "mentions" in slots and "count" in slots:
        raise Unfit(
            "ambiguous",
            "Occurrences are not lines: one line may hold several.",
            "Count the lines that hold it.",
            understood=True,
        )
    if place is None and not {"kind", "below", "deep"} & slots.keys():
        raise Unfit("not_named", "It is not said where to look.", "Name the file or folder.")
    return _made_search(slots, text, place or Place(".", "folder"))


def _require_search(slots: Slots, text: Text, place: Place | None) -> None:
    """Raise where a word may be a name that is looked for, or a description, instead of a text in lines."""
    named = place is not None and place.kind in ("file", "json")
    if text.plain and not named:
        raise Unfit("ambiguous", f"It is not clear whether {text.value!r} is a text, a name, or a description.")
    if not named and "kind" not in slots and not _is_said_text(text, slots):
        raise Unfit(
            "ambiguous",
            f"{text.value!r} may be looked for in lines or in names.",
            'Say "lines with ..." or "files named ...".',
            understood=True,
        )


def _is_said_text(text: Text, slots: Slots) -> bool:
    """Whether it is a text and no name: one is found in either, but only searched for in lines."""
    return text.said or " " in text.value or ("searching" in slots and not NAME_LIKE.search(text.value))


def _made_search(slots: Slots, text: Text, place: Place) -> Plan:
    if "as_written" in slots and "ignore_case" in slots:
        raise Unfit("numbers", "Case is to count and not to count.")
    files = {"kind", "glob", "suffix", "prefix"} & slots.keys()
    if place.kind in ("file", "json") and (files or {"below", "deep", "depth"} & slots.keys()):
        raise Unfit("several", f"{place.path!r} is a file, and is spoken of as a folder.")
    if "depth" in slots:
        raise Unfit("filter", "No search stops at a depth.", understood=True)
    common: dict[str, Any] = {
        "path": place.path,
        "value": text.value,
        "ignore_case": "ignore_case" in slots,
        "regex": text.regex or "regex" in slots,
        "recursive": slots.get("deep") == "all" or (slots.get("below", False) and slots.get("deep") != "here"),
        "glob": _names(slots)[0],
        "hidden": slots.get("hidden", True),
    }
    if "count" in slots:
        _require(slots, _OF_SEARCH - {"before", "after", "most"})
        return CountMatches(**common)
    return Search(
        **common,
        before=slots.get("before", 0),
        after=slots.get("after", 0),
        max_count=slots.get("most"),
    )


def _listing(slots: Slots) -> Plan:
    if "count" in slots:
        raise Unfit("filter", "No plan counts files.", understood=True)
    if "content" in slots and slots.get("path") is not None and slots["path"].kind in ("file", "json"):
        return _all({name: value for name, value in slots.items() if name != "kind"})
    _require(slots, _WHERE | _OF_NAMES | {"ignore_case", "as_written", "content", "whole"})
    if "content" in slots and slots.get("kind") != "all":
        raise Unfit("several", "What several files hold is asked for, and one file is needed.")
    if "kind" not in slots:
        raise Unfit("unread", "It is not said whether files or folders are meant.")
    place: Place = slots.get("path") or Place(".", "folder")
    if place.kind in ("file", "json"):
        raise Unfit("several", f"{place.path!r} is a file, and a folder is needed.")
    glob, value = _names(slots)
    common = {
        "path": place.path,
        "glob": glob,
        "value": value,
        "ignore_case": "ignore_case" in slots,
        "kind": slots["kind"],
    }
    depth, deep = slots.get("depth"), slots.get("deep")
    if deep == "here" and depth not in (None, 1):
        raise Unfit("numbers", "It is said to look below the folder and not to.")
    sized = {name: slots[slot] for slot, name in _LIMITS.items() if slot in slots}
    below = depth is not None or deep == "all" or ("below" in slots and deep != "here")
    if "hidden" in slots:
        common["hidden"] = slots["hidden"]
    if not below and not sized:
        return ListFiles(**common)
    if deep == "all" and depth is not None and depth == 1:
        raise Unfit("numbers", "It is said to look below the folder and not to.")
    return FindFiles(**common, **sized, max_depth=depth if below else 1)


def _names(slots: Slots) -> tuple[str | None, str | None]:
    """The glob and the text that names are to fit."""
    glob, value = slots.get("glob"), slots.get("value")
    start, end = slots.get("prefix", ""), slots.get("suffix", "")
    if not start and not end:
        if glob is not None and value is not None:
            raise Unfit("filter", "Names are to fit two conditions at once.")
        return glob, value
    pieces = [start, value or "", end] if value else [start, end]
    if glob is not None or any(_overlap(one, other) for one, other in itertools.combinations(filter(None, pieces), 2)):
        raise Unfit("filter", "Names are to fit two conditions at once.")
    return "*".join(map(escaped, pieces)), None


def _overlap(one: str, other: str) -> bool:
    """Whether a name can hold both texts in a way that shares letters."""
    return bool(one in other or other in one) or any(one.endswith(other[:size]) for size in range(1, len(other)))


_LIMITS = {"min": "min_bytes", "max": "max_bytes", "min_age": "min_age", "max_age": "max_age"}


def _all(slots: Slots) -> Plan:
    """A whole file, or what is in a folder, when no more than that is named."""
    _require(slots, _WHERE | {"whole", "content", "lines", "has"})
    place: Place | None = slots.get("path")
    if not VERBS & slots.keys() and not {"whole", "content"} & slots.keys():
        raise Unfit("nothing", "It is not said what is wanted.")
    if place is None:
        raise Unfit("not_named", "No file or folder is named.", "Name it, or bind it with --target NAME=PATH.")
    if "v:find" in slots:
        raise Unfit("ambiguous", f"It is not clear what is to be found: {place.path!r}, or something in it.")
    if place.kind in ("file", "json"):
        return WholeFile(path=_file(slots))
    if place.kind == "folder" and "whole" not in slots and "lines" not in slots:
        return _listing({**slots, "kind": "all"})
    if place.kind is None and (slots.keys() & {"whole", "lines"}):
        return WholeFile(path=_file(slots))
    if place.kind is None and "v:list" in slots:
        return _listing({**slots, "kind": "all"})
    raise Unfit(
        "ambiguous",
        f"It is not clear whether {place.path!r} is a file or a folder.",
        'Say "the file ..." or "the folder ...".',
    )
