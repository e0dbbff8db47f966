"""Which lines are alike: templates, mined from the lines themselves and not from a list of kinds of logs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

_NUMBERS = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-f]{7,}\b|\d+")
_MOST_MINED = 1500  # distinct shapes given to the miner; it takes about 0.1 ms for each


@lru_cache(maxsize=50_000)
def shape(line: str) -> str:
    """A line without its numbers: lines of one shape are surely alike."""
    return _NUMBERS.sub("#", line[:400])


def templates(lines: Sequence[str], places: Iterable[int]) -> dict[int, int]:
    """A template's number per place; lines with the same number are alike.

    Lines are first brought together by shape, and the commonest shapes are then mined by Drain (He et al., 2017).
    Shapes beyond the most that are mined stay templates of their own.
    """
    by_shape = {place: shape(lines[place]) for place in places}
    common = [one for one, _ in Counter(by_shape.values()).most_common(_MOST_MINED)]
    mined = _mined(common)
    beyond: dict[str, int] = {}
    return {
        place: mined[one] if one in mined else beyond.setdefault(one, -1 - len(beyond))
        for place, one in by_shape.items()
    }


def _mined(shapes: list[str]) -> dict[str, int]:
    if len(shapes) < 2:
        return dict.fromkeys(shapes, 0)
    # Imported here: it costs 30 ms that a selection by level does not need.
    from drain3 import TemplateMiner
    from drain3.template_miner_config import TemplateMinerConfig

    config = TemplateMinerConfig()
    config.profiling_enabled = False
    config.drain_sim_th = 0.6
    miner = TemplateMiner(config=config)
    return {one: int(miner.add_log_message(one)["cluster_id"]) for one in shapes}
