"""Numbers, ranges of numbers, sizes and times."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dabhand.goals.rules import Reader
from dabhand.handoff.words.terminals import terminal

_RANGE = re.compile(r"(?:L|l)?(\d{1,15})(?:-|–|—|\.\.|:)(?:L|l)?(\d{1,15})\Z")
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)([A-Za-z]*)\Z")
_BYTES = {"b": 1, "byte": 1, "bytes": 1}
for _at, _unit in enumerate(("k", "m", "g", "t"), 1):
    _whole = {"k": "kilobyte", "m": "megabyte", "g": "gigabyte", "t": "terabyte"}[_unit]
    _names = (_unit, f"{_unit}b", f"{_unit}ib", _whole, f"{_whole}s", f"{_whole[:4]}bytes", f"{_whole[:2]}bibytes")
    _BYTES |= dict.fromkeys(_names, 1024**_at)
_SECONDS = {"second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "day": 86400, "week": 604800}
_SECONDS |= {f"{unit}s": seconds for unit, seconds in _SECONDS.items()}


@terminal("NUMBER")
def _number(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    token = reader.token(at)
    if token is None or token.number is None:
        return
    value, after = token.number, reader.token(at + 1)
    yield value, at + 1
    more = after.number if after is not None and not after.text.isdigit() else None
    if more is None or token.text.isdigit() or after is None:
        return
    if value in range(20, 100, 10) and more in range(1, 10):
        yield value + more, at + 2
    elif after.lower in ("hundred", "thousand", "dozen"):
        yield value * more, at + 2


@terminal("ORDINAL")
def _ordinal(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    token = reader.token(at)
    if token is not None and token.ordinal is not None and token.lower != "first":
        yield token.ordinal, at + 1


@terminal("RANGE")
def _range(reader: Reader, at: int) -> Iterator[tuple[tuple[int, int], int]]:
    token = reader.token(at)
    if token is not None and token.kind in ("word", "path") and (found := _RANGE.match(token.text)):
        yield (int(found[1]), int(found[2])), at + 1


@terminal("SIZE")
def _size(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    """A size in bytes; K, M and G are powers of 1024, as the tools for files have it."""
    token, after = reader.token(at), reader.token(at + 1)
    if token is None or token.kind not in ("word", "path"):
        return
    unit = after.text.lower() if after is not None and after.kind == "word" else ""
    if (found := _SIZE.match(token.text.replace(",", ""))) is None:
        if token.number is not None and unit in _BYTES:
            yield token.number * _BYTES[unit], at + 2
    elif found[2]:
        if found[2].lower() in _BYTES:
            yield int(float(found[1]) * _BYTES[found[2].lower()]), at + 1
    elif unit in _BYTES:
        yield int(float(found[1]) * _BYTES[unit]), at + 2


@terminal("DURATION")
def _duration(reader: Reader, at: int) -> Iterator[tuple[int, int]]:
    """A time in seconds; months and years have no fixed length."""
    token, after = reader.token(at), reader.token(at + 1)
    if token is None:
        return
    if token.lower in _SECONDS:
        yield _SECONDS[token.lower], at + 1
    elif after is not None and after.lower in _SECONDS:
        count = 1 if token.lower in ("a", "an") else token.number
        if count is not None:
            yield count * _SECONDS[after.lower], at + 2
    elif (found := re.match(r"(\d{1,6})(s|m|min|h|hr|hrs|d|w)\Z", token.text)) is not None:
        yield (
            int(found[1]) * {"s": 1, "m": 60, "d": 86400, "w": 604800}.get(found[2], 60 if found[2] == "min" else 3600),
            (at + 1),
        )
