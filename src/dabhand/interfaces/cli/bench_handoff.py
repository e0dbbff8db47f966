"""`dabhand bench handoff`: would handing over have paid, and what would have been lost?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dabhand.corpus.replaying import Replayed

TOKENIZER = "o200k_base (bpe-openai)"


def measure(corpus: Path) -> dict[str, Any]:
    """Replay every call of a corpus, and count characters, tokens and what the next step used.

    Args:
        corpus: a folder made by `dabhand corpus extract`.
    """
    from dabhand.corpus.replaying import replay
    from dabhand.corpus.stored import triples_of

    triples = triples_of(corpus)
    characters = list(replay(triples))
    count = tokens()
    tokenised = list(replay(triples, count)) if count is not None else []
    document: dict[str, Any] = {
        "bench": "handoff",
        "calls": len(characters),
        "tokenizer": TOKENIZER if tokenised else None,
        "all": _sums(characters, tokenised),
        "hosts": _by(characters, tokenised, lambda each: each.host),
        "kinds": _by(characters, tokenised, lambda each: each.kind + (" (handed over)" if each.handed_over else "")),
        "sessions": _sessions(characters),
        "lost": sorted({fact for each in characters for fact in each.lost}),
    }
    return document


def tokens() -> Callable[[str], int] | None:
    """Counts tokens, where the tokenizer is installed."""
    try:
        import bpe_openai
    except ModuleNotFoundError:
        return None
    encoding = bpe_openai.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text))


def _by(
    characters: Iterable[Replayed], tokenised: Iterable[Replayed], key: Callable[[Replayed], str]
) -> dict[str, dict[str, Any]]:
    groups: dict[str, tuple[list[Replayed], list[Replayed]]] = {}
    for place, calls in enumerate((characters, tokenised)):
        for call in calls:
            groups.setdefault(key(call), ([], []))[place].append(call)
    return {name: _sums(*groups[name]) for name in sorted(groups)}


def _sums(characters: list[Replayed], tokenised: list[Replayed]) -> dict[str, Any]:
    before, after = sum(each.before for each in characters), sum(each.after for each in characters)
    used, kept = sum(each.used for each in characters), sum(each.kept for each in characters)
    sums: dict[str, Any] = {
        "calls": len(characters),
        "handed_over": sum(each.handed_over for each in characters),
        "characters": [before, after],
        "share_read": round(after / before, 4) if before else 1.0,
        "used_lines": [kept, used],
        "share_of_used_kept": round(kept / used, 4) if used else 1.0,
    }
    if tokenised:
        sums["tokens"] = [sum(each.before for each in tokenised), sum(each.after for each in tokenised)]
    return sums


def _sessions(calls: list[Replayed]) -> dict[str, Any]:
    """How much less each session would have read: the median and the most."""
    sums: dict[str, list[int]] = {}
    for call in calls:
        before, after = sums.setdefault(call.session, [0, 0])
        sums[call.session] = [before + call.before, after + call.after]
    shares = sorted(after / before for before, after in sums.values() if before)
    if not shares:
        return {"sessions": 0}
    return {
        "sessions": len(shares),
        "median_share_read": round(shares[len(shares) // 2], 4),
        "least_share_read": round(shares[0], 4),
    }


def show(document: dict[str, Any]) -> None:
    """For a person."""
    from rich.table import Table

    from dabhand.interfaces.cli.output import console, visible

    table = Table("", "calls", "handed over", "characters read", "with dabhand", "share", "used lines kept", box=None)
    rows = {**document["kinds"], **document["hosts"], "all": document["all"]}
    for name, sums in rows.items():
        before, after = sums["characters"]
        kept, used = sums["used_lines"]
        share = f"{sums['share_read']:.0%}"
        counts = (str(sums["calls"]), str(sums["handed_over"]), f"{before:,}", f"{after:,}")
        table.add_row(visible(name), *counts, share, f"{kept} of {used}")
    screen = console()
    screen.print(table)
    if document["tokenizer"]:
        before, after = document["all"]["tokens"]
        screen.print(f"Tokens of {document['tokenizer']}: {before:,} without, {after:,} with.")
    if document["lost"]:
        screen.print("Lost: " + visible(", ".join(document["lost"])))
