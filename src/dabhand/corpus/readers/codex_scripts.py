"""Commands inside the scripts of Codex' code mode, for versions that do not record them beside: plain ones only."""

from __future__ import annotations

import re

import msgspec

CALLS = re.compile(r"\btools\s*\.\s*(?:exec_command|shell_command)\s*\(")
LITERAL = re.compile(
    r"""\(\s*\{\s*["']?(?:cmd|command)["']?\s*:\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)\s*[,}]""",
    re.DOTALL,
)
BRANCHES = re.compile(r"\b(?:if|for|while|switch|function|map|forEach|catch)\b|=>|\?\s*tools")
ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


def commands_of(script: str) -> list[str] | None:
    """The commands that a script runs for certain, in order; None where they are built, repeated or chosen."""
    places = list(CALLS.finditer(script))
    if not places:
        return []
    if BRANCHES.search(_outside_of_texts(script)):
        return None
    found = [LITERAL.match(script, place.end() - 1) for place in places]
    return [_unescaped(each[1][1:-1]) for each in found if each] if all(found) else None


def _outside_of_texts(script: str) -> str:
    return re.sub(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)""", '""', script, flags=re.DOTALL)


def _unescaped(literal: str) -> str:
    return ESCAPE.sub(_letter, literal)


def _letter(found: re.Match[str]) -> str:
    said = found[1]
    if said[0] in "ux" and len(said) > 1:
        number = int(said[1:].strip("{}"), 16)
        return chr(number) if number < 0xD800 or 0xDFFF < number < 0x110000 else "\N{REPLACEMENT CHARACTER}"
    return PLAIN.get(said, said)


def script_ended(blocks: str) -> bool:
    """Whether the host says that the script came to its end."""
    return blocks.startswith("Script completed\n")


def arguments(said: str) -> object:
    """Arguments that may be JSON text; None where they are not."""
    try:
        return msgspec.json.decode(said)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
