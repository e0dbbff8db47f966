r"""Regular expressions as GNU grep and sed read them, parsed into a tree.

Trees are matched by Python's `re` where that cannot differ (whether there is a match at all; patterns without
choice), and otherwise by a small automaton in linear time. Source of the rules: POSIX.1-2017 chapter 9, and the
grammar of glibc's regcomp.c (which `*` and `^` are literal, what is an error).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from dabhand.language.kinds import EvalError
from dabhand.language.regex_atoms import ANY, END, ESCAPED_ATOMS, START, Dialect, bracket, sed_escape
from dabhand.language.regex_tree import Atom, Back, Choice, Group, Node, Repeat, Sequence

MAX_REPEAT: Final = 32767  # RE_DUP_MAX in glibc


class _Parser:
    """Reads one pattern; the grammar of regcomp.c, by recursive descent."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.dialect = dialect
        self.extended = dialect == "extended"
        self.place = 0
        self.groups = 0
        self.closed: set[int] = set()

    # Tokens: ("char", c), ("atom", Atom), ("back", n), or an operator: ( ) { | * + ? and "" at the end

    def token(self, at_start: bool) -> tuple[str, object, int]:
        """The token here and where the next one begins; `at_start`: where ^ is an anchor."""
        text, place = self.text, self.place
        if place >= len(text):
            return "", None, place
        char = text[place]
        if char == "\\":
            return self.escaped(place + 1)
        if char == "[":
            atom, end = bracket(text, place + 1, self.dialect)
            return "atom", atom, end
        if char == ".":
            return "atom", Atom(ANY, 1, True), place + 1
        if char == "*" or (self.extended and char in "(){|+?"):
            return char, None, place + 1
        if char == "^" and (at_start or self.extended):
            return "atom", START, place + 1
        if char == "$" and (self.extended or self.ends_here(place + 1)):
            return "atom", END, place + 1
        return "char", char, place + 1

    def ends_here(self, place: int) -> bool:
        return place == len(self.text) or self.text.startswith(("\\)", "\\|"), place)

    def escaped(self, place: int) -> tuple[str, object, int]:
        if place == len(self.text):
            raise EvalError("trailing backslash in a pattern")
        char = self.text[place]
        if char in ESCAPED_ATOMS:
            return "atom", ESCAPED_ATOMS[char], place + 1
        if char in "123456789":
            return "back", int(char), place + 1
        if not self.extended and char in "(){|+?":
            return char, None, place + 1
        if self.dialect == "sed":
            made = sed_escape(self.text, place)
            if made is not None:
                return "char", made[0], made[1]
        return "char", char, place + 1

    # Grammar

    def pattern(self) -> Node:
        node = self.choice(0)
        if self.place < len(self.text):
            raise EvalError("unmatched ) in a pattern")
        return node

    def choice(self, depth: int) -> Node:
        if depth > 60:
            raise EvalError("a pattern nested too deeply")
        options = [self.sequence(depth)]
        while True:
            kind, _, after = self.token(False)
            if kind != "|":
                break
            self.place = after
            options.append(self.sequence(depth))
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        start = True  # nothing before that could be repeated, and ^ is an anchor
        bare = True
        while True:
            kind, what, after = self.token(start)
            if kind in ("", "|") or (kind == ")" and (depth or not self.extended)):
                return parts[0] if len(parts) == 1 else Sequence(tuple(parts))
            self.place = after
            if kind in ("*", "+", "?", "{") and bare:
                if self.extended and kind != "{":
                    start = False
                    continue
                if kind == "{" and self.dialect == "sed":
                    raise EvalError("nothing to repeat in a pattern")
                if kind == "{" and parts and parts[-1] != START:
                    self.interval(after)  # taken literally, but only when complete
            part = self.part(kind, what, depth)
            start = False
            bare = isinstance(part, Atom) and part.width == 0
            if not bare:
                part = self.repeated(part)
            elif self.extended:
                part, bare = self.repeated(part), False
            parts.append(part)

    def part(self, kind: str, what: object, depth: int) -> Node:
        if isinstance(what, Atom):
            return what
        if kind == "char":
            return Atom(re.escape(str(what)), 1, True)
        if kind == "back":
            if what not in self.closed:
                raise EvalError("a back reference to no group")
            assert isinstance(what, int)
            return Back(what)
        if kind == "(":
            return self.group(depth)
        return Atom(re.escape(kind), 1, True)

    def group(self, depth: int) -> Node:
        self.groups += 1
        number = self.groups
        body = self.choice(depth + 1)
        kind, _, after = self.token(False)
        if kind != ")":
            raise EvalError("unmatched ( in a pattern")
        self.place = after
        self.closed.add(number)
        return Group(number, body)

    def repeated(self, part: Node) -> Node:
        while True:
            kind, _, after = self.token(False)
            if kind not in ("*", "+", "?", "{"):
                return part
            if self.dialect == "sed" and kind in "*{" and isinstance(part, Repeat):
                raise EvalError("a repeat of a repeat in a pattern")
            if kind == "{":
                bounds = self.interval(after)
                if bounds is None:
                    return part
                least, most, after = bounds
            else:
                least, most = (1 if kind == "+" else 0), (1 if kind == "?" else None)
            self.place = after
            part = Repeat(part, least, most)

    def interval(self, place: int) -> tuple[int, int | None, int] | None:
        close = r"\}" if self.extended else r"\\\}"
        found = re.compile(r"([0-9]*)(,?)([0-9]*)" + close).match(self.text, place)
        if found is None or not (found[1] or found[2]):
            if self.extended:
                return None
            raise EvalError("an interval in a pattern is not complete")
        least = int(found[1] or "0")
        most = (int(found[3]) if found[3] else None) if found[2] else least
        if max(least, most or 0) > MAX_REPEAT or (most is not None and most < least):
            raise EvalError("an interval in a pattern is not one")
        return least, most, found.end()


@lru_cache(maxsize=512)
def parse(text: str, dialect: Dialect) -> Node:
    """The tree of a pattern.

    Raises:
        EvalError: the pattern is invalid (or of a form that this does not read).
    """
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise EvalError("a pattern that is not UTF-8")
    return _Parser(text, dialect).pattern()
