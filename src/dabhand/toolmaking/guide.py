"""What was learned about the building blocks: which are likely, given what the examples look like.

For every block it is known how often programs used it, and how often with each property of the examples. Its cost in
the search is what is declared, less the evidence of the properties in bits (Bayes' rule, the properties taken as
independent). So the guide changes in what order terms come, and never whether they come (after DeepCoder, Balog et al.,
ICLR 2017, and Probe, Barke et al., OOPSLA 2020).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache
from importlib import resources

import msgspec

from dabhand.errors import UsageError
from dabhand.language import BLOCKS, PRIMITIVES
from dabhand.toolmaking.guide_features import domain_of, features_of
from dabhand.toolmaking.search_task import Task

MOST_FOR, MOST_AGAINST = 1.0, 4.0
"""The guide makes a block cheaper by no more than this, and dearer by no more than that."""
DAMPING = {"text": 0.25, "word": 0.2, "number": 0.0}
"""The properties are far from independent; their evidence counts for so much, by domain: what was learned of numbers
made searches longer (benchmarks/synthesis.py), so it is shown and not used."""
FEWEST = 20
"""Of a block that fewer programs used, nothing is said."""
SMOOTHING = 0.5


class GuideError(UsageError):
    """A guide that cannot be read."""

    code = "guide"


class Block(msgspec.Struct, frozen=True):
    """How often programs used a block, in all and with each property of their examples."""

    used: int
    given: dict[str, int]


class Domain(msgspec.Struct, frozen=True):
    """What was learned of programs that take one sort of input.

    Attributes:
        programs: how many programs were looked at.
        properties: in how many of them each property held.
        blocks: by name.
    """

    programs: int
    properties: dict[str, int]
    blocks: dict[str, Block]

    def weights(self, block: Block) -> dict[str, tuple[float, float]]:
        """Of each property, how many bits it speaks for a block where it holds, and where it does not."""
        unused = self.programs - block.used
        made = {}
        for feature, total in self.properties.items():
            with_it = block.given.get(feature, 0)
            yes = (with_it + SMOOTHING) / (block.used + 2 * SMOOTHING)
            no = (total - with_it + SMOOTHING) / (unused + 2 * SMOOTHING)
            made[feature] = (math.log2(yes / no), math.log2((1 - yes) / (1 - no)))
        return made

    def evidence(self, name: str, features: Collection[str]) -> float:
        """How many bits the properties of some examples speak for a block (or, below zero, against it)."""
        block = self.blocks.get(name)
        if block is None or block.used < FEWEST:
            return 0.0
        return sum(holds if feature in features else lacks for feature, (holds, lacks) in self.weights(block).items())


class Guide(msgspec.Struct, frozen=True):
    """How likely each building block is, given properties of the examples.

    Attributes:
        seed: of the values it was learned on.
        runs: how many times a building block was run on them.
        domains: what was learned, by what programs take: "text", "word" or "number".
    """

    seed: int
    runs: int
    domains: dict[str, Domain]

    def costs(self, task: Task) -> dict[str, int]:
        """What each block costs in a search for this task."""
        features = frozenset(features_of(task))
        where = domain_of(task)
        domain = self.domains.get(where)
        made = {}
        for name, block in (PRIMITIVES | BLOCKS).items():
            bits = DAMPING.get(where, 0.0) * domain.evidence(name, features) if domain is not None else 0.0
            made[name] = max(1, round(block.cost - max(min(bits, MOST_FOR), -MOST_AGAINST)))
        return made


def guide_from_json(data: bytes) -> Guide:
    """A guide as it was kept.

    Raises:
        GuideError: it is none.
    """
    try:
        return msgspec.json.decode(data, type=Guide)
    except msgspec.DecodeError as error:
        raise GuideError(f"The guide cannot be read: {error}", "train it again: dabhand tool guide train") from error


def guide_to_json(guide: Guide) -> bytes:
    """A guide to be kept."""
    return msgspec.json.encode(guide)


@lru_cache(maxsize=1)
def shipped_guide() -> Guide:
    """The guide that comes with the program; it was learned with `train_guide` and seed 1."""
    return guide_from_json(resources.files("dabhand.toolmaking").joinpath("guide.json").read_bytes())


class Row(msgspec.Struct, frozen=True):
    """What a guide says of one block of a domain: how often it is used, and what speaks most for and against it."""

    domain: str
    block: str
    used: float
    speaks_for: tuple[str, ...]
    speaks_against: tuple[str, ...]


def rows_of(guide: Guide, most: int = 2) -> list[Row]:
    """What a guide learned, by domain, the most used block first."""
    made = []
    for name, domain in guide.domains.items():
        for block_name, block in sorted(domain.blocks.items(), key=lambda one: -one[1].used):
            weights = {feature: holds for feature, (holds, _) in domain.weights(block).items()}
            ordered = sorted(weights, key=lambda feature: weights[feature])
            speaks_for = tuple([each for each in reversed(ordered[-most:]) if weights[each] > 0])
            against = tuple([each for each in ordered[:most] if weights[each] < 0])
            made.append(Row(name, block_name, block.used / max(domain.programs, 1), speaks_for, against))
    return made
