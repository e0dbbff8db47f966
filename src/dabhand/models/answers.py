"""How a small model answers: one short line a plan or a condition, and strict readers for both.

Decoding costs a token's time for every token, so an answer says no more than it has to: the operation as one word, what
it is about, what it needs, and of the rest only what differs from its default.

    last file_1 20                          field file_1 "version"                     abstain
    search file_1 "time out" ignore_case    find folder_1 glob="*.py" max_age=7d       range file_1 5 last=9

    file "b.txt" upper(text("a.txt"))       copy "b.txt" "a.txt"       answer join(...)       absent "old.txt"

    3 7-9                                   none

There is one text for each meaning (`text`, then `read`, gives what was put in), and a reader takes nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgspec

from dabhand.errors import NotUnderstood

ABSTAIN = "abstain"
NONE = "none"
"""The answer that no line is meant."""

OPERATIONS = {
    "first_lines": "first",
    "last_lines": "last",
    "line_range": "range",
    "whole_file": "all",
    "search": "search",
    "list_files": "list",
    "find_files": "find",
    "json_field": "field",
    "count_lines": "count",
    "count_matches": "matches",
}
"""The word for each operation of a plan."""

SIZES = {"G": 1 << 30, "M": 1 << 20, "K": 1 << 10, "": 1}
SPANS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
UNITS: dict[str, dict[str, int]] = {"min_bytes": SIZES, "max_bytes": SIZES, "min_age": SPANS, "max_age": SPANS}
"""Fields that are said with a unit, as requests say them."""

_BEYOND = {"min_bytes": (">", 1), "max_bytes": ("<", -1)}
"""More than a size is at least a byte more."""

_STRING = r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
_PIECE = re.compile(rf"(?:(?P<name>[a-z_]+)(?P<sign>[=<>]))?(?P<value>{_STRING}|[^\s\"]+)")
_MOST = 100_000

Value = str | int | float | bool


class Answer(msgspec.Struct, frozen=True):
    """A plan as plain data: the operation's own name and the fields that were said."""

    operation: str
    fields: dict[str, Value]

    def to_json(self) -> dict[str, Value]:
        """The form that plans are read from."""
        return {"operation": self.operation, **self.fields}


class PlanForm:
    """Plans of one union of structs as short lines.

    Args:
        plans: the union; tagged structs with a field `path`.
    """

    def __init__(self, plans: Any) -> None:
        members = get_args(plans)
        self.fields = {str(one.__struct_config__.tag): msgspec.structs.fields(one) for one in members}
        self._tags = {OPERATIONS[tag]: tag for tag in self.fields}

    def text(self, plan: Any, request: str) -> str:
        """A plan as a line.

        Args:
            plan: whose path is a reference.
            request: whose numbers decide in which unit a size or an age is said.
        """
        tag = str(plan.__struct_config__.tag)
        pieces = [OPERATIONS[tag], plan.path]
        for field in self._others(tag):
            value = getattr(plan, field.name)
            if field.required:
                pieces.append(_written(value))
            elif value != field.default:
                pieces.append(field.name if value is True else _option(field.name, value, request))
        return " ".join(pieces)

    def read(self, text: str) -> Answer | None:
        """The plan that a line says, or None where it abstains.

        Raises:
            NotUnderstood: it is no such line.
        """
        if text == ABSTAIN:
            return None
        if len(text) > _MOST:
            raise NotUnderstood("The answer is too long.")
        word, _, rest = text.partition(" ")
        path, _, rest = rest.partition(" ")
        if word not in self._tags or not path:
            raise NotUnderstood(f"The answer {text!r} is no plan.")
        tag = self._tags[word]
        return Answer(tag, {"path": path, **self._read_fields(tag, _pieces(rest))})

    def _others(self, tag: str) -> tuple[msgspec.structs.FieldInfo, ...]:
        return tuple(field for field in self.fields[tag] if field.name != "path")

    def _read_fields(self, tag: str, pieces: list[tuple[str, str, str]]) -> dict[str, Value]:
        found: dict[str, Value] = {}
        others = self._others(tag)
        required = [field.name for field in others if field.required]
        for name, (named, _, value) in zip(required, pieces, strict=False):
            if named:
                raise NotUnderstood(f"The answer does not say {name}.")
            found[name] = _read(value)
        if len(found) < len(required):
            raise NotUnderstood(f"The answer does not say {required[len(found)]}.")
        places = {field.name: place for place, field in enumerate(others) if not field.required}
        last = -1
        for named, sign, value in pieces[len(required) :]:
            name = named or value
            if places.get(name, -1) <= last:
                raise NotUnderstood(f"The answer says {name!r}, which cannot stand there.")
            last = places[name]
            found[name] = _read_option(name, sign, value) if named else True
        return found


def _pieces(text: str) -> list[tuple[str, str, str]]:
    """Name, sign and value of every piece, which exactly one blank parts from the next."""
    found = []
    at = 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None or text[match.end() : match.end() + 1] not in ("", " ") or match.end() + 1 == len(text):
            raise NotUnderstood(f"The answer cannot be read from {text[at : at + 30]!r} on.")
        found.append((match["name"] or "", match["sign"] or "", match["value"]))
        at = match.end() + 1
    return found


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    return f"{value:g}" if isinstance(value, float) and value < 1e6 else str(int(value))


def quoted(text: str) -> str:
    """A text as a JSON string, in letters as they are."""
    return json.dumps(text, ensure_ascii=any("\ud800" <= letter <= "\udfff" for letter in text))


def _option(name: str, value: Value, request: str) -> str:
    if name in UNITS and not isinstance(value, str):
        return _sized(name, value, request)
    bare = isinstance(value, str) and name == "kind"
    return f"{name}={value if bare else _written(value)}"


def _sized(name: str, value: float, request: str) -> str:
    """A size or an age with the largest unit, in a number that the request says where there is one."""
    said = set(re.findall(r"\d+", request.replace(",", "")))
    signs = [("=", 0), *([_BEYOND[name]] if name in _BEYOND else [])]
    found = [
        (str(int(whole)), sign, unit)
        for sign, more in signs
        for unit, size in UNITS[name].items()
        if value - more >= 0 and (whole := (value - more) / size) == int(whole) and (whole or size == 1)
    ]
    for number, sign, unit in found:
        if number in said:
            return f"{name}{sign}{number}{unit}"
    best = min(found, default=(_written(value), "=", ""), key=lambda one: (len(one[0]), one[1] != "="))
    return f"{name}{best[1]}{best[0]}{best[2]}"


def _read(value: str) -> Value:
    if value.startswith('"'):
        text: str = json.loads(value)
        return text
    if re.fullmatch(r"0|[1-9]\d{0,17}", value):
        return int(value)
    raise NotUnderstood(f"The answer says {value!r}, which is neither a number nor a text.")


def _read_option(name: str, sign: str, value: str) -> Value:
    if name in UNITS:
        return _read_sized(name, sign, value)
    if sign == "=" and name == "hidden" and value == "false":
        return False
    if sign == "=" and name == "kind" and value in ("files", "folders", "all"):
        return value
    if sign == "=" and name not in ("hidden", "kind"):
        return _read(value)
    raise NotUnderstood(f"The answer says {name}{sign}{value}, which means nothing.")


def _read_sized(name: str, sign: str, value: str) -> Value:
    found = re.fullmatch(r"(\d{1,18})([a-zA-Z]?)", value)
    more = 0 if sign == "=" else _BEYOND[name][1] if name in _BEYOND and _BEYOND[name][0] == sign else None
    if found is None or more is None or found[2] not in UNITS[name]:
        raise NotUnderstood(f"The answer says {name}{sign}{value}, which means nothing.")
    return int(found[1]) * UNITS[name][found[2]] + more


_NAMED = {"folder", "absent", "executable", "not_executable"}
_CONDITION = re.compile(rf"([a-z_]+) (?:({_STRING})(?: (.+))?|(.+))")


def goal_text(goal: Mapping[str, Any]) -> str:
    """A goal in the contract's form (`Goal.to_json`) as lines, one for each condition."""
    return "\n".join(_condition_text(one) for one in goal["conditions"])


def _condition_text(condition: Mapping[str, Any]) -> str:
    path, word, content = condition["path"], condition["is"].replace(" ", "_"), condition["content"]
    match word:
        case "answer":
            return f"answer {content}"
        case "file":
            return f"file {quoted(path)} {content}"
        case "copy":
            return f"copy {quoted(path)} {quoted(content)}"
    return f"{word} {quoted(path)}"


def read_goal(text: str) -> dict[str, Any] | None:
    """The goal in the contract's form that lines say, or None where they abstain; what its terms say is not read here.

    Raises:
        NotUnderstood: they are no such lines.
    """
    if text == ABSTAIN:
        return None
    if len(text) > _MOST:
        raise NotUnderstood("The answer is too long.")
    return {"conditions": [_read_condition(line) for line in text.split("\n")], "others": "unchanged"}


def _read_condition(line: str) -> dict[str, Any]:
    found = _CONDITION.fullmatch(line)
    if found is not None:
        word, name, rest, term = found.groups()
        path = None if name is None else json.loads(name)
        if word == "answer" and (content := term or (name if rest is None else None)):
            return {"path": None, "is": "answer", "content": content}
        if word == "file" and path and rest:
            return {"path": path, "is": "file", "content": rest}
        if word == "copy" and path and rest and re.fullmatch(_STRING, rest):
            return {"path": path, "is": "copy", "content": json.loads(rest)}
        if word in _NAMED and path and rest is None:
            return {"path": path, "is": word.replace("_", " "), "content": None}
    raise NotUnderstood(f"The answer {line!r} is no condition.")


def lines_text(numbers: Iterable[int]) -> str:
    """Line numbers as an answer: in order, three and more in a row as a range; `none` for no line."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    pieces = [f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs]
    return " ".join(pieces) or NONE


def read_lines(text: str, most: int) -> tuple[int, ...]:
    """The line numbers that an answer says, in order.

    Args:
        text: the answer.
        most: the number of the last line that there is.

    Raises:
        NotUnderstood: it says none, or one that there is not.
    """
    if text == NONE:
        return ()
    found: list[int] = []
    for piece in text.split(" "):
        match = re.fullmatch(r"([1-9]\d{0,6})(?:-([1-9]\d{0,6}))?", piece)
        if match is None:
            raise NotUnderstood(f"The answer says {piece!r}, which is no line.")
        first, last = int(match[1]), int(match[2] or match[1])
        if last > most or last < first or (found and first <= found[-1]):
            raise NotUnderstood(f"The answer says {piece!r}; there are lines 1 to {most}, in order.")
        found += range(first, last + 1)
    return tuple(found)
