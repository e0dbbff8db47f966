r"""Substitution as sed writes it: s/pattern/replacement/flags, with & and \1, read exactly as GNU sed 4.9 reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from dabhand.language import regex, regex_tree
from dabhand.language.automaton import Spans, automaton
from dabhand.language.kinds import EvalError
from dabhand.language.limits import check_size, checked_text
from dabhand.language.regex_atoms import sed_escape

Lines: TypeAlias = tuple[str, ...]
Search: TypeAlias = Callable[[str, int], "Spans | None"]


class Piece(NamedTuple):
    """A piece of a replacement: literal text, then maybe a group; `case` is a change of case that begins before it."""

    text: str
    group: int | None
    case: str


class Substitution(NamedTuple):
    """What a substitution command does."""

    search: Search
    pieces: tuple[Piece, ...]
    everywhere: bool
    nth: int
    inside: Spans | None
    """What the pattern matches between the bytes of one character: nothing, or (as sed has it) an empty string."""


def substituted(word: str, other: str, flags: str, lines: Lines) -> Lines:
    """Every line, its end kept, after s/word/other/flags."""
    command = parsed(word, other, flags)
    made, size = [], 0
    for line in lines:
        changed = _apply(command, line[:-1]) + "\n" if line[-1:] == "\n" else _apply(command, line)
        size += len(changed)
        check_size(size)
        made.append(changed if changed.isascii() else checked_text(changed))
    return tuple(made)


def parsed(word: str, other: str, flags: str) -> Substitution:
    """The command that s/word/other/flags is.

    Raises:
        EvalError: it is none, or more than one.
    """
    made = _parsed(word, other, flags)
    if isinstance(made, str):
        raise EvalError(made)
    return made


@lru_cache(maxsize=4096)
def _parsed(word: str, other: str, flags: str) -> Substitution | str:
    """The command, or what is wrong with it (so that it is found out only once)."""
    try:
        return _parse(f"{word}/{other}/{flags}")
    except EvalError as error:
        return str(error)
    except (re.error, OverflowError, RecursionError):
        return "the pattern is too large"


def _parse(script: str) -> Substitution:
    pattern, at = _until_slash(script, 0, True)
    replacement, at = _until_slash(script, at, False)
    everywhere, nth, options = _read_flags(script[at:])
    if not pattern:
        raise EvalError("there is no pattern")
    node = regex.parse(pattern, "sed")
    groups = regex_tree.count_groups(node)
    pieces = _read_replacement(replacement)
    if any(piece.group is not None and piece.group > groups for piece in pieces):
        raise EvalError("the replacement names a group that the pattern does not have")
    search = _searcher(node, groups, options)
    inside = search("\udc80\udc80", 1) if regex_tree.is_bytewise(node) and not options else None
    if inside is not None and inside[:2] != (1, 1):
        inside = None
    return Substitution(search, pieces, everywhere, nth, inside)


# A bracket expression, in which a slash ends nothing.
_BRACKET = re.compile(r"\[\^?\]?(?:\[:[^\]\n]*:\]|\[\.[^\]\n]*\.\]|\[=[^\]\n]*=\]|[^\]\n])*\]")


def _until_slash(script: str, at: int, is_pattern: bool) -> tuple[str, int]:
    """The text up to the next slash (escaped ones are plain slashes), and the place after it."""
    made: list[str] = []
    while at < len(script):
        char = script[at]
        if char == "/":
            return "".join(made), at + 1
        if char == "\n":
            break  # it would have to be escaped
        if char == "[" and is_pattern:
            bracket = _BRACKET.match(script, at)
            if bracket is None:
                break
            char = bracket[0]
        elif char == "\\" and at + 1 < len(script):
            char = script[at : at + 2]
        made.append("/" if char == "\\/" else "\n" if char == "\\\n" and is_pattern else char)
        at += len(char)
    raise EvalError("the substitution is not ended")


def _read_flags(flags: str) -> tuple[bool, int, int]:
    """Whether everywhere, from which match on, and options of Python's `re`."""
    flags = flags.partition(";")[0] if not flags.partition(";")[2].strip("; ") else flags
    found = re.fullmatch(r"([giI ]|[0-9]+)*", flags)
    numbers = re.findall(r"[0-9]+", flags)
    if found is None or flags.count("g") > 1 or len(numbers) > 1 or not int((numbers or ["1"])[0][:6]):
        raise EvalError("what follows the replacement is not understood")
    options = re.IGNORECASE if "i" in flags.lower() else 0
    return "g" in flags, int(numbers[0][:6]) if numbers else 1, int(options)


def _read_replacement(text: str) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    plain, case, at = "", "", 0
    while at < len(text):
        char, at = text[at], at + 1
        group, following = None, ""
        if char == "&":
            group = 0
        elif char != "\\" or at == len(text):
            plain += char
            continue
        else:
            char, made, at = text[at], sed_escape(text, at), at + 1
            if char in "0123456789":
                group = int(char)
            elif char in "LUElu":
                following = char
            else:
                plain, at = (plain + char, at) if made is None else (plain + made[0], made[1])
                continue
        pieces.append(Piece(plain, group, case))
        plain, case = "", following
    return (*pieces, Piece(plain, None, case))


def _searcher(node: regex_tree.Node, groups: int, flags: int) -> Search:
    if not regex_tree.is_greedy(node) or regex_tree.count_loops(node) > 3:
        return automaton(node, groups, flags).search
    find = re.compile(regex_tree.python_source(node), flags).search

    def search(line: str, start: int) -> Spans | None:
        found = find(line, start)
        return None if found is None else tuple([edge for span in found.regs for edge in span])

    return search


def _apply(command: Substitution, line: str) -> str:
    """One line after the command; of empty matches those right after another match do not count."""
    done: list[str] = []
    start, last_end, count = 0, -1, 0
    while start <= len(line):
        spans = command.search(line, start)
        if spans is None:
            break
        first, end = spans[0], spans[1]
        done.append(line[start:first])
        if not first == end == last_end:
            count += 1
            done.append(_expanded(command.pieces, line, spans) if count >= command.nth else line[first:end])
        start = last_end = end
        if count >= command.nth and not command.everywhere:
            break
        if first == end:
            done.append(_passed(command, line[end : end + 1]))
            start = end + 1
    done.append(line[start:])
    return "".join(done)


def _passed(command: Substitution, char: str) -> str:
    """The character that an empty match stands before, with what is put between its bytes."""
    if char.isascii() or command.inside is None or "\udc80" <= char <= "\udcff":
        return char
    between = _expanded(command.pieces, "", command.inside)
    return between.join([chr(0xDC00 + byte) for byte in char.encode()])


def _expanded(pieces: tuple[Piece, ...], line: str, spans: Spans) -> str:
    if len(pieces) == 1:
        return pieces[0].text
    made: list[str] = []
    lasting, once = "", ""
    for text, group, case in pieces:
        if case in ("L", "U", "E"):
            lasting, once = case, ""
        elif case:
            once = case
        for part in (text, "" if group is None else line[max(spans[2 * group], 0) : max(spans[2 * group + 1], 0)]):
            if part:
                made.append(_cased(part, lasting, once))
                once = ""
    return "".join(made)


def _cased(part: str, lasting: str, once: str) -> str:
    if lasting in ("L", "U"):
        part = "".join([_letter(char, lasting == "U") for char in part])
    return _letter(part[0], once == "u") + part[1:] if once else part


def _letter(char: str, upper: bool) -> str:
    """One character in the other case, where that is one character too."""
    made = char.upper() if upper else char.lower()
    return made if len(made) == 1 else char
