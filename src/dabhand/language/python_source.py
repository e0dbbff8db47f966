"""Terms printed as Python: a readable expression, and the definitions that it needs to run without this package.

Each primitive has a short form ("tuple(sorted({0}))"), or is a call of its meaning function. The definitions are taken
from the source of this package: the function, and from there whatever module-level name it uses.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from functools import lru_cache
from typing import NamedTuple

from dabhand.language.function import Function, parameters
from dabhand.language.kinds import EvalError
from dabhand.language.terms import Call, Const, Term, Var, variables

_PACKAGE = "dabhand.language"


class Source(NamedTuple):
    """Python source: an expression over variables named as the slots, and what must be written before it.

    A term that reads the folder also uses a variable `folder` (a FolderView).
    """

    expression: str
    imports: tuple[str, ...]
    definitions: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole, as statements that end by assigning the value to `result`."""
        head = ("from __future__ import annotations", *self.imports)
        return "\n\n".join(("\n".join(head), *self.definitions, f"result = {self.expression}")) + "\n"


def to_python(term: Term) -> Source:
    """The term as Python source."""
    collector = _Collector({each.name for each in variables(term)} | {"folder", "result", "it", "other"})
    expression = _expression(term, collector)
    return Source(expression, tuple(sorted(collector.imports)), tuple(collector.definitions.values()))


def _expression(term: Term, collector: _Collector) -> str:
    match term:
        case Var():
            return term.name
        case Const():
            return collector.constant(term.value)
        case Call():
            args = [_expression(arg, collector) for arg in term.args]
            if term.primitive.python is not None:
                return term.primitive.python.format(*args)
            meaning = term.primitive.meaning
            name = collector.name(meaning.__module__, meaning.__name__)
            return f"{name}({', '.join((['folder'] if term.primitive.reads_folder else []) + args)})"


class _Collector:
    """Gathers definitions, each under a name of its own."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.imports: set[str] = set()
        self.definitions: dict[tuple[str, str], str] = {}
        self.names: dict[tuple[str, str], str] = {(EvalError.__module__, "EvalError"): "ValueError"}

    def constant(self, value: object) -> str:
        """A value as a Python literal."""
        if isinstance(value, Function):
            names = ", ".join([each.name for each in parameters(value.kind)])
            return f"(lambda {names}: {_expression(value.body, self)})"
        if isinstance(value, tuple):
            inner = ", ".join(map(self.constant, value))
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        if type(value).__name__ == "Decimal":
            self.imports.add("from decimal import Decimal")
        return repr(value)

    def name(self, module: str, name: str) -> str:
        """What a module-level name of this package is called in the source; its definition is gathered first."""
        key = (module, name)
        if key not in self.names:
            statement = _statements(module)[name]
            if isinstance(statement, ast.ImportFrom):
                return self.imported(statement, name)
            if isinstance(statement, ast.Import):
                self.imports.add(ast.unparse(statement))
                return name
            own = name
            while own in self.taken:
                own = f"{module.rpartition('.')[2]}_{own}"
            self.taken.add(own)
            self.names[key] = own
            self.definitions[key] = self.definition(module, statement, name)
        return self.names[key]

    def imported(self, statement: ast.ImportFrom, name: str) -> str:
        source = statement.module or ""
        original = next(each.name for each in statement.names if (each.asname or each.name) == name)
        if source.startswith(_PACKAGE) or source == "dabhand.errors":
            return self.name(source, original)
        self.imports.add(f"from {source} import {original}" + (f" as {name}" if original != name else ""))
        return name

    def definition(self, module: str, statement: ast.stmt, name: str) -> str:
        """The source of a statement, its names replaced by those in use here."""
        made: ast.stmt = ast.parse(ast.unparse(statement)).body[0]
        if isinstance(made, ast.FunctionDef | ast.ClassDef):
            made.name = self.names[module, name]
            made.decorator_list = [each for each in made.decorator_list if not _is_declaration(each)]
        made = _Renamer(self, module).visit(made)
        # What it needs was gathered while renaming; it comes after that.
        return ast.unparse(made)


def _is_declaration(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id in ("primitive", "block")


class _Renamer(ast.NodeTransformer):
    """Replaces the module-level names that a definition uses; local names and annotations are left alone."""

    def __init__(self, collector: _Collector, module: str) -> None:
        self.collector = collector
        self.module = module
        self.local: list[set[str]] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function: its own names hide those of the module."""
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        self.local.append(_bound(node))
        node.body = [self.visit(each) for each in node.body]
        self.local.pop()
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """A lambda: its arguments hide names of the module."""
        self.local.append({each.arg for each in node.args.args})
        node.body = self.visit(node.body)
        self.local.pop()
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """An annotated assignment: all but the annotation."""
        node.target = self.visit(node.target)
        node.value = self.visit(node.value) if node.value is not None else None
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """`module.name` of this package becomes a plain name."""
        if isinstance(node.value, ast.Name) and not self.is_local(node.value.id):
            module = _module_named(self.module, node.value.id)
            if module is not None:
                return ast.Name(self.collector.name(module, node.attr), ast.Load())
        node.value = self.visit(node.value)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name of the module becomes the one in use."""
        if not self.is_local(node.id) and node.id in _statements(self.module):
            node.id = self.collector.name(self.module, node.id)
        return node

    def is_local(self, name: str) -> bool:
        return any(name in names for names in self.local)


def _bound(function: ast.FunctionDef) -> set[str]:
    """The names that a function binds anywhere inside."""
    names = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef) and node is not function:
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update(each.asname or each.name for each in node.names if not _is_own(node))
        elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            names.add(node.name)
    return names


def _is_own(node: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_PACKAGE)


@lru_cache(maxsize=64)
def _statements(module: str) -> dict[str, ast.stmt]:
    """The top-level statement that binds each name of a module."""
    importlib.import_module(module)
    found: dict[str, ast.stmt] = {}
    for statement in ast.parse(inspect.getsource(sys.modules[module])).body:
        match statement:
            case ast.FunctionDef() | ast.ClassDef():
                found[statement.name] = statement
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = statement
            case ast.Assign(targets=[ast.Tuple(elts=parts)]):
                found.update({part.id: statement for part in parts if isinstance(part, ast.Name)})
            case ast.Import() | ast.ImportFrom():
                found.update({each.asname or each.name: statement for each in statement.names})
    return found


def _module_named(module: str, name: str) -> str | None:
    """The module of this package that a name stands for in a module, if it is one."""
    statement = _statements(module).get(name)
    if isinstance(statement, ast.ImportFrom) and statement.module == _PACKAGE:
        return f"{_PACKAGE}.{name}"
    return None
