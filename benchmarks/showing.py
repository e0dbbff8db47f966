"""Measurements as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.reporting import share
from practice import wrong_per_thousand

Rows = Sequence[Sequence[str]]


def aligned(head: Sequence[str], rows: Rows, left: int = 1) -> str:
    """A table: the first `left` columns flush left, the others flush right."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    lines = [
        "  ".join(
            cell.ljust(wide) if at < left else cell.rjust(wide)
            for at, (cell, wide) in enumerate(zip(row, widths, strict=True))
        )
        for row in [head, *rows]
    ]
    return "\n".join(line.rstrip() for line in lines)


def curve_rows(found: dict[str, dict[str, Any]]) -> str:
    """Per seed and number of experiments: exact whole outcomes, trusted wrong per 1,000, understood."""
    rows = [[seed, f"{point['experiments']}", *_cells(point)] for seed, one in found.items() for point in one["curve"]]
    return "the curve\n" + aligned(("seed", "experiments", *_CELLS), rows, left=0) if rows else ""


def end_rows(found: dict[str, dict[str, Any]]) -> str:
    """Per seed: what --until-understood reached and what it cost."""
    rows = []
    for seed, one in found.items():
        end = one["until_understood"]
        learn = end["learn"]
        outside = learn["outside_share"]
        rows.append(
            [
                seed,
                str(end["experiments"]),
                *_cells(end),
                f"{learn['wall_seconds']:.1f} s",
                "-" if outside is None else f"{100 * outside:.0f}%",
                f"{100 * learn['own_cpu_share']:.0f}%",
                f"{learn['tree_peak_mb']:.0f} MB",
            ]
        )
    head = ("seed", "experiments", *_CELLS, "wall", "outside the sandbox", "own CPU", "memory")
    return "--until-understood\n" + aligned(head, rows, left=0)


_CELLS = ("exact", "known", "trusted", "wrong per 1,000 trusted", "understood", "it says")


def _cells(found: dict[str, Any]) -> list[str]:
    scored = found["score"]
    count = scored["count"]
    return [
        share(scored["exact"], count),
        share(scored["known"], count),
        share(scored["trusted"], count),
        f"{wrong_per_thousand(scored):.2f}",
        f"{scored['understood']} of {scored['of']}",
        str(found["learn"]["says_understood"]),
    ]


def command_rows(rows: dict[str, dict[str, Any]], seeds: int) -> str:
    """Per command over all seeds, the worst first."""
    head = ("command", "it says", "exact", "count", "known", "trusted", "wrong", "confidence", "understood")
    cells = [
        [
            name,
            ", ".join(_times(status, count) for status, count in row["statuses"].items()) or "-",
            *_counts(row),
            f"{row['understood']} of {seeds}",
        ]
        for name, row in _worst_first(rows)
    ]
    return "per command, at the end\n" + aligned(head, cells, left=2)


def context_rows(rows: dict[str, dict[str, Any]]) -> str:
    """Per context tag over all seeds, the worst first."""
    head = ("context", "exact", "count", "known", "trusted", "wrong", "confidence")
    return "per context, at the end\n" + aligned(head, [[name, *_counts(row)] for name, row in _worst_first(rows)])


def _worst_first(rows: dict[str, dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    return sorted(rows.items(), key=lambda item: (item[1]["exact_share"], item[0]))


def _times(status: str, count: int) -> str:
    return status if count == 1 else f"{count}x {status}"


def _counts(row: dict[str, Any]) -> list[str]:
    counted = [str(row[name]) for name in ("count", "known", "trusted", "trusted_wrong")]
    return [share(row["exact"], row["count"]), *counted, f"{row['median_confidence']:.2f}"]
