"""What a text is like: the ways in which text files are awkward, each as a fact about its bytes."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import msgspec


class TextFacts(msgspec.Struct, frozen=True):
    """What a text is like; the ways in which text files are awkward."""

    empty: bool
    unfinished: bool
    carriage: bool
    binary: bool
    foreign: bool
    nul: bool
    blank: bool
    tab: bool
    lead: bool
    double: bool
    trail: bool
    repeated: bool
    apart: bool
    capital: bool
    digit: bool
    single: bool
    stub: bool


@lru_cache(maxsize=65536)
def text_facts(data: bytes) -> TextFacts:
    """Facts about the bytes of a file."""
    try:
        foreign, binary = not data.decode("utf-8").isascii(), False
    except UnicodeDecodeError:
        foreign, binary = True, True
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    repeated = any(first == second for first, second in pairwise(lines))
    return TextFacts(
        empty=not data,
        unfinished=not data.endswith(b"\n") and data != b"",
        carriage=b"\r" in data,
        binary=binary,
        foreign=foreign,
        nul=b"\0" in data,
        blank=b"" in lines,
        tab=b"\t" in data,
        lead=any(line[:1].isspace() for line in lines),
        double=b"  " in data,
        trail=any(line[-1:] in (b" ", b"\t") for line in lines),
        repeated=repeated,
        apart=len(set(lines)) < len(lines) - sum(first == second for first, second in pairwise(lines)),
        capital=data != data.lower(),
        digit=any(48 <= byte <= 57 for byte in data),
        single=len(lines) == 1,
        stub=len(lines) == 1 and not data.endswith(b"\n"),
    )
