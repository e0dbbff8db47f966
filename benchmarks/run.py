"""Measure everything that has a floor, print it beside the floor, and keep it.

python -m benchmarks [--quick] [--label L] [--data DIR]
                     [--only posix outside exams startup sandbox staging planning requests inspections inspecting
                             evidence corpus synthesis strangers]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import curve
import exams
from agent import AgentError, environment, installed
from judge.running import JudgeFault
from judge.scoring import ScoreError
from practice import Measuring, to_stderr
from ratios import all_ratios, table
from results import LabelError, fresh_label, heading, keep, place_for
from startup import sentence, startup

SEEDS = (1, 2, 3, 4, 5)
PARTS = (
    "startup",
    "sandbox",
    "staging",
    "planning",
    "requests",
    "inspections",
    "inspecting",
    "hosts",
    "evidence",
    "corpus",
    "transcripts",
    "synthesis",
    "strangers",
    "posix",
    "outside",
    "exams",
)
PROGRAMS = (
    "sandbox",
    "staging",
    "planning",
    "asking",
    "corpus",
    "evidence",
    "inspecting",
    "synthesis",
    "inspections",
    "transcripts",
    "hosts",
    "strangers",
)
(
    SANDBOX,
    STAGING,
    PLANNING,
    ASKING,
    CORPUS,
    EVIDENCE,
    INSPECTING,
    SYNTHESIS,
    INSPECTIONS,
    TRANSCRIPTS,
    HOSTS,
    STRANGERS,
) = (Path(__file__).with_name(f"{name}.py") for name in PROGRAMS)
PROGRAM_TIMEOUT = 1800


class ProgramFailed(RuntimeError):
    """A benchmark that is a program of its own is missing or failed."""


def main(arguments: list[str] | None = None) -> int:
    """Measure, print and keep; the exit code is 0, 1 when a floor is missed or not measured, 2 for bad usage."""
    given = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args(given)
    try:
        place = place_for(options.label or fresh_label("bench"), options.results)
        measuring = curve.measuring_of(options)
    except (LabelError, AgentError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    found, failed = _measured(options, measuring)
    ratios = [ratio for ratio in all_ratios(found) if set(options.only) == set(PARTS) or ratio.value is not None]
    document = heading("-m benchmarks", given) | {"ratios": [ratio.to_json() for ratio in ratios], "failed": failed}
    keep(place, document | {part: _kept(part, value) for part, value in found.items()})
    print("\n\n".join([*(_shown(part, value) for part, value in found.items()), table(ratios)]))
    for part, why in failed.items():
        print(f"\nnot measured: {part}: {why}")
    print(f"\nkept as {place.name}")
    return 0 if not failed and all(ratio.met for ratio in ratios) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure everything that has a floor.")
    parser.add_argument("--quick", action="store_true", help="seed 1 alone")
    parser.add_argument("--seeds", type=int, nargs="+", help="(default: 1 to 5)")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="(default: all)")
    parser.add_argument(
        "--requests",
        type=Path,
        default=os.environ.get("DABHAND_REQUESTS"),
        help="a folder of requests that people wrote (default: $DABHAND_REQUESTS; none: that part is skipped)",
    )
    parser.add_argument(
        "--data",
        type=Path,
        help="a folder of transcripts (corpus, transcripts), of logs (evidence) or of problems (synthesis)",
    )
    curve.add_options(parser)
    return parser


def _measured(options: argparse.Namespace, measuring: Measuring) -> tuple[dict[str, Any], dict[str, str]]:
    """Each part that could be measured, and why the others could not: one failure does not cost the rest."""
    seeds = options.seeds or (SEEDS[:1] if options.quick else SEEDS)
    program = options.dabhand or installed()
    work: dict[str, Callable[[], Any]] = {
        "startup": lambda: startup(program),
        "sandbox": lambda: by_program(SANDBOX),
        "staging": lambda: by_program(STAGING),
        "planning": lambda: by_program(PLANNING),
        "requests": lambda: by_program(ASKING, *(["--data", str(options.requests)] if options.requests else [])),
        "inspections": lambda: by_program(
            INSPECTIONS, *(["--data", str(options.requests)] if options.requests else [])
        ),
        "transcripts": lambda: by_program(TRANSCRIPTS, *(["--data", str(options.data)] if options.data else [])),
        "corpus": lambda: by_program(CORPUS, *(["--data", str(options.data)] if options.data else [])),
        "synthesis": lambda: by_program(SYNTHESIS, *(["--data", str(options.data)] if options.data else [])),
        "evidence": lambda: by_program(EVIDENCE, *(["--data", str(options.data)] if options.data else [])),
        "inspecting": lambda: by_program(INSPECTING),
        "hosts": lambda: by_program(HOSTS),
        "strangers": lambda: by_program(STRANGERS),
        "posix": lambda: curve.measure(measuring, seeds, options.points),
        "outside": lambda: curve.measure_outside(measuring, seeds),
        "exams": lambda: exams.measure(program, seeds),
    }
    found: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for part in PARTS:
        if part not in options.only:
            continue
        to_stderr(f"measuring: {part}")
        try:
            found[part] = work[part]()
        except (AgentError, JudgeFault, ScoreError, ProgramFailed) as error:
            failed[part] = str(error)
            to_stderr(f"not measured: {part}: {error}")
    return found, failed


def by_program(file: Path, *arguments: str) -> dict[str, Any]:
    """What a benchmark measured that is a program of its own, so that nothing here weighs on it.

    Raises:
        ProgramFailed: it is not there, or failed.
    """
    if not file.exists():
        raise ProgramFailed(f"there is no benchmarks/{file.name}")
    command = [sys.executable, str(file), "--json", *arguments]
    try:
        done = subprocess.run(
            command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=PROGRAM_TIMEOUT
        )
        measured = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise ProgramFailed(f"benchmarks/{file.name} --json gave no JSON document: {error}") from error
    if not isinstance(measured, dict) or not isinstance(measured.get("ratios"), dict):
        raise ProgramFailed(f'benchmarks/{file.name} --json gave no "ratios"')
    return measured


def _shown(part: str, value: Any) -> str:
    match part:
        case "startup":
            return sentence(value)
        case "sandbox":
            rates = value.get("rates", {})
            return "sandbox, experiments per second\n" + "\n".join(
                f"  {name}: {rate:.0f}" for name, rate in rates.items()
            )
        case "staging":
            return "staging, milliseconds\n" + "\n".join(
                f"  {name}: {value}" for name, value in value.get("milliseconds", {}).items()
            )
        case "exams":
            return f"== exams ==\n\n{exams.shown(value)}"
        case (
            "planning"
            | "requests"
            | "inspections"
            | "corpus"
            | "transcripts"
            | "evidence"
            | "inspecting"
            | "synthesis"
            | "strangers"
            | "hosts"
        ):
            return str(value["shown"])
    return f"== {part} ==\n\n{curve.shown(value)}"


def _kept(part: str, value: Any) -> Any:
    match part:
        case "posix" | "outside":
            return curve.to_json(value)
        case "exams":
            return exams.to_json(value)
    return value
