"""A stand-in with dabhand's command line: it counts its experiments, and believes that no command does anything."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser()
    actions = parser.add_subparsers(dest="action", required=True)
    learn = actions.add_parser("learn")
    learn.add_argument("--seed", type=int, required=True)
    learn.add_argument("--experiments", type=int)
    learn.add_argument("--until-understood", action="store_true")
    learn.add_argument("--template", action="append", default=[])
    learn.add_argument("--json", action="store_true", required=True)
    predict = actions.add_parser("predict")
    for action in (learn, predict):
        action.add_argument("--store", type=Path, required=True)
    options = parser.parse_args()
    return learned(options) if options.action == "learn" else predicted(options)


def learned(options: argparse.Namespace) -> int:
    if options.seed == 13:
        print("no luck", file=sys.stderr)
        return 4
    options.store.mkdir(parents=True, exist_ok=True)
    runs = options.store / "runs"
    made = options.experiments or 77
    with runs.open("a") as file:
        file.write(f"{made}\n")
    names = options.template or ["mkdir {A}", "cat {A}"]
    commands = [{"command": name, "status": "understood", "experiments": 1} for name in names]
    report = {"experiments": made, "seconds": 0.5, "understood": len(commands), "commands": commands}
    print(json.dumps(report | {"sandbox_seconds": 0.01}))
    return 0


def predicted(options: argparse.Namespace) -> int:
    assert (options.store / "runs").exists()
    for line in sys.stdin:
        asked = json.loads(line)
        assert set(asked) == {"id", "command", "slots", "state"}
        said = {"known": True, "trusted": True, "confidence": 0.9, "ok": False, "state": asked["state"], "stdout": ""}
        print(json.dumps({"id": asked["id"], **said}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
