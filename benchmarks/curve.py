"""Experiments against exact whole outcomes, per seed, and per command and per context at the end.

python benchmarks/curve.py --seeds 1 2 3 4 5 --label before-links
python benchmarks/curve.py --suite outside --seeds 1        (templates outside the pack; no curve, the end alone)
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent import AgentError, Dabhand, installed
from judge.reporting import trusted_wrong
from judge.running import JudgeFault
from judge.scoring import ScoreError
from practice import COUNT, POINTS, Measuring, merged, trimmed
from results import RESULTS, LabelError, fresh_label, heading, keep, place_for
from showing import command_rows, context_rows, curve_rows, end_rows

Seeds = dict[str, dict[str, Any]]


def measure(measuring: Measuring, seeds: Sequence[int], points: Sequence[int]) -> Seeds:
    """The curve and the end of every seed, scores in full.

    Raises:
        AgentError: dabhand failed.
        JudgeFault, ScoreError: the judge could not do its work.
    """
    return {
        str(seed): {"curve": measuring.curve(seed, points), "until_understood": measuring.until_understood(seed)}
        for seed in seeds
    }


def measure_outside(measuring: Measuring, seeds: Sequence[int]) -> Seeds:
    """The end of every seed for the templates outside the pack."""
    return {str(seed): {"curve": [], "until_understood": measuring.outside(seed)} for seed in seeds}


def shown(found: Seeds) -> str:
    """All tables."""
    ends = [one["until_understood"]["score"] for one in found.values()]
    parts = [curve_rows(found), end_rows(found), command_rows(merged(ends, "commands"), len(found))]
    parts.append(context_rows(merged(ends, "contexts")))
    parts += [f"seed {seed}: {text}" for seed, score in zip(found, ends, strict=True) if (text := trusted_wrong(score))]
    return "\n\n".join(part for part in parts if part)


def to_json(found: Seeds) -> dict[str, Any]:
    """What is kept: scores without their long lists, and the contexts added up over the seeds."""
    ends = [one["until_understood"]["score"] for one in found.values()]
    return {
        "seeds": {
            seed: {
                "curve": [trimmed(point, parts=()) for point in one["curve"]],
                "until_understood": trimmed(
                    one["until_understood"], parts=("commands", "calibration", "trusted_wrong_list")
                ),
            }
            for seed, one in found.items()
        },
        "contexts": merged(ends, "contexts"),
    }


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that every measurement of practice has."""
    parser.add_argument("--count", type=int, default=COUNT, help="held-out experiments per seed")
    parser.add_argument("--points", type=int, nargs="+", default=list(POINTS))
    parser.add_argument("--workers", type=int, help="sandboxes side by side (default: what dabhand takes)")
    parser.add_argument("--dabhand", metavar="PATH", help="the script to measure (default: the one beside this Python)")
    parser.add_argument("--cache", type=Path, help="where held-out sets are kept (default: a temporary folder)")
    parser.add_argument("--label", help="names the file of results (default: the time)")
    parser.add_argument("--results", type=Path, default=RESULTS, help=argparse.SUPPRESS)


def measuring_of(options: argparse.Namespace) -> Measuring:
    """What the options ask to measure."""
    return Measuring(Dabhand(options.dabhand or installed()), options.count, options.workers, options.cache)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print and keep; the exit code is 0, 1 when something could not be measured, 2 for bad usage."""
    given = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(description="Measure what dabhand has learned after so many experiments.")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--suite", choices=("posix", "outside"), default="posix")
    parser.add_argument("--details", type=Path, metavar="FILE", help="write everything, every wrong prediction too")
    add_options(parser)
    options = parser.parse_args(given)
    try:
        place = place_for(options.label or fresh_label(f"curve-{options.suite}"), options.results)
        measuring = measuring_of(options)
        if options.suite == "posix":
            found = measure(measuring, options.seeds, options.points)
        else:
            found = measure_outside(measuring, options.seeds)
        keep(place, heading("benchmarks/curve.py", given) | to_json(found))
    except LabelError as error:
        print(f"curve: {error}", file=sys.stderr)
        return 2
    except (AgentError, JudgeFault, ScoreError) as error:
        print(f"curve: {error}", file=sys.stderr)
        return 1
    if options.details:
        options.details.write_text(json.dumps(found, ensure_ascii=False) + "\n", encoding="utf-8")
    print(shown(found))
    print(f"\nkept as {place.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
