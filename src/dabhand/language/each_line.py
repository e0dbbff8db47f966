"""Primitives that change every line: reversed, numbered, cut, folded, put side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dabhand.language.declarations import primitive
from dabhand.language.kinds import LINES, NUMBER, WORD, EvalError
from dabhand.language.limits import check_size, checked_text, to_bytes, to_text
from dabhand.language.lines import Lines, place

if TYPE_CHECKING:
    from dabhand.language.kinds import Number


def body_and_end(line: str) -> tuple[str, str]:
    """A line without its newline, and the newline if it has one."""
    return (line[:-1], "\n") if line[-1:] == "\n" else (line, "")


@primitive([LINES], LINES)
def mirrored(lines: Lines) -> Lines:
    """Every line with its characters in reverse order."""
    if "\0" in "".join(lines):
        raise EvalError("the lines are not text")
    return tuple([line[-2::-1] + "\n" if line[-1:] == "\n" else line[::-1] for line in lines])


PAGE_MARKS = {"\\:\\:\\:": False, "\\:\\:": True, "\\:": False}
"""Lines that begin a page's header, body and footer, and whether lines are numbered there (POSIX, nl)."""


@primitive([LINES], LINES)
def numbered(lines: Lines) -> Lines:
    """Every line after its number in six columns and a tab; empty lines, headers and footers get seven spaces."""
    done: list[str] = []
    counting, number = True, 0
    for line in lines:
        if line[:2] == "\\:" and line.rstrip("\n") in PAGE_MARKS:
            text, end = body_and_end(line)
            counting, number = PAGE_MARKS[text], 0
            done.append(end)
        elif counting and line and line != "\n":
            number += 1
            done.append(f"{number:6d}\t{line}")
        else:
            done.append(f"       {line}")
    return tuple(done)


@primitive([LINES], LINES, cost=3)
def numbered_all(lines: Lines) -> Lines:
    """Every line, empty ones too, after its number in six columns and a tab."""
    return tuple([f"{number:6d}\t{line}" for number, line in enumerate(lines, 1)])


@primitive([LINES], LINES, cost=3)
def trimmed(lines: Lines) -> Lines:
    """Every line without white space at both ends."""
    return tuple([line.strip() + "\n" if line[-1:] == "\n" else line.strip() for line in lines])


@primitive([WORD, LINES], LINES, cost=3)
def prefixed(word: str, lines: Lines) -> Lines:
    """Every line with a word put before it."""
    check_size(len(word) * len(lines))
    return tuple([word + line for line in lines])


@primitive([WORD, LINES], LINES, cost=3)
def suffixed(word: str, lines: Lines) -> Lines:
    """Every line with a word put after it."""
    check_size(len(word) * len(lines))
    return tuple([line[:-1] + word + "\n" if line[-1:] == "\n" else line + word for line in lines])


def cut_bytes(lines: Lines, part: Any) -> Lines:
    """Of every line the bytes in a slice."""
    if "".join(lines).isascii():
        return tuple([line[:-1][part] + "\n" if line[-1:] == "\n" else line[part] for line in lines])
    bodies = map(body_and_end, lines)
    return tuple([to_text(to_bytes(body)[part]) + end for body, end in bodies])


@primitive([NUMBER, NUMBER, LINES], LINES, cost=3, suggests={0: (1,)})
def columns(number: Number, to: Number, lines: Lines) -> Lines:
    """Of every line the bytes from one place to another, both included; the first byte is 1."""
    start, stop = place(number), place(to)
    if stop < start:
        raise EvalError(f"there are no columns {start} to {stop}")
    return cut_bytes(lines, slice(start - 1, stop))


@primitive([NUMBER, LINES], LINES, cost=3)
def columns_from(number: Number, lines: Lines) -> Lines:
    """Of every line the bytes from one place to the end; the first byte is 1."""
    return cut_bytes(lines, slice(place(number) - 1, None))


@primitive([NUMBER, LINES], LINES, cost=3)
def folded(number: Number, lines: Lines) -> Lines:
    """Every line broken after so many columns (a tab goes to the next multiple of 8); each piece is a line."""
    limit = place(number)
    pieces: list[str] = []
    ended = bool(lines) and (lines[0][-1:] == "\n" or len(lines) == 1)
    for line in lines:
        body, end = body_and_end(line)
        parts = fold(to_bytes(body), limit)
        pieces.extend([to_text(part) + ("\n" if ended else "") for part in parts[:-1]])
        pieces.append(to_text(parts[-1]) + end)
    return tuple(pieces)


def fold(line: bytes, limit: int) -> list[bytes]:
    """The pieces of a line no wider than a limit, where a byte is a column."""
    if not (b"\t" in line or b"\b" in line or b"\r" in line):
        return [line[start : start + limit] for start in range(0, max(len(line), 1), limit)]
    parts, column, start = [], 0, 0
    for index in range(len(line)):
        after = _column_after(line[index], column)
        if after > limit and index > start:
            parts.append(line[start:index])
            start, after = index, _column_after(line[index], 0)
        column = after
    return [*parts, line[start:]]


def _column_after(byte: int, column: int) -> int:
    match byte:
        case 8:
            return max(column - 1, 0)
        case 9:
            return column + 8 - column % 8
        case 13:
            return 0
    return column + 1


def filled(lines: Lines, others: Lines) -> list[tuple[str, str]]:
    """Pairs of lines, the shorter list filled up with empty ones."""
    size = max(len(lines), len(others))
    left = lines + ("",) * (size - len(lines))
    return list(zip(left, others + ("",) * (size - len(others)), strict=True))


@primitive([LINES, LINES], LINES, cost=2)
def beside(lines: Lines, others: Lines) -> Lines:
    """The lines of two lists side by side with a tab between; the shorter list is filled up with empty lines."""
    pairs = filled(lines, others)
    if "\n" not in "".join(lines):
        return tuple([f"{left}\t{right}" for left, right in pairs])
    return tuple([f"{body_and_end(left)[0]}\t{right}" for left, right in pairs])


@primitive([WORD, LINES, LINES], LINES, cost=3, suggests={0: (",", " ")})
def beside_with(word: str, lines: Lines, others: Lines) -> Lines:
    """The lines of two lists side by side with a word between; the shorter list is filled up with empty lines."""
    check_size(len(word) * max(len(lines), len(others)))
    return tuple([f"{body_and_end(left)[0]}{word}{right}" for left, right in filled(lines, others)])


@primitive([WORD, LINES], WORD, cost=3, suggests={0: (",", " ", "", "\t")})
def joined(word: str, lines: Lines) -> str:
    """All lines as one word, with a word between each two."""
    check_size(len(word) * len(lines))
    return checked_text(word.join(lines))
