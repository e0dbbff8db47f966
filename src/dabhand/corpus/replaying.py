"""Does handing over pay? Recorded calls, replayed through evidence selection, counted with and without.

For every call: what the agent read, what it would have read, and whether that held the lines that its next step used.
A line is *used* when it holds a fact (a path, a name, a number) that the agent's next command, or what it said before
that command, contains, and that the agent did not write before in the session.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from dabhand.corpus.programs import READS
from dabhand.corpus.triple import Triple
from dabhand.handoff.evidence import select
from dabhand.handoff.shells.reading import read_line
from dabhand.handoff.shells.readings import Reading
from dabhand.handoff.shells.syntax import parse_line

Kind = Literal["look", "data", "run"]
"""One look at files that a typed plan says; a command that prints what was asked for; a build, a test, a script."""

DATA = READS | {"curl", "env", "gh", "git"}
"""Programs whose output is the very thing that is wanted: all of it is read, so nothing is handed over."""

SMALL = 2_000
"""Characters up to which nobody hands over: an exact command whose output is small needs no specialist."""

FRAME = 160
"""Characters of a packet beside its lines: status, exit code, counts, the artifact's id."""

MANY = 5
"""A fact that more lines hold than this is used when any of them is kept; of fewer, each line counts."""

_FACT = re.compile(r"""[A-Za-z0-9_.@~-]*(?:/[A-Za-z0-9_.@~-]+)+|[A-Za-z_][A-Za-z0-9_]*(?:[.:-]+[A-Za-z0-9_]+)*|\d+""")
_PLAIN = re.compile(r"[A-Za-z][a-z]*\Z")
_CALL = re.compile(r"[a-z]+[A-Z]|[A-Z]+[a-z]+[A-Z]|[_\d./:-]")


class Replayed(msgspec.Struct, frozen=True):
    """One call with and without.

    Attributes:
        handed_over: whether it would be; where not, nothing changes.
        before, after: characters that the agent reads.
        used: facts of its output that the next step used; kept: those that it would still have read.
        lost: the others.
    """

    id: str
    host: str
    session: str
    kind: Kind
    handed_over: bool
    before: int
    after: int
    used: int
    kept: int
    lost: tuple[str, ...] = ()


def replay(
    triples: Iterable[Triple],
    size: Callable[[str], int] = len,
) -> Iterator[Replayed]:
    """Every call that has an output, in the order of its session.

    Args:
        triples: of one corpus; those of a file stand together, in order.
        size: how much a text costs: characters, or tokens of some tokenizer.
    """
    waiting: Triple | None = None
    known: set[str] = set()
    for triple in triples:
        if waiting is not None and waiting.source.file != triple.source.file:
            yield _replayed(waiting, "", known, size)
            waiting, known = None, set()
        if waiting is not None:
            yield _replayed(waiting, f"{triple.request or ''}\n{triple.command}", known, size)
        known |= facts(f"{triple.request or ''}\n{triple.command}")
        waiting = triple
    if waiting is not None:
        yield _replayed(waiting, "", known, size)


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
    after: str,
    known: set[str],
    size: Callable[[str], int],
) -> Replayed:
    output = triple.output or ""
    lines = output.split("\n")
    kind = kind_of(triple.command)
    handed_over = kind == "run" and len(output) > SMALL
    kept = set(range(len(lines)))
    if handed_over:
        kept = handed(lines, failed=triple.exit_code not in (0, None))
    used = used_lines(lines, facts(after) - known)
    lost = {fact for fact, places in used if not any(place in kept for place in places)}
    read = size("\n".join(lines[place] for place in sorted(kept))) + (FRAME if handed_over else 0)
    return Replayed(
        triple.id,
        triple.source.format.split()[0],
        triple.source.session or triple.source.file,
        kind,
        handed_over,
        size(output),
        read if handed_over else size(output),
        len(used),
        sum(any(place in kept for place in places) for _, places in used),
        tuple(sorted(lost)),
    )


def kind_of(command: str) -> Kind:
    """What a command is for."""
    if isinstance(read_line(command), Reading):
        return "look"
    script = parse_line(command)
    if not script.understood:
        return "run"
    firsts = [pipeline.commands[0].name for each in script.lists for pipeline in each.pipelines if pipeline.commands]
    return "data" if all(name in DATA for name in firsts) else "run"


def handed(lines: Sequence[str], *, failed: bool, wish: str | None = None) -> set[int]:
    """Where the lines of an output stand (from 0) that a packet holds; its beginning and end where none was chosen."""
    chosen = select(lines, wish, failed=failed)
    if chosen.lines:
        return {number - 1 for number in chosen.lines}
    return ends(lines, SMALL)


def ends(lines: Sequence[str], characters: int) -> set[int]:
    """Where as many lines of the beginning, and twice as many of the end, stand as fit."""
    kept: set[int] = set()
    left, last = characters, len(lines) - 1
    order = (place for step in range(len(lines)) for place in (last - 2 * step, last - 2 * step - 1, step))
    for place in order:
        if 0 <= place <= last and place not in kept:
            left -= len(lines[place]) + 1
            if left < 0:
                break
            kept.add(place)
    return kept


def used_lines(lines: Sequence[str], wanted: set[str]) -> list[tuple[str, tuple[int, ...]]]:
    """What the next step used of an output: facts, each with lines of which one is enough.

    A fact on few lines counts once for each of them; one that is everywhere counts once.
    """
    found: list[tuple[str, tuple[int, ...]]] = []
    for fact in sorted(wanted):
        whole = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(fact)}(?![A-Za-z0-9_])")
        places = tuple(place for place, line in enumerate(lines) if whole.search(line))
        if len(places) > MANY:
            found.append((fact, places))
        else:
            found += [(fact, (place,)) for place in places]
    return found
