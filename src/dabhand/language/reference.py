"""The table of all primitives, derived from their declarations, for the documentation and for language models."""

from __future__ import annotations

from typing import NamedTuple

from dabhand.language.declarations import PRIMITIVES


class Row(NamedTuple):
    """One primitive as the documentation shows it."""

    family: str
    name: str
    signature: str
    cost: int
    doc: str


def rows() -> tuple[Row, ...]:
    """All primitives, by family, in order of declaration."""
    return tuple([Row(each.family, each.name, each.signature, each.cost, each.doc) for each in PRIMITIVES.values()])


def markdown() -> str:
    """The table as Markdown, one section a family."""
    made: list[str] = []
    family = ""
    for row in rows():
        if row.family != family:
            family = row.family
            made += ["", f"### {family.replace('_', ' ')}", "", "| primitive | cost | what it is |", "|---|---|---|"]
        made.append(f"| `{row.signature}` | {row.cost} | {_escaped(row.doc)} |")
    return "\n".join(made).strip() + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*")
