"""What the status of one stage means, given what program it is and what stands around it."""

from __future__ import annotations

import re

from dabhand.handoff.shells.script import AndOr, Command, Pipeline
from dabhand.handoff.shells.texts import WRAPPERS

SEARCHES = frozenset({"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "pgrep", "pkill", "killall"})
"""Programs that end with 1 when they found nothing."""
ANSWERS = SEARCHES | {"diff", "cmp", "test", "[", "which", "command", "type", "hash", "expr", "let", "read"}
"""Programs whose status 1 is an answer."""
LOOKS = ANSWERS | {"ls", "cat", "stat", "head", "tail", "readlink", "realpath", "file", "find", "wc"}
"""Programs that only look: what is not there is no failure of anything."""
THINNING = frozenset({"head", "tail", "grep", "egrep", "rg", "sed", "awk", "wc", "cut", "sort", "uniq"})
"""Filters that let only a part of what is written through."""
VERDICTS = frozenset(
    ("make", "gmake", "cmake", "ctest", "ninja", "meson", "bazel", "gradle", "gradlew", "mvn", "mvnw", "ant", "sbt"),
).union(
    (
        "cargo",
        "rustc",
        "gcc",
        "g++",
        "cc",
        "c++",
        "clang",
        "clang++",
        "javac",
        "tsc",
        "swiftc",
        "msbuild",
        "xcodebuild",
    ),
    ("pytest", "py.test", "tox", "nox", "unittest", "mypy", "pyright", "ruff", "flake8", "pylint", "black", "jest"),
    ("vitest", "mocha", "ava", "cypress", "playwright", "eslint", "prettier", "biome", "rspec", "rake", "phpunit"),
    ("golangci-lint", "staticcheck", "shellcheck", "clippy", "webpack", "vite", "esbuild", "rollup", "turbo", "nx"),
)
"""Programs that are run to learn whether something holds: a line that goes on all the same does not make it hold."""
_RUNNERS = {"npm": 1, "pnpm": 1, "yarn": 1, "bun": 1, "go": 1, "dotnet": 1, "deno": 1, "mix": 1, "swift": 1, "zig": 1}
_TASKS = re.compile(r"(?:run(?:-script)?|t|test|build|check|lint|vet|typecheck|compile|ci)(?:[:-].*)?")
_STARTERS = frozenset({"npx", "pnpx", "bunx", "uvx", "poetry", "pipenv", "uv", "run", "exec", "bundle", "rye", "hatch"})
CUT = 141
"""128 and SIGPIPE: how bash says that a signal ended a stage."""
CUT_BY_OWN_WORD = (1, 2, 120)
"""What programs end with that catch a broken pipe themselves (120 is Python's at its end)."""
_GIT_ANSWERS = (("git", "grep"), ("git", "diff"), ("git", "merge-base"), ("git", "show-ref"), ("git", "rev-parse"))


def first_words(command: Command, count: int) -> tuple[str, ...]:
    """What the first words of a command say."""
    return tuple(word.value or "" for word in command.words[:count])


def answers(command: Command, status: int) -> bool:
    """Whether a status is the answer "no" and not a failure."""
    if command.name == "xargs" and status == 123:
        return any((word.value or "") in SEARCHES for word in command.words)
    if status != 1:
        return False
    return command.kind == "test" or command.name in ANSWERS or first_words(command, 2) in _GIT_ANSWERS


def searches(command: Command) -> bool:
    """Whether a command looks for something, which may not be there."""
    return command.name in SEARCHES | {"xargs"} or first_words(command, 2) == ("git", "grep")


def looks(command: Command) -> bool:
    """Whether a command only looks at things."""
    return command.kind == "test" or command.name in LOOKS or command.name == "git"


def gives_a_verdict(command: Command) -> bool:
    """Whether a command is run for its verdict, such as a build, a compiler or a suite of tests."""
    names = [(word.value or "").rsplit("/", 1)[-1] for word in command.words[:6]]
    at = 0
    while at < len(names):
        name = names[at]
        if name in VERDICTS:
            return True
        if name in _RUNNERS:
            rest = [other for other in names[at + 1 :] if not other.startswith("-")]
            return bool(rest) and (_TASKS.fullmatch(rest[0]) is not None or rest[0] in VERDICTS)
        if re.fullmatch(r"python[0-9.]*", name):
            if names[at + 1 : at + 2] != ["-m"]:
                return False
            at += 1
        elif (
            name not in WRAPPERS | _STARTERS and not name.startswith("-") and not re.fullmatch(r".*=.*|[\d.]+\w?", name)
        ):
            return False
        at += 1
    return False


def throws_errors_away(command: Command) -> bool:
    """Whether standard error goes to `/dev/null`."""
    return any(
        one.target is not None
        and one.target.value == "/dev/null"
        and (one.descriptor == "2" or one.operator in ("&>", "&>>"))
        for one in command.redirections
    )


def closes_early(command: Command) -> bool:
    """Whether a stage may stop reading before its input ends."""
    words = [word.value or "" for word in command.words[1:]]
    match command.name:
        case "head" | "less" | "more" | "true" | ":":
            return True
        case "grep" | "egrep" | "fgrep" | "rg":
            return any(re.match(r"-[a-zA-Z]*[qmlL]|--(?:quiet|silent|max-count|files-with)", word) for word in words)
        case "sed":
            return any("q" in word for word in words)
        case "awk" | "gawk" | "mawk":
            return any("exit" in word for word in words)
    return False


def broke_its_pipe(command: Command, errors: str) -> bool:
    """Whether standard error says that this very command wrote to a pipe that nobody read."""
    if gives_a_verdict(command):
        return False  # it says so of what it runs, and means its own verdict
    named = re.escape(command.name or "\0")
    if re.search(rf"(?m)^(?:.*/)?{named}(?:\[\d+\])?: .*(?:Broken pipe|EPIPE)", errors):
        return True
    interpreted = re.fullmatch(r"python[0-9.]*|node|ruby|perl", command.name) or command.name.endswith((".py", ".js"))
    last = errors.rstrip().rsplit("\n", 1)[-1]
    return (
        bool(interpreted) and re.match(r"(?:BrokenPipeError|Error: (?:write )?EPIPE|.*Broken pipe)", last) is not None
    )


def guard_of(one: AndOr, at: int) -> str:
    """What the list says about a failure of its pipeline at that place: "" nothing, "told", or "excused"."""
    for operator, pipeline in zip(one.operators[at:], one.pipelines[at + 1 :], strict=True):
        if operator == "||":
            return "told" if only_tells(pipeline) else "excused"
    return ""


def only_tells(pipeline: Pipeline) -> bool:
    """`echo ...`, or braces around nothing else."""
    for command in pipeline.commands:
        inner = [part for one in command.inner for part in one.pipelines]
        if command.kind in ("group", "subshell") and inner and all(only_tells(part) for part in inner):
            continue
        if command.name not in ("echo", "printf", "cat", "tail"):
            return False
    return True


def status_meaning(
    command: Command,
    status: int,
    guard: str,
    *,
    negated: bool = False,
    asked: bool = False,
    ends_the_line: bool = False,
) -> str:
    """What a status other than 0 means.

    Args:
        command: which ended with it.
        status: 1 to 255.
        guard: see `guard_of`.
        negated: a `!` stands in front.
        asked: it is what a condition asks.
        ends_the_line: it is the line's own.
    """
    if answers(command, status):
        if not ends_the_line or negated or guard == "excused":
            return "excused"
        return "nothing" if searches(command) else "failed"
    if (guard == "excused" or negated) and (asked or not gives_a_verdict(command)):
        return "excused"
    if guard == "told" and looks(command):
        return "excused"
    if not ends_the_line and looks(command) and throws_errors_away(command):
        return "excused"
    return "excused" if asked else "failed"
