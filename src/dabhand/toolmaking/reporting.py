"""Tools told of as commands are: what they do, when, and how often that held."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dabhand.sandbox import Worker, open_worker
from dabhand.toolmaking.registry import Tool
from dabhand.toolmaking.testing import LIMITS, simulated, value_by_running
from dabhand.workspace import State
from dabhand.world import CommandReport, Prediction, World
from dabhand.world.explaining import Effect


def report_on_tool(tool: Tool) -> CommandReport:
    """A tool in the form of a command: one that was edited counts as untried."""
    does = f"B holds {tool.term.replace('given', 'text(A)')}" if tool.term else "B holds what running it gives"
    support = (tool.right, tool.tried)
    effects = (
        Effect("A is a file that it can handle, B is no folder, B leads to a place that can be made", does, support),
        Effect("otherwise", "fails, nothing changes", support),
    )
    if not tool.is_intact:
        reason = f"{tool.distrust}; test it: dabhand tool test {tool.name}" if tool.source else tool.distrust
        return CommandReport(tool.template.text, "untried", 0, (0, 0), (), reason)
    reason = "" if tool.term else "simulated: no term says what it does, so it is run to tell"
    return CommandReport(
        tool.template.text, "understood" if tool.term else "partial", tool.tried, support, effects, reason
    )


class Foretelling:
    """A world in which tools are foretold too; those that no term tells by running them in the sandbox.

    Args:
        world: what was learned of the commands.
        tools: the tools that are kept.
    """

    def __init__(self, world: World, tools: Iterable[Tool]) -> None:
        self._world = world
        self._tools = {tool.template.text: tool for tool in tools}
        self._worker: Worker | None = None

    def __enter__(self) -> Foretelling:
        return self

    def __exit__(self, *_: object) -> None:
        if self._worker is not None:
            self._worker.close()

    def is_simulated(self, command: str) -> bool:
        """Whether a command is foretold by running it."""
        tool = self._tools.get(command)
        return tool is not None and tool.is_simulated

    def predict(self, command: str, slots: Mapping[str, str | int], state: State) -> Prediction:
        """The whole outcome expected."""
        tool = self._tools.get(command)
        if tool is None:
            return self._world.predict(command, slots, state)
        run = self._run(tool) if tool.is_simulated and tool.is_intact else None
        return simulated(tool, dict(slots), state, run)

    def _run(self, tool: Tool) -> RunsTool:
        if self._worker is None:
            self._worker = open_worker("auto", LIMITS)
        return RunsTool(tool, self._worker)


class RunsTool:
    """What a tool makes of a text, by running it."""

    def __init__(self, tool: Tool, worker: Worker) -> None:
        self._tool = tool
        self._worker = worker

    def __call__(self, text: str) -> str | None:
        """The result; None where there is none."""
        return value_by_running(self._tool, text, self._worker)
