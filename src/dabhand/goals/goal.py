"""What a request asks for: conditions on the final folder, over the folder as it was, everything else unchanged."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from dabhand.errors import DabhandError, NotUnderstood
from dabhand.language import Call, Const, Kind, Term, parse, show


class Refused(DabhandError):
    """The request is understood and must not, or cannot, be carried out in this folder."""

    code = "refused"
    exit_code = 3


class Unread(NotUnderstood):
    """No reading uses all of the request: a part of it means nothing to the translator."""


class Ambiguous(NotUnderstood):
    """The request is understood, and means one thing or another in this folder."""


class Holds(msgspec.Struct, frozen=True):
    """The file at `path` holds the value of `content` (a text term over the folder as it was)."""

    path: str
    content: Term
    word: ClassVar[str] = "file"


class IsFolder(msgspec.Struct, frozen=True):
    """A folder is at `path`."""

    path: str
    word: ClassVar[str] = "folder"


class IsAbsent(msgspec.Struct, frozen=True):
    """Nothing is at `path`."""

    path: str
    word: ClassVar[str] = "absent"


class IsCopy(msgspec.Struct, frozen=True):
    """What is at `path` equals, with all below it, what was at `source`."""

    path: str
    source: str
    word: ClassVar[str] = "copy"


class IsExecutable(msgspec.Struct, frozen=True):
    """The file at `path` may be executed (or may not)."""

    path: str
    executable: bool = True

    @property
    def word(self) -> str:
        """The contract's word."""
        return "executable" if self.executable else "not executable"


class Answers(msgspec.Struct, frozen=True):
    """The answer is the value of `content` (a text term), a final newline aside."""

    content: Term
    path: ClassVar[None] = None
    word: ClassVar[str] = "answer"


Condition = Holds | IsFolder | IsAbsent | IsCopy | IsExecutable | Answers


class Goal(msgspec.Struct, frozen=True):
    """All that is to be true in the end; whatever no condition speaks of stays as it was.

    Attributes:
        conditions: on the final folder and the answer.
        reads: paths of the folder as it was that the request speaks of.
    """

    conditions: tuple[Condition, ...]
    reads: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths that conditions are about, in order, each once."""
        return tuple(dict.fromkeys(one.path for one in self.conditions if one.path is not None))

    @property
    def terms(self) -> tuple[Term, ...]:
        """Terms that conditions hold."""
        return tuple(one.content for one in self.conditions if isinstance(one, Holds | Answers))

    def to_json(self) -> dict[str, object]:
        """The contract's form."""
        return {"conditions": [condition_to_json(one) for one in self.conditions], "others": "unchanged"}

    @classmethod
    def from_json(cls, value: Any) -> Goal:
        """Read the contract's form.

        Raises:
            NotUnderstood: when it is not that.
            LanguageError: when a term cannot be read.
        """
        match value:
            case {"conditions": [*given], "others": "unchanged"}:
                return cls(tuple(condition_from_json(one) for one in given))
        raise NotUnderstood("A goal is a list of conditions with everything else unchanged.")


def condition_to_json(condition: Condition) -> dict[str, object]:
    """The contract's form of one condition."""
    content: str | None = None
    if isinstance(condition, Holds | Answers):
        content = show(condition.content)
    elif isinstance(condition, IsCopy):
        content = condition.source
    return {"path": condition.path, "is": condition.word, "content": content}


def condition_from_json(value: Any) -> Condition:
    """Read the contract's form of one condition.

    Raises:
        NotUnderstood: when it is not that.
        LanguageError: when its term cannot be read.
    """
    match value:
        case {"path": str(path), "is": "file", "content": str(content)}:
            return Holds(path, _text_term(content))
        case {"path": str(path), "is": "copy", "content": str(source)}:
            return IsCopy(path, source)
        case {"path": str(path), "is": "folder"}:
            return IsFolder(path)
        case {"path": str(path), "is": "absent"}:
            return IsAbsent(path)
        case {"path": str(path), "is": "executable" | "not executable" as word}:
            return IsExecutable(path, word == "executable")
        case {"is": "answer", "content": str(content)}:
            return Answers(_text_term(content))
    raise NotUnderstood(f"{value!r} is no condition.")


def _text_term(text: str) -> Term:
    term = parse(text, {})
    if term.kind != Kind.TEXT:
        raise NotUnderstood(f"{text!r} is no text.")
    return term


def condition_sentence(condition: Condition) -> str:
    """A condition for people."""
    match condition:
        case Holds(path, Const(value="")):
            return f"{path} is an empty file"
        case Holds(path, content):
            return f"{path} holds {show(content)}"
        case IsFolder(path):
            return f"{path} is a folder"
        case IsAbsent(path):
            return f"{path} is gone"
        case IsCopy(path, source):
            return f"{path} is what {source} was"
        case IsExecutable(path, executable):
            return f"{path} is {'' if executable else 'not '}executable"
        case Answers(content):
            return f"the answer is {show(content)}"


def text_of(path: str) -> Term:
    """The term for the text that a file had."""
    return Call("text", (Const(path, Kind.PATH),))
