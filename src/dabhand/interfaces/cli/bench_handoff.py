"""`dabhand bench handoff`: would handing over have paid, and what would have been lost?"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from dabhand.corpus.replaying import Read, Replayed, Rule
    from dabhand.corpus.triple import Triple

TOKENIZER = "o200k_base (bpe-openai)"


def measure(corpus: Path) -> dict[str, Any]:
    """Replay every call of a corpus, and count characters, tokens and what the next step used.

    Args:
        corpus: a folder made by `dabhand corpus extract`.
    """
    from dabhand.corpus.replaying import all_long, as_advised
    from dabhand.corpus.stored import triples_of

    triples = list(triples_of(corpus))
    count = tokens()
    document: dict[str, Any] = {"bench": "handoff", "tokenizer": None if count is None else TOKENIZER}
    document |= _summary(triples, as_advised, count)
    document["if_all_long"] = _summary(triples, all_long, count)
    return document


def _summary(triples: Sequence[Triple], rule: Rule, count: Callable[[str], int] | None) -> dict[str, Any]:
    from dabhand.corpus.replaying import replay
    from dabhand.interfaces.cli.replaying import answer_of

    with tempfile.TemporaryDirectory(prefix="dabhand-replay-") as folder:
        calls = list(replay(triples, lambda triple: answer_of(triple, Path(folder)), rule, count))
    return {
        "calls": len(calls),
        "all": _sums(calls),
        "handed_over": _sums([each for each in calls if each.handed_over]),
        "hosts": _by(calls, lambda each: each.host),
        "kinds": _by(calls, lambda each: each.kind),
        "hosts_and_kinds": _by(calls, lambda each: f"{each.host}, {each.kind}"),
        "sessions": _sessions(calls),
        "lost": sorted({fact for each in calls for fact in each.lost}),
    }


def tokens() -> Callable[[str], int] | None:
    """Counts tokens, where the tokenizer is installed."""
    try:
        import bpe_openai
    except ModuleNotFoundError:
        return None
    encoding = bpe_openai.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text))


def _by(calls: Iterable[Replayed], key: Callable[[Replayed], str]) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[Replayed]] = {}
    for call in calls:
        groups.setdefault(key(call), []).append(call)
    return {name: _sums(groups[name]) for name in sorted(groups)}


def _sums(calls: Sequence[Replayed]) -> dict[str, Any]:
    used, kept = sum(each.used for each in calls), sum(each.kept for each in calls)
    sums: dict[str, Any] = {"calls": len(calls), "handed_over": sum(each.handed_over for each in calls)}
    sums |= _read("characters", [each.characters for each in calls])
    sums |= _read("tokens", [each.tokens for each in calls if each.tokens is not None])
    in_handed = [each for each in calls if each.handed_over]
    return sums | {
        "used_lines": [kept, used],
        "share_of_used_kept": round(kept / used, 4) if used else None,
        "used_lines_handed_over": [sum(each.kept for each in in_handed), sum(each.used for each in in_handed)],
    }


def _read(name: str, every: Sequence[Read]) -> dict[str, Any]:
    """What is read without, with the answers' texts, and with their data."""
    before, text, data = (sum(getattr(each, field) for each in every) for field in ("before", "text", "data"))
    if not every or not before:
        return {}
    return {name: [before, text, data], f"share_of_{name}_read": [round(text / before, 4), round(data / before, 4)]}


def _sessions(calls: Sequence[Replayed]) -> dict[str, Any]:
    """How much each session would have read of what it did: the median and the least."""
    sums: dict[str, list[int]] = {}
    for call in calls:
        before, after = sums.setdefault(call.session, [0, 0])
        sums[call.session] = [before + call.characters.before, after + call.characters.text]
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
    from dabhand.interfaces.cli.output import console, visible

    screen = console()
    for title, part in (
        ("What agents are told to hand over", document),
        ("If every long output had been", document["if_all_long"]),
    ):
        screen.print(f"\n{title}:", style="bold")
        screen.print(_table(part))
        if part["lost"]:
            screen.print("Lost: " + visible(", ".join(part["lost"])))
    if document["tokenizer"]:
        screen.print(f"Tokens of {document['tokenizer']}.")


def _table(part: dict[str, Any]) -> Table:
    from rich.table import Table

    from dabhand.interfaces.cli.output import visible

    table = Table("", box=None)
    for title in (
        "calls",
        "handed over",
        "characters read",
        "with dabhand",
        "tokens read",
        "with dabhand",
        "used lines kept",
    ):
        table.add_column(title, justify="right")
    rows = {**part["kinds"], **part["hosts"], "all": part["all"], "of those handed over": part["handed_over"]}
    for name, sums in rows.items():
        kept, used = sums["used_lines"]
        cells = [cell for field in ("characters", "tokens") for cell in _cells(sums.get(field))]
        table.add_row(visible(name), str(sums["calls"]), str(sums["handed_over"]), *cells, f"{kept} of {used}")
    return table


def _cells(read: Sequence[int] | None) -> tuple[str, str]:
    if read is None:
        return "", ""
    before, text, _ = read
    return f"{before:,}", f"{text:,} ({text / before:.0%})"
