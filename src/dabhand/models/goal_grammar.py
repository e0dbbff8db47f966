"""What a model may write as a goal: conditions whose terms are drawn from the language's primitives.

A name is made of names and words of the request, a number is one that it says, a text is words of it in a row, or marks
alone (a pattern for empty lines, a separator).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from dabhand.language import Kind
from dabhand.language.declarations import PRIMITIVES
from dabhand.language.kinds import FUNCTIONS
from dabhand.models.answers import ABSTAIN
from dabhand.models.grammars import MOST_PIECES, Said, literal

_TEXTS = (Kind.WORD, Kind.TEXT)


def goal_grammar(names: Iterable[str], said: Said) -> str:
    """What may be answered to a request for a goal.

    Args:
        names: that the request says.
        said: what else it says.
    """
    pieces = said.pieces[:MOST_PIECES]
    parts = [part for name in (*names, *(text for text, _ in pieces)) for part in name.split("/") if part]
    rules = {
        "root": f'{literal(ABSTAIN)} | condition ("\\n" condition){{0,11}}',
        "condition": (
            f'{literal("file ")} name " " text | {literal("copy ")} name " " name | '
            f'("absent " | "folder " | "executable " | "not_executable ") name | {literal("answer ")} (text | written)'
        ),
        "written": f"string {literal(' : text')}",
        "name": _path(parts, ascii_only=False),
        **_spans(pieces),
        "string": _string(bool(pieces)),
        "integer": " | ".join(literal(str(number)) for number in dict.fromkeys((*said.numbers, 1))),
    }
    for kind in Kind:
        calls = [_call(one.name, one.takes) for one in PRIMITIVES.values() if one.gives is kind]
        calls = [call for call in calls if call]
        constants = _constants(kind)
        if calls or constants:
            rules[_rule(kind)] = " | ".join([*constants, *calls])
    rules["constpath"] = _path(parts, ascii_only=True)
    return "\n".join(f"{name} ::= {body}" for name, body in rules.items())


def _rule(kind: Kind) -> str:
    return kind.value.replace("_", "-")


def _call(name: str, takes: Iterable[Kind]) -> str:
    """A call; nothing where it takes a function, which no goal needs."""
    kinds = list(takes)
    if any(kind in FUNCTIONS for kind in kinds):
        return ""
    return f"{literal(f'{name}(')} " + ' ", " '.join(map(_rule, kinds)) + ' ")"'


def _constants(kind: Kind) -> list[str]:
    if kind is Kind.PATH:
        return ["constpath"]
    if kind in _TEXTS:
        return ["string"]
    if kind is Kind.NUMBER:
        return ["integer"]
    return ['"true" | "false"'] if kind is Kind.BOOL else []


def _escaped(text: str, *, ascii_only: bool) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)[1:-1]


def _path(parts: Iterable[str], *, ascii_only: bool) -> str:
    known = " | ".join(dict.fromkeys(literal(_escaped(part, ascii_only=ascii_only)) for part in parts)) or '"."'
    quote = literal('"')
    return f'{quote} ({known} | ".") ("/" ({known})){{0,6}} "/"? {quote}'


def _spans(pieces: Iterable[tuple[str, str | None]]) -> dict[str, str]:
    """Any words of the request in a row, by one rule a word."""
    listed = list(pieces)
    rules = {}
    for place, (text, gap) in enumerate(listed):
        more = gap is not None and place + 1 < len(listed)
        rest = f" ({literal(_escaped(gap or '', ascii_only=True))} w{place + 1})?" if more else ""
        rules[f"w{place}"] = f"{literal(_escaped(text, ascii_only=True))}{rest}"
    if rules:
        rules["span"] = " | ".join(rules)
    return rules


def _string(has_words: bool) -> str:
    quote = literal('"')
    mark = '([^A-Za-z0-9"\\\\\\x00-\\x1f\\x7f-\\U0010FFFF] | "\\\\n" | "\\\\t" | "\\\\\\\\" | "\\\\\\"")'
    words = f"{mark}{{0,3}} span {mark}{{0,3}} | " if has_words else ""
    return f"{quote} ({words}{mark}{{0,6}}) {quote}"
