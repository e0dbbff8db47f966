"""Templates that are worth practising: what agents ran, with slots where names, words and numbers stood.

One statement of a recorded line (a pipeline of plain commands) is one candidate. Paths become {A} to {C}, patterns and
texts {T} and {U}, one number {N}; the rest stays as it was written. What the sandbox cannot or must not run is dropped,
with the reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from dabhand.commands import parse_template
from dabhand.corpus.meaning import meaning_of
from dabhand.corpus.programs import READS, reads_only
from dabhand.corpus.saying import Saying
from dabhand.corpus.slotting import Dropped, Slots, slotted
from dabhand.corpus.triple import Triple
from dabhand.errors import TemplateError
from dabhand.handoff.shells.readings import Reading
from dabhand.handoff.shells.script import Command, Pipeline
from dabhand.handoff.shells.syntax import parse_line
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
            except Dropped as reason:
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
    except Dropped:
        return False
    return bool(found) and all(each in known for each in found)


def template_of(pipeline: Pipeline) -> str:
    """The template of one statement.

    Raises:
        Dropped: it becomes none.
    """
    if pipeline.negated:
        raise Dropped("it is more than plain commands")
    slots = Slots()
    text = " | ".join(_stage(command, slots) for command in pipeline.commands)
    if not slots.paths and not any(each in text for each in ("{T}", "{N}")):
        raise Dropped("it has nothing that could vary")
    if not slots.paths:
        raise Dropped("it names no file")
    try:
        return parse_template(text).text
    except TemplateError as error:
        raise Dropped("it cannot be written as a template") from error


def _stage(command: Command, slots: Slots) -> str:
    if command.kind != "simple" or command.assignments or not command.words:
        raise Dropped("it is more than plain commands")
    name = command.name
    if name not in PRACTISED | PRINTS:
        raise Dropped(f"{name or 'its program'} cannot be practised")
    parts = [name, *_words(name, command.words[1:], slots)]
    redirections = [_redirected(each.operator, each.descriptor, each.target, slots) for each in command.redirections]
    if name in PRINTS and not any(redirections):
        raise Dropped("it only prints")
    if any(each.operator.startswith("<<") for each in command.redirections):
        raise Dropped("it is given a text of its own")
    return " ".join([*parts, *filter(None, redirections)])


def _words(name: str, words: Sequence[Word], slots: Slots) -> list[str]:
    if name not in PRINTS:
        return slotted(name, words, slots)
    if any(word.value is None for word in words):
        raise Dropped("what it runs depends on variables or on the folder")
    if any((word.value or "").startswith("-") or (name == "printf" and word is words[0]) for word in words):
        raise Dropped(f"what {name} makes of its words is not plain")
    return [slots.word(word.value or "") for word in words]


def _redirected(operator: str, descriptor: str, target: Word | None, slots: Slots) -> str:
    value = target.value if target is not None else None
    if descriptor == "2" and value in ("/dev/null", "1"):
        return ""
    if operator not in _REDIRECTS or descriptor or value is None:
        raise Dropped("it redirects in a way that is not practised")
    return "" if value == "/dev/null" else f"{operator} {slots.path(value)}"
