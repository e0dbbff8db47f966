"""What was learned of commands, and the tools that were made: one more command each, foretold by its own program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dabhand.commands import Template, render
from dabhand.language import PATH, Call, Term, Var
from dabhand.store import Experiment
from dabhand.toolmaking.registry import Tool
from dabhand.toolmaking.source import GIVEN
from dabhand.toolmaking.testing import simulated
from dabhand.workspace import State
from dabhand.world import Prediction, World
from dabhand.world.effects import Option, Write
from dabhand.world.model import Judgement
from dabhand.world.places import At, Place


class Workshop:
    """A world with tools in it.

    Args:
        world: what was learned of the commands.
        tools: those that are to be planned with; edited ones are left out, and those of which no term says what they
            do, because a plan is made from what is known of its steps.
    """

    def __init__(self, world: World, tools: Sequence[Tool]) -> None:
        self.world = world
        self.tools = {tool.template.text: tool for tool in tools if tool.is_intact and not tool.is_simulated}

    @property
    def templates(self) -> list[Template]:
        """Everything there is to plan with."""
        return [
            *(model.template for model in self.world.models.values()),
            *(one.template for one in self.tools.values()),
        ]

    def predict(self, command: str, slots: Mapping[str, str | int], state: State) -> Prediction:
        """The whole outcome expected."""
        tool = self.tools.get(command)
        return self.world.predict(command, slots, state) if tool is None else simulated(tool, dict(slots), state)

    def believed(self, command: str) -> Sequence[tuple[Place | None, Option]]:
        """What a command is believed to be able to do."""
        tool = self.tools.get(command)
        return self.world.believed(command) if tool is None else ((At("B"), Write(_over_slot(tool.meaning))),)

    def line(self, template: Template, filling: Mapping[str, str | int]) -> str:
        """The command line that runs in the sandbox."""
        tool = self.tools.get(template.text)
        return render(template, filling) if tool is None else tool.line(dict(filling))

    def learn(self, experiment: Experiment, number: int) -> Judgement | None:
        """Learn from what a command did; what a tool does is known from its program."""
        return None if experiment.template in self.tools else self.world.learn(experiment, number)

    def is_tool(self, command: str) -> bool:
        """Whether a command is a tool."""
        return command in self.tools


_FILE = Call("text", (Var("A", PATH),))


def _over_slot(term: Term) -> Term:
    """A tool's term over the file that its first slot names."""
    if term == GIVEN:
        return _FILE
    match term:
        case Call(name=name, args=args):
            return Call(name, tuple(map(_over_slot, args)))
    return term
