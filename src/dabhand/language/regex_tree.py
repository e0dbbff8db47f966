"""Trees of regular expressions, what they are as a Python regular expression, and how they may be matched."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


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
