"""Importing this declares all primitives, in the order that decides between equally cheap terms."""

from __future__ import annotations

# ruff: noqa: F401, I001
from dabhand.language import (
    paths,
    text,
    lines,
    patterns,
    each_line,
    letters,
    numbers,
    tables,
    json_values,
    predicates,
    words,
    arithmetic,
    elements,
    choices,
    line_blocks,
    word_blocks,
)
