"""Outcomes in one sentence, for people who watch."""

from __future__ import annotations

from dabhand.workspace import File, Folder, Link, Node, State
from dabhand.world.observation import changed_paths
from dabhand.world.prediction import Prediction

MAX_NAMED = 3
MAX_SHOWN = 40


def outcome_sentence(before: State, after: State, ok: bool, stdout: str) -> str:
    """What changed, what was printed, and whether it went well."""
    parts = [] if ok else ["fails"]
    changed = changed_paths(before, after)
    parts += [_change(path, before.get(path), after.get(path)) for path in changed[:MAX_NAMED]]
    if len(changed) > MAX_NAMED:
        parts.append(f"{len(changed) - MAX_NAMED} more changes")
    if stdout:
        parts.append(f"prints {_shortened(stdout)}")
    return ", ".join(parts) if parts else "nothing changes"


def expected_sentence(before: State, prediction: Prediction) -> str:
    """The same for what is expected."""
    if not prediction.known or prediction.state is None:
        return f"I don't know: {prediction.reason}"
    return outcome_sentence(before, prediction.state, prediction.ok, prediction.stdout)


def _change(path: str, old: Node | None, new: Node | None) -> str:
    match old, new:
        case _, None:
            return f"{path} is gone"
        case _, Link(target):
            return f"{path} is a link to {target}"
        case _, Folder():
            return f"{path} is a folder"
        case File(data), File(now, executable) if data == now:
            return f"{path} is {'now' if executable else 'no longer'} executable"
        case _, File() as file:
            return f"{path} holds {_shortened(file.text)}"
    return path


def _shortened(text: str) -> str:
    shown = repr(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    return shown if len(shown) <= MAX_SHOWN else shown[: MAX_SHOWN - 1] + "…"
