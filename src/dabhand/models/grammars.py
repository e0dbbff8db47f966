"""What a model may write: grammars (GBNF, as llama.cpp reads it) drawn from the structs of plans and from one request.

A path can be nothing but a reference that stands for something of the right kind; a number nothing but one that the
request says; a text nothing but words of the request in a row. So whatever a model takes a request for, it cannot name
anything that nobody named.

Source: llama.cpp, grammars/README.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from dabhand.models.answers import ABSTAIN, NONE, OPERATIONS, UNITS, PlanForm

_FILES = frozenset({"first_lines", "last_lines", "line_range", "whole_file", "json_field", "count_lines"})
_FOLDERS = frozenset({"list_files", "find_files"})
MOST_PIECES = 80
"""Words of a request that texts are drawn from, at most."""


class Said(msgspec.Struct, frozen=True):
    """What a request says, of which answers are made.

    Attributes:
        pieces: its words and quoted texts in order, each with what stands between it and the next; None where the two
            cannot be one text.
        numbers: those that it says, in digits or words.
        globs: patterns for names that it says, such as "*.py" for "Python files".
    """

    pieces: tuple[tuple[str, str | None], ...] = ()
    numbers: tuple[int, ...] = ()
    globs: tuple[str, ...] = ()


def literal(text: str) -> str:
    """A text as a literal of a grammar."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r") + '"'


def _one_of(texts: Iterable[str]) -> str:
    return "(" + " | ".join(map(literal, dict.fromkeys(texts))) + ")"


def _inside(text: str) -> str:
    """A text as it stands inside a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def plan_grammar(form: PlanForm, references: Mapping[str, str], said: Said) -> str:
    """What may be answered to a request for a plan.

    Args:
        form: the plans that there are.
        references: what each reference is: "file", "folder" or "json".
        said: what the request says.
    """
    rules = {"number": _one_of(map(str, dict.fromkeys((*said.numbers, 1))))}
    rules |= _texts(said)
    operations = []
    for tag in form.fields:
        known = [name for name, kind in references.items() if _fits(tag, kind)]
        parts = None if not known else _fields(form, tag, said)
        if parts is not None:
            rules[tag.replace("_", "-")] = " ".join([literal(f"{OPERATIONS[tag]} "), _one_of(known), *parts])
            operations.append(tag.replace("_", "-"))
    return _printed({"root": " | ".join([literal(ABSTAIN), *operations]), **rules})


def _fits(tag: str, kind: str) -> bool:
    if tag in _FOLDERS:
        return kind == "folder"
    return kind != "folder" if tag in _FILES else True


def _fields(form: PlanForm, tag: str, said: Said) -> list[str] | None:
    """What may follow the path; None where the request has nothing for a field that is needed."""
    parts = []
    for field in form.fields[tag]:
        if field.name == "path":
            continue
        kind = _kind(field)
        if field.required and kind == "text" and not said.pieces:
            return None
        made = {"flag": "", "number": "number", "text": "text", "glob": "glob"}.get(kind)
        if field.required:
            parts.append(f'" " {made}')
        elif kind == "flag":
            parts.append(f"({literal(f' {field.name}' + ('=false' if field.default else ''))})?")
        elif kind == "size":
            parts.append(_sized(field.name, said))
        elif kind == "choice":
            choices = [one for one in _choices(field) if one != field.default]
            parts.append(f"({literal(f' {field.name}=')} {_one_of(choices)})?")
        elif kind == "number" or said.pieces or (kind == "glob" and said.globs):
            parts.append(f"({literal(f' {field.name}=')} {made})?")
    return parts


def _kind(field: msgspec.structs.FieldInfo) -> Literal["flag", "size", "choice", "number", "glob", "text"]:
    if isinstance(field.default, bool):
        return "flag"
    if field.name in UNITS:
        return "size"
    if _choices(field):
        return "choice"
    if field.name == "glob":
        return "glob"
    schema = json.dumps(msgspec.json.schema(field.type))
    return "text" if '"string"' in schema else "number"


def _choices(field: msgspec.structs.FieldInfo) -> list[str]:
    found: list[str] = msgspec.json.schema(field.type).get("enum", [])
    return found


def _sized(name: str, said: Said) -> str:
    signs = {"min_bytes": ("=", ">"), "max_bytes": ("=", "<")}.get(name, ("=",))
    units = [unit for unit in UNITS[name] if unit]
    zero = ["0"] if name == "max_bytes" else []
    numbers = _one_of([*map(str, dict.fromkeys((*said.numbers, 1))), *zero])
    unit = _one_of(units) + ("?" if "" in UNITS[name] else "")
    return f"({literal(f' {name}')} {_one_of(signs)} {numbers} {unit})?"


def _texts(said: Said) -> dict[str, str]:
    """Rules for texts: any words of the request in a row, by one rule a word."""
    pieces = said.pieces[:MOST_PIECES]
    rules: dict[str, str] = {}
    for place, (text, gap) in enumerate(pieces):
        more = gap is not None and place + 1 < len(pieces)
        rest = f" ({literal(_inside(gap or ''))} w{place + 1})?" if more else ""
        rules[f"w{place}"] = f"{literal(_inside(text))}{rest}"
    begins = " | ".join(rules)
    quote = literal('"')
    globs = [_one_of([json.dumps(glob, ensure_ascii=False) for glob in said.globs])] if said.globs else []
    if rules:
        rules["text"] = f"{quote} ({begins}) {quote}"
        globs.append(f'{quote} "*"? "."? ({begins}) "*"? {quote}')
    if globs:
        rules["glob"] = " | ".join(globs)
    return rules


def lines_grammar(most: int) -> str:
    """What may be answered to a request for lines: `none`, or numbers and ranges of lines that there are.

    That they are in order is not said by the grammar; a reader makes sure of it.
    """
    numbers = " | ".join(_up_to(most))
    return _printed({"root": f'{literal(NONE)} | part (" " part){{0,{most - 1}}}', "part": 'n ("-" n)?', "n": numbers})


def _up_to(most: int) -> list[str]:
    """The numbers from 1 to `most` as alternatives, digit by digit."""
    if most < 10:
        return [f"[1-{most}]"]
    tens, ones = divmod(most, 10)
    if most >= 100:
        return [literal(str(number)) for number in range(1, most + 1)]
    found = ["[1-9]", f"[1-{tens - 1}] [0-9]"] if tens > 1 else ["[1-9]"]
    return [*found, f'"{tens}" [0-{ones}]']


def _printed(rules: Mapping[str, str]) -> str:
    return "\n".join(f"{name} ::= {body}" for name, body in rules.items())
