"""Importing this declares all primitives; the order of import is the order of declaration, which decides between equals."""

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
)
