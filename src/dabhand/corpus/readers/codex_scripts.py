"""Commands inside the scripts of Codex' code mode, for versions that do not record them beside.

A script is read with a parser of JavaScript. A command counts only where it surely ran, given that the script came to
its end: written out (or joined of texts that are), and in nothing that may be left out, repeated or thrown away. One
call of which that is not sure, and nothing is said of the script at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from dabhand.corpus.extras import needed

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

RUNS = frozenset(("exec_command", "shell_command"))
"""Tools that run a command."""

UNSURE = frozenset(
    ("if_statement", "while_statement", "do_statement", "for_statement", "for_in_statement", "switch_statement"),
).union(("try_statement", "function_declaration", "function_expression", "arrow_function", "generator_function"))
UNSURE |= {"generator_function_declaration", "class_declaration", "class", "labeled_statement", "optional_chain"}
"""What may leave out, or repeat, what it holds."""

ENDS = frozenset(("return_statement", "throw_statement", "break_statement", "continue_statement"))
SHORT = frozenset(("&&", "||", "??", "&&=", "||=", "??="))
FORBIDDEN = frozenset(("eval", "exit", "Function", "globalThis", "process"))
"""Names by which a script could do anything, or end."""
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


class Planned(msgspec.Struct, frozen=True):
    """One command of a script.

    Attributes:
        folder: that it names; None where it names none.
        folder_known: False where it names one that is not written out.
    """

    command: str
    folder: str | None = None
    folder_known: bool = True


class Script(msgspec.Struct, frozen=True):
    """What is sure of a script.

    Attributes:
        commands: that ran, in order; None where that is not sure.
        shows_output: what it prints is the output of its one command, and nothing else.
    """

    commands: tuple[Planned, ...] | None
    shows_output: bool = False


class _NotSure(Exception):
    """Something in the script may have happened or not."""


def read_script(source: str) -> Script:
    """What a script surely ran, if it came to its end.

    Raises:
        MissingExtra: the grammar is not installed.
    """
    if "tools" not in source:
        return Script(())
    data = source.encode("utf-8", "replace")
    root = _parser().parse(data).root_node
    reading = _Reading()
    try:
        if root.has_error:
            raise _NotSure
        reading.statements(root.named_children)
        reading.check(root)
    except (_NotSure, RecursionError):
        return Script(None)
    return Script(tuple(reading.found), reading.shows_output(root))


@cache
def _parser() -> Parser:
    import tree_sitter

    grammar = needed("tree_sitter_javascript", "Reading scripts of Codex")
    return tree_sitter.Parser(tree_sitter.Language(grammar.language()))


class _Reading:
    """Goes through a script in the order in which it runs."""

    def __init__(self) -> None:
        self.found: list[Planned] = []
        self._seen: set[int] = set()
        self._texts: dict[str, str] = {}
        self._may_be_over = False

    def statements(self, nodes: list[Node]) -> None:
        for node in nodes:
            if node.type in ENDS:
                for inner in node.named_children:
                    self._goes(inner)
                if node.type != "return_statement":
                    raise _NotSure  # it says that the script did not end as the host says
                return
            self._statement(node)

    def _statement(self, node: Node) -> None:
        if node.type == "statement_block":
            if any(each.type in ENDS for each in _below(node)):
                raise _NotSure
            self.statements(node.named_children)
        elif node.type == "expression_statement" and _is_run(node.named_children[0]):
            raise _NotSure  # nobody waits for it
        elif node.type in UNSURE:
            if any(map(_is_run, _below(node))):
                raise _NotSure
            self._may_be_over = self._may_be_over or _returns(node)
        else:
            self._goes(node)
            if node.type == "lexical_declaration" and _text(node.children[0]) == "const":
                self._remember(node)

    def _remember(self, node: Node) -> None:
        for each in node.named_children:
            name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
            if name is not None and value is not None and name.type == "identifier":
                said = self._literal(value)
                if said is not None:
                    self._texts[_text(name)] = said

    def _goes(self, node: Node) -> None:
        """Take in an expression, the parts of which are worked out from the left."""
        if node.type in UNSURE:
            if any(map(_is_run, _below(node))):
                raise _NotSure
            return
        unsure: list[Node | None] = []
        operator = node.child_by_field_name("operator")
        if operator is not None and _text(operator) in SHORT:
            unsure = [node.child_by_field_name("right")]
        elif node.type == "ternary_expression":
            unsure = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
        elif node.type == "call_expression" and any(each.type == "optional_chain" for each in _below(node)):
            unsure = [node.child_by_field_name("arguments")]
        if any(part is not None and any(map(_is_run, [part, *_below(part)])) for part in unsure):
            raise _NotSure
        skipped = {part.id for part in unsure if part is not None}
        for inner in node.named_children:
            if inner.id not in skipped:
                self._goes(inner)
        if _is_run(node):
            if self._may_be_over:
                raise _NotSure
            self._seen.add(node.id)
            self.found.append(self._planned(node))

    def _planned(self, call: Node) -> Planned:
        arguments = call.child_by_field_name("arguments")
        given = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        if given is None or given.type != "object":
            raise _NotSure
        fields: dict[str, str | None] = {}
        for pair in given.named_children:
            name, value = _field(pair)
            if name is None or name in fields:
                raise _NotSure
            fields[name] = self._literal(value)
        commands = [fields[name] for name in ("cmd", "command") if name in fields]
        if len(commands) != 1 or commands[0] is None or not commands[0].strip():
            raise _NotSure
        folders = [fields[name] for name in ("workdir", "working_directory") if name in fields]
        return Planned(commands[0], folders[0] if folders else None, folder_known=None not in folders)

    def _literal(self, node: Node) -> str | None:
        """The text that an expression is whatever happens."""
        match node.type:
            case "string":
                return "".join(map(_piece, node.named_children))
            case "template_string":
                parts = [self._part(each) for each in node.named_children]
                return None if None in parts else "".join(map(str, parts))
            case "identifier" | "shorthand_property_identifier":
                return self._texts.get(_text(node))
            case "parenthesized_expression":
                return self._literal(node.named_children[0]) if len(node.named_children) == 1 else None
            case "binary_expression":
                return self._joined(node)
        return None

    def _part(self, node: Node) -> str | None:
        return self._literal(node.named_children[0]) if node.type == "template_substitution" else _piece(node)

    def _joined(self, node: Node) -> str | None:
        left, right, sign = (node.child_by_field_name(name) for name in ("left", "right", "operator"))
        if left is None or right is None or sign is None or _text(sign) != "+":
            return None
        one, other = self._literal(left), self._literal(right)
        return one + other if one is not None and other is not None else None

    def check(self, root: Node) -> None:
        """All that the script says of its tools must be a call that was met, or one that runs nothing.

        Raises:
            _NotSure: it is called behind its end, goes by another name, or could come from text.
        """
        names: set[str] = set()
        for node in _below(root):
            if _is_run(node) and node.id not in self._seen:
                end = next((each.end_byte for each in root.named_children if each.type in ENDS), None)
                if end is None or node.start_byte < end:
                    raise _NotSure
            if node.type in ("identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"):
                name = _text(node)
                if name in FORBIDDEN or (name == "tools" and not _is_called(node)):
                    raise _NotSure
            if node.type == "variable_declarator" and (declared := node.child_by_field_name("name")) is not None:
                if _text(declared) in names and _text(declared) in self._texts:
                    raise _NotSure  # which of the two is meant depends on the place
                names.add(_text(declared))

    def shows_output(self, root: Node) -> bool:
        """Whether the script prints `.output` of its only command, once, and nothing else."""
        others = [node for node in _below(root) if node.type == "call_expression" and not _is_run(node)]
        if len(self.found) != 1 or len(others) != 1:
            return False
        function, arguments = (others[0].child_by_field_name(name) for name in ("function", "arguments"))
        if function is None or _text(function) != "text" or arguments is None or len(arguments.named_children) != 1:
            return False
        shown = arguments.named_children[0]
        place, name = shown.child_by_field_name("object"), shown.child_by_field_name("property")
        if shown.type != "member_expression" or place is None or name is None or _text(name) != "output":
            return False
        return place.type == "identifier" and place.text in _results(root)


def _results(root: Node) -> set[bytes | None]:
    """The names of what the awaited command gave, those that are never given another value."""
    found = set()
    for node in root.named_children:
        if node.type != "lexical_declaration" or _text(node.children[0]) != "const":
            continue
        for each in node.named_children:
            name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
            waits = value is not None and value.type == "await_expression"
            if name is not None and value is not None and waits and _is_run(value.named_children[0]):
                found.add(name.text)
    return found


def _field(pair: Node) -> tuple[str | None, Node]:
    """Name and value of a field; no name where that is not written out."""
    if pair.type == "shorthand_property_identifier":
        return _text(pair), pair
    key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
    if pair.type != "pair" or key is None or value is None:
        return None, pair
    if key.type == "property_identifier":
        return _text(key), value
    return ("".join(map(_piece, key.named_children)) if key.type == "string" else None), value


def _is_run(node: Node) -> bool:
    """`tools.exec_command(...)`."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None or function.type != "member_expression":
        return False
    place, name = function.child_by_field_name("object"), function.child_by_field_name("property")
    return place is not None and name is not None and _text(place) == "tools" and _text(name) in RUNS


def _is_called(node: Node) -> bool:
    """Whether `tools` stands in a call of one of them by its name."""
    above = node.parent
    if above is None or above.type != "member_expression" or above.child_by_field_name("object") != node:
        return False
    call = above.parent
    return call is not None and call.type == "call_expression" and call.child_by_field_name("function") == above


def _below(node: Node) -> Iterator[Node]:
    waiting = list(node.named_children)
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(one.named_children)


def _returns(node: Node) -> bool:
    """Whether a statement may end the script; a `return` of a function within it does not."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type == "return_statement":
            return True
        if "function" not in one.type and "class" not in one.type:
            waiting.extend(one.named_children)
    return False


def _piece(node: Node) -> str:
    """A part of a text: what stands there, or what an escape stands for."""
    said = _text(node)
    if node.type != "escape_sequence":
        return said
    body = said[1:]
    if body[0] in "ux" and len(body) > 1:
        number = int(body[1:].strip("{}"), 16)
        return chr(number) if number < 0xD800 or 0xDFFF < number < 0x110000 else "\N{REPLACEMENT CHARACTER}"
    return ESCAPES.get(body, body)


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def script_ended(blocks: str) -> bool:
    """Whether the host says that the script came to its end."""
    return blocks.startswith("Script completed\n")


def arguments(said: str) -> object:
    """Arguments that may be JSON text; None where they are not."""
    try:
        return msgspec.json.decode(said)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
