"""The term language: small typed expressions over the files of a folder, and everything derived from their primitives.

A term is a hypothesis, a goal's condition, an answer or a program; there is one definition of each primitive.
"""

from __future__ import annotations

from dabhand.language import families as families
from dabhand.language.declarations import BLOCKS, PRIMITIVES, FolderView, Primitive, primitive, primitive_named
from dabhand.language.enumeration import Enumeration, enumerate_terms
from dabhand.language.evaluation import FAILED, Env, evaluate
from dabhand.language.function import Function, parameters
from dabhand.language.kinds import (
    BOOL,
    FUNCTIONS,
    JSON,
    LINES,
    NUMBER,
    NUMBERS,
    PATH,
    PATTERN,
    TABLE,
    TEXT,
    WORD,
    EvalError,
    Kind,
    Value,
    conforms,
)
from dabhand.language.pool import Pool
from dabhand.language.syntax import parse
from dabhand.language.terms import (
    Call,
    Const,
    Term,
    Var,
    cost,
    show,
    show_value,
    size,
    substitute,
    subterms,
    variables,
)

__all__ = [
    "BLOCKS",
    "BOOL",
    "FAILED",
    "FUNCTIONS",
    "JSON",
    "LINES",
    "NUMBER",
    "NUMBERS",
    "PATH",
    "PATTERN",
    "PRIMITIVES",
    "TABLE",
    "TEXT",
    "WORD",
    "Call",
    "Const",
    "Enumeration",
    "Env",
    "EvalError",
    "FolderView",
    "Function",
    "Kind",
    "Pool",
    "Primitive",
    "Term",
    "Value",
    "Var",
    "conforms",
    "cost",
    "enumerate_terms",
    "evaluate",
    "parameters",
    "parse",
    "primitive",
    "primitive_named",
    "show",
    "show_value",
    "size",
    "substitute",
    "subterms",
    "variables",
]
