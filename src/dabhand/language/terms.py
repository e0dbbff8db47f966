"""Terms: small typed expressions over the files of a folder. Immutable, hashable, cheap to compare."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TypeAlias

from dabhand.errors import LanguageError
from dabhand.language.declarations import Primitive, primitive_named
from dabhand.language.kinds import BOOL, NUMBER, WORD, Kind, Value, conforms, is_number

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

CONSTANT_COST = 1
"""What a value written into a term adds to its cost."""
MAX_DEPTH = 100
MAX_SIZE = 10_000
"""How deep and how large (written out as a tree) a term may be; what walks over terms need not fear more."""


class _Node:
    """What the three shapes of term share: a hash computed once, and no assignment after construction."""

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:
        return self._hash

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a term cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a term cannot be changed: {name}")

    def __str__(self) -> str:
        return show(self)  # type: ignore[arg-type]


_set = object.__setattr__


class Var(_Node):
    """A slot: its value comes from outside (the filling of a command, the target of a request)."""

    __slots__ = ("kind", "name")
    name: str
    kind: Kind

    def __init__(self, name: str, kind: Kind) -> None:
        if not _NAME.match(name) or name in ("true", "false"):
            raise LanguageError(f"{name!r} cannot be the name of a slot", "use letters, digits and _")
        _set(self, "name", name)
        _set(self, "kind", Kind(kind))
        _set(self, "_hash", hash(("var", name, kind)))

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is Var and self.name == other.name and self.kind == other.kind)

    __hash__ = _Node.__hash__

    def __repr__(self) -> str:
        return f"Var({self.name!r}, {self.kind})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Var, (self.name, self.kind))


class Const(_Node):
    """A value written into the term."""

    __slots__ = ("kind", "value")
    value: Value
    kind: Kind

    def __init__(self, value: Value, kind: Kind) -> None:
        if not conforms(value, kind):
            raise LanguageError(f"{value!r} is not a value of kind {kind}")
        _set(self, "value", value)
        _set(self, "kind", Kind(kind))
        _set(self, "_hash", hash(("const", value, kind)))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            type(other) is Const
            and self._hash == other._hash
            and self.kind == other.kind
            and bool(self.value == other.value)
        )

    __hash__ = _Node.__hash__

    def __repr__(self) -> str:
        return f"Const({self.value!r}, {self.kind})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Const, (self.value, self.kind))


class Call(_Node):
    """A primitive applied to terms of the kinds it takes.

    Raises:
        LanguageError: no such primitive, or arguments of other kinds or number than it takes.
    """

    __slots__ = ("args", "cost", "depth", "kind", "name", "primitive", "size")
    name: str
    args: tuple[Term, ...]
    kind: Kind
    primitive: Primitive
    size: int
    depth: int
    cost: int

    def __init__(self, name: str, args: tuple[Term, ...]) -> None:
        primitive = primitive_named(name)
        if primitive is None:
            raise LanguageError(f"there is no primitive {name!r}")
        args = tuple(args)
        given = tuple(arg.kind for arg in args)
        if given != primitive.takes:
            raise LanguageError(
                f"{name} takes ({', '.join(primitive.takes)}), not ({', '.join(given)})", primitive.signature
            )
        total = 1 + sum(map(size, args))
        depth = 1 + max(map(_depth, args), default=0)
        if depth > MAX_DEPTH or total > MAX_SIZE:
            raise LanguageError("the term is too large", f"at most {MAX_DEPTH} deep and {MAX_SIZE} nodes")
        _set(self, "name", name)
        _set(self, "args", args)
        _set(self, "size", total)
        _set(self, "depth", depth)
        _set(self, "cost", primitive.cost + sum(map(cost, args)))
        _set(self, "kind", primitive.gives)
        _set(self, "primitive", primitive)
        _set(self, "_hash", hash(("call", name, args)))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(other) is Call and self._hash == other._hash and self.name == other.name and self.args == other.args

    __hash__ = _Node.__hash__

    def __repr__(self) -> str:
        return f"Call({self.name!r}, {self.args!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Call, (self.name, self.args))


Term: TypeAlias = Var | Const | Call


def show(term: Term) -> str:
    """The term as text; `parse` (in `syntax`, which has the grammar) reads it back."""
    text = _show(term)
    if isinstance(term, Const) and term.kind not in (WORD, NUMBER, BOOL):
        return f"{text} : {term.kind}"
    return text


def _show(term: Term) -> str:
    match term:
        case Var():
            return term.name
        case Const():
            return show_value(term.value)
        case Call():
            return f"{term.name}({', '.join(map(_show, term.args))})"


def show_value(value: Value) -> str:
    """A value as it is written in terms."""
    if isinstance(value, str):
        return json.dumps(value)
    if callable(value):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(show_value, value))}]"
    if is_number(value):
        return format(value, "f")
    raise LanguageError(f"{value!r} is not a value of the language")


def subterms(term: Term) -> Iterator[Term]:
    """The term's distinct subterms, itself included, arguments before what uses them."""
    seen: set[Term] = set()
    stack: list[tuple[Term, bool]] = [(term, False)]
    while stack:
        node, opened = stack.pop()
        if node in seen:
            continue
        if opened or not isinstance(node, Call):
            seen.add(node)
            yield node
        else:
            stack.append((node, True))
            stack.extend((arg, False) for arg in reversed(node.args))


def variables(term: Term) -> tuple[Var, ...]:
    """The slots that the term reads, in order of first use."""
    return tuple(node for node in subterms(term) if isinstance(node, Var))


def size(term: Term) -> int:
    """How many nodes the term has, written out as a tree."""
    return term.size if isinstance(term, Call) else 1


def _depth(term: Term) -> int:
    return term.depth if isinstance(term, Call) else 1


def cost(term: Term) -> int:
    """What the term costs in the order of enumeration: slots nothing, constants 1, primitives as declared."""
    match term:
        case Var():
            return 0
        case Const():
            return int(getattr(term.value, "cost", CONSTANT_COST))
        case Call():
            return term.cost


def substitute(term: Term, replacements: dict[Term, Term]) -> Term:
    """The term with some subterms replaced by others of the same kind."""
    if term in replacements:
        return replacements[term]
    if isinstance(term, Call):
        args = tuple(substitute(arg, replacements) for arg in term.args)
        return term if args == term.args else Call(term.name, args)
    return term
