r"""Regular expressions as GNU grep and sed read them: parsed into a tree, matched leftmost-longest.

Trees are matched by Python's `re` where that cannot differ (whether there is a match at all; patterns without
choice), and otherwise by a small automaton in linear time. Source of the rules: POSIX.1-2017 chapter 9, and the
grammar of glibc's regcomp.c (which `*` and `^` are literal, what is an error).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from dabhand.language.kinds import EvalError

Dialect: TypeAlias = Literal["grep", "sed", "extended"]

MAX_REPEAT: Final = 32767  # RE_DUP_MAX in glibc
ANY: Final = r"[^\udc80-\udcff]"  # a byte that is no character is matched by nothing


class Atom(NamedTuple):
    """One character, or none (an anchor): a Python regular expression that needs no context.

    `bytewise`: glibc can look for it without knowing where characters begin (see `is_bytewise`).
    """

    source: str
    width: int
    bytewise: bool = False


class Group(NamedTuple):
    """A numbered part."""

    number: int
    body: Node


class Back(NamedTuple):
    """What a numbered part matched, again."""

    number: int


class Repeat(NamedTuple):
    """A part from `least` to `most` times; None: without end."""

    body: Node
    least: int
    most: int | None


class Sequence(NamedTuple):
    """Parts one after the other."""

    parts: tuple[Node, ...]


class Choice(NamedTuple):
    """One of several parts."""

    options: tuple[Node, ...]


Node: TypeAlias = Atom | Group | Back | Repeat | Sequence | Choice

_SPACE = r"[ \t-\r\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]"
_ESCAPED_ATOMS = {
    "w": Atom(r"\w", 1),
    "W": Atom(r"[^\w\udc80-\udcff]", 1),
    "s": Atom(_SPACE, 1),
    "S": Atom(rf"(?!{_SPACE})" + ANY, 1),
    "<": Atom(r"\b(?=\w)", 0),
    ">": Atom(r"\b(?<=\w)", 0),
    "b": Atom(r"\b", 0),
    "B": Atom(r"(?:(?<=\w)(?=\w)|(?<!\w)(?!\w))", 0),
    "`": Atom(r"\A", 0, True),
    "'": Atom(r"\Z", 0, True),
}
_START, _END = Atom(r"\A", 0, True), Atom(r"\Z", 0, True)

# The escapes that sed turns into characters before it reads a pattern.
_SED_ESCAPES = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_SED_NUMBERS = {"d": (10, r"[0-9]{1,3}"), "o": (8, r"[0-7]{1,3}"), "x": (16, r"[0-9a-fA-F]{1,2}")}


def sed_escape(text: str, place: int) -> tuple[str, int] | None:
    r"""The character that sed reads an escape such as \t, \x41, \o101, \d065, \cA as, and where it ends.

    Args:
        text: a pattern or a replacement.
        place: of the character after the backslash.
    """
    letter = text[place]
    if letter in _SED_ESCAPES:
        return _SED_ESCAPES[letter], place + 1
    if letter in _SED_NUMBERS:
        base, digits = _SED_NUMBERS[letter]
        found = re.compile(digits).match(text, place + 1)
        if found is None:
            return None
        code = int(found[0], base) & 255
        if code > 127:
            raise EvalError("an escape that makes half a character is not read")
        return chr(code), found.end()
    if letter == "c" and place + 1 < len(text):
        control = text[place + 1].upper()
        if control == "\\" or not control.isascii():
            raise EvalError("this control escape is not read")
        return chr(ord(control) ^ 64), place + 2
    return None


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
            atom, end = _bracket(text, place + 1, self.dialect)
            return "atom", atom, end
        if char == ".":
            return "atom", Atom(ANY, 1, True), place + 1
        if char == "*" or (self.extended and char in "(){|+?"):
            return char, None, place + 1
        if char == "^" and (at_start or self.extended):
            return "atom", _START, place + 1
        if char == "$" and (self.extended or self.ends_here(place + 1)):
            return "atom", _END, place + 1
        return "char", char, place + 1

    def ends_here(self, place: int) -> bool:
        return place == len(self.text) or self.text.startswith(("\\)", "\\|"), place)

    def escaped(self, place: int) -> tuple[str, object, int]:
        if place == len(self.text):
            raise EvalError("trailing backslash in a pattern")
        char = self.text[place]
        if char in _ESCAPED_ATOMS:
            return "atom", _ESCAPED_ATOMS[char], place + 1
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
                if kind == "{" and parts and parts[-1] != _START:
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


_CLASSES = {
    "alpha": r"(?![0-9_])\w",
    "digit": r"[0-9]",
    "alnum": r"(?!_)\w",
    "space": _SPACE,
    "blank": r"[ \t\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]",
    "punct": r"(?:[!-/:-@\[-`{-~]|(?![\x00-\xa0\w\s\udc80-\udcff])[\s\S])",
    "print": r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\udc80-\udcff]",
    "graph": rf"(?!{_SPACE})[^\x00-\x1f\x7f-\x9f\udc80-\udcff]",
    "cntrl": r"[\x00-\x1f\x7f-\x9f\u2028\u2029]",
    "xdigit": r"[0-9A-Fa-f]",
}


@lru_cache(maxsize=4)
def _cased(upper: bool) -> str:
    """A class of the capital or of the small letters, up to the end of Cyrillic and Armenian."""
    test = str.isupper if upper else str.islower
    return "[" + "".join(char for char in map(chr, range(0x590)) if char.isalpha() and test(char)) + "]"


def _class_source(name: str) -> str:
    if name in ("upper", "lower"):
        return _cased(name == "upper")
    if name not in _CLASSES:
        raise EvalError(f"there is no character class [:{name}:]")
    return _CLASSES[name]


def _bracket(text: str, place: int, dialect: Dialect) -> tuple[Atom, int]:
    """A bracket expression: its atom, and the place after it. `place` is after the opening bracket."""
    first = place
    negated = text.startswith("^", place)
    if negated:
        place += 1
    options: list[str] = []
    plain, ranged = "", False
    start = place
    while True:
        if place >= len(text):
            raise EvalError("unmatched [ in a pattern")
        if text[place] == "]" and place > start:
            break
        if text.startswith("[:", place):
            name, place = _named(text, place, ":")
            options.append(_class_source(name))
            continue
        if text[place] == "-" and place > start and not text.startswith("-]", place):
            raise EvalError("the end of a range in a pattern is not one")
        low, place = _bracket_char(text, place, dialect)
        if text.startswith("-", place) and not text.startswith("-]", place):
            high, place = _bracket_char(text, place + 1, dialect)
            if high < low:
                raise EvalError("the ends of a range in a pattern are in reverse order")
            plain += f"{re.escape(low)}-{re.escape(high)}"
            ranged = True
        else:
            plain += re.escape(low)
    if text[first] == ":" and text[place - 1] == ":" and place - first > 1:
        raise EvalError("a character class is written [[:space:]], not [:space:]")
    if plain:
        options.append(f"[{plain}]")
    source = options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"
    simple = not negated and plain.isascii() and not ranged and options == [f"[{plain}]"]
    return Atom(f"(?!{source}){ANY}" if negated else source, 1, simple), place + 1


def _named(text: str, place: int, mark: str) -> tuple[str, int]:
    end = text.find(mark + "]", place + 2)
    if end < 0:
        raise EvalError("unmatched [ in a pattern")
    return text[place + 2 : end], end + 2


def _bracket_char(text: str, place: int, dialect: Dialect) -> tuple[str, int]:
    if place >= len(text):
        raise EvalError("unmatched [ in a pattern")
    for mark in "=.":
        if text.startswith("[" + mark, place):
            name, after = _named(text, place, mark)
            if len(name) != 1:
                raise EvalError("a collating symbol of several characters is not read")
            return name, after
    if text.startswith("[:", place):
        raise EvalError("a class cannot end a range in a pattern")
    if dialect == "sed" and text[place] == "\\" and place + 1 < len(text) and text[place + 1] not in "cdox":
        made = sed_escape(text, place + 1)
        if made is not None:
            return made
    return text[place], place + 1


@lru_cache(maxsize=512)
def parse(text: str, dialect: Dialect) -> Node:
    """The tree of a pattern.

    Raises:
        EvalError: the pattern is invalid (or of a form that this does not read).
    """
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise EvalError("a pattern that is not UTF-8")
    return _Parser(text, dialect).pattern()


def python_source(node: Node) -> str:
    """The tree as a Python regular expression: the same matches exist, but maybe another is found first."""
    match node:
        case Atom():
            return node.source
        case Group():
            return f"({python_source(node.body)})"
        case Back():
            return f"(?:\\{node.number})"
        case Repeat():
            marks = {(0, None): "*", (1, None): "+", (0, 1): "?"}
            bounds = marks.get((node.least, node.most), f"{{{node.least},{'' if node.most is None else node.most}}}")
            return f"(?:{python_source(node.body)}){bounds}"
        case Sequence():
            return "".join(map(python_source, node.parts))
        case Choice():
            return f"(?:{'|'.join(map(python_source, node.options))})"


def count_loops(node: Node) -> int:
    """A measure of how long Python's `re` may take: repeats without end; one around others counts as many."""
    match node:
        case Group():
            return count_loops(node.body)
        case Repeat():
            inner = count_loops(node.body)
            if isinstance(node.body, Atom):
                return 1 if node.most is None or node.most > 8 else 0
            return 100 if inner or node.most is None or node.most > 8 else inner
        case Sequence():
            return sum(map(count_loops, node.parts))
        case Choice():
            return sum(map(count_loops, node.options))
    return 0


def is_greedy(node: Node) -> bool:
    """Whether the first match that Python's `re` finds at a place is surely the longest: no choices."""
    match node:
        case Atom():
            return True
        case Group():
            return is_greedy(node.body)
        case Repeat():
            return isinstance(node.body, Atom) and node.most is None
        case Sequence():
            return all(map(is_greedy, node.parts))
    return False


def is_bytewise(node: Node) -> bool:
    """Whether glibc matches the pattern on bytes, and so finds an empty match in a character (optimize_utf8)."""
    match node:
        case Atom():
            return node.bytewise
        case Group() | Repeat():
            return is_bytewise(node.body)
        case Sequence():
            return all(map(is_bytewise, node.parts))
        case Choice():
            return all(map(is_bytewise, node.options))
    return True


def has_back(node: Node) -> bool:
    """Whether the pattern has back references."""
    match node:
        case Back():
            return True
        case Group() | Repeat():
            return has_back(node.body)
        case Sequence():
            return any(map(has_back, node.parts))
        case Choice():
            return any(map(has_back, node.options))
    return False


def count_groups(node: Node) -> int:
    """How many numbered groups the pattern has."""
    match node:
        case Group():
            return 1 + count_groups(node.body)
        case Repeat():
            return count_groups(node.body)
        case Sequence():
            return sum(map(count_groups, node.parts))
        case Choice():
            return sum(map(count_groups, node.options))
    return 0
