"""A conversation held: lines are read, moves are made on the real folder, and what came of them is told."""

from __future__ import annotations

from collections.abc import Sequence

from dabhand.agent.chat import Conversation
from dabhand.agent.do import Interrupted, carry_out
from dabhand.agent.document import DoDocument
from dabhand.agent.growing import Offer
from dabhand.agent.history import PastRun
from dabhand.agent.moves import (
    Ask,
    Carry,
    LookFor,
    Move,
    Moves,
    Practise,
    Quit,
    Say,
    ShowDocument,
    ShowFile,
    ShowReport,
    TakeBack,
)
from dabhand.agent.shown import Shown
from dabhand.errors import DabhandError
from dabhand.interfaces.cli.around import Around
from dabhand.interfaces.cli.line import Lines
from dabhand.interfaces.cli.screen import Screen
from dabhand.interfaces.cli.working import Working

PROMPT = "> "
SEED = 1


class Talk:
    """Who holds the folder and the store while somebody talks with dabhand.

    Args:
        around: the folder and what was learned.
        lines: where what is said comes from.
        screen: where it is answered.
        yes: questions about changes are answered with yes.
        tools: a tool may be made for what no command does.
    """

    def __init__(self, around: Around, lines: Lines, screen: Screen, *, yes: bool = False, tools: bool = True) -> None:
        self.around = around
        self.lines = lines
        self.screen = screen
        self.tools = tools
        self.conversation = Conversation(around, yes=yes)
        self.ended = False

    def hold(self) -> None:
        """Talk until somebody ends it; what an earlier run left cut short is finished or taken back first."""
        for one in self.around.history.recover():
            self.screen.say(Say(one.sentence, "bad"))
        self._make(self.conversation.begin())
        while not self.ended:
            self._turn()
        self.screen.heard(None)

    def _turn(self) -> None:
        """Read one line, and do what follows from it."""
        asked = self.conversation.question
        try:
            line = self.lines.read(_prompt(asked), fresh=asked is not None and asked.loses)
        except KeyboardInterrupt:
            self.screen.heard("")
            said: Moves = (Say('"quit" or Ctrl-D ends our conversation.', "faint"),)
            self._make(said if asked is None else self.conversation.take("no"))
            return
        if line is None:
            self.ended = True
            if asked is not None:
                self._make(self.conversation.take("no"))
            return
        self.screen.heard(line)
        self._make(self.conversation.take(line))

    def _make(self, moves: Sequence[Move]) -> None:
        for move in moves:
            try:
                self._make_one(move)
            except Interrupted as error:
                self._make(self.conversation.interrupted(error.document))
            except KeyboardInterrupt:
                self._make(self.conversation.interrupted())
            except DabhandError as error:
                self._make(self.conversation.failed(error.message, error.hint))
            except OSError as error:
                if isinstance(move, Say | Ask | ShowDocument) or isinstance(error, BrokenPipeError):
                    raise  # nobody is there to be told
                self._make(self.conversation.failed(f"That did not work: {error.strerror or error}."))

    def _make_one(self, move: Move) -> None:
        match move:
            case Say():
                self.screen.say(move)
            case Ask():
                self.screen.ask(move)
            case ShowDocument():
                self.screen.document(move)
            case ShowFile(path, start):
                self._show(path, start)
            case ShowReport():
                self._report()
            case Carry():
                self._carry(move)
            case TakeBack(run):
                self._take_back(run)
            case Practise():
                self._practise()
            case LookFor(shown):
                self._look_for(shown)
            case Quit():
                self.ended = True

    def _carry(self, move: Carry) -> None:
        with Working(shown=not self.screen.plain) as working:

            def confirm(document: DoDocument) -> bool:
                with working.paused():
                    return self._confirm(document)

            def offer(offered: Offer) -> bool:
                with working.paused():
                    return self._agree(self.conversation.offered(offered))

            try:
                document = carry_out(
                    self.around.store, move.request, self.around.folder, goal=move.goal, yes=self.conversation.yes,
                    confirm=confirm, offer=offer, recall=self.around.world, clock=self.around.clock,
                    progress=working.say, tools=self.tools,
                )  # fmt: skip
            finally:
                self.around.learned()
        self._make(self.conversation.carried(document))

    def _confirm(self, document: DoDocument) -> bool:
        """Show what is to be done, and talk until it is clear whether to."""
        return self._agree(self.conversation.proposed(document))

    def _agree(self, moves: Sequence[Move]) -> bool:
        """Talk until a question is answered; whether with yes."""
        self._make(moves)
        while self.conversation.question is not None:
            self._turn()
        return self.conversation.agreed

    def _show(self, path: str, start: int) -> None:
        from dabhand.interfaces.cli.looking import look_at

        seen = look_at(self.around.folder, path, start)
        self.screen.look(seen)
        self._make(self.conversation.shown(path, seen.following))

    def _report(self) -> None:
        from dabhand.agent.report import report_of

        self.screen.report(report_of(self.around.store, self.around.world()))

    def _take_back(self, run: PastRun) -> None:
        undone = self.around.history.undo(run, time=self.around.now())
        self._make(self.conversation.taken_back(undone))

    def _look_for(self, shown: Shown) -> None:
        from dabhand.toolmaking.search import search

        with Working(shown=not self.screen.plain) as working:
            working.say("looking for a program")
            found = search(shown.examples, seed=SEED)
        self._make(self.conversation.looked(shown, found))

    def _practise(self) -> None:
        from dabhand.interfaces.cli.learn import chosen_templates
        from dabhand.interfaces.cli.progress import watching
        from dabhand.practice import practise

        templates = chosen_templates((), ())
        with watching([template.text for template in templates], plain=self.screen.plain) as watch:
            report = practise(self.around.store, templates, until_understood=True, seed=SEED, on_event=watch)
        self.around.forget()
        self._make(self.conversation.practised(interrupted=report.interrupted))


def _prompt(asked: Ask | None) -> str:
    if asked is None or asked.free:
        return PROMPT
    if asked.choices:
        return f"1-{len(asked.choices)}> "
    return "yes/no> "
