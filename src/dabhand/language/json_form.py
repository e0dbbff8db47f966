"""Terms as JSON, for language models and for storage, and the JSON schema of that form.

`{"sort": [{"lines": [{"text": [{"slot": "A"}]}]}]}`: a call is an object with one field, a constant is plain JSON where
its kind is known from the call around it, and `{"constant": "...", "kind": "text"}` where it stands alone.
Numbers that are not whole are strings ("2.5"), text that is not UTF-8 is `{"base64": "..."}`.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from dabhand.errors import LanguageError
from dabhand.language.declarations import PRIMITIVES, Primitive, primitive_named
from dabhand.language.evaluation import FAILURES
from dabhand.language.function import Function, parameters
from dabhand.language.kinds import BOOL, FUNCTIONS, KINDS_OF_STRING, LINES, NUMBER, NUMBERS, Kind, Value, is_number
from dabhand.language.limits import to_bytes, to_text
from dabhand.language.numbers import read_number
from dabhand.language.terms import Call, Const, Term, Var

MAX_DEPTH = 100


def to_json(term: Term) -> Any:
    """The term as plain JSON data."""
    if isinstance(term, Const):
        return {"constant": _value_to_json(term.value), "kind": term.kind.value}
    return _to_json(term)


def _to_json(term: Term) -> Any:
    match term:
        case Var():
            return {"slot": term.name}
        case Const():
            return _value_to_json(term.value)
        case Call():
            return {term.name: [_to_json(arg) for arg in term.args]}


def _value_to_json(value: Value) -> Any:
    if isinstance(value, str):
        if value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value):
            return value
        return {"base64": base64.b64encode(to_bytes(value)).decode("ascii")}
    if isinstance(value, tuple):
        return [_value_to_json(each) for each in value]
    if isinstance(value, Function):
        return {"each": _to_json(value.body)}
    return value if isinstance(value, int) else format(value, "f")


def from_json(data: Any, variables: Mapping[str, Kind] | Iterable[Var] = (), kind: Kind | None = None) -> Term:
    """Read a term back.

    Args:
        data: what `to_json` gives, or a language model wrote by the schema.
        variables: the slots that may occur, as Vars or as name -> kind.
        kind: of the term; None when any will do.

    Raises:
        LanguageError: it is not a term, or of another kind.
    """
    kinds = variables if isinstance(variables, Mapping) else {each.name: each.kind for each in variables}
    term = _from_json(data, kinds, kind, 0)
    if kind is not None and term.kind is not kind:
        raise LanguageError(f"a {kind} is needed, this term is a {term.kind}")
    return term


def _from_json(data: Any, kinds: Mapping[str, Kind], kind: Kind | None, depth: int) -> Term:
    if depth > MAX_DEPTH:
        raise LanguageError("the term is nested too deeply")
    if not isinstance(data, dict) or "base64" in data:
        if kind is None:
            raise LanguageError('a constant that stands alone says its kind: {"constant": ..., "kind": ...}')
        return Const(_value_from_json(data, kind, depth), kind)
    if set(data) == {"constant", "kind"}:
        return _alone(data)
    if kind in FUNCTIONS and set(data) == {"each"}:
        return Const(_function(data, kind, depth), kind)
    if len(data) != 1:
        raise LanguageError(f"a call is an object with one field, not {len(data)}")
    [(name, args)] = data.items()
    if name == "slot":
        if not isinstance(args, str) or args not in kinds:
            raise LanguageError(f"there is no slot {args!r}")
        return Var(args, kinds[args])
    primitive = primitive_named(name)
    if primitive is None:
        raise LanguageError(f"there is no primitive {name!r}")
    if not isinstance(args, list) or len(args) != len(primitive.takes):
        raise LanguageError(f"{name} takes {len(primitive.takes)} arguments", primitive.signature)
    pairs = zip(args, primitive.takes, strict=True)
    return Call(name, tuple([_from_json(arg, kinds, each, depth + 1) for arg, each in pairs]))


def _function(data: dict[str, Any], kind: Kind, depth: int) -> Function:
    kinds = {each.name: each.kind for each in parameters(kind)}
    return Function(_from_json(data["each"], kinds, FUNCTIONS[kind][1], depth + 1), kind)


def _alone(data: dict[str, Any]) -> Const:
    try:
        kind = Kind(data["kind"])
    except ValueError as error:
        raise LanguageError(f"there is no kind {data['kind']!r}") from error
    return Const(_value_from_json(data["constant"], kind, 0), kind)


def _value_from_json(data: Any, kind: Kind | None, depth: int) -> Value:
    if depth > MAX_DEPTH:
        raise LanguageError("the constant is nested too deeply")
    if isinstance(data, dict):
        return _function(data, kind, depth) if kind in FUNCTIONS and set(data) == {"each"} else _from_base64(data)
    if isinstance(data, list):
        each = NUMBER if kind is NUMBERS else None
        return tuple([_value_from_json(item, each, depth + 1) for item in data])
    if kind is NUMBER and not isinstance(data, bool) and isinstance(data, str | float | int):
        try:
            return read_number(str(data))
        except FAILURES as error:
            raise LanguageError(f"{data!r} is not a number of the language") from error
    if isinstance(data, str | bool) or is_number(data):
        return data
    raise LanguageError(f"{data!r} is not a constant")


def _from_base64(data: dict[str, Any]) -> str:
    try:
        return to_text(base64.b64decode(data["base64"], validate=True))
    except (KeyError, TypeError, binascii.Error) as error:
        raise LanguageError("a constant that is an object holds base64") from error


def schema(
    slots: Iterable[Var], kind: Kind, primitives: Iterable[str] | None = None, depth: int | None = None
) -> dict[str, Any]:
    """The JSON schema of terms of a kind over some slots.

    Args:
        slots: the slots that may be used.
        kind: of the whole term.
        primitives: names of those that may be used; all of them when None.
        depth: how many calls may be inside one another; None: any number, by a schema that refers to itself.

    Raises:
        LanguageError: no term of the kind is that shallow.
    """
    used = [PRIMITIVES[name] for name in (PRIMITIVES if primitives is None else primitives)]
    definitions = _recursive(kind, list(slots), used) if depth is None else _layers(kind, list(slots), used, depth)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": f"#/$defs/{kind.value if depth is None else _layer(kind, depth)}",
        "$defs": definitions,
    }


def _recursive(kind: Kind, slots: list[Var], used: list[Primitive]) -> dict[str, Any]:
    kinds = [each for each in Kind if each is kind or any(each in primitive.takes for primitive in used)]
    return {each.value: {"anyOf": _options(each, slots, used, lambda taken: taken.value)} for each in kinds}


def _layer(kind: Kind, depth: int) -> str:
    return f"{kind.value}_{depth}"


def _layers(kind: Kind, slots: list[Var], used: list[Primitive], depth: int) -> dict[str, Any]:
    """A definition per kind and depth, of those that the whole term needs."""
    layers: list[dict[Kind, list[dict[str, Any]]]] = []
    for level in range(depth + 1):
        below = layers[-1] if layers else {}
        callable_ = [each for each in used if level and all(taken in below for taken in each.takes)]
        name = partial(_layer, depth=level - 1)
        options = {each: _options(each, slots, callable_, name) for each in Kind}
        layers.append({each: found for each, found in options.items() if found})
    if depth < 0 or kind not in layers[depth]:
        raise LanguageError(f"no {kind} term has a depth of {depth}", "allow a greater depth")
    wanted, definitions = [(kind, depth)], {}
    while wanted:
        each, level = wanted.pop()
        if _layer(each, level) not in definitions:
            definitions[_layer(each, level)] = {"anyOf": layers[level][each]}
            calls = [one for one in used if level and one.gives is each]
            takes = [one.takes for one in calls if all(taken in layers[level - 1] for taken in one.takes)]
            wanted += [(taken, level - 1) for kinds in takes for taken in kinds]
    return definitions


def _options(
    kind: Kind, variables: list[Var], used: list[Primitive], name: Callable[[Kind], str]
) -> list[dict[str, Any]]:
    options: list[dict[str, Any]] = []
    names = [each.name for each in variables if each.kind is kind]
    if names:
        options.append(_one_field("slot", {"enum": names}))
    constant = _constant_schema(kind)
    if constant is not None:
        options.append(constant)
    return options + [_call_schema(primitive, name) for primitive in used if primitive.gives is kind]


def _constant_schema(kind: Kind) -> dict[str, Any] | None:
    if kind in KINDS_OF_STRING:
        return {"type": "string"}
    if kind is NUMBER:
        return {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^-?[0-9]+\.[0-9]+$"}]}
    if kind is BOOL:
        return {"type": "boolean"}
    return {"type": "array", "items": {"type": "string"}} if kind is LINES else None


def _call_schema(primitive: Primitive, name: Callable[[Kind], str]) -> dict[str, Any]:
    args = [{"$ref": f"#/$defs/{name(kind)}"} for kind in primitive.takes]
    size = len(args)
    made = _one_field(primitive.name, {"type": "array", "prefixItems": args, "minItems": size, "maxItems": size})
    return {"description": primitive.doc, **made}


def _one_field(name: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: value}, "required": [name], "additionalProperties": False}
