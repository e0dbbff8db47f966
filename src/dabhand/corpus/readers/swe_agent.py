"""SWE-agent trajectories: steps with an action and an observation; many actions are commands of its own editor."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from dabhand.corpus.damage import Tally
from dabhand.corpus.loosely import ABSENT, as_mapping, as_number, as_text, items, shaped, text, value
from dabhand.corpus.readers.protocol import Head
from dabhand.corpus.records import Records
from dabhand.corpus.triple import Call

EDITOR = frozenset(
    [
        "open",
        "goto",
        "scroll_up",
        "scroll_down",
        "create",
        "edit",
        "insert",
        "append",
        "undo_edit",
        "search_dir",
        "search_file",
        "find_file",
        "submit",
        "str_replace_editor",
        "set_cursors",
        "filemap",
        "view_image",
        "think",
        "finish",
        "exit_cost",
        "exit_context",
        "exit_format",
        "exit_error",
        "exit_api",
        "exit_forfeit",
        "exit_command",
        "exit_environment_error",
        "skip",
    ]
)
"""First words of actions that SWE-agent's own tools carry out (its `tools/` and older `config/commands`)."""

TIMED_OUT = re.compile(
    r"\s*(?:EXECUTION TIMED OUT|COMMAND TIMED OUT|The command '.*' was cancelled because it took more)", re.S
)
BLOCKED = re.compile(r"\s*(?:Interactive operation|Operation) '.*' is not supported by this environment", re.S)
CUT = re.compile(r"<NOTE>This command produced too much output|Observation exceeded maximum length|elided_chars>")


class Trajectory(msgspec.Struct):
    """The document."""

    trajectory: msgspec.Raw = ABSENT
    environment: msgspec.Raw = ABSENT
    instance_id: msgspec.Raw = ABSENT


class Step(msgspec.Struct):
    """The fields of a step that are looked at."""

    action: msgspec.Raw = ABSENT
    observation: msgspec.Raw = ABSENT
    thought: msgspec.Raw = ABSENT
    response: msgspec.Raw = ABSENT
    state: msgspec.Raw = ABSENT
    execution_time: msgspec.Raw = ABSENT


DOCUMENT = msgspec.json.Decoder(Trajectory)
STEP = msgspec.json.Decoder(Step)


class SweAgent:
    """Reads `.traj` documents. They state no exit code."""

    name = "swe-agent"

    def recognises(self, head: Head) -> bool:
        """A document with a trajectory of actions."""
        return head.is_document and {"trajectory", "action"} <= head.keys

    def read(self, records: Records, tally: Tally) -> Iterator[Call]:
        """Every call of the file once."""
        document = records.document(DOCUMENT) or Trajectory()
        name, folder = text(document.instance_id), None
        tally.of_session(name)
        version = "1.x" if b'"messages"' in bytes(document.trajectory) else "0.x"
        for place, raw in enumerate(items(document.trajectory)):
            step = shaped(raw, STEP)
            if step is None:
                tally.damaged(place, "not_an_object")
                continue
            tally.records += 1
            after = _folder(step)
            call = _call(step, place, tally)
            if call is not None:
                call.scope, call.session, call.format = "file", name, f"swe-agent {version}"
                call.cwd = folder or after
                yield call
            folder = after or folder


def _call(step: Step, place: int, tally: Tally) -> Call | None:
    action = (text(step.action) or "").strip()
    if not action:
        return None
    if action.split(None, 1)[0] in EDITOR:
        tally.leave_out("an editor command of SWE-agent")
        return None
    observation, seconds = text(step.observation), as_number(value(step.execution_time))
    call = Call(
        key=f"step {place}",
        line=place,
        command=action,
        format="",
        request=text(step.thought) or text(step.response),
        request_from="assistant",
        shell="bash",
        output=observation,
        duration_ms=seconds * 1000 if seconds is not None else None,
        status="ran" if observation is not None else "unknown",
    )
    if observation is not None:
        call.truncated = CUT.search(observation) is not None
        if TIMED_OUT.match(observation):
            call.status = "timed_out"
        elif BLOCKED.match(observation):
            call.status, call.output = "did_not_run", None
    return call


def _folder(step: Step) -> str | None:
    """The folder after the step: the state is an object, or JSON text of one."""
    state = value(step.state)
    if isinstance(state, str):
        state = value(msgspec.Raw(state.encode("utf-8", "replace")))
    return as_text(as_mapping(state).get("working_dir"))


READER = SweAgent()
