"""What a recorded statement prints, as a term: over the files that it names, or over what a look at files gives.

`head -n 3 a.txt | sort` is `unlines(sort(lines(concat(first(3, records(text("a.txt")))))))`. Where the first stages
are a typed operation and the rest is more than any has, the rest is a term over the slot `found`. What no term surely
says is declined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from dabhand.errors import LanguageError
from dabhand.handoff.plan import FindFiles, ListFiles, Search
from dabhand.handoff.shells.reading import read_line
from dabhand.handoff.shells.reading_files import literal, sed_range
from dabhand.handoff.shells.readings import Declined, Reading, path_of, whole_number
from dabhand.handoff.shells.script import Command
from dabhand.handoff.shells.syntax import parse_line
from dabhand.language import LINES, NUMBER, PATH, TEXT, WORD, Call, Const, Term, Var, show

FOUND = Var("found", TEXT)
"""What the operation in front prints."""

ORDER = ("the order of the files", "the order")
"""The known differences of a look that filters can be put behind: nothing but the order is another."""

Filter = Callable[[Term], Term]
_TEXT_OF_PRINTF = re.compile(r"(?:[^%\\]|\\[nt\\]|%%)*")
_GREP = re.compile(r"-[vinFEcwx]+")


class Saying(msgspec.Struct, frozen=True):
    """What a statement prints.

    Attributes:
        term: the text, over files and `found`.
        files: that it reads, as they are written.
        reading: the operation that gives `found`; place: the folder or file that it names, as it is written.
        most: of lines whose order is not known, so many at most are shown.
        unordered: the lines may come in another order.
    """

    term: Term
    files: tuple[str, ...] = ()
    reading: Reading | None = None
    place: str = ""
    most: int | None = None
    unordered: bool = False

    @property
    def said(self) -> str:
        """The term as people write it."""
        return show(self.term)


def saying_of(text: str) -> Saying | None:
    """What a statement prints, as a term; None where that is not sure."""
    script = parse_line(text)
    if not script.understood or len(script.lists) != 1 or len(script.lists[0].pipelines) != 1:
        return None
    one = script.lists[0]
    if one.background or one.here_document or one.pipelines[0].negated:
        return None
    commands = one.pipelines[0].commands
    if any(
        command.kind != "simple" or command.assignments or not _plain(command, first=False) for command in commands[1:]
    ):
        return None
    try:
        return saying(commands, text)
    except (Declined, LanguageError):
        return None


def saying(commands: Sequence[Command], text: str) -> Saying:
    """What a pipeline prints.

    Raises:
        Declined: that is not sure.
    """
    first = commands[0]
    if first.kind != "simple" or first.assignments or not _plain(first, first=True):
        raise Declined("it is more than plain commands")
    source = text.encode("utf-8", "surrogateescape")
    for stages in range(len(commands), 0, -1):
        part = source[first.begin : commands[stages - 1].end].decode("utf-8", "surrogateescape")
        reading = read_line(part)
        if isinstance(reading, Reading) and isinstance(reading.plan, Search | ListFiles | FindFiles):
            return _behind(reading, first, commands[stages:])
    return _filtered(_source(first), commands[1:])


def _plain(command: Command, *, first: bool) -> bool:
    """Whether it writes nowhere, and reads nothing but what comes before it (or, of the first, a file by `<`)."""
    for each in command.redirections:
        target = each.target.value if each.target else None
        silent = each.descriptor == "2" and (each.operator, target) in ((">", "/dev/null"), (">&", "1"))
        if not silent and not (first and each.operator == "<" and not each.descriptor and target):
            return False
    return True


def _behind(reading: Reading, first: Command, filters: Sequence[Command]) -> Saying:
    """What filters make of a look that is a typed operation."""
    unordered = bool(reading.differs)
    if not filters or reading.folder or not set(reading.differs) <= set(ORDER):
        raise Declined("it differs in more than the order")
    words = [word.value or word.glob or "" for word in first.words[1:]]
    glob = getattr(reading.plan, "glob", None)
    places = [word for word in words if word and not word.startswith("-") and path_of(word) == reading.plan.path]
    if isinstance(reading.plan, Search) and glob is not None and not reading.plan.recursive:
        raise Declined("whether files are named depends on how many there are")
    place = places[-1] if places else ""
    return _filtered(Saying(FOUND, (), reading, place, unordered=unordered), filters)


def _filtered(said: Saying, filters: Sequence[Command]) -> Saying:
    for place, command in enumerate(filters):
        words = literal(command)
        name, rest = command.name, words[1:]
        if said.unordered and name == "head" and place == len(filters) - 1:
            return msgspec.structs.replace(said, most=_count(rest))
        if said.unordered and name in ("tail", "sed", "uniq", "head"):
            raise Declined("what it shows depends on the order")
        keeps, operands = _filter(name, rest)
        if operands:
            raise Declined("a filter reads something else")
        ordered = name == "sort" or (name == "wc" and rest == ["-l"])
        said = msgspec.structs.replace(said, term=keeps(said.term), unordered=said.unordered and not ordered)
    return said


def _source(command: Command) -> Saying:
    """What the first command prints."""
    words = literal(command)
    name, rest = command.name, words[1:]
    given = [each.target.value for each in command.redirections if each.operator == "<" and each.target]
    if name in ("echo", "printf", "seq") and not given:
        return Saying({"echo": _echo, "printf": _printf, "seq": _seq}[name](rest))
    if name == "cat" and not given and rest and not any(word.startswith("-") for word in rest):
        made = _text_of(rest[0])
        for other in rest[1:]:
            made = Call("then", (made, _text_of(other)))
        return Saying(made, tuple(rest))
    keeps, operands = _filter(name, rest)
    files = [*operands, *[each for each in given if each is not None]]
    if len(files) != 1 or (name == "wc" and operands) or files[0].startswith("-"):
        raise Declined("it is not about one file")
    return Saying(keeps(_text_of(files[0])), (files[0],))


def _text_of(path: str) -> Term:
    return Call("text", (Const(path_of(path), PATH),))


def _echo(words: Sequence[str]) -> Term:
    ends = list(words[:1]) != ["-n"]
    said = list(words if ends else words[1:])
    if said and re.fullmatch(r"-[neE]+", said[0]):
        raise Declined("it has options of echo that are not read")
    return Const(" ".join(said) + ("\n" if ends else ""), TEXT)


def _printf(words: Sequence[str]) -> Term:
    if len(words) > 1 and words[0] in (r"%s\n", "%s\n"):
        return Const("".join(f"{word}\n" for word in words[1:]), TEXT)
    if len(words) != 1 or words[0].startswith("-") or not _TEXT_OF_PRINTF.fullmatch(words[0]):
        raise Declined("what printf makes of it is not read")
    letters = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", "%%": "%"}
    return Const(re.sub(r"\\.|%%", lambda found: letters[found[0]], words[0]), TEXT)


def _seq(words: Sequence[str]) -> Term:
    if not 1 <= len(words) <= 2 or not all(re.fullmatch(r"0|[1-9][0-9]{0,5}", word) for word in words):
        raise Declined("its numbers are not plain ones")
    begin, end = (1, int(words[0])) if len(words) == 1 else (int(words[0]), int(words[1]))
    return Call("unlines", (Call("written", (Call("range", (_number(begin), _number(end))),)),))


def _filter(name: str, words: Sequence[str]) -> tuple[Filter, list[str]]:
    """What a program makes of a text, and the words that name files."""
    match name:
        case "cat" if not any(word.startswith("-") for word in words):
            return (lambda text: text), list(words)
        case "head" | "tail":
            return _end(name, words)
        case "sort":
            return _sort(words)
        case "uniq":
            return _uniq(words)
        case "wc" if list(words[:1]) == ["-l"]:
            return (lambda text: _written(Call("newlines", (text,)))), list(words[1:])
        case "grep" | "egrep" | "fgrep":
            return _grep(name, words)
        case "sed" if len(words) >= 2 and words[0] == "-n":
            first, last = sed_range(words[1])
            return (lambda text: _concat(_between(first, last, _records(text)))), list(words[2:])
        case "tac" if not any(word.startswith("-") for word in words):
            return (lambda text: _concat(Call("reverse", (_records(text),)))), list(words)
        case "cut":
            return _cut(words)
    raise Declined(f"no term is known for {name}")


def _between(first: int, last: int | None, lines: Term) -> Term:
    if last is None:
        return Call("starting", (_number(first), lines))
    return Call("between", (_number(first), _number(last), lines))


def _count(words: Sequence[str]) -> int:
    count, operands = _counted(words)
    if operands or count.startswith("+"):
        raise Declined("it reads something else")
    return whole_number(count)


def _counted(words: Sequence[str]) -> tuple[str, list[str]]:
    """The count as written, and what is left."""
    count, rest, given = "10", [], iter(words)
    for word in given:
        if word in ("-n", "--lines"):
            count = next(given, "")
        elif found := re.fullmatch(r"(?:-n|--lines=|-)(\+?[0-9]+)", word):
            count = found[1]
        elif word.startswith("-"):
            raise Declined(f"{word} is not read")
        else:
            rest.append(word)
    return count, rest


def _end(name: str, words: Sequence[str]) -> tuple[Filter, list[str]]:
    count, rest = _counted(words)
    from_line = count.startswith("+")
    number = whole_number(count.removeprefix("+"))
    if from_line and name == "head":
        raise Declined("it is no number of lines")
    which = "starting" if from_line else "first" if name == "head" else "last"
    return (lambda text: _concat(Call(which, (_number(number), _records(text))))), rest


def _sort(words: Sequence[str]) -> tuple[Filter, list[str]]:
    options = "".join(word[1:] for word in words if re.fullmatch(r"-[nru]+", word))
    rest = [word for word in words if not re.fullmatch(r"-[nru]+", word)]
    if any(word.startswith("-") for word in rest) or set(options) >= {"n", "u"}:
        raise Declined("how it sorts is not read")

    def sorted_(text: Term) -> Term:
        lines: Term = Call("sort_numbers" if "n" in options else "sort", (_lines(text),))
        lines = Call("unique", (lines,)) if "u" in options else lines
        return _unlines(Call("reverse", (lines,)) if "r" in options else lines)

    return sorted_, rest


def _uniq(words: Sequence[str]) -> tuple[Filter, list[str]]:
    kinds = {"": "unique", "-c": "tally", "-d": "repeated", "-u": "single"}
    option = words[0] if words and words[0].startswith("-") else ""
    rest = list(words[1:] if option else words)
    if option not in kinds or len(rest) > 1:
        raise Declined("how it joins lines is not read")
    return (lambda text: _unlines(Call(kinds[option], (_lines(text),)))), rest


def _grep(name: str, words: Sequence[str]) -> tuple[Filter, list[str]]:
    flags, rest, given = set[str](), list[str](), iter(words)
    pattern: str | None = None
    for word in given:
        if _GREP.fullmatch(word) and pattern is None:
            flags |= set(word[1:])
        elif word == "-e" and pattern is None:
            pattern = next(given, None)
        elif word.startswith("-"):
            raise Declined(f"{word} is not read")
        elif pattern is None:
            pattern = word
        else:
            rest.append(word)
    if not pattern or "\n" in pattern or {"v", "n"} <= flags or {"c", "n"} <= flags or {"F", "E"} <= flags:
        raise Declined("what it looks for is not read")
    kind = {"egrep": "extended", "fgrep": "literal"}.get(name, "basic")
    kind = "literal" if "F" in flags else "extended" if "E" in flags else kind
    looked: Term = Call(kind, (Const(pattern, WORD),))
    for letter, option in (("i", "any_case"), ("w", "as_word"), ("x", "whole_line")):
        looked = Call(option, (looked,)) if letter in flags else looked
    which = "not_matching" if "v" in flags else "matching_numbered" if "n" in flags else "matching"

    def found(text: Term) -> Term:
        lines = Call(which, (looked, _lines(text)))
        return _written(Call("count", (lines,))) if "c" in flags else _unlines(lines)

    return found, rest


def _cut(words: Sequence[str]) -> tuple[Filter, list[str]]:
    delimiter, number, rest, given = "\t", "", list[str](), iter(words)
    for word in given:
        if word in ("-d", "-f"):
            value = next(given, "")
            delimiter, number = (value, number) if word == "-d" else (delimiter, value)
        elif found := re.fullmatch(r"-([df])(.+)", word):
            delimiter, number = (found[2], number) if found[1] == "d" else (delimiter, found[2])
        elif word.startswith("-"):
            raise Declined(f"{word} is not read")
        else:
            rest.append(word)
    if len(delimiter) != 1:
        raise Declined("what it cuts at is not read")
    wanted = whole_number(number)
    return (lambda text: _unlines(Call("field", (Const(delimiter, WORD), _number(wanted), _lines(text))))), rest


def _number(value: int) -> Term:
    return Const(value, NUMBER)


def _lines(text: Term) -> Term:
    return Call("lines", (text,))


def _records(text: Term) -> Term:
    return Call("records", (text,))


def _unlines(lines: Term) -> Term:
    assert lines.kind == LINES
    return Call("unlines", (lines,))


def _concat(lines: Term) -> Term:
    return Call("concat", (lines,))


def _written(number: Term) -> Term:
    return Call("line", (Call("digits", (number,)),))
