"""The patterns of grep (POSIX basic and extended, with GNU's additions) in RE2's syntax, where they say the same."""

from __future__ import annotations

import re

import re2

from dabhand.handoff.shells.readings import Declined

_META = r"\.[]{}()*+?^$|"
_SAME_ESCAPES = frozenset("wWsSbB.[]*^$/\\-+?(){}|")
_BRACKET = re.compile(r"\[\^?\]?(?:\[:[a-z]+:\]|\[[.=].*?[.=]\]|[^\]])*\]", re.DOTALL)


def pattern_of(text: str, kind: str, *, word: bool = False) -> tuple[str, bool]:
    """(value, regex) for a plan.

    Args:
        text: the pattern as grep takes it.
        kind: fixed, basic, extended, perl (grep -P), or rust (rg).
        word: only whole words (`-w`).

    Raises:
        Declined: RE2 would not find the same.
    """
    if "\n" in text:
        raise Declined("it looks for several patterns")
    if kind == "fixed" or not re.search(r"[\\.\[\]{}()*+?^$|]", text):
        if not word:
            return text, False
        if not re.fullmatch(r"\w(.*\w)?", text, re.ASCII):
            raise Declined("what its whole words are depends on the neighbours")
        return rf"\b{_escaped(text)}\b", True
    converted = _posix(text, kind) if kind in ("basic", "extended") else _perl(text)
    plain = re.fullmatch(rf"(?:[^\\{re.escape(_META)}]|\\[{re.escape(_META)}])*", converted)
    if plain and not word:
        return re.sub(r"\\(.)", r"\1", converted), False
    if word:
        if not re.fullmatch(r"\w(.*\w)?", converted, re.ASCII):
            raise Declined("what its whole words are depends on the neighbours")
        converted = rf"\b(?:{converted})\b"
    quiet = re2.Options()
    quiet.log_errors = False
    try:
        re2.compile(converted, quiet)
    except (re2.error, UnicodeEncodeError) as error:
        raise Declined("its pattern is none that plans have") from error
    return converted, True


def _escaped(text: str) -> str:
    return re.sub(rf"([{re.escape(_META)}])", r"\\\1", text)


def _perl(text: str) -> str:
    if re.search(r"\(\?(?![:i])|\\[1-9KGRXhHvVNgkQE]|[*+?}]\+", text):
        raise Declined("its pattern is none that plans have")
    return text


def _posix(text: str, kind: str) -> str:
    """Token by token: what is special bare in one syntax is special behind a backslash in the other."""
    out: list[str] = []
    at = 0
    starts = True  # where `*` is a star, and `^` an anchor
    while at < len(text):
        char = text[at]
        if char == "[":
            found = _BRACKET.match(text, at)
            if not found or re.search(r"\[[.=]", found[0]):
                raise Declined("its pattern is none that plans have")
            out.append(_bracket(found[0]))
            at, starts = found.end(), False
            continue
        if char == "\\":
            piece = text[at + 1 : at + 2]
            at += 2
            token = _behind_backslash(piece, kind)
        else:
            at += 1
            token = _bare(char, kind, starts, at == len(text) or text.startswith(("\\)", "\\|"), at))
        if token == "{" and not re.match(r"[0-9]+(,[0-9]*)?" + (r"\\}" if kind == "basic" else "}"), text[at:]):
            raise Declined("its pattern is none that plans have")
        out.append(token)
        starts = token in ("(", "|", "^")
    return "".join(out)


def _behind_backslash(piece: str, kind: str) -> str:
    if kind == "basic" and piece and piece in "|(){}+?":
        return piece
    if piece in ("<", ">"):
        return r"\b"
    if piece in ("'", '"', "/", "-", " ", ":", "=", "#", "@", ",", "!", "%", "&", "~", ";"):
        return _escaped(piece)
    if piece and piece in _SAME_ESCAPES:
        return "\\" + piece
    raise Declined("its pattern is none that plans have")


def _bare(char: str, kind: str, starts: bool, ends: bool) -> str:
    if kind == "basic":
        if char in "|(){}+?" or (char == "*" and starts):
            return "\\" + char
        if (char == "^" and not starts) or (char == "$" and not ends):
            return "\\" + char
    elif char in "*+?{" and starts:
        raise Declined("its pattern is none that plans have")
    return char


def _bracket(text: str) -> str:
    """A bracket expression: in POSIX a backslash inside is only a backslash."""
    inside = text[1:-1].replace("\\", "\\\\")
    negated = inside.startswith("^")
    inside = inside[1:] if negated else inside
    inside = re.sub(r"^\]", r"\\]", inside)
    classes = re.split(r"(\[:[a-z]+:\])", inside)
    inside = "".join(part if at % 2 else part.replace("[", r"\[") for at, part in enumerate(classes))
    return f"[{'^' if negated else ''}{inside}]"
