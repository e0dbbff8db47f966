"""What a goal comes to in one folder: the exact folder that is wanted, and how far another is from it."""

from __future__ import annotations

from dabhand.errors import LanguageError
from dabhand.goals import (
    Answers,
    Condition,
    Goal,
    Holds,
    IsAbsent,
    IsCopy,
    IsExecutable,
    IsFolder,
    Refused,
    condition_sentence,
)
from dabhand.language import Term, evaluate
from dabhand.planning.trees import Trees, all_above, speaks_of
from dabhand.workspace import FOLDER, File, Folder, Link, Node, State, encode_text, resolve
from dabhand.world.reading import StateView


class Target:
    """A goal held against the folder that it is about.

    Attributes:
        goal, before: what it was made from.
        wanted: the whole folder afterwards.
        answer: the text to answer with, None when none is asked for.
        paths: every path that is to be different afterwards, sorted.
        trees: what of it comes as a whole.

    Raises:
        Refused: a term has no value here, a path to be changed leads through a link, or the goal contradicts itself.
    """

    def __init__(self, goal: Goal, before: State) -> None:
        self.goal = goal
        self.before = before
        self._view = StateView(before)
        for condition in goal.conditions:
            _refuse_links(before, condition)
            _refuse_unsaid_loss(goal, before, condition)
        self._free_modes: set[str] = set()
        self.answer: str | None = None
        self.trees = Trees(goal, before)
        self.wanted = before.with_changes(self._changes())
        self.paths = tuple(
            path for path in sorted({*before, *self.wanted}) if before.get(path) != self.wanted.get(path)
        )
        self._refuse_contradictions()

    def _value(self, term: Term) -> str:
        try:
            return str(evaluate(term, {}, self._view))
        except LanguageError as error:
            raise Refused(f"What the request asks for has no value here: {error.message}") from error

    def _changes(self) -> dict[str, Node | None]:
        """What becomes of every path: what is said of a folder first, then what is said of things in it."""
        changes: dict[str, Node | None] = {}
        for condition in sorted(self.goal.conditions, key=_depth):
            match condition:
                case Holds(path, content):
                    self._replace(changes, path, self._file(content, changes.get(path, self.before.get(path)), path))
                case IsFolder(path):
                    changes[path] = FOLDER
                case IsAbsent(path):
                    self._replace(changes, path, None)
                case IsCopy(path, source):
                    self._replace(changes, path, None)
                    changes |= dict.fromkeys(self.before.below(path)) | _tree(self.before, source, path)
                case Answers(content):
                    self.answer = self._value(content)
                case IsExecutable():
                    continue
        self._set_modes(changes)
        return changes

    def _file(self, content: Term, old: Node | None, path: str) -> File:
        """A file with the value of a term; one that was there keeps its mode."""
        if not isinstance(old, File):
            self._free_modes.add(path)
        return File(encode_text(self._value(content)), isinstance(old, File) and old.executable)

    def _replace(self, changes: dict[str, Node | None], path: str, node: Node | None) -> None:
        """Put something at a path, so that what a copy of a folder around it brings there does not come."""
        for inner in [one for one in changes if one.startswith(path + "/")]:
            del changes[inner]
        changes[path] = node

    def _set_modes(self, changes: dict[str, Node | None]) -> None:
        for condition in self.goal.conditions:
            if isinstance(condition, IsExecutable):
                self._free_modes.discard(condition.path)
                node = changes.get(condition.path, self.before.get(condition.path))
                if isinstance(node, File):
                    changes[condition.path] = File(node.data, condition.executable)

    def _refuse_contradictions(self) -> None:
        """Refuse conditions that cannot all be true in the end: what one of them makes, another takes away."""
        for condition in self.goal.conditions:
            if not self._is_kept(condition):
                raise Refused(
                    f"The request contradicts itself: {condition_sentence(condition)}, and something else that it asks "
                    "for rules that out.",
                    "Ask for one of the two.",
                )

    def _is_kept(self, condition: Condition) -> bool:
        node = None if condition.path is None else self.wanted.get(condition.path)
        match condition:
            case Holds(_, content):
                return isinstance(node, File) and node.data == encode_text(self._value(content))
            case IsFolder():
                return isinstance(node, Folder)
            case IsAbsent():
                return node is None
            case IsCopy(_, source):
                return type(node) is type(self.before.get(source))
            case IsExecutable(_, executable):
                return isinstance(node, File) and node.executable is executable
            case Answers():
                return True

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
                return self._is_copied(path, state)
            case Holds(path):
                return self.is_right(path, state.get(path))

    def _is_copied(self, path: str, state: State) -> bool:
        """Whether a copy is right, apart from what other conditions say of things in it."""
        others = [one for one in self.goal.conditions if one.path is not None and one.path.startswith(path + "/")]
        paths = {path, *self.wanted.below(path), *state.below(path)}
        left = (one for one in paths if not any(speaks_of(other, one) for other in others))
        return all(self.is_right(one, state.get(one)) for one in left)

    def unexpected(self, state: State) -> tuple[str, ...]:
        """Paths that no condition speaks of and that are not as they were."""
        spoken = set(self.paths)
        return tuple(path for path in self.wrong(state) if path not in spoken)


def _depth(condition: Condition) -> int:
    return 0 if condition.path is None else condition.path.count("/")


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


def _refuse_unsaid_loss(goal: Goal, before: State, condition: Condition) -> None:
    """Refuse to put a thing where a folder with something in it is, when nobody said that what is in it may go."""
    match condition:
        case Holds(path):
            becomes = "a file"
        case IsCopy(path, source):
            becomes = "a file" if isinstance(before.get(source), File) else "another folder"
        case _:
            return
    inside = before.below(path) if isinstance(before.get(path), Folder) else ()
    spoken = set(goal.paths)
    kept = {one.source for one in goal.conditions if isinstance(one, IsCopy)} if becomes == "another folder" else set()
    if any(inner not in spoken and kept.isdisjoint((inner, *all_above(inner))) for inner in inside):
        raise Refused(
            f"{path!r} is a folder with something in it, and would become {becomes}.",
            "Say where in it the file is to be, or what is to become of the folder.",
        )
