"""Numbers with a unit, and what a wish demands of them: "more than 1500 ms", "at least 2 MB", "status 500 or above"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

Measure = Literal["duration", "size", "percent", "number", "status"]

_UNITS: dict[str, tuple[Measure, float]] = {
    **dict.fromkeys(("ns", "nanosecond", "nanoseconds"), ("duration", 1e-9)),
    **dict.fromkeys(("µs", "us", "microsecond", "microseconds"), ("duration", 1e-6)),
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisecond", "milliseconds"), ("duration", 1e-3)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("duration", 1.0)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), ("duration", 60.0)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), ("duration", 3600.0)),
    **dict.fromkeys(("b", "byte", "bytes"), ("size", 1.0)),
    **dict.fromkeys(("kb", "kib", "k", "kilobyte", "kilobytes"), ("size", 1024.0)),
    **dict.fromkeys(("mb", "mib", "megabyte", "megabytes"), ("size", 1024.0**2)),
    **dict.fromkeys(("gb", "gib", "gigabyte", "gigabytes"), ("size", 1024.0**3)),
    **dict.fromkeys(("%", "percent"), ("percent", 1.0)),
}  # fmt: skip
_WORDS: dict[str, float] = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
}
_WORDS |= {"nine": 9, "ten": 10, "twelve": 12, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100, "half": 0.5}
_NUMBER = r"(?P<value>\d[\d,]*(?:\.\d+)?|\b(?:" + "|".join(_WORDS) + r")\b(?: a(?=\s))?)"
_UNIT = r"(?P<unit>" + "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True)) + r")?(?![\w])"
_MORE = (
    r"more than|longer than|larger than|bigger than|greater than|higher than|slower than|over"
    r"|above|exceed(?:s|ed|ing)?|beyond|>"
)
_LESS = r"less than|shorter than|smaller than|fewer than|lower than|faster than|under|below|<"
_LEAST = r"at least|no less than|>=|≥|minimum of"
_MOST = r"at most|no more than|up to|<=|≤|maximum of"
_AFTER_LEAST = (
    r"or (?:more|longer|over|larger|bigger|greater|higher|above|slower|up|worse)|and (?:above|up"
    r"|more|over)"
)
_AFTER_MOST = r"or (?:less|fewer|shorter|smaller|lower|below|faster)|and below"
_BEFORE = re.compile(
    rf"\b(?:(?P<more>{_MORE})|(?P<least>{_LEAST})|(?P<most>{_MOST})"
    rf"|(?P<less>{_LESS}))\s*(?:(?:the|a) (?:\w+ ){{0,2}})?{_NUMBER}\s*{_UNIT}".replace(
        r"\b(?:(?P<more>", r"(?<!\w)(?:(?P<more>"
    ),
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"{_NUMBER}\s*{_UNIT}\s+(?:(?P<least>{_AFTER_LEAST})|(?P<most>{_AFTER_MOST}))\b", re.IGNORECASE)
_BETWEEN = re.compile(rf"\bbetween\s+{_NUMBER}\s*(?:and|to|-)\s*(?P<upper>\d[\d,]*(?:\.\d+)?)\s*{_UNIT}", re.IGNORECASE)
_CLASS = re.compile(r"\b(?P<digit>[1-5])xx\b", re.IGNORECASE)


class Demand(msgspec.Struct, frozen=True):
    """What a number in the line must be.

    Attributes:
        measure: of what; "number" without a unit.
        low: the least, in base units (seconds, bytes).
        high: the most.
        open_low: the least itself is too little.
        open_high: the most itself is too much.
        what: the word behind a number without a unit, which may stand behind it in lines too.
    """

    measure: Measure
    low: float = float("-inf")
    high: float = float("inf")
    open_low: bool = False
    open_high: bool = False
    what: str = ""

    def holds(self, value: float) -> bool:
        """Whether a value is as demanded."""
        above = value > self.low if self.open_low else value >= self.low
        return above and (value < self.high if self.open_high else value <= self.high)


def demands(text: str) -> tuple[list[Demand], str]:
    """The demands that a wish makes of numbers, and the wish without them."""
    found: list[Demand] = []

    def take(match: re.Match[str]) -> str:
        groups = match.groupdict()
        about_status = re.search(r"(?:status|code|http)\W*$", match.string[: match.start()], re.IGNORECASE)
        word = re.match(r"\s*([A-Z]{2,4}|[a-z]{3,12})\b", match.string[match.end() :])
        measure, factor = _UNITS.get((groups["unit"] or "").lower(), ("number", 1.0))
        if measure == "number" and about_status:
            measure = "status"
        what = word[1] if word and measure == "number" else ""
        value = _value(groups["value"]) * factor
        if groups.get("upper"):
            found.append(Demand(measure, value, _value(groups["upper"]) * factor, what=what))
        elif groups.get("more") or groups.get("least"):
            found.append(Demand(measure, low=value, open_low=bool(groups.get("more")), what=what))
        else:
            found.append(Demand(measure, high=value, open_high=bool(groups.get("less")), what=what))
        return " "

    def take_class(match: re.Match[str]) -> str:
        low = int(match["digit"]) * 100
        found.append(Demand("status", low, low + 99))
        return " "

    for pattern in (_BETWEEN, _BEFORE, _BEHIND):
        text = pattern.sub(take, text)
    return found, _CLASS.sub(take_class, text)


def _value(text: str) -> float:
    word = text.lower().removesuffix(" a").strip()
    return float(_WORDS[word]) if word in _WORDS else float(word.replace(",", ""))


_MEASURED = re.compile(
    # The look behind comes after the first digit, so that the engine can leap from digit to digit.
    r"(?P<value>\d(?<![\w.]\d)[\d,]*(?:\.\d+)?)\s?(?P<unit>"
    + "|".join(
        sorted((re.escape(unit) for unit in _UNITS if len(unit) < 4 or unit.endswith("s")), key=len, reverse=True)
    )
    + r")(?![\w/])",
    re.IGNORECASE,
)
_MIXED = re.compile(r"(?<![\w.])(?:(?P<h>\d+)h\s?)?(?P<m>\d+)m\s?(?P<s>\d+(?:\.\d+)?)s(?!\w)")
_STAMP = re.compile(r"^\W*(?:\d[\d.:/TZ,+-]*s?\]?\s+)+|^\[\s*[\d.]+s?\]")  # when it was said is no quantity
_NAMED_UNIT = re.compile(
    r"(?:_|(?-i:(?<=[a-z])(?=[A-Z])))(?P<unit>ms|millis|msec|us|ns|s|sec|secs|seconds|bytes|kb|mb|percent)[\"']?"
    r"\s*[:=]\s*(?P<value>-?\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_STATUS = re.compile(r"(?:HTTP/[\d.]+\"?\s|\"\s|(?:status|code)\D{0,5})([1-5]\d\d)(?![\w.])", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w.:/-])-?\d+(?:\.\d+)?(?![\w.:/-]|\.\d)")


def measured(line: str, measure: Measure) -> list[float]:
    """All quantities of a measure in a line, in base units."""
    line = _STAMP.sub("", line)
    if measure == "status":
        return [
            float(value) for value in _STATUS.findall(line) or re.findall(r"(?<![\w.:/-])[1-5]\d\d(?![\w.:/-])", line)
        ]
    if measure == "number":
        return [float(match.group()) for match in _BARE.finditer(line)]
    found = []
    mixed = False
    for match in _MEASURED.finditer(line):
        unit = match["unit"]
        kind, factor = _UNITS[unit.lower()]
        if kind == measure and not (unit == "M" and measure == "duration"):
            found.append(float(match["value"].replace(",", "")) * factor)
            mixed = mixed or unit in ("m", "h")
    if measure == "duration" and (mixed or not found):
        whole = [
            int(match["h"] or 0) * 3600 + int(match["m"]) * 60 + float(match["s"]) for match in _MIXED.finditer(line)
        ]
        return whole or found
    return found


def counted(line: str, what: str) -> list[float]:
    """The numbers that stand before a word: `88.53 EUR`."""
    return [float(found) for found in re.findall(rf"(-?\d+(?:\.\d+)?)\s*{re.escape(what)}\b", line)] if what else []


def unit_in_name(line: str, measure: Measure) -> list[float]:
    """The values of fields whose name ends with a unit: `dur_ms=5200`."""
    if "=" not in line and ":" not in line:
        return []
    return [
        float(match["value"]) * _UNITS[match["unit"].lower()][1]
        for match in _NAMED_UNIT.finditer(line)
        if _UNITS[match["unit"].lower()][0] == measure
    ]


def bare_decimals(line: str) -> list[float]:
    """Numbers with a decimal point and without a unit; as durations they are seconds by custom."""
    return [float(found) for found in re.findall(r"(?<![\w.:/-])\d+\.\d+(?![\w.:/-])", line)]


def field_values(line: str, names: Sequence[str], measure: Measure) -> list[float]:
    """The values of the fields of some names in a line; a duration without a unit is taken for milliseconds."""
    found = []
    for value, unit in _field(tuple(names)).findall(line) if names and ("=" in line or ":" in line) else ():
        kind, factor = _UNITS.get(unit.lower(), (measure, 1e-3 if measure == "duration" else 1.0))
        if kind == measure:
            found.append(float(value) * factor)
    return found


@lru_cache(maxsize=100)
def _field(names: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(map(re.escape, names))
    units = "|".join(map(re.escape, _UNITS))
    return re.compile(rf"(?<![a-z])(?:{either})\w*[\"']?\s*[=:]\s*(-?\d+(?:\.\d+)?)\s*({units})?(?!\w)", re.IGNORECASE)
