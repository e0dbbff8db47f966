"""Whether a goal that a model proposed says what the request says: no name, word or number of its own, none left out.

This cannot tell whether the model understood. It bounds what a misunderstanding, or a text that a model took for an
order, can come to.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from dabhand.errors import NotUnderstood
from dabhand.goals.goal import Answers, Goal, Holds, IsAbsent, IsCopy, IsExecutable
from dabhand.goals.shape import Shape
from dabhand.goals.tokens import Token
from dabhand.language import Call, Const, FolderView, Kind, Term, subterms

_ENDS = frozenset("last final bottom top first second third header heading".split())  # noqa: SIM905
_GOING = frozenset(
    """
    delete remove erase discard trash rm drop wipe rid throw purge nuke eliminate ditch scrap unlink destroy kill bin
    gone away move transfer relocate shift mv put rename call name replace cut clear clean
    """.split()  # noqa: SIM905
)
_RUNNING = frozenset("executable runnable execute executed run permission permissions chmod rights script".split())  # noqa: SIM905
_CONDITIONS = frozenset("if unless whenever until while except when otherwise".split())  # noqa: SIM905
_HARMLESS_IF = frozenset("needed necessary required you possible missing".split())  # noqa: SIM905
_COUNTED = {"first", "last", "starting", "between", "nth"}


def require_supported(goal: Goal, shape: Shape, folder: FolderView) -> None:
    """Make sure that everything in a goal is in the request, and everything that the request names is in the goal.

    Raises:
        NotUnderstood: something is not.
    """
    _Support(goal, shape, folder).check()


class _Support:
    def __init__(self, goal: Goal, shape: Shape, folder: FolderView) -> None:
        self._goal = goal
        self._shape = shape
        self._folder = folder
        self._tokens = [one.token for one in shape.elements]
        self._words = {token.lower for token in self._tokens}
        self._parts = {part for token in self._tokens if token.kind != "mark" for part in token.text.split("/")}
        self._used: set[str] = set()
        self._numbers: set[int] = set()

    def check(self) -> None:
        self._require_unconditional()
        for one in self._goal.conditions:
            if not isinstance(one, Answers):
                self._path(one.path)
            if isinstance(one, IsCopy):
                self._path(one.source)
            if isinstance(one, Holds | Answers):
                self._term(one.content)
            if isinstance(one, IsAbsent) and not self._words & _GOING:
                raise NotUnderstood(f"The request does not say that {one.path!r} should go.")
            if isinstance(one, IsExecutable) and not self._words & _RUNNING:
                raise NotUnderstood(f"The request does not say that {one.path!r} should be run.")
        for token in self._tokens:
            if not self._is_used(token):
                raise NotUnderstood(f"The goal says nothing of {token.text!r}, which the request names.")

    def _require_unconditional(self) -> None:
        for token, after in itertools.zip_longest(self._tokens, self._tokens[1:]):
            harmless = token.lower == "if" and after is not None and after.lower in _HARMLESS_IF
            if token.lower in _CONDITIONS and not harmless:
                raise NotUnderstood(f"A goal cannot say {token.text!r}.")

    # -- what the goal says is in the request ---------------------------------------------------------------------

    def _path(self, path: str) -> None:
        self._used.add(path)
        for part in path.split("/"):
            self._used.add(part)
            if part not in self._parts and not self._is_written(part):
                raise NotUnderstood(f"The request names no {part!r}.")

    def _term(self, term: Term) -> None:
        for each in subterms(term):
            if isinstance(each, Call):
                for arg in each.args:
                    if isinstance(arg, Const):
                        self._constant(arg, each.name)
            elif isinstance(each, Const) and each is term:
                self._constant(each, "")

    def _constant(self, constant: Const, within: str) -> None:
        match constant.value:
            case bool():
                return
            case str() as path if constant.kind is Kind.PATH:
                if path != ".":
                    self._path(path)
            case str() as text if constant.kind in (Kind.WORD, Kind.TEXT):
                self._text(text)
            case tuple() as items if constant.kind is Kind.LINES:
                for item in items:
                    self._text(str(item))
            case int() as number:
                self._number(number, within)
            case _:
                raise NotUnderstood(f"The request says nothing of {constant.value!r}.")

    def _text(self, text: str) -> None:
        for line in text.split("\n"):
            self._used |= {line, *line.split("/")}
            if any(each.isalnum() for each in line) and not self._is_written(line):
                raise NotUnderstood(f"The request does not say {line!r}.")

    def _is_written(self, text: str) -> bool:
        """Whether the request has this text, as one piece or as several in a row."""
        ends = {token.end for token in self._shape.every}
        return any(token.text == text for token in self._tokens) or any(
            self._shape.request.startswith(text, token.start) and token.start + len(text) in ends
            for token in self._shape.every
            if token.kind in ("word", "path")
        )

    def _number(self, number: int, within: str) -> None:
        said = set(self._said())
        derived = {-number} if number < 0 else {number - 1} if within == "starting" else set()
        found = ({number} | (derived if within in _COUNTED else set())) & said
        if not found:
            raise NotUnderstood(f"The request has no number {number}.")
        self._numbers |= found

    def _said(self) -> Iterator[int]:
        for token in self._tokens:
            yield from (value for value in (token.number, token.ordinal) if value is not None)
            if token.lower in _ENDS:
                yield 1

    # -- what the request names is in the goal --------------------------------------------------------------------

    def _is_used(self, token: Token) -> bool:
        if token.kind == "mark":
            return True
        if token.kind == "word":
            if token.text.isdecimal():
                return token.number in self._numbers or token.text in self._used
            return token.text in self._used or self._folder.kind(token.text) == "missing"
        return token.text in self._used or all(
            part in self._used for part in token.text.split("/") if part not in ("", ".")
        )
