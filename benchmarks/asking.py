"""How the grammar fares with requests that strangers wrote: answered, right, wrong, abstained.

python benchmarks/asking.py --data DIR [--json] [--twin dev]

DIR holds the .jsonl files (default: $DABHAND_REQUESTS). For every row that is a task on files a folder is built, from
its own command and paths or from its setup script; the row's command runs in the sandbox, and what the request is
understood to want is held against the folder, or the text, that comes out. Paths outside the folder are made relative.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dabhand.errors import DabhandError
from dabhand.goals import Answers, Goal, Holds, IsAbsent, IsCopy, IsExecutable, IsFolder, understand
from dabhand.language import evaluate
from dabhand.sandbox import Limits, Worker, open_worker
from dabhand.workspace import File, Folder, State
from dabhand.world.reading import StateView

VARIABLE = "DABHAND_REQUESTS"
SETS = ("transform_nl2bash", "inspect_nl2bash", "wild_requests", "alfa_fs", "nearmiss_nl2bash")
MAKERS = frozenset({"mkdir", "touch"})
_ROOTED = re.compile(r"(?<![\w.~/])/(?=(?:testbed|system|workspace|backup)\b)")
_QUOTED = re.compile(r"[\"'“`]([^\"'”`]{1,40})[\"'”`]")
_LINES = ("delta 4", "alpha 10", "charlie, 3", "alpha 10", "bravo 2 x y z", "", "echo 7")

FAULTY = {
    "nl2bash-06409": "nl leaves blank lines without a number, so that they do not end up where they belong",
    "icalfa-175": "the request asks for lines, the command cuts fields",
}
"""Rows whose own command does not do what the row asks, with the reason."""


@dataclass(frozen=True)
class Judged:
    """What came of one row."""

    row: str
    set: str
    verdict: str
    why: str = ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get(VARIABLE), help=f"the rows (default: ${VARIABLE})")
    parser.add_argument("--twin", default="dev", help="which half of each file")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.data is None or not Path(options.data).is_dir():
        said = f"requests: skipped, because there is no folder of rows; name one with --data or ${VARIABLE}"
        print(json.dumps({"ratios": {}, "shown": said}) if options.json else said)
        return 0
    found = summary(list(judged_all(Path(options.data), options.twin)))
    print(json.dumps(found, indent=1) if options.json else found["shown"])
    return 0


def judged_all(data: Path, twin: str) -> Iterator[Judged]:
    """Every row of every set that is there."""
    with open_worker(limits=Limits(seconds=5)) as worker:
        for name in SETS:
            file = data / f"{name}.{twin}.jsonl"
            if file.exists():
                for line in file.read_text("utf-8").splitlines():
                    row = json.loads(line)
                    yield judge(row, _name(name, row), data, worker)


def _name(name: str, row: dict[str, Any]) -> str:
    return name + " (templated)" if "template" in str(row.get("note", "")) else name


def judge(row: dict[str, Any], name: str, data: Path, worker: Worker) -> Judged:
    """One row: what its command does and what its request is understood to want."""
    request = _relative(row["request"], row)
    command = _relative(gold_of(row), row)
    if row["id"] in FAULTY:
        return Judged(row["id"], name, "faulty", FAULTY[row["id"]])
    before = folder_of(row, data, worker)
    try:
        goal = understand(request, StateView(before))
    except DabhandError as error:
        return Judged(row["id"], name, "abstained", error.message)
    if "our_op" in row and row["our_op"] == "out":
        name += " (out of scope)"
    commands = [command, *(_relative(one, row) for one in row.get("gold_alt") or [])]
    if isinstance(row.get("gold2"), str):
        commands.append(_relative(row["gold2"], row))
    if not command:
        return Judged(row["id"], name, "answered, nothing to compare with", shown(goal))
    whys = [_difference(goal, before, one, worker) for one in commands]
    if None in whys:
        return Judged(row["id"], name, "right")
    return Judged(row["id"], name, "wrong", f"{whys[0]}; understood: {shown(goal)}")


def shown(goal: Goal) -> str:
    """A goal on one line."""
    return json.dumps(goal.to_json()["conditions"])[:300]


def _relative(text: str, row: dict[str, Any]) -> str:
    """A text with the paths that the row names, and those of the setup scripts, made relative."""
    for path in sorted(filter(None, [*(row.get("files") or []), row.get("path")]), key=len, reverse=True):
        if path.startswith(("/", "~/")):
            text = text.replace(path, _inside(path))
    return _ROOTED.sub("", text)


def _inside(path: str) -> str:
    return path.removeprefix("~").lstrip("/") or "."


def gold_of(row: dict[str, Any]) -> str:
    """The row's command, or for rows that only label one inspection the command for that."""
    if row.get("gold") and "BFCL" not in str(row.get("note", "")):
        return str(row["gold"])
    path, pattern, count = row.get("path"), row.get("pattern"), row.get("n")
    if path is None or row.get("kind") not in (None, "inspect"):
        return ""
    match row.get("op"):
        case "head" | "tail" if count:
            return f"{row['op']} -n {count} '{path}'"
        case "search" if pattern and not row.get("note"):
            return f"grep -F -- '{pattern}' '{path}'"
        case "list":
            return f"ls '{path}'"
    return ""


def folder_of(row: dict[str, Any], data: Path, worker: Worker) -> State:
    """A folder in which the row's command makes sense."""
    if row.get("setup"):
        script = (data / row["setup"]).read_text("utf-8")
        made = worker.run(State({}), _ROOTED.sub("", script))
        return State({**made.state, row["setup"].rpartition("/")[2]: File(script.encode())})
    paths = [
        _inside(path) if path[0] in "/~" else path
        for path in row.get("files") or [row.get("path")]
        if path and path != "."
    ]
    commands = row.get("commands") or []
    if commands and commands[0] in MAKERS:
        return _parents_of(paths)
    made_last = commands[:1] in (["cp"], ["mv"]) and len(paths) > 1
    text = "\n".join((*_LINES, *_QUOTED.findall(row["request"]), *map(str, filter(None, [row.get("pattern")])))) + "\n"
    content: dict[str, Any] = {}
    for path in paths[:-1] if made_last else paths:
        plain = path.rstrip("/")
        if not plain or any(mark in plain for mark in "*{?\0") or ".." in plain.split("/"):
            continue
        content |= _entry(plain, text, row)
    if made_last and (
        paths[-1].endswith("/") or re.search(r"\b(in|into|to)\b.*\b(folder|directory)\b", row["request"])
    ):
        content[paths[-1].rstrip("/") or "x"] = {"dir": True}
    if row.get("op") == "list" and row.get("path"):
        below = "" if row["path"] == "." else _inside(row["path"]).rstrip("/") + "/"
        content = {f"{below}b.txt": {"text": text}, f"{below}a.log": {"text": ""}}
    try:
        return State.from_json(content)
    except DabhandError:
        return State({})


def _parents_of(paths: list[str]) -> State:
    """The folders that new entries go into; as far as they are known, since a pattern in braces names many."""
    parents = {path.rstrip("/").rpartition("/")[0] for path in paths if not set(path) & set("{}*")}
    return State.from_json({parent: {"dir": True} for parent in parents if parent})


def _entry(path: str, text: str, row: dict[str, Any]) -> dict[str, Any]:
    folder = re.search(r"\brm -r|\bcp -[a-zA-Z]*[rR]", str(row.get("gold"))) and "." not in path.rpartition("/")[2]
    if folder and not re.search(r"\bfiles?\b", row["request"]):
        return {f"{path}/inner.txt": {"text": text}}
    return {path: {"text": text}}


def _difference(goal: Goal, before: State, command: str, worker: Worker) -> str | None:
    """What the goal and what the command did differ in; None when in nothing."""
    done = worker.run(before, command)
    after, view = done.state, StateView(before)
    if done.exit_code not in (0, 1) and not done.stdout:
        return f"its own command fails here ({done.stderr[:80]!r})"
    touched: set[str] = set()
    for one in goal.conditions:
        if isinstance(one, Answers):
            if _words(str(evaluate(one.content, {}, view))) != _words(_text(done.stdout)):
                return f"the answer is not what {command!r} prints"
            continue
        touched.add(one.path)
        if not _holds(one, before, after, view):
            return f"after {command!r}: not so that {one.path!r} is {one.word}"
    for path in set(before) | set(after):
        if before.get(path) != after.get(path) and not any(
            path == each or path.startswith(each + "/") or each.startswith(path + "/") for each in touched
        ):
            return f"{command!r} changes {path!r}"
    return None


def _holds(one: Any, before: State, after: State, view: StateView) -> bool:
    node = after.get(one.path)
    match one:
        case Holds(content=content):
            return isinstance(node, File) and node.text == str(evaluate(content, {}, view))
        case IsFolder():
            return isinstance(node, Folder)
        case IsAbsent():
            return node is None
        case IsExecutable(executable=wanted):
            return isinstance(node, File) and node.executable == wanted
        case IsCopy(source=source):
            old = before.get(source)
            return type(node) is type(old) and (not isinstance(node, File) or node.text == getattr(old, "text", None))
    return False


def _text(printed: Any) -> str:
    return printed.decode("utf-8", "surrogateescape") if isinstance(printed, bytes) else str(printed)


def _words(text: str) -> list[str]:
    """A text but for blanks around its lines, which layouts of numbers differ in."""
    return [" ".join(line.split()) for line in text.rstrip("\n").split("\n")]


def summary(found: list[Judged]) -> dict[str, Any]:
    """Counts per set, and every wrong answer by id."""
    counts: dict[str, Counter[str]] = {}
    for one in found:
        counts.setdefault(one.set, Counter())[one.verdict] += 1
    scored = [one for one in found if one.verdict in ("right", "wrong") and "templated" not in one.set]
    right = sum(one.verdict == "right" for one in scored)
    lines = ["requests that strangers wrote, understood by the grammar alone"]
    for name, counter in counts.items():
        lines.append(f"  {name}: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counter.items())))
    lines.append(f"  of those answered and compared, templated ones aside: {right} of {len(scored)} right")
    lines += [f"  {one.row}: {one.verdict}: {one.why}" for one in found if one.verdict in ("wrong", "faulty")]
    share = right / len(scored) if scored else None
    return {
        "counts": {name: dict(counter) for name, counter in counts.items()},
        "rows": [one.__dict__ for one in found],
        "ratios": {"right_of_answered": share},
        "shown": "\n".join(lines),
    }


if __name__ == "__main__":
    sys.exit(main())
