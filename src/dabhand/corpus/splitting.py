"""Frozen partitions: training, validation, review and final test, with nothing of one group on two sides.

A group is what hangs together: calls of one session, of one repository (where calls say where they ran), of one hour
(where they do not), or with nearly the same long command. Short commands are the same everywhere (`git status`); they
join nothing, and one that already stands on another side is left out instead. What a call hangs together by is told
from that call alone, so that nothing which is added later can part or join what was there. What is assigned once never
moves; a new call that would tie together what stands on two sides is left out too.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from dabhand.corpus.likeness import Likeness, Union
from dabhand.corpus.triple import Triple

Partition = Literal["training", "validation", "review", "final_test"]
SHARES: Mapping[Partition, float] = {"training": 0.3, "validation": 0.1, "review": 0.5, "final_test": 0.1}
LONG = 12
"""Shingles from which a command says so much that another like it has the same origin."""

_HOMES = re.compile(r"(?i)(?:/(?:home|users)/[^/]+|/mnt/[a-z]/users/[^/]+|/root|[a-z]:/users/[^/]+|[a-z]:)(?=/|\Z)")
_SYSTEM = re.compile(
    r"(?i)/(?:private|tmp|var|folders|root|home|users|mnt|media|opt|srv|data|volumes|workspaces?)(?=/|\Z)"
)
_SHELVES = re.compile(
    r"(?i)/(?:work|workspaces|src|source|code|coding|projects|dev|developer|development|git|github|gitlab"
    r"|github\.com|gitlab\.com|repos|repositories|documents|desktop|downloads|clones|checkouts|worktrees|go|sites)(?=/|\Z)"
)
"""Folders that are no repository: too much is below them."""


class Assigned(msgspec.Struct, frozen=True):
    """Where one call stands.

    Attributes:
        id: of the triple.
        digest: of its command (SHA-256), so that the partition can be checked against the corpus.
        partition: None where it was left out.
        session: a digest of what it shares with others of its session.
        place: of its repository, or else of its hour; "" where neither is known.
        reason: why it was left out.
    """

    id: str
    digest: str
    partition: Partition | None
    session: str
    place: str = ""
    reason: str = ""


class Leak(msgspec.Struct, frozen=True):
    """Two calls on two sides that belong together."""

    kind: Literal["session", "repository", "hour", "near-duplicate"]
    one: str
    other: str


def split(triples: Sequence[Triple], frozen: Sequence[Assigned] = ()) -> list[Assigned]:
    """Assign every call that is not assigned yet.

    Args:
        triples: of the whole corpus, in any order.
        frozen: what is assigned already; it stays as it is.

    Returns:
        All of them, those that were frozen first, then the new ones by id.
    """
    done = {each.id: each for each in frozen}
    new = sorted((triple for triple in triples if triple.id not in done), key=lambda triple: triple.id)
    by_id = {triple.id: triple for triple in triples}
    places = {triple.id: _place(triple) for triple in triples}
    likeness = Likeness()
    names = {identity: likeness.add(_text(triple)) for identity, triple in sorted(by_id.items())}
    sides = _sides_of(frozen, names, places)
    groups = _grouped(new, places, likeness, names)
    counts: Counter[Partition] = Counter(each.partition for each in frozen if each.partition is not None)
    result = list(frozen)
    for members in sorted(groups, key=lambda each: (-len(each), each[0])):
        result += _assigned([by_id[member] for member in members], places, likeness, names, sides, counts)
    fresh = sorted(result[len(frozen) :], key=lambda each: each.id)
    return [*frozen, *fresh]


def leaks(triples: Iterable[Triple], assigned: Iterable[Assigned]) -> list[Leak]:
    """What stands on two sides and belongs together: sessions, repositories, near-duplicates of any length."""
    partitions = {each.id: each.partition for each in assigned}
    places = {each.id: each.place for each in assigned}
    likeness, found = Likeness(), []
    holders: dict[tuple[str, str], str] = {}
    texts: dict[str, str] = {}
    for triple in sorted(triples, key=lambda each: each.id):
        side = partitions.get(triple.id)
        if side is None:
            continue
        for kind, key in _held_by(triple, places[triple.id]):
            other = holders.setdefault((kind, key), triple.id) if key else triple.id
            if partitions[other] != side:
                found.append(Leak(kind, other, triple.id))
        name = likeness.add(_text(triple))
        if triple.source.file and likeness.size(name):
            other = texts.setdefault(name, triple.id)
            if partitions[other] != side:
                found.append(Leak("near-duplicate", other, triple.id))
    for name, identity in texts.items():
        for near in likeness.near(name):
            if int(near) < int(name) and partitions[texts[near]] != partitions[identity]:
                found.append(Leak("near-duplicate", texts[near], identity))
    return found


_Kind = Literal["session", "repository", "hour", "near-duplicate"]


def _held_by(triple: Triple, place: str) -> list[tuple[_Kind, str]]:
    """What a call hangs together by, beside its text: its session, its place as it was frozen, and as it is now."""
    kind: _Kind = "repository" if repository(triple.source.cwd) else "hour"
    return [("session", _session(triple)), *((kind, key) for key in sorted({place, _place(triple)}))]


def hashes(assigned: Iterable[Assigned]) -> dict[str, str]:
    """A hash of every partition: of the ids and digests of its calls, sorted."""
    sums = {name: hashlib.sha256() for name in SHARES}
    for each in sorted(assigned, key=lambda each: each.id):
        if each.partition is not None:
            sums[each.partition].update(f"{each.id} {each.digest}\n".encode("utf-8", "surrogateescape"))
    return {name: made.hexdigest() for name, made in sums.items()}


def _grouped(
    new: Sequence[Triple], places: Mapping[str, str], likeness: Likeness, names: Mapping[str, str]
) -> list[list[str]]:
    """The ids of new calls by what hangs together, each group sorted."""
    union = Union()
    holders: dict[str, str] = {}
    for triple in new:
        union.find(triple.id)
        keys = [f"session {_session(triple)}", f"place {places[triple.id]}" if places[triple.id] else ""]
        name = names[triple.id]
        if likeness.size(name) >= LONG:
            keys += [f"text {each}" for each in (name, *likeness.near(name))]
        for key in filter(None, keys):
            union.join(holders.setdefault(key, triple.id), triple.id)
    return [sorted(members) for members in union.sets().values()]


def _assigned(
    group: Sequence[Triple],
    places: Mapping[str, str],
    likeness: Likeness,
    names: Mapping[str, str],
    sides: dict[str, set[Partition]],
    counts: Counter[Partition],
) -> list[Assigned]:
    """Where the calls of one group stand."""
    ties = [_tied(triple, places, likeness, names, sides) for triple in group]
    tied = set().union(*ties)
    partition = _emptiest(counts) if len(tied) != 1 else next(iter(tied))
    result = []
    for triple in group:
        name = names[triple.id]
        short = likeness.size(name) < LONG
        elsewhere = {side for text in (name, *likeness.near(name)) for side in sides.get(f"any {text}", ())}
        reason = ""
        if len(tied) > 1:
            reason = "it belongs to what stands on two sides"
        elif elsewhere - {partition}:
            reason = "nearly the same " + ("short command" if short else "command") + " stands on another side"
        result.append(_one(triple, None if reason else partition, places[triple.id], reason))
        if not reason:
            counts[partition] += 1
            for key in _keys(triple, places[triple.id], name):
                sides.setdefault(key, set()).add(partition)
    return result


def _tied(
    triple: Triple,
    places: Mapping[str, str],
    likeness: Likeness,
    names: Mapping[str, str],
    sides: Mapping[str, set[Partition]],
) -> set[Partition]:
    """The sides on which something stands that a call belongs to."""
    name = names[triple.id]
    found = {side for key in _keys(triple, places[triple.id], "") for side in sides.get(key, ())}
    if likeness.size(name) >= LONG:
        found |= {side for text in (name, *likeness.near(name)) for side in sides.get(f"any {text}", ())}
    return found


def _sides_of(
    frozen: Sequence[Assigned], names: Mapping[str, str], places: Mapping[str, str]
) -> dict[str, set[Partition]]:
    sides: dict[str, set[Partition]] = {}
    for each in frozen:
        if each.partition is None:
            continue
        own = {each.place, places.get(each.id, "")} - {""}
        keys = [f"session {each.session}", *(f"place {place}" for place in sorted(own))]
        if each.id in names:
            keys.append(f"any {names[each.id]}")
        for key in keys:
            sides.setdefault(key, set()).add(each.partition)
    return sides


def _keys(triple: Triple, place: str, name: str) -> list[str]:
    keys = [f"session {_session(triple)}"]
    return keys + ([f"place {place}"] if place else []) + ([f"any {name}"] if name else [])


def _emptiest(counts: Counter[Partition]) -> Partition:
    """The partition that is furthest from its share."""
    total = sum(counts.values()) + 1
    return max(SHARES, key=lambda name: SHARES[name] - counts[name] / total)


def _one(triple: Triple, partition: Partition | None, place: str, reason: str) -> Assigned:
    return Assigned(triple.id, _digest(_text(triple)), partition, _session(triple), place, reason)


def _session(triple: Triple) -> str:
    """What stands for a session: the host's name of it, else the file."""
    return _digest(triple.source.session or triple.source.file)[:16]


def _text(triple: Triple) -> str:
    return triple.command


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _place(triple: Triple) -> str:
    """A digest of a call's repository, else of its hour: the same whatever other calls there are."""
    name = repository(triple.source.cwd)
    hour = (triple.source.time or "")[:13]
    said = f"repository {name}" if name else f"hour {hour}" if _HOUR.fullmatch(hour) else ""
    return _digest(said)[:16] if said else ""


_HOUR = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d")


def repository(cwd: str | None) -> str | None:
    """The name of the highest folder above a call that is no home, no shelf of repositories and no system's folder.

    Two repositories in a folder that is not known for a shelf count as one, and so do two of one name: what belongs
    together must not be parted, while what does not may well stay together.
    """
    left = re.sub(r"/+", "/", (cwd or "").replace("\\", "/")).rstrip("/")
    home = _HOMES.match(left)
    left = left[home.end() :] if home else left
    while left and (shelf := (_SHELVES if home else _SYSTEM).match(left) or _SHELVES.match(left)):
        left = left[shelf.end() :]
    return left.strip("/").split("/")[0].lower() or None
