"""Which words of a command are slots: what options take is looked up (options.toml); what is not there is declined."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from dabhand.handoff.shells.words import Word

Role = Literal["number", "path", "text", "kept", "script"]
PATH_SLOTS, WORD_SLOTS = ("A", "B", "C"), ("T", "U")
_NUMBER = re.compile(r"\d+")


class Dropped(Exception):
    """Why a statement becomes no template."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program makes of its words; see options.toml."""

    flags: str = ""
    long: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    takes: Mapping[str, Role] = msgspec.field(default_factory=dict)
    first: Role = "path"
    instead: tuple[str, ...] = ()
    rest: Role = "path"
    digits: Role | None = None
    words: bool = False
    same: str = ""


@cache
def options_of(program: str) -> Options | None:
    """What is known of a program's words."""
    found = _table().get(program)
    return options_of(found.same) if found is not None and found.same else found


@cache
def _table() -> Mapping[str, Options]:
    text = Path(__file__).with_name("options.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Options])


class Slots:
    """Which value has which slot, the same value the same slot."""

    def __init__(self) -> None:
        self.paths: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.number: str | None = None

    def path(self, value: str) -> str:
        """The slot of a file or folder."""
        if "\n" in value:
            raise Dropped("it holds a line break")
        return self._named(self.paths, PATH_SLOTS, value)

    def word(self, value: str) -> str:
        """The slot of a pattern or a word."""
        return self._named(self.words, WORD_SLOTS, value)

    def counted(self, text: str) -> str:
        """Text with its one number as a slot; a second number stays none."""
        numbers = set(_NUMBER.findall(text))
        if len(numbers) != 1 or (self.number is not None and numbers != {self.number}):
            raise Dropped("it holds several numbers")
        (self.number,) = numbers
        return _NUMBER.sub("{N}", text)

    def filled(self, role: Role, word: Word) -> str:
        """What stands in the template for a word."""
        value = word.value
        if value is None:
            raise Dropped("what it runs depends on variables or on the folder")
        match role:
            case "path":
                return self.path(value)
            case "text":
                return self.word(value)
            case "number" if value.isdigit():
                return self.counted(word.text)
            case "script" if _NUMBER.search(value):
                return self.counted(word.text)
        return word.text

    @staticmethod
    def _named(given: dict[str, str], names: Sequence[str], value: str) -> str:
        if value not in given:
            if len(given) == len(names):
                raise Dropped("it names more files or words than there are slots")
            given[value] = names[len(given)]
        return "{" + given[value] + "}"


def slotted(program: str, words: Sequence[Word], slots: Slots) -> list[str]:
    """The words of a command behind its name, with slots.

    Raises:
        Dropped: nothing is known of one of its options, or there are more values than slots.
    """
    known = options_of(program)
    if known is None:
        raise Dropped(f"{program} cannot be practised")
    return _Slotting(program, known, slots).words(words)


class _Slotting:
    def __init__(self, program: str, known: Options, slots: Slots) -> None:
        self._program, self._known, self._slots = program, known, slots
        self._given: set[str] = set()
        self._awaited: Role | None = None

    def words(self, words: Sequence[Word]) -> list[str]:
        texts: list[str | Word] = []
        only_plain = False
        for word in words:
            if word.value is None:
                raise Dropped("what it runs depends on variables or on the folder")
            if self._awaited is not None:
                texts.append(self._slots.filled(self._awaited, word))
                self._awaited = None
            elif word.value == "--" and not only_plain:
                only_plain = True
                texts.append("--")
            elif only_plain or not self._is_option(word.value):
                texts.append(word)
            else:
                texts.append(self._option(word, word.value))
        if self._awaited is not None:
            raise Dropped("an option lacks what it takes")
        first = self._known.rest if set(self._known.instead) & self._given else self._known.first
        roles = iter((first,))
        return [
            self._slots.filled(next(roles, self._known.rest), each) if isinstance(each, Word) else each
            for each in texts
        ]

    def _is_option(self, value: str) -> bool:
        return (value.startswith("-") and len(value) > 1) or (self._known.words and value in self._known.long)

    def _option(self, word: Word, value: str) -> str:
        if self._known.words:
            return self._named(word, value.removeprefix("-"))
        if value.startswith("--"):
            return self._long(word, value[2:])
        if re.fullmatch(r"-\d+", value) and self._known.digits is not None:
            return self._slots.counted(word.text)
        return self._short(word, value[1:])

    def _named(self, word: Word, name: str) -> str:
        """A word that is an option as a whole."""
        if name in self._known.takes:
            self._given.add(name)
            self._awaited = self._known.takes[name]
        elif name not in self._known.long:
            raise self._unknown(word)
        return word.text

    def _long(self, word: Word, said: str) -> str:
        name, sign, value = said.partition("=")
        if not sign or said in self._known.long:
            return self._named(word, said)
        role = self._known.takes.get(name)
        if role is None or len(name) == 1:
            raise self._unknown(word)
        self._given.add(name)
        return self._joined(word, role, value)

    def _short(self, word: Word, letters: str) -> str:
        if letters in self._known.alone:
            return word.text
        for place, letter in enumerate(letters):
            role = self._known.takes.get(letter)
            if role is not None:
                self._given.add(letter)
                value = letters[place + 1 :]
                if value:
                    return self._joined(word, role, value)
                self._awaited = role
                return word.text
            if letter not in self._known.flags:
                raise self._unknown(word)
        return word.text

    def _joined(self, word: Word, role: Role, value: str) -> str:
        """An option with its value in one word."""
        if role in ("path", "text"):
            raise Dropped("an option and what it takes are one word")
        if role == "kept" or not value.isdigit():
            if role == "script" and _NUMBER.search(value):
                raise Dropped("an option and what it takes are one word")
            return word.text
        return self._slots.counted(word.text)

    def _unknown(self, word: Word) -> Dropped:
        return Dropped(f"nothing is known of an option of {self._program}")
