"""Numbered outputs with wishes, and the numbers of the lines that are meant: few among routine, or none."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from dabhand.training.example import Example
from dabhand.training.noise import noisy
from dabhand.training.pools import POOLS
from dabhand.training.wording import Piece, Side, said

_LONGEST = 22
"""Lines of an output in most examples; a few are longer."""

_LONG = 40
_SLOT = re.compile(r"\{([nfwt])\}")


def evidence_requests(rng: random.Random) -> Iterator[Example]:
    """Wishes without end, from every family of logs in turn."""
    known = tomllib.loads(files("dabhand.training").joinpath("wordings", "logs.toml").read_text("utf-8"))
    sides: list[tuple[Side, str]] = [(side, name) for side in ("train", "validation", "test") for name in known[side]]
    number = 0
    while True:
        for side, name in sides:
            number += 1
            yield _request(known, side, name, number, rng)


def _request(known: Mapping[str, Any], side: Side, name: str, number: int, rng: random.Random) -> Example:
    family: Mapping[str, Sequence[str]] = known[side][name]
    kinds = [kind for kind in family if kind != "routine"]
    output = _output(family, kinds, known["decoys"]["lines"], side, rng)
    absent = [kind for kind in known["wishes"] if kind not in {kind for kind, _ in output} | {"mention"}]
    if rng.random() < 0.22:
        wanted, found = _mentioned(output, rng)
        wish = _worded(known["wishes"]["mention"], side, rng, wanted)
    else:
        present = [kind for kind in kinds if any(one == kind for one, _ in output)]
        kind = rng.choice(absent) if absent and (rng.random() < 0.18 or not present) else rng.choice(present)
        found = [place for place, (one, _) in enumerate(output, 1) if one == kind]
        wish = _worded(known["wishes"][kind], side, rng)
    return Example(
        id=f"evidence-{number}",
        task="evidence",
        family=f"logs/{side}/{name}",
        request=wish,
        lines=tuple(text for _, text in output),
        answer=found,
    )


def _output(
    family: Mapping[str, Sequence[str]], kinds: Sequence[str], decoys: Sequence[str], side: Side, rng: random.Random
) -> list[tuple[str, str]]:
    """Lines with their kinds: mostly routine, some that matter (runs of them too), decoys, an end or none."""
    size = rng.randint(6, _LONGEST if rng.random() < 0.9 else _LONG)
    lines: list[tuple[str, str]] = []
    while len(lines) < size:
        chance = rng.random()
        if chance < 0.72:
            lines.append(("routine", _filled(rng.choice(family["routine"]), side, rng)))
        elif chance < 0.96:
            kind = rng.choice([one for one in kinds if one != "ending"])
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                lines.append((kind, _filled(rng.choice(family[kind]), side, rng)))
        else:
            lines.append(("decoy", rng.choice(decoys)))
    if "ending" in kinds and rng.random() < 0.7:
        lines.append(("ending", _filled(rng.choice(family["ending"]), side, rng)))
    return lines


def _filled(text: str, side: Side, rng: random.Random) -> str:
    pool = POOLS[side]

    def put(found: re.Match[str]) -> str:
        match found.group(1):
            case "n":
                return str(rng.choice((rng.randint(1, 9), rng.randint(10, 99), rng.randint(100, 999))))
            case "t":
                return f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
            case _:
                return rng.choice([stem for stem in pool.stems if stem.isalnum()])

    return _SLOT.sub(put, text)


def _mentioned(output: Sequence[tuple[str, str]], rng: random.Random) -> tuple[str, list[int]]:
    """A word of one of the lines, and every line that has it; at times a word that no line has."""
    words = [word for _, text in output for word in re.findall(r"[a-z]{4,}", text)]
    word = rng.choice(("zebra", "kafka", "ldap", "quasar")) if rng.random() < 0.2 else rng.choice(words)
    return word, [place for place, (_, text) in enumerate(output, 1) if re.search(rf"\b{word}\b", text)]


def _worded(wordings: Sequence[str], side: Side, rng: random.Random, word: str = "") -> str:
    """A wish in words: the last wording of each kind is for validation, the two before it for the test."""
    chosen = {"train": wordings[:-3], "test": wordings[-3:-1], "validation": wordings[-1:]}[side]
    pieces = [Piece(word, False) if one.is_slot else one for one in said(rng.choice(chosen), rng)]
    return "".join(one.text for one in noisy(pieces, side, rng))
