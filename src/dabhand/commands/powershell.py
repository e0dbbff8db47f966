"""The PowerShell dialect: literal strings by doubled quotes, expandable ones by backticks (about_Quoting_Rules)."""

from __future__ import annotations

import re

from dabhand.commands.pieces import ANY_NAME, CAPITAL_NAME, SLOT_KINDS, Hole, Piece, Quotes
from dabhand.errors import TemplateError

_SINGLE = "'\u2018\u2019\u201a\u201b"
"""PowerShell reads typographic quotes as quotes too (tokenizer, IsSingleQuote)."""
_DOUBLE = '"\u201c\u201d\u201e'
_PLAIN = re.compile(r"[A-Za-z0-9_./\\:]*[A-Za-z_./][A-Za-z0-9_./\\:-]*")


class PowerShellDialect:
    """Reads and writes the quoting of PowerShell 5 and later."""

    def scan(self, text: str) -> tuple[Piece, ...]:
        """See `Dialect.scan`."""
        pieces: list[Piece] = []
        at = begin = 0
        quotes: Quotes = "bare"
        word = ""
        while at < len(text):
            pattern = ANY_NAME if quotes == "bare" else CAPITAL_NAME
            variable = quotes != "single" and text[:at].endswith("$")
            found = pattern.match(text, at) if text[at] == "{" and not variable else None
            if found:
                _check(text, found[1], quotes, word)
                pieces += [text[begin:at], _hole(found[1], quotes, word, text[found.end() :])]
                at = begin = found.end()
                word += found[0]
                continue
            width = 2 if text[at] == "`" and quotes != "single" else 1
            quotes = _quotes_after(quotes, text[at]) if width == 1 else quotes
            word = "" if quotes == "bare" and text[at] in " \t\n;|&<>()" else word + text[at : at + width]
            at += width
        if quotes != "bare":
            raise TemplateError(f"The template {text!r} cannot be used: a quote is never closed.", "Close it.")
        pieces.append(text[begin:])
        return tuple(piece for piece in pieces if piece != "")

    def quote(self, value: str, hole: Hole) -> str:
        """See `Dialect.quote`."""
        single = re.sub(f"([{_SINGLE}])", r"\1\1", value)
        match hole.quotes:
            case "single":
                return single
            case "double":
                return re.sub(f"([`${_DOUBLE}])", r"`\1", value)
            case _:
                plain = not hole.force_quotes and (_PLAIN.fullmatch(value) or re.fullmatch(r"-?[0-9]+", value))
                return value if plain else f"'{single}'"


def _hole(name: str, quotes: Quotes, word: str, after: str) -> Hole:
    attached = bool(word) or after[:1] not in ("", " ", "\t", "\n", ";", "|", ")")
    return Hole(name, quotes, word in ("", "'", '"'), quotes == "bare" and attached and SLOT_KINDS[name] != "number")


def _quotes_after(quotes: Quotes, char: str) -> Quotes:
    if char in _SINGLE and quotes != "double":
        return "bare" if quotes == "single" else "single"
    if char in _DOUBLE and quotes != "single":
        return "bare" if quotes == "double" else "double"
    return quotes


def _check(text: str, name: str, quotes: Quotes, word: str) -> None:
    if name not in SLOT_KINDS:
        raise TemplateError(
            f"The template {text!r} cannot be used: there is no slot {{{name}}}.",
            "Slots are {A}, {B}, {C} for paths, {T}, {U} for words, {N} for a number.",
        )
    if quotes == "double" and re.search(r"\$\(|\$[A-Za-z0-9_:]+$", word):
        raise TemplateError(
            f"The template {text!r} cannot be used: {{{name}}} would become part of an expression.",
            "Keep the slot apart from $(...) and $name.",
        )
