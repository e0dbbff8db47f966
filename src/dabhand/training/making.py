"""Making training sets: from a seed, recorded sessions and people's requests to files whose sides share nothing."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from dabhand.corpus.stored import triples_of
from dabhand.training.changes import goal_requests
from dabhand.training.example import Example, digest_of, write_examples
from dabhand.training.outputs import evidence_requests
from dabhand.training.people import people_requests
from dabhand.training.recovered import recovered_requests
from dabhand.training.requests import plan_requests
from dabhand.training.wording import wordings_of

MANIFEST = "manifest.json"


class Sizes(msgspec.Struct, frozen=True):
    """How many examples of each task a side has, at most."""

    plan: int
    goal: int
    evidence: int


SIDES = {
    "train": Sizes(3300, 1000, 150),
    "validation": Sizes(220, 90, 40),
    "test": Sizes(380, 170, 60),
}
"""Ten times the counts of the reference (420 + 66, 28, 56), and more for the test."""

HOLDOUTS = 200
"""Requests recovered from sessions of which nothing is trained on."""


class Manifest(msgspec.Struct, frozen=True):
    """What was made.

    Attributes:
        seed: that all of it follows from.
        digests: SHA-256 of each file.
        counts: examples of each file by task and source.
        abstained: of each file, how many are to be given back.
        left_out: examples that were like one of another side, by reason.
    """

    seed: int
    digests: dict[str, str]
    counts: dict[str, dict[str, int]]
    abstained: dict[str, int]
    left_out: dict[str, int]


def make_sets(
    out: Path, seed: int, *, corpus: Path | None = None, people: Path | None = None, sides: Mapping[str, Sizes] = SIDES
) -> Manifest:
    """Write the sets into a folder, with a manifest.

    Args:
        out: a folder; what is there of the same names is replaced.
        seed: the sets follow from it, and from what the two folders hold.
        corpus: a folder that `dabhand corpus extract` made.
        people: a folder with rows of requests that people wrote.
        sides: how many of each.
    """
    out.mkdir(parents=True, exist_ok=True)
    sets: dict[str, list[Example]] = {name: [] for name in ("test", "holdout", "validation", "train")}
    for side, example in _generated(seed, sides):
        sets[side].append(example)
    for side, example in _recovered(corpus, seed):
        sets[side].append(example)
    for side, example in people_requests(people) if people is not None else ():
        sets[side].append(example)
    left_out = _parted(sets)
    for name, examples in sets.items():
        random.Random(f"{seed}/{name}").shuffle(examples)
        write_examples(out / f"{name}.jsonl", examples)
    manifest = Manifest(
        seed,
        {name: digest_of(out / f"{name}.jsonl") for name in sets},
        {name: dict(sorted(Counter(f"{e.task}/{e.source}" for e in each).items())) for name, each in sets.items()},
        {name: sum(e.answer is None for e in each) for name, each in sets.items()},
        dict(left_out),
    )
    (out / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    return manifest


def _generated(seed: int, sides: Mapping[str, Sizes]) -> Iterator[tuple[str, Example]]:
    sources: dict[str, Callable[[random.Random], Iterator[Example]]] = {
        "plan": plan_requests,
        "goal": goal_requests,
        "evidence": evidence_requests,
    }
    known = {one.family: one.side for name in ("plans", "goals", "declined") for one in wordings_of(name)}
    for task, source in sources.items():
        wanted = {side: getattr(sizes, task) for side, sizes in sides.items()}
        seen: set[str] = set()
        for example in itertools.islice(source(random.Random(f"{seed}/{task}")), 400_000):
            side = known.get(example.family) or example.family.split("/")[1]
            key = likeness(example)
            if wanted.get(side, 0) > 0 and key not in seen:
                seen.add(key)
                wanted[side] -= 1
                yield side, example
            if not any(wanted.values()):
                break


def _recovered(corpus: Path | None, seed: int) -> Iterator[tuple[str, Example]]:
    """Whole projects are held out until there are enough; all sessions of one project stay together."""
    if corpus is None:
        return
    groups: dict[str, list[Example]] = {}
    for session, place, example in recovered_requests(triples_of(corpus), seed):
        groups.setdefault(place or session, []).append(example)
    order = sorted(groups)
    random.Random(f"{seed}/holdout").shuffle(order)
    held = 0
    for group in order:
        side = "holdout" if held < HOLDOUTS and len(groups[group]) <= HOLDOUTS else "train"
        held += len(groups[group]) if side == "holdout" else 0
        yield from ((side, example) for example in groups[group])


def likeness(example: Example) -> str:
    """What near-duplicates share: the request without case, quotes, marks and numbers, and the output's own words."""
    words = re.sub(r"\d+", "0", example.request.casefold())
    words = " ".join(re.findall(r"[^\W_]+", words))
    return f"{example.task} {words} {sorted(example.references.values())} {' '.join(example.lines)[:400]}"


def _parted(sets: Mapping[str, list[Example]]) -> Counter[str]:
    """Leave out of each set what is like an example of a set before it; training comes last, so it gives way."""
    seen: dict[str, str] = {}
    left_out: Counter[str] = Counter()
    for name, examples in sets.items():
        kept = []
        for example in examples:
            key = likeness(example)
            if seen.get(key, name) != name:
                left_out[f"{name} like {seen[key]}"] += 1
            else:
                seen[key] = name
                kept.append(example)
        examples[:] = kept
    return left_out
