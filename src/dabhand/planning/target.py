"""What a goal comes to in one folder: the exact folder that is wanted, and how far another is from it."""

from __future__ import annotations

from dabhand.errors import LanguageError
from dabhand.goals import Answers, Condition, Goal, Holds, IsAbsent, IsCopy, IsExecutable, IsFolder, Refused
from dabhand.language import Const, Kind, Term, evaluate
from dabhand.language.terms import size, subterms
from dabhand.workspace import FOLDER, File, Folder, Link, Node, State, encode_text, resolve
from dabhand.world.reading import StateView


class Target:
    """A goal held against the folder that it is about.

    Attributes:
        goal, before: what it was made from.
        wanted: the whole folder afterwards.
        answer: the text to answer with, None when none is asked for.
        paths: every path that is to be different afterwards, sorted.
        milestones: texts that come up while the goal's texts are worked out, and how far along each is (0 to 1).

    Raises:
        Refused: a term has no value here, or a path to be changed leads through a link.
    """

    def __init__(self, goal: Goal, before: State) -> None:
        self.goal = goal
        self.before = before
        self._view = StateView(before)
        for condition in goal.conditions:
            _refuse_links(before, condition)
        self._free_modes: set[str] = set()
        self.answer: str | None = None
        self.wanted = before.with_changes(self._changes())
        self.paths = tuple(
            path for path in sorted({*before, *self.wanted}) if before.get(path) != self.wanted.get(path)
        )
        self.milestones = self._milestones()

    def _value(self, term: Term) -> str:
        try:
            return str(evaluate(term, {}, self._view))
        except LanguageError as error:
            raise Refused(f"What the request asks for has no value here: {error.message}") from error

    def _changes(self) -> dict[str, Node | None]:
        changes: dict[str, Node | None] = {}
        for condition in self.goal.conditions:
            match condition:
                case Holds(path, content):
                    old = self.before.get(path)
                    executable = isinstance(old, File) and old.executable
                    if not isinstance(old, File):
                        self._free_modes.add(path)
                    changes[path] = File(encode_text(self._value(content)), executable)
                case IsFolder(path):
                    changes[path] = FOLDER
                case IsAbsent(path):
                    changes[path] = None
                case IsCopy(path, source):
                    changes |= _tree(self.before, source, path)
                case Answers(content):
                    self.answer = self._value(content)
                case IsExecutable():
                    continue
        for condition in self.goal.conditions:
            if isinstance(condition, IsExecutable):
                self._free_modes.discard(condition.path)
                node = changes.get(condition.path, self.before.get(condition.path))
                if isinstance(node, File):
                    changes[condition.path] = File(node.data, condition.executable)
        return changes

    def _milestones(self) -> dict[bytes, float]:
        found: dict[bytes, float] = {}
        for term in self.goal.terms:
            whole = size(term)
            for part in subterms(term):
                if isinstance(part, Const) or part.kind not in (Kind.TEXT, Kind.LINES):
                    continue
                try:
                    value = evaluate(part, {}, self._view)
                except LanguageError:
                    continue
                texts = [value] if part.kind is Kind.TEXT else ["".join(line + "\n" for line in value), "".join(value)]
                for text in texts:
                    data = encode_text(text)
                    found[data] = max(found.get(data, 0.0), size(part) / whole)
        here = {node.data for node in self.before.values() if isinstance(node, File)}
        return {data: part for data, part in found.items() if data not in here and data}

    # -- asking -------------------------------------------------------------------------------------------------------

    def is_right(self, path: str, node: Node | None) -> bool:
        """Whether `node` is what is wanted at a path."""
        wanted = self.wanted.get(path)
        if node == wanted:
            return True
        return (
            path in self._free_modes
            and isinstance(node, File)
            and isinstance(wanted, File)
            and node.data == wanted.data
        )

    def wrong(self, state: State) -> tuple[str, ...]:
        """Paths at which a folder is not yet, or no longer, as wanted."""
        found = [path for path, node in state.items() if not self.is_right(path, node)]
        return tuple(found + [path for path in self.wanted if path not in state])

    def answers(self, printed: str) -> bool:
        """Whether what was printed is the answer, a final newline aside."""
        return self.answer is not None and printed.removesuffix("\n") == self.answer.removesuffix("\n")

    def holds(self, condition: Condition, state: State, printed: str | None) -> bool:
        """Whether a condition is true of a final folder and of what was printed last."""
        match condition:
            case Answers():
                return printed is not None and self.answers(printed)
            case IsAbsent(path):
                return path not in state
            case IsFolder(path):
                return isinstance(state.get(path), Folder)
            case IsExecutable(path, executable):
                node = state.get(path)
                return isinstance(node, File) and node.executable is executable
            case IsCopy(path):
                paths = {path, *self.wanted.below(path), *state.below(path)}
                return all(self.is_right(one, state.get(one)) for one in paths)
            case Holds(path):
                return self.is_right(path, state.get(path))

    def unexpected(self, state: State) -> tuple[str, ...]:
        """Paths that no condition speaks of and that are not as they were."""
        spoken = set(self.paths)
        return tuple(path for path in self.wrong(state) if path not in spoken)


def _tree(before: State, source: str, path: str) -> dict[str, Node | None]:
    changes: dict[str, Node | None] = {path: before[source]}
    for inner in before.below(source):
        changes[path + inner[len(source) :]] = before[inner]
    return changes


def _refuse_links(before: State, condition: Condition) -> None:
    paths = [condition.path] if condition.path is not None else []
    paths += [condition.source] if isinstance(condition, IsCopy) else []
    for path in paths:
        found = resolve(before, path)
        through_link = found.entry is not None and found.entry != path
        is_link = isinstance(found.node, Link) and not isinstance(condition, IsAbsent)
        if through_link or is_link:
            raise Refused(f"{path!r} is, or leads through, a link.", "Name the file that the link points to.")
