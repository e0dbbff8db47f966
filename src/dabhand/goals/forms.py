"""The forms of a verb: "copy" is also "copies", "copying", "copied"; the words behind it ("write out") stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

_VOWELS = "aeiou"


class Forms(msgspec.Struct, frozen=True):
    """How the verbs that do not follow the rule are written.

    Attributes:
        irregular: past participles by verb.
        doubling: verbs whose last letter doubles, as in "dropping".
    """

    irregular: Mapping[str, str]
    doubling: frozenset[str]

    def third(self, verb: str) -> str:
        """As in "it copies"."""
        return _first_word(verb, _third)

    def gerund(self, verb: str) -> str:
        """As in "by copying"."""
        return _first_word(verb, self._gerund)

    def participle(self, verb: str) -> str:
        """As in "was copied"."""
        return _first_word(verb, self._participle)

    def _gerund(self, word: str) -> str:
        if word in self.doubling:
            return word + word[-1] + "ing"
        if word.endswith("e") and not word.endswith(("ee", "oe", "ye")):
            return word[:-1] + "ing"
        return word + "ing"

    def _participle(self, word: str) -> str:
        if word in self.irregular:
            return self.irregular[word]
        if word in self.doubling:
            return word + word[-1] + "ed"
        if word.endswith("e"):
            return word + "d"
        if word.endswith("y") and word[-2:-1] not in _VOWELS:
            return word[:-1] + "ied"
        return word + "ed"


def _third(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"


def _first_word(verb: str, form: Callable[[str], str]) -> str:
    first, space, rest = verb.partition(" ")
    return f"{form(first)}{space}{rest}"
