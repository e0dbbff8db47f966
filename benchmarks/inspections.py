"""How requests for inspections fare that strangers wrote: answered, right, wrong, abstained.

python benchmarks/inspections.py --data DIR [--json] [--twin dev] [--translator grammar|local|chain]

DIR holds the .jsonl files (default: $DABHAND_REQUESTS). Where a row has a command that only looks, a folder is made in
which it finds something, and something else beside it; the command runs there, and so does the plan that the request
was read as: what comes out has to be the same. Elsewhere the plan is held against the row's label. Rows that ask for
more than looking have to be given back.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dabhand import inspect_request
from dabhand.handoff.plan import Plan, plan_to_value
from dabhand.handoff.words import Abstained, read, translate

VARIABLE = "DABHAND_REQUESTS"
SETS = ("inspect_nl2bash", "wild_requests", "nearmiss_nl2bash", "agent_pairs", "phrases_tldr_cheat", "alfa_fs")
FAULTY = {
    "nl2bash-04931": "the request says below the folder, the command stays in it, and lists empty folders as files",
    "nl2bash-05194": "the command lists empty folders as files",
    "nl2bash-08719": "the request says the current folder, the command searches the home folder",
    "nl2bash-11158": "the request says not to search in subfolders, the command does",
    "nl2bash-04357": "the request says the root, the command searches the current folder",
    "icalfa-175": "the request asks for lines, the command cuts fields",
    "icalfa-207": "the request says in the folder, the command searches below it, and lists empty folders as files",
    "icalfa-208": "the command lists empty folders as files",
    "icalfa-156": "the command draws a tree",
}
"""Rows whose own command does not do what the row asks, with the reason."""

_OPERATIONS = {
    "head": {"first_lines"},
    "tail": {"last_lines"},
    "search": {"search"},
    "list": {"list_files"},
    "count": {"count_lines"},
    "json_field": {"json_field"},
}
_LOOKING = re.compile(r"\s*(find|grep|head|tail|cat|ls|wc|sed -n)\b(?!.*(-exec|-delete|-fprint|-ok|[;&<>|]))")
_MAKES = re.compile(r"[*?]|\[[^\]]*\]")
_ENDS_IN = re.compile(r"\s*\|\s*head(\s+-n?\s*\d+)?\s*\Z")
LINES = tuple(f"line {number} of it" for number in range(1, 31))


@dataclass(frozen=True)
class Judged:
    """What came of one row."""

    row: str
    set: str
    verdict: str
    why: str = ""
    milliseconds: float = 0.0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get(VARIABLE), help=f"the rows (default: ${VARIABLE})")
    parser.add_argument("--twin", default="dev", help="which half of each file")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--translator", choices=("grammar", "local", "chain"), default="grammar", help="who reads")
    options = parser.parse_args(arguments)
    if options.data is None or not Path(options.data).is_dir():
        said = f"inspections: skipped, because there is no folder of rows; name one with --data or ${VARIABLE}"
        print(json.dumps({"ratios": {}, "shown": said}) if options.json else said)
        return 0
    found = summary(list(judged_all(Path(options.data), options.twin, reader_named(options.translator))))
    print(json.dumps(found, indent=1) if options.json else found["shown"])
    return 0


Reader = Callable[[str, dict[str, str]], Plan | Abstained]


def reader_named(name: str) -> Reader:
    """The grammar, the local model, or the one after the other."""
    if name == "grammar":
        return read
    from dabhand.handoff.words.backends import Link, local_plans

    model = local_plans()
    if model is None:
        raise SystemExit("inspections: there is no trained local model here (dabhand model status)")

    def through(request: str, references: dict[str, str]) -> Plan | Abstained:
        link = Link("local", lambda: model, _looks_like)
        choice = "auto" if name == "chain" else "local"
        said = translate(request, references, translator=choice, others=lambda: [link], look=_looks_like)
        return said if isinstance(said, Abstained) else said.plan

    return through


def _looks_like(name: str) -> str:
    """What would be at a name of a request: rows name what is there, and say nothing of it."""
    if "*" in name or name.startswith("-") or not re.fullmatch(r"[\w./~+-]+", name):
        return ""
    if name in (".", "..", "~") or name.endswith("/"):
        return "folder"
    if re.search(r"\w\.[A-Za-z]\w{0,9}\Z", name):
        return "file"
    return "folder" if "/" in name else ""


def judged_all(data: Path, twin: str, reader: Reader = read) -> Iterator[Judged]:
    """Every row of every set that is there."""
    for name in SETS:
        file = data / f"{name}.{twin}.jsonl"
        if file.exists():
            for line in file.read_text("utf-8").splitlines():
                yield judge(json.loads(line), name, reader)


def judge(row: dict[str, Any], name: str, reader: Reader = read) -> Judged:
    """One row: what its request is read as, and whether that is what is wanted."""
    references = _references(row, name)
    started = time.perf_counter()
    plan = reader(row["request"], references)
    took = (time.perf_counter() - started) * 1000
    if isinstance(plan, Abstained):
        return Judged(row["id"], name, "abstained", f"{plan.reason}: {plan.message}", took)
    if row["id"] in FAULTY:
        return Judged(row["id"], name, "faulty", f"{FAULTY[row['id']]}; read as {shown(plan)}", took)
    why = wrong(row, name, plan)
    return Judged(row["id"], name, "right" if why is None else "wrong", why or shown(plan), took)


def _references(row: dict[str, Any], name: str) -> dict[str, str]:
    """What is bound: the one target of a row, or in place of a placeholder."""
    targets = row.get("targets") or {}
    if row.get("target_needed") and len(targets) == 1:
        ((reference, path),) = targets.items()
        looks_below = row.get("op") == "list" or re.search(r"\bfind |grep -r", row["command"])
        return {reference: "folder" if path.endswith("/") or looks_below else "file"}
    if name == "phrases_tldr_cheat":
        return {"file_1": "folder" if row["op"] == "list" else "file"}
    return {}


def shown(plan: Plan) -> str:
    """A plan on one line."""
    return json.dumps({key: value for key, value in plan_to_value(plan).items() if value not in (None, False, 0)})


def wrong(row: dict[str, Any], name: str, plan: Plan) -> str | None:
    """Why a plan is not what a row wants; None when it is."""
    command = _plain(row)
    if command is not None and _LOOKING.match(command):
        return _differs(command, row, plan)
    said = plan_to_value(plan)
    operation, wanted = str(said["operation"]), _wanted(row, name)
    if operation not in wanted:
        return f"{shown(plan)} for {row.get('op') or row.get('our_op')}: {row.get('gold') or row.get('command')}"
    for field, label in (("count", "n"), ("value", "pattern"), ("key", "pattern"), ("path", "path")):
        if row.get(label) is not None and said.get(field) is not None and _same(said[field], row[label]) is False:
            return f"{field} is {said[field]!r} and not {row[label]!r}"
    recursive = "recursive" in str(row.get("note"))
    if name == "wild_requests" and recursive != bool(said.get("recursive") or operation == "find_files"):
        return f"{shown(plan)} for {row['note']}"
    return None


def _same(said: object, label: object) -> bool:
    return str(said).rstrip("/") in (str(label).rstrip("/"), str(label).strip("*"))


def _wanted(row: dict[str, Any], name: str) -> set[str]:
    """The operations that fit a row's label; none where it has to be given back."""
    operation, note = str(row.get("op") or row.get("our_op")), str(row.get("note"))
    if name == "wild_requests" and row.get("path") is None:
        return set()
    if name == "wild_requests" and note == "count":
        return {"count_matches"}
    if name == "wild_requests" and note == "recursive":
        return {"find_files"} if operation == "list" else {"search"}
    if operation in ("wc", "transform:wc", "transform:cat", "transform_stdout"):
        command = str(row.get("gold"))
        return {"count_lines"} if ("wc" in command and "-l" in command) or operation == "wc" else {"whole_file"}
    return _OPERATIONS.get(operation, set())


def _plain(row: dict[str, Any]) -> str | None:
    """The row's command without what does not change its result; None where there is none that can be run."""
    command = row.get("command") or row.get("gold")
    if (
        not command
        or row["id"].startswith("phrase")
        or "gold is BFCL" in str(row.get("note"))
        or "{{" in command
        or re.search(r"<\w+>", command)
    ):
        return None
    command = re.sub(r"\s*2>\s*/dev/null|\s*\|\|\s*echo .*\Z|^cd \S+ && ", "", command)
    command = _ENDS_IN.sub("", command) if command.startswith("find") else command
    command = re.sub(r"^cat (\S+) \| grep (.*)\Z", r"grep \2 \1", command)
    return command.translate(str.maketrans("“”", '""'))


def _differs(command: str, row: dict[str, Any], plan: Plan) -> str | None:
    """Run both in a folder in which they find something; why they differ, None where they do not."""
    said = plan_to_value(plan)
    path = str(said["path"])
    target = next(iter((row.get("targets") or {}).values()), None)
    written = target if path.startswith("file_") and target else path
    with tempfile.TemporaryDirectory() as place:
        root = Path(place, "root")
        inside = "." if written in (".", "./", "") else "at/" + written.strip("/~").replace("..", "up")
        _fill(root / inside, command, row)
        try:
            words = shlex.split(command)
        except ValueError:
            return f"{command} cannot be run"
        there = [inside if _is(word, written) or _is(word, Path(written).name) else word for word in words]
        if inside != "." and inside not in there and not (target and row.get("target_needed")):
            return f"{shown(plan)} for {command}: another path"
        cwd = root / inside if inside not in there and (root / inside).is_dir() else root
        if any(word.startswith(("/", "~")) for word in there[1:] if word not in (inside,) and "*" not in word):
            return f"{shown(plan)} for {command}: another path"
        done = subprocess.run(there, cwd=cwd, capture_output=True, text=True, timeout=20)
        packet = inspect_request(root, plan={**said, "path": inside}, max_lines=10**6, max_bytes=10**8, store=place)
        ours = [line.text for line in packet.output.lines]
        return _compared(done.stdout, ours, packet.answer, said, inside, command)


def _is(word: str, path: str) -> bool:
    return word.rstrip("/") == path.rstrip("/")


def _compared(
    printed: str, ours: list[str], answer: object, said: dict[str, Any], inside: str, command: str
) -> str | None:
    theirs = printed.splitlines()
    if said["operation"] in ("list_files", "find_files"):
        same = {_below(line, inside) for line in theirs} - {""} == {_below(line, inside) for line in ours} - {""}
        if command.startswith("ls") and said["operation"] == "list_files":
            same = said.get("glob") is None and said.get("value") is None  # which kinds are listed is not said in words
    elif said["operation"] in ("count_lines", "count_matches"):
        same = bool(theirs) and theirs[0].split()[0] == str(answer)
    else:
        same = [_text(line) for line in theirs] == [_text(line) for line in ours]
    return None if same else f"{shown_value(said)} differs from {command}"


def shown_value(said: dict[str, Any]) -> str:
    """A plan's value on one line."""
    return json.dumps({key: value for key, value in said.items() if value not in (None, False, 0)})


def _below(line: str, inside: str) -> str:
    """A path without the folder that was looked in; nothing for the folder itself."""
    path = os.path.normpath(line)
    return "" if path in (".", inside) else path.removeprefix(f"{inside}/")


def _text(line: str) -> str:
    return re.sub(r"^(?:[^:\s]*:)?(?:\d+[:-])?", "", line)


def _fill(place: Path, command: str, row: dict[str, Any]) -> None:
    """What there is where a command looks: what it finds, and what it does not, at every depth."""
    words = shlex.split(command) if _splits(command) else command.split()
    if words[0] in ("find", "ls") or "grep -r" in command:
        patterns = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-name", "-iname")]
        texts = [word for word in words[1:] if not word.startswith("-")][:1] if words[0] == "grep" else []
        folder = place
        folders = "-type" in words or re.search(r"files?/dir|directories|subdirs|folders", row["request"]) is not None
        for depth in range(6):
            _entries(folder, patterns, texts, upper="-iname" in words and _any_case(row), folders=folders)
            folder /= f"deeper{depth}"
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    found = [word for word in words[1:] if not word.startswith("-") and "/" not in word]
    held = [f"before {found[0]} after", f"{found[0]}"] if found else []
    place.write_text("\n".join([*LINES[:9], *held, *LINES[9:]]) + "\n", "utf-8")


def _splits(command: str) -> bool:
    try:
        return bool(shlex.split(command))
    except ValueError:
        return False


def _any_case(row: dict[str, Any]) -> bool:
    return "case" in row["request"].lower()


def _entries(folder: Path, patterns: list[str], texts: list[str], *, upper: bool, folders: bool) -> None:
    """One level: names that fit and names that nearly do; folders of such names where the request speaks of them."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for pattern in patterns:
        names += [_made(pattern, "zz"), _made(pattern, "q"), "no" + _made(pattern, "zz"), _made(pattern, "zz") + "no"]
        names += [_made(pattern, "zz").upper()] if upper else []
    if folders:
        for name in [*names, "sub"]:
            (folder / "apart" / name).mkdir(parents=True, exist_ok=True)
            (folder / f"{name}" if name == "sub" else folder / "apart" / name).mkdir(parents=True, exist_ok=True)
    holding = "".join(f"has {text} in it\n" for text in texts) or "nothing\n"
    for name in dict.fromkeys([*names, "plain.txt", "other"]):
        (folder / name).write_text(holding if name != "other" else "nothing\n", "utf-8")


def _made(pattern: str, star: str) -> str:
    """A name that a pattern fits."""
    return _MAKES.sub(lambda mark: mark[0][1] if mark[0][0] == "[" else star if mark[0] == "*" else "q", pattern)


def summary(judged: list[Judged]) -> dict[str, Any]:
    """Numbers per set, what was wrong, and the sentence for people."""
    sets: dict[str, Counter[str]] = {}
    for one in judged:
        sets.setdefault(one.set, Counter())[one.verdict] += 1
    every = Counter(one.verdict for one in judged)
    answered = every["right"] + every["wrong"]
    lines = [f"inspections in words ({len(judged)} requests): answered, right, wrong, abstained, faulty rows"]
    for name, found in sets.items():
        count = found["right"] + found["wrong"]
        lines.append(
            f"  {name:20} {count:4} {found['right']:4} {found['wrong']:4} {found['abstained']:4} {found['faulty']:4}"
        )
    lines += [f"  wrong: {one.row}: {one.why}" for one in judged if one.verdict == "wrong"]
    lines += [f"  faulty row: {one.row}: {one.why}" for one in judged if one.verdict == "faulty"]
    median = statistics.median(one.milliseconds for one in judged) if judged else 0.0
    lines.append(f"  median {median:.2f} ms a request")
    share = every["right"] / answered if answered else 1.0
    return {
        "ratios": {"right_of_answered": round(share, 4)},
        "sets": {name: dict(found) for name, found in sets.items()},
        "wrong": {one.row: one.why for one in judged if one.verdict == "wrong"},
        "faulty": {one.row: one.why for one in judged if one.verdict == "faulty"},
        "abstained": {one.row: one.why for one in judged if one.verdict == "abstained"},
        "median_ms": round(median, 3),
        "shown": "\n".join(lines),
    }


if __name__ == "__main__":
    sys.exit(main())
