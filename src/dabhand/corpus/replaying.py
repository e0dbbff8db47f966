"""Does handing over pay? Recorded calls, replayed as if they had been handed over, counted with and without.

For every call: what the agent read, what it would have read, and whether that held the lines that its next step used.
A line is *used* when it holds a fact (a path, a name, a number) that the agent's next command, or what it said before
that command, contains, and that the agent did not write before in the session.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from dabhand.corpus.programs import READS
from dabhand.corpus.triple import Triple
from dabhand.handoff.shells.reading import read_line
from dabhand.handoff.shells.readings import Reading
from dabhand.handoff.shells.syntax import parse_line

Kind = Literal["look", "data", "run"]
"""One look at files that a typed plan says; a command that prints what was asked for; a build, a test, a script."""

DATA = READS | {"curl", "env", "gh", "git"}
"""Programs whose output is the very thing that is wanted: all of it is read, so nothing is handed over."""

SMALL = 2_000
"""Characters up to which nobody hands over: an exact command whose output is small needs no specialist."""

MANY = 5
"""A fact that more lines hold than this is used when any of them is kept; of fewer, each line counts."""

_FACT = re.compile(r"""[A-Za-z0-9_.@~-]*(?:/[A-Za-z0-9_.@~-]+)+|[A-Za-z_][A-Za-z0-9_]*(?:[.:-]+[A-Za-z0-9_]+)*|\d+""")
_PLAIN = re.compile(r"[A-Za-z][a-z]*\Z")
_CALL = re.compile(r"[a-z]+[A-Z]|[A-Z]+[a-z]+[A-Z]|[_\d./:-]")


class Answer(msgspec.Struct, frozen=True):
    """What an agent reads of a call that it handed over.

    Attributes:
        text: all of it, as text; data: all of it, as JSON. A host shows one of them, or both.
        shown: what of each line of the output stands in the text, by its place (from 0).
    """

    text: str
    data: str
    shown: Mapping[int, str]


class Read(msgspec.Struct, frozen=True):
    """What is read of a call: without, and with, as text and as data."""

    before: int
    text: int
    data: int


class Replayed(msgspec.Struct, frozen=True):
    """One call with and without.

    Attributes:
        handed_over: whether it would be; where not, nothing changes.
        characters: that the agent reads; tokens: likewise, where they are counted.
        used: facts of its output that the next step used; kept: those that it would still have read.
        lost: the others.
    """

    id: str
    host: str
    session: str
    kind: Kind
    handed_over: bool
    characters: Read
    tokens: Read | None
    used: int
    kept: int
    lost: tuple[str, ...] = ()


Rule = Callable[[Kind, str], bool]
"""Of the kind of a call and its output: whether it is handed over."""


def as_advised(kind: Kind, output: str) -> bool:
    """What agents are told to hand over."""
    return kind == "run" and len(output) > SMALL


def all_long(kind: Kind, output: str) -> bool:
    """Every long output, also of commands that print what was asked for, which agents are told to run themselves."""
    return len(output) > SMALL


def replay(
    triples: Iterable[Triple],
    answer_of: Callable[[Triple], Answer],
    rule: Rule = as_advised,
    tokens: Callable[[str], int] | None = None,
) -> Iterator[Replayed]:
    """Every call that has an output, in the order of its session.

    Args:
        triples: of one corpus; those of a file stand together, in order.
        answer_of: what an agent reads of a call that is handed over.
        rule: which calls are.
        tokens: counts those of a text.
    """
    waiting: Triple | None = None
    known: set[str] = set()
    for triple in triples:
        if waiting is not None and waiting.source.file != triple.source.file:
            yield _replayed(waiting, set(), answer_of, rule, tokens)
            waiting, known = None, set()
        said = f"{triple.request or ''}\n{triple.command}"
        if waiting is not None:
            yield _replayed(waiting, facts(said) - known, answer_of, rule, tokens)
        known |= facts(said)
        waiting = triple
    if waiting is not None:
        yield _replayed(waiting, set(), answer_of, rule, tokens)


def facts(text: str) -> set[str]:
    """Paths, names and numbers in a text that say something by themselves; plain words of English do not."""
    found = set()
    for match in _FACT.finditer(text):
        word = match.group().strip(".:-")
        if (
            len(word) >= (2 if word.isdigit() else 4)
            and not _PLAIN.match(word)
            and (word.isdigit() or _CALL.search(word))
        ):
            found.add(word)
    return found


def _replayed(
    triple: Triple,
    wanted: set[str],
    answer_of: Callable[[Triple], Answer],
    rule: Rule,
    tokens: Callable[[str], int] | None,
) -> Replayed:
    output = triple.output or ""
    lines = output.split("\n")
    kind = kind_of(triple.command)
    handed_over = rule(kind, output)
    answer = answer_of(triple) if handed_over else Answer(output, output, dict(enumerate(lines)))
    used = used_lines(lines, wanted)
    missing = [fact for fact, places in used if not any(_holds(answer.shown.get(place, ""), fact) for place in places)]
    return Replayed(
        triple.id,
        triple.source.format.split()[0],
        triple.source.session or triple.source.file,
        kind,
        handed_over,
        _read(output, answer, len),
        None if tokens is None else _read(output, answer, tokens),
        len(used),
        len(used) - len(missing),
        tuple(sorted(set(missing))),
    )


def _read(output: str, answer: Answer, size: Callable[[str], int]) -> Read:
    return Read(size(output), size(answer.text), size(answer.data))


def kind_of(command: str) -> Kind:
    """What a command is for."""
    if isinstance(read_line(command), Reading):
        return "look"
    script = parse_line(command)
    if not script.understood:
        return "run"
    firsts = [pipeline.commands[0].name for each in script.lists for pipeline in each.pipelines if pipeline.commands]
    return "data" if all(name in DATA for name in firsts) else "run"


def used_lines(lines: Sequence[str], wanted: set[str]) -> list[tuple[str, tuple[int, ...]]]:
    """What the next step used of an output: facts, each with lines of which one is enough.

    A fact on few lines counts once for each of them; one that is everywhere counts once.
    """
    found: list[tuple[str, tuple[int, ...]]] = []
    for fact in sorted(wanted):
        places = tuple(place for place, line in enumerate(lines) if _holds(line, fact))
        if len(places) > MANY:
            found.append((fact, places))
        else:
            found += [(fact, (place,)) for place in places]
    return found


def _holds(line: str, fact: str) -> bool:
    return fact in line and re.search(rf"(?<![A-Za-z0-9_]){re.escape(fact)}(?![A-Za-z0-9_])", line) is not None
