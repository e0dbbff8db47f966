"""Templates that are worth practising: what agents ran, with slots where names, words and numbers stood.

One statement of a recorded line (a pipeline of plain commands) is one candidate. Paths become {A} to {C}, patterns and
texts {T} and {U}, one number {N}; the rest stays as it was written. What the sandbox cannot or must not run is dropped,
with the reason.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from dabhand.commands import parse_template
from dabhand.corpus.meaning import meaning_of
from dabhand.corpus.programs import READS, reads_only
from dabhand.corpus.saying import Saying
from dabhand.corpus.triple import Triple
from dabhand.errors import TemplateError
from dabhand.handoff.shells.readings import Reading
from dabhand.handoff.shells.syntax import Command, Pipeline, parse_line
from dabhand.handoff.shells.words import Word

CHANGES = frozenset(("chmod", "cp", "ln", "mkdir", "mktemp", "mv", "rm", "rmdir", "split", "tee", "touch", "truncate"))
"""Programs that change files and that the sandbox has."""

_NOT_EVERYWHERE = frozenset(("bat", "fd", "jq", "rg", "tree", "yq"))
_NOT_OF_FILES = frozenset(
    ("[", "cd", "command", "date", "df", "du", "echo", "env", "hostname", "id", "less", "more", "printenv", "printf"),
).union(("ps", "pwd", "seq", "test", "true", "type", "uname", "which", "whoami"))
PRACTISED = (READS | CHANGES) - _NOT_EVERYWHERE - _NOT_OF_FILES
"""Programs that are worth practising: those that do something with files, everywhere alike."""

PRINTS = frozenset(("echo", "printf"))
PATTERN_FIRST = frozenset(("grep", "egrep", "fgrep"))
TEXT_FIRST = frozenset(("awk", "sed", "tr"))
"""Programs whose first word is a text of its own language, which is kept as it is, apart from one number."""

PATH_SLOTS, WORD_SLOTS = ("A", "B", "C"), ("T", "U")
_NUMBER = re.compile(r"\d+")
_TAKING = {
    "head": ("-n", "-c"),
    "tail": ("-n", "-c"),
    "grep": ("-A", "-B", "-C", "-m", "-e"),
    "egrep": ("-A", "-B", "-C", "-m", "-e"),
    "fgrep": ("-A", "-B", "-C", "-m", "-e"),
    "cut": ("-d", "-f", "-c", "-b"),
    "sort": ("-k", "-t"),
    "nl": ("-s", "-w"),
    "fold": ("-w",),
    "paste": ("-d",),
    "find": ("-type", "-name", "-iname", "-path", "-maxdepth", "-mindepth", "-size", "-mtime", "-mmin", "-newer"),
}
"""Options whose argument is a word of its own."""

_WORDS = frozenset(("-e", "-name", "-iname", "-path"))
"""Options whose argument is a pattern."""

_REDIRECTS = frozenset((">", ">>", "<"))


class Mined(msgspec.Struct, frozen=True):
    """A template and how often it was met.

    Attributes:
        count: statements that it says; sessions: in how many sessions.
        reads: whether it only reads.
    """

    template: str
    count: int
    sessions: int
    reads: bool


class _Dropped(Exception):
    """Why a statement becomes no template."""


def mine(triples: Iterable[Triple]) -> tuple[list[Mined], dict[str, int]]:
    """Templates, those that were met in most sessions first, and why the other statements became none."""
    counts: Counter[str] = Counter()
    sessions: defaultdict[str, set[str]] = defaultdict(set)
    reads: dict[str, bool] = {}
    dropped: Counter[str] = Counter()
    for triple in triples:
        for pipeline in statements(triple.command):
            try:
                template = template_of(pipeline)
            except _Dropped as reason:
                dropped[str(reason)] += 1
                continue
            counts[template] += 1
            sessions[template].add(triple.source.session or triple.source.file)
            reads.setdefault(template, reads_only(parse_line(template)))
    mined = [Mined(name, count, len(sessions[name]), reads[name]) for name, count in counts.items()]
    return sorted(mined, key=lambda each: (-each.sessions, -each.count, each.template)), dict(dropped.most_common())


def statements(line: str) -> list[Pipeline]:
    """The pipelines of a line, wherever it goes; none where it cannot be read."""
    script = parse_line(line)
    if not script.understood:
        return []
    return [pipeline for one in script.lists if not one.here_document for pipeline in one.pipelines]


def coverage(triples: Sequence[Triple], understood: Collection[str]) -> dict[str, Any]:
    """Which share of the calls that only read would have been covered.

    Args:
        triples: of a corpus.
        understood: templates that are understood.
    """
    known = set(understood)
    reading = [triple for triple in triples if reads_only(parse_line(triple.command))]
    meant = {triple.id: meaning_of(triple.command) for triple in reading}
    typed = {identity for identity, meaning in meant.items() if isinstance(meaning, Reading)}
    terms = {identity for identity, meaning in meant.items() if isinstance(meaning, Saying)}
    practised = {triple.id for triple in reading if _all_known(triple.command, known)}
    return {
        "calls": len(triples),
        "read_only": len(reading),
        "typed_operation": len(typed),
        "term": len(terms),
        "understood_templates": len(practised),
        "either": len(typed | practised),
        "any": len(typed | terms | practised),
    }


def _all_known(line: str, known: set[str]) -> bool:
    try:
        found = [template_of(each) for each in statements(line) if each.commands[0].name not in ("cd", *PRINTS)]
    except _Dropped:
        return False
    return bool(found) and all(each in known for each in found)


def template_of(pipeline: Pipeline) -> str:
    """The template of one statement.

    Raises:
        _Dropped: it becomes none.
    """
    if pipeline.negated:
        raise _Dropped("it is more than plain commands")
    slots = _Slots()
    text = " | ".join(_stage(command, slots) for command in pipeline.commands)
    if not slots.paths and not any(each in text for each in ("{T}", "{N}")):
        raise _Dropped("it has nothing that could vary")
    if not slots.paths:
        raise _Dropped("it names no file")
    try:
        return parse_template(text).text
    except TemplateError as error:
        raise _Dropped("it cannot be written as a template") from error


class _Slots:
    """Which value has which slot, the same value the same slot."""

    def __init__(self) -> None:
        self.paths: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.number: str | None = None

    def path(self, value: str) -> str:
        return self._named(self.paths, PATH_SLOTS, value)

    def word(self, value: str) -> str:
        return self._named(self.words, WORD_SLOTS, value)

    def counted(self, text: str) -> str:
        """Text with its one number as a slot; a second number stays none."""
        numbers = set(_NUMBER.findall(text))
        if len(numbers) != 1 or (self.number is not None and numbers != {self.number}):
            raise _Dropped("it holds several numbers")
        (self.number,) = numbers
        return _NUMBER.sub("{N}", text)

    @staticmethod
    def _named(given: dict[str, str], names: Sequence[str], value: str) -> str:
        if value not in given:
            if len(given) == len(names):
                raise _Dropped("it names more files or words than there are slots")
            given[value] = names[len(given)]
        return "{" + given[value] + "}"


def _stage(command: Command, slots: _Slots) -> str:
    if command.kind != "simple" or command.assignments or not command.words:
        raise _Dropped("it is more than plain commands")
    name = command.name
    if name not in PRACTISED | PRINTS:
        raise _Dropped(f"{name or 'its program'} cannot be practised")
    parts = [name, *_words(name, command.words[1:], slots)]
    redirections = [_redirected(each.operator, each.descriptor, each.target, slots) for each in command.redirections]
    if name in PRINTS and not any(redirections):
        raise _Dropped("it only prints")
    if any(each.operator.startswith("<<") for each in command.redirections):
        raise _Dropped("it is given a text of its own")
    return " ".join([*parts, *filter(None, redirections)])


def _words(name: str, words: Sequence[Word], slots: _Slots) -> list[str]:
    texts, plain, awaited = [], 0, ""
    for word in words:
        value = word.value
        if value is None:
            raise _Dropped("what it runs depends on variables or on the folder")
        if awaited:
            texts.append(_argument(awaited, value, word, slots))
            awaited = ""
        elif value.startswith("-") and len(value) > 1:
            texts.append(_option(value, word, slots))
            awaited = value if _takes_argument(name, value) else ""
        else:
            plain += 1
            texts.append(_plain(name, plain, value, word, slots, texts))
    return texts


def _takes_argument(name: str, option: str) -> bool:
    return option in _TAKING.get(name, ())


def _argument(option: str, value: str, word: Word, slots: _Slots) -> str:
    """What an option takes."""
    if option in _WORDS:
        return slots.word(value)
    if option == "-newer":
        return slots.path(value)
    return slots.counted(word.text) if value.isdigit() and option not in ("-f", "-k") else word.text


def _option(value: str, word: Word, slots: _Slots) -> str:
    if re.fullmatch(r"-[A-Za-z]*\d+", value):
        return slots.counted(word.text)
    return word.text


def _plain(name: str, place: int, value: str, word: Word, slots: _Slots, before: Sequence[str]) -> str:
    """A word that is no option: a pattern, a text of the program's own language, or a path."""
    if name in PRINTS:
        return slots.word(value)
    if name in PATTERN_FIRST and place == 1 and "-e" not in before:
        return slots.word(value)
    if name == "tr" or (name == "find" and value in ("(", ")", "!")):
        return word.text
    if name in TEXT_FIRST and place == 1:
        return slots.counted(word.text) if _NUMBER.search(value) else word.text
    if name == "chmod" and place == 1:
        return word.text
    if "\n" in value:
        raise _Dropped("it holds a line break")
    return slots.path(value)


def _redirected(operator: str, descriptor: str, target: Word | None, slots: _Slots) -> str:
    value = target.value if target is not None else None
    if descriptor == "2" and value in ("/dev/null", "1"):
        return ""
    if operator not in _REDIRECTS or descriptor or value is None:
        raise _Dropped("it redirects in a way that is not practised")
    return "" if value == "/dev/null" else f"{operator} {slots.path(value)}"
