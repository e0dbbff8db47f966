"""From a template and what fills it to the line for bash, by quoting of its own."""

from __future__ import annotations

import re
import shlex


def render(template: str, slots: dict[str, str | int]) -> str:
    """Fill the slots so that no filling can become syntax.

    A path with a leading dash at the start of an argument is written `./-x`; inside single or double quotes of the
    template a value is escaped for that kind of quotes.
    """
    line: list[str] = []
    quote = ""
    for piece in re.findall(r"\{[A-DTUN]\}|.", template, re.DOTALL):
        if len(piece) == 3 and piece[0] == "{":
            line.append(_value(piece[1], slots[piece[1]], quote, starts=not line or line[-1][-1:] in " <>"))
            continue
        if piece == quote:
            quote = ""
        elif not quote and piece in "'\"":
            quote = piece
        line.append(piece)
    return "".join(line)


def _value(slot: str, value: str | int, quote: str, starts: bool) -> str:
    text = str(value)
    if slot in "ABCD" and starts and text.startswith("-"):
        text = "./" + text
    match quote:
        case "'":
            return text.replace("'", "'\\''")
        case '"':
            return re.sub(r'([\\$`"])', r"\\\1", text)
        case _:
            return shlex.quote(text)


def substitution_is_safe(search: str, replacement: str) -> bool:
    """Whether sed's `s/search/replacement/g` has no flag that could run a command or write a file (`e`, `w`, `W`)."""
    parts = 0
    rest: list[str] = []
    pairs = re.findall(r"\\.|.|\\", f"{search}/{replacement}/g", re.DOTALL)
    for piece in pairs:
        if parts == 2:
            rest.append(piece)
        elif piece == "/":
            parts += 1
    return not set("".join(rest)) & set("ewWrR;}\n")
