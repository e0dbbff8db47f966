"""The POSIX shell dialect (as bash reads it): finding slots in their quoting context, and filling them.

The scanner follows the quoting rules of POSIX.1-2017 XCU 2.2 plus bash's `$'...'`. Where a value could not be
kept from becoming syntax (backquotes, `${...}`, here-documents, comments, arithmetic), the template is refused.
"""

from __future__ import annotations

import re

from dabhand.commands.pieces import ANY_NAME, CAPITAL_NAME, SLOT_KINDS, Hole, Piece, Quotes
from dabhand.errors import TemplateError

_PLAIN = re.compile(r"[A-Za-z0-9_./:,+@%-]+")
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])")
_SIMPLE_EXPANSION = re.compile(r"\$\{[^{}'\"\\$`]*\}")
_SPACE = " \t\n"
_OPERATORS = ";|&<>()"
_ENDS_WORD = _SPACE + ";|&)"
_RESERVED = frozenset(
    {"if", "then", "elif", "else", "fi", "time", "for", "in", "until", "while", "do", "done", "case", "esac", "coproc"}
    | {"select", "function"}
)
_HINT = "Slots are {A}, {B}, {C} for paths, {T}, {U} for words, {N} for a number; write \\{X} for the text itself."


class PosixDialect:
    """Reads and writes the language of bash and its relatives."""

    def scan(self, text: str) -> tuple[Piece, ...]:
        """See `Dialect.scan`."""
        return _Scanner(text).scan()

    def quote(self, value: str, hole: Hole) -> str:
        """See `Dialect.quote`."""
        match hole.quotes:
            case "single":
                return value.replace("'", "'\\''")
            case "double":
                return re.sub(r'([\\"$`])', r"\\\1", value)
            case "ansi":
                return "'" + _single_quoted(value) + "$'"
            case "bare":
                plain = not hole.force_quotes and _PLAIN.fullmatch(value) and value not in _RESERVED
                return value if plain else _single_quoted(value)


def _single_quoted(value: str) -> str:
    return "'" + value.replace("'", "'\\''") + "'"


class _Scanner:
    """One pass over a template, with a stack of what is open: `(`, `$(`, `((`, `$((` or `"`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open: list[str] = []
        self.pieces: list[Piece] = []
        self.literal_from = 0
        self.word_from: int | None = None
        self.after_variable = False

    def scan(self) -> tuple[Piece, ...]:
        while self.at < len(self.text):
            self._step()
        if self.open:
            raise self._refusal(f"{self.open[-1]} is opened and never closed", "Close it.")
        self._flush()
        return tuple(self.pieces)

    def _step(self) -> None:
        """Consume one element; whether it was a variable matters to what follows it."""
        was_variable, self.after_variable = self.after_variable, False
        char = self.text[self.at]
        quoted = bool(self.open) and self.open[-1] == '"'
        if char == "{" and self._slot("double" if quoted else "bare", was_variable):
            return
        if char == "\\":
            self._word(2)
        elif char == "`":
            self._backquotes()
        elif char == "$":
            self._dollar(quoted)
        elif quoted:
            self._inside_double(char)
        else:
            self._bare(char)

    def _inside_double(self, char: str) -> None:
        if char == '"':
            self.open.pop()
        self._word(1)

    def _bare(self, char: str) -> None:
        if char == "'":
            self._single(1, "single")
        elif char == '"':
            self._push('"', 1)
        elif char in _SPACE:
            self._break(1)
        elif char == "#" and self.word_from is None:
            raise self._refusal("it holds a comment", "Leave the comment out, or quote the #.")
        elif char in _OPERATORS:
            self._operator(char)
        else:
            self._word(1)

    def _operator(self, char: str) -> None:
        rest = self.text[self.at :]
        if rest.startswith("<<") and not rest.startswith("<<<"):
            raise self._refusal("it holds a here-document", "Use printf or echo with a word slot instead.")
        if re.match(r"[<>]&[ \t]*\{[A-Z]", rest):
            raise self._refusal("a slot after >& could name a descriptor", "Write &> for a file.")
        if rest.startswith("(("):
            self._push("((", 2)
        elif char == "(":
            self._push("(", 1)
        elif char == ")":
            self._close(rest)
        else:
            self._break(3 if rest.startswith("<<<") else 1)

    def _close(self, rest: str) -> None:
        if not self.open or not rest.startswith(")" * self.open[-1].count("(")):
            raise self._refusal("it closes a parenthesis that is not open", "Quote it if it is meant as text.")
        opening = self.open.pop()
        if opening.startswith("$"):
            self._word(opening.count("("))
        else:
            self._break(opening.count("("))

    def _dollar(self, quoted: bool) -> None:
        rest = self.text[self.at :]
        if rest.startswith("${"):
            self._expansion(rest)
        elif rest.startswith("$[") or (rest.startswith("$(") and re.search(r"\bcase\b", rest)):
            raise self._refusal("its substitution is too intricate to fill safely", "Write a simpler command.")
        elif rest.startswith("$(("):
            self._push("$((", 3)
        elif rest.startswith("$("):
            self._push("$(", 2)
        elif rest.startswith("$'") and not quoted:
            self._single(2, "ansi")
        elif found := _VARIABLE.match(rest):
            self._word(found.end())
            self.after_variable = True
        else:
            self._word(1)

    def _expansion(self, rest: str) -> None:
        found = _SIMPLE_EXPANSION.match(rest)
        if not found:
            raise self._refusal("its ${...} is too intricate to fill safely", "Write a simpler command.")
        if found[0][2:-1] in SLOT_KINDS:
            raise self._refusal(
                f"{found[0]} reads as a shell variable", f"Write \\{found[0]} for a dollar sign before the slot."
            )
        self._word(found.end())

    def _backquotes(self) -> None:
        end = re.compile(r"`(?:[^`\\]|\\.)*`", re.DOTALL).match(self.text, self.at)
        if not end:
            raise self._refusal("` is opened and never closed", "Close it.")
        if ANY_NAME.search(end[0]):
            raise self._refusal("a slot inside backquotes cannot be filled safely", "Write $(...) instead.")
        self._word(len(end[0]))

    def _single(self, opening: int, quotes: Quotes) -> None:
        self._word(opening)
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "'":
                self._word(1)
                return
            if char == "{" and self._slot(quotes, False):
                continue
            self._word(2 if char == "\\" and quotes == "ansi" else 1)
        raise self._refusal("' is opened and never closed", "Close it.")

    def _slot(self, quotes: Quotes, after_variable: bool) -> bool:
        found = (ANY_NAME if quotes == "bare" else CAPITAL_NAME).match(self.text, self.at)
        if not found:
            return False
        name = found[1]
        if name not in SLOT_KINDS:
            raise self._refusal(f"there is no slot {found[0]}", _HINT)
        if after_variable and quotes == "double":
            raise self._refusal(f"{found[0]} would lengthen the variable before it", "Write the variable as ${name}.")
        if {"((", "$(("} & set(self.open) and SLOT_KINDS[name] != "number":
            raise self._refusal(f"arithmetic would evaluate {found[0]}", "Only {N} can stand in arithmetic.")
        before = "" if self.word_from is None else self.text[self.word_from : self.at]
        self._flush()
        forced = quotes == "bare" and _neighbours_matter(before, self.text[found.end() :], name, after_variable)
        self.pieces.append(Hole(name, quotes, before in ("", "'", '"', "$'"), forced))
        self._word(len(found[0]))
        self.literal_from = self.at
        return True

    def _push(self, opening: str, width: int) -> None:
        self.open.append(opening)
        if opening == '"':
            self._word(width)
        else:
            self._break(width)

    def _word(self, width: int) -> None:
        """Consume characters that belong to a word."""
        if self.word_from is None:
            self.word_from = self.at
        self.at += width

    def _break(self, width: int) -> None:
        """Consume characters that end a word."""
        self.word_from = None
        self.at += width

    def _flush(self) -> None:
        if self.at > self.literal_from:
            self.pieces.append(self.text[self.literal_from : self.at])
        self.literal_from = self.at

    def _refusal(self, reason: str, hint: str) -> TemplateError:
        return TemplateError(f"The template {self.text!r} cannot be used: {reason}.", hint)


def _neighbours_matter(before: str, after: str, name: str, after_variable: bool) -> bool:
    """Whether what stands around a bare slot could give plain letters or digits a meaning.

    `{N}>x` would name a descriptor, `~{A}` a home, `{A}=x` an assignment, `i{T}` a reserved word.
    """
    if SLOT_KINDS[name] == "number":
        return after_variable or before.startswith("~") or after[:1] in ("<", ">")
    if before and not before.startswith("-"):
        return True
    return after[:1] not in ("", ".", "/", *_ENDS_WORD)
