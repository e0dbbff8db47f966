"""The independent judge of what dabhand learned.

python benchmarks/heldout.py generate --seed 1 --count 2000 --pack posix --out truth.jsonl
python benchmarks/heldout.py questions --truth truth.jsonl | dabhand predict --store DIR > predictions.jsonl
python benchmarks/heldout.py score --truth truth.jsonl --predictions predictions.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from judge.drawing import generate
from judge.reporting import table
from judge.scoring import ScoreError, questions, read_lines, score
from judge.templates import SUITES


def main(arguments: list[str] | None = None) -> int:
    """Run one of the commands; the exit code is 0, or 2 for bad input."""
    options = _parser().parse_args(arguments)
    actions = {"generate": _generate, "questions": _questions, "score": _score}
    try:
        return actions[options.action](options)
    except (ScoreError, OSError) as error:
        print(f"heldout: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Draw held-out experiments, and score predictions of them.")
    actions = parser.add_subparsers(dest="action", required=True)
    making = actions.add_parser("generate", help="draw experiments and carry them out")
    making.add_argument("--seed", type=int, required=True)
    making.add_argument("--count", type=int, default=2000)
    making.add_argument("--pack", choices=sorted(SUITES), default="posix")
    making.add_argument("--out", type=Path, required=True)
    asking = actions.add_parser("questions", help="print what a predictor may see: everything but the outcome")
    asking.add_argument("--truth", type=Path, required=True)
    scoring = actions.add_parser("score", help="compare predictions with what happened")
    scoring.add_argument("--truth", type=Path, required=True)
    scoring.add_argument("--predictions", type=Path, required=True)
    scoring.add_argument("--json", action="store_true", help="JSON on standard output, the table on standard error")
    scoring.add_argument("--out", type=Path, help="write the JSON to this file as well")
    return parser


def _generate(options: argparse.Namespace) -> int:
    records, dropped = generate(options.seed, options.count, options.pack)
    with options.out.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    odd = sum(not record["repeatable"] for record in records)
    tied = sum(record["repeatable"] and not record["portable"] for record in records)
    print(
        f"{len(records)} experiments, {sum(dropped.values())} dropped {dict(dropped) or ''}; "
        f"{odd} not repeatable, {tied} not portable"
    )
    return 0


def _questions(options: argparse.Namespace) -> int:
    sys.stdout.write(questions(read_lines(options.truth)))
    return 0


def _score(options: argparse.Namespace) -> int:
    result = score(read_lines(options.truth), read_lines(options.predictions))
    text = json.dumps(result, ensure_ascii=False, indent=1)
    if options.out:
        options.out.write_text(text + "\n", encoding="utf-8")
    print(table(result), file=sys.stderr if options.json else sys.stdout)
    if options.json:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
