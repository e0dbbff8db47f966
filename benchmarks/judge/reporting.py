"""A score as text for people."""

from __future__ import annotations

import json
from typing import Any

LISTED = 20  # trusted wrong predictions that are printed; the JSON holds all


def table(result: dict[str, Any], contexts: bool = True) -> str:
    """The whole score: overall, per command, per context tag, calibration, the trusted wrong predictions."""
    parts = [summary(result), _rows("command", result["commands"])]
    if contexts:
        parts.append(_rows("context", result["contexts"]))
    parts += [_calibration(result["calibration"]), _reasons(result["unknown_reasons"]), trusted_wrong(result)]
    return "\n\n".join(part for part in parts if part)


def summary(result: dict[str, Any]) -> str:
    """One line: what matters most."""
    return (
        f"exact {share(result['exact'], result['count'])} ({result['exact']} of {result['count']}), "
        f"known {result['known']}, trusted {result['trusted']}, trusted and wrong {result['trusted_wrong']}, "
        f"understood {result['understood']} of {result['of']} commands"
    )


def share(part: int, whole: int) -> str:
    """A percentage; 100 % only when it is all of them."""
    if not whole:
        return "   -   "
    text = f"{100 * part / whole:6.2f}%"
    return " 99.99%" if text == "100.00%" and part < whole else text


def _rows(what: str, rows: dict[str, dict[str, Any]]) -> str:
    wide = max([len(what), *map(len, rows)])
    head = f"{what:{wide}}    exact   count  known  trusted  wrong  median confidence"
    worst_first = sorted(rows.items(), key=lambda item: (item[1]["exact_share"], item[0]))
    lines = [
        f"{name:{wide}}  {share(row['exact'], row['count'])}  {row['count']:6} {row['known']:6} {row['trusted']:8} "
        f"{row['trusted_wrong']:6}  {row['median_confidence']:.2f}" + (_mark(row) if "understood" in row else "")
        for name, row in worst_first
    ]
    return "\n".join([head, *lines])


def _mark(row: dict[str, Any]) -> str:
    return "" if row["understood"] else "  not understood"


def _calibration(rows: list[dict[str, Any]]) -> str:
    lines = [
        f"{row['from']:.2f} to {row['to']:.2f}    {row['mean_confidence']:.3f}  "
        f"{share(row['exact'], row['count'])}  {row['count']:6}"
        for row in rows
    ]
    return "\n".join(["confidence       mean    exact   count", *lines]) if rows else ""


def _reasons(reasons: dict[str, int]) -> str:
    lines = [f"{count:6}  {reason}" for reason, count in list(reasons.items())[:LISTED]]
    return "\n".join(["unknown, because", *lines]) if lines else ""


def trusted_wrong(result: dict[str, Any]) -> str:
    """The trusted predictions that were wrong, each with what differed."""
    found = result["trusted_wrong_list"]
    lines = [
        f"  #{one['id']} {one['command']}   {one['line']!r}   confidence {one['confidence']:.3f}\n"
        f"      {', '.join(one['tags'])}\n      {json.dumps(one['differs'], ensure_ascii=False)[:600]}"
        for one in found[:LISTED]
    ]
    if len(found) > LISTED:
        lines.append(f"  ... and {len(found) - LISTED} more")
    return "\n".join(["trusted and wrong", *lines]) if lines else ""
