"""A line of bash as lists of pipelines of commands, with the place of everything in the text.

tree-sitter finds the commands, words and operators. How operators bind is worked out here, because the grammar has
`a && b 2>&1 | c` wrong (it pipes the whole list) and lets a redirection swallow the words behind it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import tree_sitter
import tree_sitter_bash

from dabhand.handoff.shells.script import AndOr, Branch, Command, Pipeline, Redirection, Script, Substitution
from dabhand.handoff.shells.texts import code_place
from dabhand.handoff.shells.words import Word, word_of

_TRANSPARENT = frozenset({"program", "list", "pipeline", "redirected_statement", "negated_command"})
_REDIRECTIONS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
_SIMPLE = frozenset({"command", "variable_assignment", "variable_assignments", "declaration_command", "unset_command"})
_BODIES = {
    "subshell": "subshell",
    "compound_statement": "group",
    "for_statement": "loop",
    "c_style_for_statement": "loop",
    "while_statement": "loop",
    "if_statement": "choice",
    "case_statement": "choice",
}
_LIST_ENDS = frozenset({";", "&", "\n", ";;", ";&", ";;&"})
_SUBSTITUTIONS = {"command_substitution": "command", "process_substitution": "process"}
_STATEMENTS = _SIMPLE | _TRANSPARENT | _BODIES.keys() | {"do_group", "else_clause", "elif_clause", "case_item"}
_AFTER_OPERATOR = _TRANSPARENT | _SIMPLE | {"|", "&&", "||", "heredoc_body", "heredoc_end", "\n"}


def parse_line(line: str) -> Script:
    """Read a line of bash."""
    source = line.encode("utf-8", "surrogateescape")
    root = _parser().parse(source).root_node
    lists = tuple(_lists(root.children, source))
    complete = not root.has_error and all(
        command.end > command.begin and command.name not in ("}", ")")
        for one in lists
        for pipeline in one.pipelines
        for command in pipeline.commands
    )
    return Script(source, lists, complete and bool(lists), frozenset(_begins(root)))


def _begins(node: tree_sitter.Node) -> Iterator[int]:
    if node.type in ("command", "declaration_command", "test_command"):
        yield node.start_byte
    for child in node.children:
        yield from _begins(child)


@functools.cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


class _Collecting:
    """What has been seen of a list that is not finished."""

    def __init__(self) -> None:
        self.pipelines: list[Pipeline] = []
        self.operators: list[str] = []
        self.commands: list[Command] = []
        self.parts: list[tree_sitter.Node] = []
        self.negated: int | None = None
        self.begin: int | None = None
        self.here_document = False
        self.text_ends = self.reach = 0
        self.texts: list[tree_sitter.Node] = []

    def end_command(self, source: bytes) -> None:
        if self.parts:
            self.commands.append(_command(self.parts, source, self.reach, self.texts))
            self.parts, self.reach, self.texts = [], 0, []

    def end_pipeline(self, source: bytes) -> None:
        self.end_command(source)
        if self.commands:
            begin = self.commands[0].begin if self.negated is None else self.negated
            negated = self.negated is not None
            self.pipelines.append(Pipeline(begin, self.commands[-1].end, tuple(self.commands), negated))
        self.commands, self.negated = [], None

    def finished(self, source: bytes, background: bool) -> AndOr | None:
        self.end_pipeline(source)
        if not self.pipelines:
            return None
        end = max(self.text_ends, self.pipelines[-1].end)
        parts = (tuple(self.pipelines), tuple(self.operators))
        return AndOr(self.pipelines[0].begin, end, *parts, background, self.here_document)


def _lists(nodes: list[tree_sitter.Node], source: bytes) -> Iterator[AndOr]:
    """The and-or lists among the children of a program, a subshell or a body."""
    seen = _Collecting()
    for node in nodes:
        if node.type in _LIST_ENDS or (node.is_named and node.type != "comment" and not _continues(node)):
            if found := seen.finished(source, background=node.type == "&"):
                yield found
            seen = _Collecting()
        if node.is_named and node.type != "comment":
            for token in _flat(node):
                _take(seen, token, source)
    if found := seen.finished(source, background=False):
        yield found


def _continues(node: tree_sitter.Node) -> bool:
    """Whether a named node belongs to the statement before it: a redirection that stands apart."""
    return node.type in _REDIRECTIONS


def _flat(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Commands, operators and redirections in the order of the text."""
    if node.type in _TRANSPARENT:
        for child in node.children:
            yield from _flat(child)
    elif node.type == "heredoc_redirect":
        yield node
        for child in node.children:
            if child.type in _TRANSPARENT or child.type in _SIMPLE or child.type in ("|", "&&", "||", "file_redirect"):
                yield from _flat(child)
    elif node.type != "comment":
        yield node


def _take(seen: _Collecting, token: tree_sitter.Node, source: bytes) -> None:
    match token.type:
        case "|" | "|&":
            seen.end_command(source)
        case "&&" | "||":
            seen.end_pipeline(source)
            seen.operators.append(token.type)
        case "!" if not seen.commands and not seen.parts:
            seen.negated = token.start_byte
        case "heredoc_redirect":
            seen.here_document = True
            seen.text_ends = token.end_byte
            seen.reach = _operator_end(token)
            seen.texts += [child for child in token.children if child.type == "heredoc_body"]
        case _:
            seen.parts.append(token)


def _operator_end(token: tree_sitter.Node) -> int:
    """Where `<<EOF` ends, with the words behind it that belong to its command."""
    end = token.start_byte
    for child in token.children:
        if child.type in _AFTER_OPERATOR:
            break
        end = child.end_byte
    return end


def _command(parts: list[tree_sitter.Node], source: bytes, reach: int, texts: list[tree_sitter.Node]) -> Command:
    """A command from its node, its redirections (a here-document's ends at `reach`) and its here-documents' texts."""
    begin, end = parts[0].start_byte, max(parts[-1].end_byte, reach)
    text = source[begin:end].decode("utf-8", "surrogateescape")
    node = next((part for part in parts if part.type not in _REDIRECTIONS), None)
    redirected = [_redirection(part, source) for part in parts if part.type == "file_redirect"]
    redirections = tuple(one for one, _ in redirected)
    if node is None or node.type not in _SIMPLE:
        kind = "other" if node is None else _kind(node)
        inner = () if node is None else tuple(_inner(node, source))
        return Command(
            begin,
            end,
            text,
            kind,
            redirections=redirections,
            inner=inner,
            branches=() if node is None else tuple(_branches(node, source)),
            substitutions=tuple(found for part in (*parts, *texts) for found in _substitutions(part, source)),
            starts=begin if node is None else node.start_byte,
        )
    assignments = [node] if node.type == "variable_assignment" else []
    assignments += [child for child in node.children if child.type == "variable_assignment"]
    places = [child for child in node.children if child.is_named and child.type != "variable_assignment"]
    own = [child for child in places if child.type in _REDIRECTIONS]
    redirected += [_redirection(child, source) for child in own if child.type == "file_redirect"]
    words = [] if node.type != "command" else [word_of(child, source) for child in places if child not in own]
    words += [word for _, more in redirected for word in more]
    substitutions = [found for part in (*parts, *texts) for found in _substitutions(part, source)]
    return Command(
        begin,
        end,
        text,
        "simple" if node.type == "command" else "other",
        tuple(words),
        tuple(source[one.start_byte : one.end_byte].decode("utf-8", "surrogateescape") for one in assignments),
        tuple(one for one, _ in redirected),
        substitutions=(*substitutions, *_code(tuple(words))),
        starts=node.start_byte,
    )


def _code(words: tuple[Word, ...]) -> Iterator[Substitution]:
    """The literal word that a command carries out as a line of bash."""
    place = code_place(words)
    word = None if place is None else words[place]
    if word is not None and word.value is not None and (script := parse_line(word.value)).understood:
        yield Substitution(word.begin, word.end, "code", script.lists, script.source)


def _substitutions(node: tree_sitter.Node, source: bytes, top: bool = True) -> Iterator[Substitution]:
    """What is substituted in a command itself, and not in the commands that it consists of."""
    if node.type in _SUBSTITUTIONS:
        if source.startswith(b"$((", node.start_byte):
            return  # bash may take it for arithmetic, whatever the grammar says
        kind = "backticks" if source[node.start_byte : node.start_byte + 1] == b"`" else _SUBSTITUTIONS[node.type]
        children = [child for child in node.children if child.type not in ("$(", "`", ")", "<(", ">(", "``")]
        yield Substitution(node.start_byte, node.end_byte, kind, tuple(_lists(children, source)))
    elif top or node.type not in _STATEMENTS or _is_arithmetic(node):
        for child in node.children:
            yield from _substitutions(child, source, top=node.type in _SIMPLE and child.type in _SIMPLE)


def _kind(node: tree_sitter.Node) -> str:
    if node.type == "test_command" or _is_arithmetic(node):
        return "test"
    return "function" if node.type == "function_definition" else _BODIES.get(node.type, "other")


def _is_arithmetic(node: tree_sitter.Node) -> bool:
    return bool(node.children) and node.children[0].type == "(("


def _redirection(node: tree_sitter.Node, source: bytes) -> tuple[Redirection, list[Word]]:
    """A redirection, and the words behind its target, which belong to the command."""
    descriptor = operator = ""
    words = []
    for child in node.children:
        if child.type == "file_descriptor":
            descriptor = source[child.start_byte : child.end_byte].decode()
        elif child.is_named:
            words.append(word_of(child, source))
        else:
            operator = child.type
    return Redirection(descriptor, operator, words[0] if words else None), words[1:]


def _inner(node: tree_sitter.Node, source: bytes) -> Iterator[AndOr]:
    """The lists that a compound command carries out; what it only asks (`if ...`, `while ...`) is left out."""
    if _is_arithmetic(node):
        return
    match node.type:
        case "subshell" | "compound_statement" | "do_group" | "else_clause":
            yield from _lists([child for child in node.children if child.type not in "(){}"], source)
        case "for_statement" | "c_style_for_statement" | "while_statement":
            for child in node.children:
                if child.type in ("do_group", "compound_statement"):
                    yield from _inner(child, source)
        case "if_statement" | "elif_clause":
            yield from _after_then(node, source)


def _branches(node: tree_sitter.Node, source: bytes) -> Iterator[Branch]:
    """The parts of a loop, a choice or a function, each with what it asks."""
    if _is_arithmetic(node):
        return
    match node.type:
        case "if_statement" | "elif_clause":
            then = next((at for at, child in enumerate(node.children) if child.type == "then"), len(node.children))
            body = [child for child in node.children[then + 1 :] if child.type not in (*_FURTHER, "fi")]
            yield Branch(tuple(_lists(node.children[1:then], source)), tuple(_lists(body, source)))
            for child in node.children[then + 1 :]:
                if child.type in _FURTHER:
                    yield from _branches(child, source)
        case "else_clause":
            yield Branch((), tuple(_lists(node.children[1:], source)))
        case "while_statement":
            begin = next((at for at, child in enumerate(node.children) if child.type == "do_group"), len(node.children))
            yield Branch(tuple(_lists(node.children[1:begin], source)), tuple(_inner(node, source)))
        case "case_statement":
            for child in node.children:
                if child.type == "case_item":
                    closed = next((at for at, one in enumerate(child.children) if one.type == ")"), 0)
                    yield Branch((), tuple(_lists(child.children[closed + 1 :], source)))
        case "function_definition":
            body_of = node.child_by_field_name("body")
            yield Branch((), () if body_of is None else tuple(_inner(body_of, source)))


_FURTHER = ("elif_clause", "else_clause")


def _after_then(node: tree_sitter.Node, source: bytes) -> Iterator[AndOr]:
    then = next((at for at, child in enumerate(node.children) if child.type == "then"), len(node.children))
    body = node.children[then + 1 :]
    yield from _lists([child for child in body if child.type not in ("elif_clause", "else_clause", "fi")], source)
    for child in body:
        if child.type in ("elif_clause", "else_clause"):
            yield from _inner(child, source)
