"""Reading `grep` and `rg`: a text or a pattern, in a file, in the files of a folder, or below one."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from dabhand.handoff.plan import CountMatches, Search
from dabhand.handoff.shells.patterns import pattern_of
from dabhand.handoff.shells.readings import Declined, Reading, path_of, whole_number
from dabhand.handoff.shells.script import Command

NAMED = "whether files are named"
_FLAGS = "niFEPGrRcHhsIaw"
_LONG = {
    "--line-number": "n",
    "--ignore-case": "i",
    "--fixed-strings": "F",
    "--extended-regexp": "E",
    "--perl-regexp": "P",
    "--recursive": "r",
    "--count": "c",
    "--no-messages": "s",
    "--no-filename": "h",
    "--with-filename": "H",
    "--word-regexp": "w",
    "--color=never": "",
    "--color=auto": "",
    "--text": "a",
}
_NUMBERS = {"--after-context": "A", "--before-context": "B", "--context": "C", "--max-count": "m", "--regexp": "e"}


class _Options:
    """The options of one grep, and what stands beside them."""

    def __init__(self, words: Sequence[str]) -> None:
        self.flags: set[str] = set()
        self.values: dict[str, str] = {}
        self.globs: list[str] = []
        self.rest: list[str] = []
        given = iter(words)
        for word in given:
            if word == "--":
                self.rest += given
            elif word in _LONG:
                self.flags.update(_LONG[word])
            elif found := re.fullmatch(r"(--[a-z-]+)=(.*)", word, re.DOTALL):
                self._long(found[1], found[2])
            elif word in _NUMBERS or word == "--include":
                self._long(word, next(given, ""))
            elif re.fullmatch(r"-[0-9]+", word):
                self.values["C"] = word[1:]
            elif re.match(r"-[A-Za-z]", word):
                self._short(word[1:], given)
            elif word.startswith("-") and word != "-":
                raise Declined(f"{word} is an option of grep that no plan has")
            else:
                self.rest.append(word)

    def _long(self, name: str, value: str) -> None:
        if name == "--include":
            self.globs.append(value)
        elif name in _NUMBERS:
            self.values[_NUMBERS[name]] = value
        else:
            raise Declined(f"{name} is an option of grep that no plan has")

    def _short(self, letters: str, given: object) -> None:
        for at, letter in enumerate(letters):
            if letter in "ABCme":
                value = letters[at + 1 :] or next(given, "")  # type: ignore[call-overload]
                if letter == "e" and "e" in self.values:
                    raise Declined("it looks for several patterns")
                self.values[letter] = value
                return
            if letter not in _FLAGS:
                raise Declined(f"-{letter} is an option of grep that no plan has")
            self.flags.add(letter)

    def number(self, letter: str) -> int:
        """How many lines of context; 0 where nothing is said."""
        text = self.values.get(letter, self.values.get("C", "0"))
        if not re.fullmatch(r"[0-9]{1,6}", text):
            raise Declined(f"{text} is no number of lines")
        return int(text)


def grep(words: Sequence[str], command: Command | None) -> Reading:
    """`grep [OPTIONS] PATTERN [FILE or FOLDER]`."""
    options = _Options(words)
    name = command.name if command else "grep"
    options.flags |= {"egrep": {"E"}, "fgrep": {"F"}}.get(name, set())
    return _search(options, "r" in options.flags or "R" in options.flags, "basic")


def ripgrep(words: Sequence[str], command: Command | None) -> Reading:
    """`rg PATTERN FILE`: of folders it leaves out what is ignored, which no plan does."""
    options = _Options(words)
    if options.flags & set("rRPsGIha") or options.globs or len(options.rest) + ("e" in options.values) != 2:
        raise Declined("it searches a folder by rules of its own")
    if not re.search(r"\.[A-Za-z0-9]+$", options.rest[-1]):
        raise Declined("whether it searches a file is not said")
    return _search(options, False, "rust")


def _search(options: _Options, recursive: bool, syntax: str) -> Reading:
    rest = list(options.rest)
    text = options.values.get("e") if "e" in options.values else (rest.pop(0) if rest else None)
    if not text or text.startswith("\0"):
        raise Declined("what it looks for is not written out")
    path, glob, hidden, differs = _where(rest, options, recursive)
    named = [name for letter, name in (("F", "fixed"), ("E", "extended"), ("P", "perl")) if letter in options.flags]
    kind = named[0] if named else syntax
    value, regex = pattern_of(text, kind, word="w" in options.flags)
    fields = {
        "path": path,
        "value": value,
        "regex": regex,
        "ignore_case": "i" in options.flags,
        "recursive": recursive,
        "glob": glob,
        "hidden": hidden,
    }
    if "c" in options.flags:
        if recursive or glob is not None:
            raise Declined("it counts for every file by itself")
        return Reading(msgspec.convert(fields, CountMatches))
    before, after = options.number("B"), options.number("A")
    most = whole_number(options.values["m"]) if "m" in options.values else None
    if most is not None and (recursive or glob is not None):
        raise Declined("its limit is for every file by itself")
    several = recursive or glob is not None
    if ("h" in options.flags and several) or ("H" in options.flags and not several):
        differs = [*differs, NAMED]
    plan = msgspec.convert(fields | {"before": before, "after": after, "max_count": most}, Search)
    return Reading(plan, numbered="n" in options.flags, differs=tuple(differs))


def _where(rest: Sequence[str], options: _Options, recursive: bool) -> tuple[str, str | None, bool, list[str]]:
    """Path, glob on names, whether hidden ones too, and known differences."""
    if len(options.globs) > 1 or len(rest) > 1 or (not rest and not recursive):
        raise Declined("it is not about one file or folder")
    place = rest[0] if rest else "."
    glob = options.globs[0] if options.globs else None
    if glob is not None and not recursive:
        raise Declined("it includes files of no folder")
    if not place.startswith("\0"):
        return path_of(place), glob, True, ["the order of the files"] if recursive else []
    folder, _, pattern = place[1:].rpartition("/")
    if recursive or re.search(r"[*?\[]", folder) or not pattern:
        raise Declined("it stands for several files or folders")
    return path_of(folder or "."), pattern, pattern.startswith("."), ["a single file is named too"]
