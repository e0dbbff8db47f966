r"""Reading the text form of terms: `unlines(sort(lines(text(A))))`, `first(5, lines(text("build.log")))`.

Grammar: `name(term, ...)`, a slot's name, or a constant: "string" (JSON escapes), number, true, false, [list] of them,
or `{term}`, what is done with each element of a list: a term over `it` (and `other`, where it takes two).
The kind of a constant is what the primitive around it takes; standing alone it is a word, number or bool,
or says its kind: `"a\n" : text`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from dabhand.errors import LanguageError
from dabhand.language.declarations import primitive_named
from dabhand.language.function import Function, parameters
from dabhand.language.kinds import BOOL, FUNCTIONS, NUMBER, NUMBERS, WORD, EvalError, Kind, Value
from dabhand.language.numbers import read_number
from dabhand.language.terms import Call, Const, Term, Var

MAX_DEPTH = 200

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<mark>[()\[\],:{}])
    )""",
    re.VERBOSE | re.DOTALL,
)


def parse(text: str, variables: Mapping[str, Kind] | Iterable[Var] = ()) -> Term:
    """Read a term.

    Args:
        text: what `show` writes, white space free between tokens.
        variables: the slots that may occur, as Vars or as name -> kind.

    Raises:
        LanguageError: it is not a term.
    """
    kinds = variables if isinstance(variables, Mapping) else {each.name: each.kind for each in variables}
    return _Reader(text, kinds).whole()


class _Reader:
    """One pass over the tokens of a term, by recursive descent."""

    def __init__(self, text: str, kinds: Mapping[str, Kind]) -> None:
        self.text = text
        self.kinds = kinds
        self.place = 0
        self.group = ""
        self.token = ""
        self.depth = 0
        self.advance()

    def advance(self) -> None:
        found = _TOKEN.match(self.text, self.place)
        if found is None:
            if self.text[self.place :].strip():
                raise self.error(f"{self.text[self.place :].strip()[:20]!r} cannot be read")
            self.group = self.token = ""
            return
        self.place = found.end()
        self.group = found.lastgroup or ""
        self.token = found[self.group]

    def error(self, what: str) -> LanguageError:
        return LanguageError(f"not a term: {what} (at character {self.place} of {self.text[:60]!r})")

    def expect(self, mark: str) -> None:
        if self.token != mark or self.group != "mark":
            raise self.error(f"{mark!r} expected")
        self.advance()

    def whole(self) -> Term:
        made = self.term(None)
        if self.token:
            raise self.error(f"{self.token[:20]!r} after the end")
        return made

    def function(self, kind: Kind) -> Term:
        outer, self.kinds = self.kinds, {each.name: each.kind for each in parameters(kind)}
        self.deeper()
        self.advance()
        body = self.term(FUNCTIONS[kind][1])
        self.kinds = outer
        self.expect("}")
        self.depth -= 1
        return Const(Function(body, kind), kind)

    def term(self, kind: Kind | None) -> Term:
        if kind in FUNCTIONS and self.token == "{":
            return self.function(kind)
        if self.group == "name" and self.token not in ("true", "false"):
            return self.named(kind)
        value = self.value()
        if kind is None:
            kind = self.kind_of(value)
        if isinstance(value, tuple) and not value and kind is NUMBERS:
            value = ()
        return Const(value, kind)

    def kind_of(self, value: Value) -> Kind:
        if self.token == ":" and self.group == "mark":
            self.advance()
            word = self.token
            self.advance()
            try:
                return Kind(word)
            except ValueError as error:
                raise self.error(f"there is no kind {word!r}") from error
        if isinstance(value, tuple):
            raise self.error('a list needs its kind, as in ["a"] : lines')
        return WORD if isinstance(value, str) else BOOL if isinstance(value, bool) else NUMBER

    def named(self, kind: Kind | None) -> Term:
        name = self.token
        self.advance()
        if self.token != "(" or self.group != "mark":
            if name not in self.kinds:
                raise self.error(f"there is no slot {name!r}")
            made: Term = Var(name, self.kinds[name])
        else:
            made = self.call(name)
        if kind is not None and made.kind is not kind:
            raise self.error(f"{kind} expected, {name} is {made.kind}")
        return made

    def call(self, name: str) -> Call:
        primitive = primitive_named(name)
        if primitive is None:
            raise self.error(f"there is no primitive {name!r}")
        self.deeper()
        self.expect("(")
        args: list[Term] = []
        for place, kind in enumerate(primitive.takes):
            if place:
                self.expect(",")
            args.append(self.term(kind))
        self.expect(")")
        self.depth -= 1
        return Call(name, tuple(args))

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error("nested too deeply")

    def value(self) -> Value:
        token, group = self.token, self.group
        if group == "mark" and token == "[":
            return self.items()
        self.advance()
        match group:
            case "string":
                return self.string(token)
            case "number":
                return self.number(token)
            case "name":
                return token == "true"
        raise self.error("a term expected")

    def items(self) -> tuple[Value, ...]:
        self.deeper()
        self.expect("[")
        made: list[Any] = []
        while self.token != "]" or self.group != "mark":
            if made:
                self.expect(",")
            made.append(self.value())
        self.advance()
        self.depth -= 1
        return tuple(made)

    def string(self, token: str) -> str:
        try:
            return str(json.loads(token, strict=False))
        except ValueError as error:
            raise self.error(f"{token[:20]} is not a string") from error

    def number(self, token: str) -> Any:
        try:
            return read_number(token)
        except EvalError as error:
            raise self.error("a number too long, or with an exponent") from error
