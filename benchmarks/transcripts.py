"""How much of what agents read locally a typed plan can say, and whether the plan's result is the line's.

python benchmarks/transcripts.py --data DIR [--json] [--show]

DIR holds truth.jsonl and manifest.csv (default: $DABHAND_TRANSCRIPTS). Of the real sessions, a call counts as a local
read when everything in it only looks at files or at a git repository. For each that is a plan, a folder is made with
what the line names, filled with text that it finds something in; the line is run there by bash, the plan natively, and
what both say is compared. Lines whose reading names a difference are counted apart.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from showing import aligned

from dabhand.handoff.artifacts import Artifacts
from dabhand.handoff.inspecting import Wish, inspect
from dabhand.handoff.limits import Limits
from dabhand.handoff.packet import Line, Packet
from dabhand.handoff.plan import CountLines, CountMatches, FindFiles, JsonField, ListFiles, Search
from dabhand.handoff.shells.reading import Reading, read_line
from dabhand.handoff.shells.script import AndOr, Command
from dabhand.handoff.shells.syntax import parse_line

VARIABLE = "DABHAND_TRANSCRIPTS"
HOSTS = ("claude", "mini-swe", "codex", "gemini")
LOOKS = frozenset(
    [
        "cat",
        "head",
        "tail",
        "grep",
        "egrep",
        "fgrep",
        "rg",
        "ls",
        "find",
        "sed",
        "nl",
        "awk",
        "wc",
        "jq",
        "cut",
        "sort",
        "uniq",
        "tr",
        "diff",
        "cmp",
        "stat",
        "file",
        "tree",
        "du",
        "pwd",
        "which",
        "type",
        "cd",
        "echo",
        "printf",
        "test",
        "[",
        "true",
        "false",
        ":",
        "basename",
        "dirname",
        "realpath",
        "readlink",
        "column",
    ]
)
GIT_LOOKS = frozenset(
    [
        "log",
        "status",
        "diff",
        "show",
        "branch",
        "remote",
        "rev-parse",
        "ls-files",
        "ls-tree",
        "cat-file",
        "blame",
        "grep",
        "describe",
        "for-each-ref",
        "rev-list",
        "merge-base",
        "show-ref",
        "shortlog",
        "reflog",
        "name-rev",
        "whatchanged",
        "cherry",
        "count-objects",
        "var",
        "version",
    ]
)
GO_LOOKS = frozenset({"doc", "env", "version", "list"})
_CHANGES = re.compile(r"(?:^|\s)(?:-i\S*|--in-place\S*|-delete|-exec\S*|-ok\S*|-fprint\S*)(?:\s|$)")


@dataclass(frozen=True)
class Compared:
    """One line and its plan."""

    line: str
    operation: str
    differs: tuple[str, ...]
    equal: bool | None
    why: str = ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--data", type=Path, default=os.environ.get(VARIABLE), help=f"transcripts (default: ${VARIABLE})"
    )
    parser.add_argument("--show", action="store_true", help="also the local reads that are no plan, with the reason")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.data is None:
        said = f"transcripts: not measured, name them with --data or ${VARIABLE}"
        print(json.dumps({"shown": said}) if options.json else said)
        return 0
    calls = list(real_calls(Path(options.data)))
    reads = [line for line in calls if only_looks(line)]
    readings = [(line, read_line(line)) for line in reads]
    compared = [compare(line, found) for line, found in readings if isinstance(found, Reading)]
    result = summary(calls, reads, compared)
    shown = aligned(("", "k", "n"), [(name, str(k), str(n)) for name, (k, n) in result.items()])
    if options.json:
        print(json.dumps({"shown": shown, "counts": result}))
        return 0
    print(shown)
    for one in compared:
        if one.equal is False and not one.differs:
            print("DIFFERENT", one.line, "|", one.why)
    if options.show:
        for line, found in readings:
            if not isinstance(found, Reading):
                print(f"{found.reason:50.50} | {' '.join(line.split())[:150]}")
    return 0


def summary(calls: list[str], reads: list[str], compared: list[Compared]) -> dict[str, tuple[int, int]]:
    exact = [one for one in compared if not one.differs]
    rebuilt = [one for one in exact if one.equal is not None]
    counted = Counter(one.operation for one in compared)
    return {
        "local reads of all calls": (len(reads), len(calls)),
        "a typed plan says it": (len(compared), len(reads)),
        "... with no known difference": (len(exact), len(reads)),
        "... and rebuilt, equal": (sum(bool(one.equal) for one in rebuilt), len(rebuilt)),
        **{f"    {name}": (count, len(compared)) for name, count in counted.most_common()},
    }


def real_calls(data: Path) -> Iterator[str]:
    """The commands of real sessions that ran."""
    with (data / "manifest.csv").open(newline="") as opened:
        real = {
            row["file"]
            for row in csv.DictReader(opened)
            if row["kind"] == "real" and any(host in row["file"] for host in HOSTS)
        }
    for text in (data / "truth.jsonl").read_text("utf-8").splitlines():
        call = json.loads(text)
        if call.get("file") in real and call.get("command") and not call.get("duplicate_of"):
            yield call["command"]


def only_looks(line: str) -> bool:
    """Whether everything in a line only looks, and looks at something: not just `echo` or `cd`."""
    script = parse_line(line)
    if not script.understood:
        return False
    commands = [command for one in script.lists for command in _commands(one)]
    looked = [command for command in commands if command.name not in ("cd", "echo", "printf", "true", "false", ":")]
    return bool(looked) and all(_looks(command) for command in commands)


def _commands(one: AndOr) -> Iterator[Command]:
    for pipeline in one.pipelines:
        for command in pipeline.commands:
            yield command
            for inner in command.inner:
                yield from _commands(inner)


def _looks(command: Command) -> bool:
    for one in command.redirections:
        target = one.target.text if one.target else ""
        if one.operator not in ("<", ">&") and target != "/dev/null":
            return False
    if command.kind in ("subshell", "group", "loop", "choice", "test"):
        return True
    if command.kind != "simple" or "$(" in command.text or "`" in command.text:
        return False
    second = next((word.text for word in command.words[1:] if not word.text.startswith("-")), "")
    if command.name == "git":
        words = [word.text for word in command.words[1:]]
        if words[:1] == ["-C"]:
            second = next((word for word in words[2:] if not word.startswith("-")), "")
        return second in GIT_LOOKS
    if command.name == "go":
        return second in GO_LOOKS
    return command.name in LOOKS and not (command.name in ("sed", "find") and _CHANGES.search(command.text))


def compare(line: str, reading: Reading) -> Compared:
    """Run the line and the plan in a folder that is made for them."""
    operation = str(reading.plan.__struct_config__.tag)
    made = Compared(line, operation, reading.differs, None)
    if isinstance(reading.plan, JsonField):
        return made
    with tempfile.TemporaryDirectory(prefix="transcripts-") as folder:
        root = Path(folder).resolve()
        here, moved = _moved(line, reading, root)
        build(here, reading)
        done = subprocess.run(
            ["bash", "-c", moved], cwd=root, capture_output=True, check=False, stdin=subprocess.DEVNULL
        )
        plan = reading.plan
        if plan.path.startswith("/"):
            plan = type(plan)(**{**_fields(plan), "path": plan.path.lstrip("/")})
        limits = Limits(10**6, 1 << 26)
        packet = inspect(here, Wish(plan=plan, limits=limits), Artifacts(root / "kept"))
        said, expected = _said(reading, packet, here), done.stdout.decode("utf-8", "surrogateescape").splitlines()
    if any("order" in one for one in reading.differs) or isinstance(plan, FindFiles | ListFiles):
        said, expected = sorted(said), sorted(expected)
    if isinstance(plan, ListFiles | FindFiles):
        expected = [one.removeprefix("./") for one in expected]
    why = "" if said == expected else f"{said[:3]} {len(said)} / {expected[:3]} {len(expected)} {packet.error}"
    return Compared(line, operation, reading.differs, said == expected, why)


def _fields(plan: Any) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in plan.__struct_fields__}


def _moved(line: str, reading: Reading, root: Path) -> tuple[Path, str]:
    """Where the plan's path begins, and the line with its absolute paths put below the root."""
    here = root
    if reading.folder:
        here = root / reading.folder.lstrip("/")
        if reading.folder.startswith("/"):
            line = line.replace(reading.folder, str(here), 1)
    if reading.plan.path.startswith("/"):
        line = line.replace(reading.plan.path, str(here) + reading.plan.path)
    return here, line


def build(here: Path, reading: Reading) -> None:
    """Make what the plan is about."""
    plan = reading.plan
    place = here / plan.path.lstrip("/")
    lines = list(_text(plan))
    if isinstance(plan, ListFiles | FindFiles) or getattr(plan, "recursive", False) or getattr(plan, "glob", None):
        names = [
            "a.py",
            "b.go",
            "c.md",
            "d.txt",
            "README.md",
            ".hidden",
            "sub/e.py",
            "sub/f.go",
            "sub/.g",
            "sub/deep/h.mjs",
        ]
        if glob := getattr(plan, "glob", None):
            names += [glob.replace("*", "x").replace("?", "y"), "sub/" + glob.replace("*", "zz")]
        for at, name in enumerate(names):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text("\n".join(lines[at : at + 40]) + "\n", "utf-8")
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("\n".join(lines) + "\n", "utf-8")


def _text(plan: Any) -> Iterator[str]:
    """Lines, in some of which what is looked for stands."""
    value = getattr(plan, "value", None) or "nothing"
    parts = [re.sub(r"\\(.)|\.\*|[\^$()\[\]+?*]", lambda found: found[1] or " ", part) for part in value.split("|")]
    for n in range(1, 1600):
        if n % 7 == 3:
            yield f"  {parts[n % len(parts)]}"
        elif n % 50 == 11:
            yield parts[n % len(parts)].swapcase()
        else:
            yield f"line {n} of this" if n % 5 else ""


def _said(reading: Reading, packet: Packet, here: Path) -> list[str]:
    """The plan's result in the form that the line has."""
    plan, lines = reading.plan, packet.output.lines
    if isinstance(plan, CountLines | CountMatches):
        name = "" if isinstance(plan, CountMatches) or "<" in (packet.command or "") else f" {plan.path}"
        return [f"{packet.answer}{name}"]
    if isinstance(plan, FindFiles):
        start = str(here) + "/" if plan.path.startswith("/") else ""
        return [start + line.text for line in lines]
    if not isinstance(plan, Search):
        return [f"{line.n:>6}\t{line.text}" if reading.numbered else line.text for line in lines]
    said: list[str] = []
    before: Line | None = None
    for line in lines:
        apart = before is not None and (line.path != before.path or line.n > before.n + 1)
        if apart and (plan.before or plan.after):
            said.append("--")
        between = ":" if line.matched else "-"
        number = f"{line.n}{between}" if reading.numbered else ""
        path = f"{_as_given(reading, line.path)}{between}" if line.path is not None else ""
        said.append(f"{path}{number}{line.text}")
        before = line
    return said


def _as_given(reading: Reading, path: str) -> str:
    return path if not reading.plan.path.startswith("/") else "/" + path


if __name__ == "__main__":
    sys.exit(main())
