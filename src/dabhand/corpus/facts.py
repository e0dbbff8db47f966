"""What can be said of a call mechanically, each fact with the rule that says it; what no rule says is not said."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from dabhand.corpus.changing import Change
from dabhand.corpus.extras import needed
from dabhand.corpus.meaning import meaning_of, name_of
from dabhand.corpus.powershell import read_powershell
from dabhand.corpus.programs import commands_of, lost_exits, reads_only
from dabhand.corpus.redacting import redacted, texts_of
from dabhand.corpus.saying import Saying
from dabhand.corpus.triple import Triple
from dabhand.handoff.evidence import select
from dabhand.handoff.plan import Plan, plan_to_value
from dabhand.handoff.shells.readings import Reading
from dabhand.handoff.shells.script import Script
from dabhand.handoff.shells.syntax import parse_line

LONG = 2_000
"""Characters from which an output is long."""


class Fact(msgspec.Struct, frozen=True):
    """One fact.

    Attributes:
        name: what it is about: dialect, stages, programs, reads_only, operation, change, paths, exit_lost, output, or
            diagnosis.
        rule: which rule said it.
    """

    name: str
    value: Any
    rule: str


class Facts(msgspec.Struct, frozen=True):
    """All that is known of one call."""

    id: str
    facts: tuple[Fact, ...]

    def value(self, name: str) -> Any:
        """The value of the first fact of a name, or None."""
        return next((fact.value for fact in self.facts if fact.name == name), None)


_VERBS = (
    "Get|Set|New|Remove|Copy|Move|Select|Where|ForEach|Sort|Measure|Test|Write|Out|Invoke|Start|Stop|Import|Export|Add"
    "|Clear|Join|Split|Resolve|Rename|ConvertTo|ConvertFrom|Format|Compare"
)
_CMDLET = re.compile(rf"(?:{_VERBS})-[A-Z][A-Za-z]+")
_BEGINS_WITH_CMDLET = re.compile(rf"(?m)^\s*(?:{_VERBS})-[A-Z][A-Za-z]+\b")
_POWERSHELL = re.compile(r"\$env:[A-Z]\w+|\$PSVersionTable|\[System\.|-ErrorAction\b")
_CMD = re.compile(r"(?m)^\s*(?:dir\s+/|type\s+\S+\\|copy\s+/|del\s+/|findstr\b|where\s+/)|%[A-Z_]{3,}%")
_PATH = re.compile(r"(?:\.{0,2}/|~/)?[\w.@+-]+(?:/[\w.@+*-]*)+|[\w+-]+(?:\.[\w+-]+)*\.[A-Za-z][A-Za-z0-9]{0,5}\Z")
_SHELLS = {"bash": "bash", "sh": "bash", "dash": "bash", "zsh": "zsh", "pwsh": "powershell", "powershell": "powershell"}

_DIAGNOSES = (
    ("wrong-dialect", re.compile(r"(?m)^(?:\S*(?:ba|z|da)?sh: .*)?(?:\b[A-Z][a-z]+-[A-Z]\w+): (?:command )?not found")),
    ("wrong-dialect", re.compile(r"is not recognized as (?:an internal or external command|the name of a cmdlet)")),
    ("wrong-dialect", re.compile(r"The token '(?:&&|\|\|)' is not a valid statement separator")),
    (
        "quoting",
        re.compile(r"unexpected EOF while looking for matching|unmatched [\"'`]|TerminatorExpectedAtEndOfString"),
    ),
    ("quoting", re.compile(r"(?m)^\S*sh:.*(?:syntax error near unexpected token|parse error near)")),
    ("no-such-program", re.compile(r"(?m)^(?:\S*sh:.*: )?[\w./-]+: (?:command )?not found$|^zsh: command not found: ")),
    ("no-such-file", re.compile(r"(?m): (?:cannot (?:open|access|stat) .*)?No such file or directory$")),
    ("not-allowed", re.compile(r"(?m): Permission denied$")),
    ("not-a-repository", re.compile(r"(?m)^fatal: not a git repository")),
    ("wrong-usage", re.compile(r"(?m)^[\w./-]+: (?:invalid|unrecognized|illegal) option|^error: unknown option")),
    ("missing-module", re.compile(r"(?m)^ModuleNotFoundError: No module named|^Error: Cannot find module ")),
)
"""What shells, the C library and interpreters say in these very words; rules are tried in this order."""

_OUTPUTS = (
    ("diff", re.compile(r"(?m)^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+)")),
    ("traceback", re.compile(r"(?m)^Traceback \(most recent call last\):$|^\s+at .+\(.+:\d+(?::\d+)?\)$")),
    ("diagnostics", re.compile(r"(?m)^[^\s:]+\.\w+:\d+(?::\d+)?: (?:fatal )?(?:error|warning)\b|^error\[E\d+\]")),
    (
        "tests",
        re.compile(
            r"(?m)^=+ .*\b(?:passed|failed)\b.* =+$|^(?:ok|FAIL|PASS)\b|\b\d+ (?:passing|failing|passed|failed)\b"
        ),
    ),
    ("matches", re.compile(r"(?m)\A(?:[^\s:]+:\d+:.*\n?){2,}\Z")),
    ("paths", re.compile(r"\A(?:[\w.@+-]*/[^\n:]*\n?){2,}\Z")),
    ("number", re.compile(r"\A\s*-?\d+(?:\.\d+)?\s*\Z")),
)


def facts_of(triple: Triple) -> Facts:
    """Everything that the rules say of a call."""
    script = parse_line(triple.command)
    dialect = dialect_of(triple, script)
    found = [dialect] if dialect else []
    if dialect is None or dialect.value in ("bash", "zsh"):
        found += _of_bash(triple.command, triple.argv, script)
    elif dialect.value == "powershell":
        found += _of_powershell(triple.command)
    found += _of_output(triple)
    return Facts(triple.id, tuple(found))


def dialect_of(triple: Triple, script: Script) -> Fact | None:
    """The language of the shell that a command was written for."""
    names = [command.name for command in commands_of(script)] if script.understood else []
    if any(map(_CMDLET.fullmatch, names)) or (not script.understood and _BEGINS_WITH_CMDLET.search(triple.command)):
        return Fact("dialect", "powershell", "cmdlet")
    if _POWERSHELL.search(triple.command):
        return Fact("dialect", "powershell", "powershell-syntax")
    said = (triple.shell or "").replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    if said in _SHELLS:
        return Fact("dialect", _SHELLS[said], "shell-of-the-host")
    if _CMD.search(triple.command):
        return Fact("dialect", "cmd", "cmd-syntax")
    return Fact("dialect", "bash", "tree-sitter-bash") if script.understood else None


def _of_bash(command: str, argv: Sequence[str] | None, script: Script) -> Iterator[Fact]:
    if not script.understood:
        return
    stages = [each.text for one in script.lists for pipeline in one.pipelines for each in pipeline.commands]
    yield Fact("stages", stages, "tree-sitter-bash")
    commands = commands_of(script)
    yield Fact("programs", [each.name for each in commands], "tree-sitter-bash")
    yield Fact("reads_only", reads_only(script), "programs-that-read")
    yield from _of_meaning(command)
    words = [word.value for each in commands for word in each.words[1:] if word.value]
    paths = [word for word in words if not word.startswith("-") and "://" not in word and _PATH.fullmatch(word)]
    if paths:
        yield Fact("paths", list(dict.fromkeys(paths)), "words-like-paths")
    lost = lost_exits(script) if not any("pipefail" in word for word in (argv or ())[:-1]) else []
    if lost:
        yield Fact("exit_lost", [{"program": program, "filter": last} for program, last in lost], "no-pipefail")


def _of_meaning(command: str) -> Iterator[Fact]:
    """The operation that a line is, the term that it prints, or the change that it makes."""
    meaning = meaning_of(command)
    match meaning:
        case Reading(plan=plan):
            yield Fact("operation", _fields(plan), "typed-plan")
        case Saying(reading=Reading(plan=plan)):
            yield Fact("operation", _fields(plan) | {"operation": name_of(meaning), "term": meaning.said}, "term")
        case Saying():
            yield Fact("operation", {"operation": name_of(meaning), "term": meaning.said}, "term")
        case Change():
            yield Fact("change", meaning.said, "effect")


def _fields(plan: Plan) -> dict[str, object]:
    return {name: field for name, field in plan_to_value(plan).items() if field not in (None, False)}


def _of_powershell(command: str) -> Iterator[Fact]:
    reading = read_powershell(command)
    if isinstance(reading, Reading):
        yield Fact("operation", _fields(reading.plan), "typed-plan")
    import tree_sitter

    grammar = needed("tree_sitter_powershell", "Reading PowerShell")
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    root = parser.parse(command.encode("utf-8", "surrogateescape")).root_node
    if root.has_error:
        return
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        waiting.extend(reversed(node.children))
        if node.type == "command_name" and node.text is not None:
            found.append(node.text.decode("utf-8", "surrogateescape"))
    if found:
        yield Fact("programs", found, "tree-sitter-powershell")


def _of_output(triple: Triple) -> Iterator[Fact]:
    output = triple.output if triple.output is not None else f"{triple.stdout or ''}{triple.stderr or ''}"
    if not output.strip():
        if triple.output is not None:
            yield Fact("output", "empty", "nothing-printed")
        return
    kind = next(((name, "shape") for name, pattern in _OUTPUTS if pattern.search(output)), None)
    if kind is None and _is_json(output):
        kind = ("json", "json-parses")
    yield Fact("output", kind[0], kind[1]) if kind else Fact("output", "text", "none-of-the-shapes")
    script = parse_line(triple.command)
    alone = not script.understood or len(commands_of(script)) == 1  # of several, another may have failed
    said = output if triple.exit_code not in (0, None) and alone else ""
    diagnosis = next((name for name, pattern in _DIAGNOSES if pattern.search(said)), None)
    if diagnosis is not None:
        yield Fact("diagnosis", diagnosis, "words-of-shells-and-interpreters")


def _is_json(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def to_json(found: Facts, triple: Triple, *, redact: bool = True) -> dict[str, Any]:
    """As a line of JSON, without what is secret anywhere in the call."""
    value = msgspec.to_builtins(found)
    assert isinstance(value, dict)
    if redact:
        value["facts"] = redacted(value["facts"], texts_of(triple))
    return value


def report(calls: Iterable[tuple[Triple, Facts]]) -> dict[str, Any]:
    """What goes wrong mechanically in a corpus, by the facts of its calls, and what a specialist would have saved."""
    counts: Counter[str] = Counter()
    diagnoses: Counter[str] = Counter()
    operations: Counter[str] = Counter()
    dialects: Counter[str] = Counter()
    characters = shown = irrelevant = 0
    for triple, found in calls:
        counts["calls"] += 1
        dialects[found.value("dialect") or "unknown"] += 1
        counts["read only"] += found.value("reads_only") is True
        counts["exit lost"] += found.value("exit_lost") is not None
        if (diagnosis := found.value("diagnosis")) is not None:
            diagnoses[diagnosis] += 1
        if (operation := found.value("operation")) is not None:
            operations[operation["operation"]] += 1
        output = triple.output or ""
        characters += len(output)
        if len(output) > LONG and found.value("reads_only") is not True:
            shown += len(output)
            irrelevant += len(output) - _needed(output, failed=triple.exit_code not in (0, None))
    return {
        "calls": counts["calls"],
        "dialects": dict(dialects.most_common()),
        "read_only": counts["read only"],
        "operations": dict(operations.most_common()),
        "exit_lost": counts["exit lost"],
        "diagnoses": dict(diagnoses.most_common()),
        "characters": {"read": characters, "in_long_outputs_of_runs": shown, "of_these_not_needed": irrelevant},
    }


def _needed(output: str, *, failed: bool) -> int:
    """Characters of the lines that the usual wish selects; all of them where it selects none."""
    lines = output.split("\n")
    chosen = select(lines, None, failed=failed).lines
    return sum(len(lines[number - 1]) + 1 for number in chosen) if chosen else len(output)
