"""A conversation about one folder, as a state: a line goes in, and what to say or do comes out.

It touches nothing itself. What it wants done are moves, and whoever holds the folder tells it how they went.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from dabhand.agent import telling
from dabhand.agent.answers import Open, how_to_answer, name_in, number_in
from dabhand.agent.document import DoDocument
from dabhand.agent.growing import Offer
from dabhand.agent.history import Undone
from dabhand.agent.intents import Heard, Named, heard
from dabhand.agent.moves import (
    Ask,
    Carry,
    Moves,
    Practise,
    Quit,
    Say,
    ShowDocument,
    ShowFile,
    ShowReport,
    Surroundings,
    TakeBack,
    Understood,
)
from dabhand.agent.naming import NamesHere, StrangersHere, commands_like
from dabhand.agent.phrasing import choices
from dabhand.agent.repeating import Redirection, redirection, sources_and_outputs
from dabhand.agent.showing import looked, show_me
from dabhand.agent.shown import Shown
from dabhand.goals import Goal

if TYPE_CHECKING:
    from dabhand.toolmaking.search import Found

MAX_CHOICES = 9
MAX_LINE = 10_000
"""Characters of what is said at once."""

ANSWERS = ("why", "explain", "show", "files", "history", "help", "able", "self", "report", "more")
"""Intents that may come while a question is open: they change nothing, and the question stays."""


class _Guess(msgspec.Struct, frozen=True):
    """What the result of the same for `new` in place of `old` would be called; another name may be said."""

    name: str
    new: str
    old: str


class Conversation:
    """What was said so far, as far as it matters for what comes.

    Args:
        around: the folder and what was learned.
        yes: what would be asked is taken to be answered with yes.

    Attributes:
        agreed: how the last proposal was answered.
        last: the document of the last request.
    """

    def __init__(self, around: Surroundings, *, yes: bool = False) -> None:
        self.around = around
        self.yes = yes
        self.agreed = False
        self._began = around.now()
        self.last: DoDocument | None = None
        self._repeatable: DoDocument | None = None
        self._shown: DoDocument | None = None
        self._why: Moves = ()
        self._named: str | None = None
        self._seen: tuple[str, int] | None = None
        self._queue: list[str] = []
        self._open: Open | None = None
        self._guess: _Guess | None = None
        self._next: Callable[[], Moves] | None = None

    @property
    def question(self) -> Ask | None:
        """The question that is open."""
        return None if self._open is None else self._open.ask

    def begin(self) -> Moves:
        """The first words."""
        reports = self.around.reports()
        said: Moves = tuple(telling.introduction(reports, self.around.experiments()))
        if any(report.status == "understood" for report in reports):
            return said
        if any(report.status == "partial" for report in reports):
            return (*said, Say('I understand more of it after practice: say "practise".', "faint"))
        return (*said, *self._ask(Ask("I have to practise first. Shall I?"), yes=lambda: (Practise(),), no=_later))

    def take(self, line: str) -> Moves:
        """What follows from a line."""
        line = line.strip()
        if not line:
            return () if self._open is None else (self._open.ask,)
        if len(line) > MAX_LINE:
            return (Say(f"That has {len(line)} characters, and I read no more than {MAX_LINE} at once.", "bad"),)
        if self._open is not None:
            return self._answered(self._open, line)
        found = heard(line, NamesHere(self.around))
        if found is not None:
            return self._meant(found, line)
        if heard(line, NamesHere(self.around), ("yes", "no")) is not None:
            return (Say("I asked nothing."),)
        return self._requested(line)

    # -- what came of moves -------------------------------------------------------------------------------------------

    def proposed(self, document: DoDocument) -> Moves:
        """Show what is to be done, and ask; `agreed` says afterwards how that was answered."""
        self.last = self._shown = document
        self.agreed = self.yes
        shown = (ShowDocument(document, proposal=True),)
        if self.yes:
            return shown
        guess = self._guess
        renamed = None if guess is None else lambda name: self._renamed(name, guess)
        ask = Ask(telling.proposal_question(document), loses=bool(document.loses))
        return (*shown, *self._ask(ask, yes=self._agree, no=_nothing, said=renamed))

    def offered(self, offer: Offer) -> Moves:
        """Offer to make a tool, and ask; `agreed` says afterwards how that was answered."""
        self.agreed = self.yes
        said = (
            Say("None of my commands can do that."),
            Say(f"I can make a tool for it, {offer.name!r}, which does: {offer.does}"),
        )
        if self.yes:
            return said
        ask = Ask(f"Shall I make {offer.name!r}, test it, and practise it?")
        return (*said, *self._ask(ask, yes=self._agree, no=_nothing))

    def carried(self, document: DoDocument) -> Moves:
        """Say what became of a request."""
        self.last, self._guess = document, None
        if self._next is not None:
            follow, self._next, self._shown = self._next, None, None
            return follow()
        self._repeatable = document if document.goal is not None else self._repeatable
        self._why = tuple(telling.reasons(document, self.around.reports()))
        created = [change.path for change in document.changes if change.change != "deleted"]
        self._named = created[-1] if created else self._named
        said = (*self._outcome(document), *telling.verdict(document))
        if self._queue and document.status == "done":
            return (*said, *self._same_for(self._queue.pop(0), None))
        self._queue.clear()
        return said

    def _outcome(self, document: DoDocument) -> Moves:
        """What became of a request, without what was shown before it was agreed to."""
        known, self._shown = self._shown, None
        if known is None or known.plan != document.plan:
            return (ShowDocument(document),)
        if document.status != "done":
            return tuple(Say(text) for text in (document.reason, document.hint) if text)
        return (ShowDocument(msgspec.structs.replace(document, plan=())),)

    def taken_back(self, undone: Undone) -> Moves:
        """Say that a run was undone, and what that put back."""
        self._why = (Say(f"You asked me to undo: {undone.request}"),)
        return tuple(telling.put_back(undone))

    def shown(self, path: str, following: int | None) -> Moves:
        """Remember how far a file was shown; None: to its end."""
        self._named = path
        self._seen = None if following is None else (path, following)
        return () if following is None else (Say('There is more: say "more".', "faint"),)

    def practised(self, *, interrupted: bool = False) -> Moves:
        """Say what practice came to."""
        stopped = (Say("Practice was interrupted; what was learned so far is kept."),) if interrupted else ()
        return (*stopped, *telling.introduction(self.around.reports(), self.around.experiments()))

    def failed(self, reason: str, hint: str = "") -> Moves:
        """Say that a move could not be made."""
        self._open = None
        self._queue.clear()
        said = (Say(reason, "bad"), *((Say(hint, "faint"),) if hint else ()))
        self._why = said
        return said

    def interrupted(self, document: DoDocument | None = None) -> Moves:
        """Say that what was running was stopped; the conversation goes on."""
        if document is not None:
            return (*self.carried(document),)
        return self.failed("Interrupted.")

    # -- answers ------------------------------------------------------------------------------------------------------

    def _ask(
        self,
        ask: Ask,
        *,
        yes: Callable[[], Moves] | None = None,
        no: Callable[[], Moves] | None = None,
        chosen: Callable[[int], Moves] | None = None,
        said: Callable[[str], Moves] | None = None,
        told: Callable[[str], Moves] | None = None,
    ) -> Moves:
        if self.yes and yes is not None:
            return yes()
        self._open = Open(ask, yes, no, chosen, said, told)
        return (ask,)

    def _answered(self, asked: Open, line: str) -> Moves:
        if asked.chosen is not None and (number := number_in(line, asked.ask.choices)) is not None:
            self._open = None
            return asked.chosen(number)
        answer = heard(line, NamesHere(self.around), ("yes", "no"))
        if answer is not None and answer.intent == "no":
            self._open = None
            self._queue.clear()
            return _later() if asked.no is None else asked.no()
        if answer is not None and asked.yes is not None:
            self._open = None
            return asked.yes()
        other = heard(line, NamesHere(self.around))
        if other is not None and other.intent == "quit":
            self._open = None
            return (*(_later() if asked.no is None else asked.no()), Quit())
        if other is not None and other.intent in ANSWERS:
            return (*self._meant(other, line), asked.ask)
        if asked.told is not None and answer is None:  # a yes says no text
            self._open = None
            return asked.told(line)
        name = None if asked.said is None else name_in(line)
        if asked.said is not None and name is not None:
            self._open = None
            return asked.said(name)
        return (Say(f"That does not answer my question. {how_to_answer(asked)}"), asked.ask)

    def _agree(self) -> Moves:
        self.agreed = True
        return ()

    # -- intents ------------------------------------------------------------------------------------------------------

    def _meant(self, found: Heard, line: str) -> Moves:
        match found.intent:
            case "quit":
                return (Quit(),)
            case "help":
                return tuple(telling.help_lines())
            case "hello":
                return (Say("Hello. What shall I do with the files here?"),)
            case "thanks":
                return (Say("You are welcome."),)
            case "self":
                return tuple(telling.introduction(self.around.reports(), self.around.experiments()))
            case "able":
                return tuple(telling.abilities(self.around.reports()))
            case "history":
                return tuple(telling.history_lines(self.around.runs(), self.around.now()))
            case "report":
                return (ShowReport(),)
            case "practise":
                return (Practise(),)
            case "undo":
                return self._undo(found)
            case "why":
                return self._reasons(found)
            case "explain":
                return self._explained(found.names[0].text)
            case "show":
                return self._show(found)
            case "files":
                return (ShowFile("."),)
            case "more":
                return (Say("There is no more to show."),) if self._seen is None else (ShowFile(*self._seen),)
            case "same":
                return self._same(found.names)
            case "again":
                return self._again()
            case "yes" | "no":
                return (Say("I asked nothing."),)

    def _undo(self, found: Heard) -> Moves:
        stands = [run for run in self.around.runs() if run.undoable and run.undoes is None]
        run = stands[-1] if stands else None
        if run is None:
            return (Say("I have changed nothing in this folder that could be undone."),)
        if not found.strange and run.time >= self._began:
            return (TakeBack(run),)
        when = telling.ago(self.around.now() - run.time)
        return self._ask(
            Ask(f"My last change here was made {when}: {run.request} Shall I undo it?"), yes=lambda: (TakeBack(run),)
        )

    def _reasons(self, found: Heard) -> Moves:
        if found.names and self.last is None:
            return self._explained(found.names[0].text)
        if self._open is not None and self.last is not None:
            return tuple(telling.reasons(self.last, self.around.reports()))
        return self._why or (Say("I have not done or refused anything yet."),)

    def _explained(self, wanted: str) -> Moves:
        reports = self.around.reports()
        return tuple(telling.commands(wanted, commands_like(wanted, reports), reports))

    def _show(self, found: Heard) -> Moves:
        names = [name.text for name in found.names] or ([self._named] if self._named else [])
        if not names:
            return (Say("Which file shall I show?"),)
        missing = [name for name in names if self.around.kind(name) == "missing"]
        if missing:
            return tuple(Say(f"Nothing here is called {name!r}.", "bad") for name in missing)
        return tuple(ShowFile(name) for name in names)

    def _again(self) -> Moves:
        if self.last is None:
            return (Say("You have not asked me for anything yet."),)
        return self._requested(self.last.request)

    # -- requests -----------------------------------------------------------------------------------------------------

    def _requested(self, line: str) -> Moves:
        found = self.around.understand(line)
        if len(found.goals) == 1:
            return (Carry(line),)
        if found.goals:
            return self._which(line, found.goals)
        loose = None if found.refused else heard(line, NamesHere(self.around), generous=True)
        if loose is not None:
            taken = ", ".join(map(repr, loose.strange))
            return (Say(f"(passing over {taken})", "faint"), *self._meant(loose, line))
        strange = None if found.refused else heard(line, StrangersHere(self.around), ("explain",))
        if strange is not None:
            return self._explained(strange.names[0].text)
        return (Carry(line),) if found.askable else self._declined(line, found)

    def _which(self, line: str, goals: Sequence[Goal]) -> Moves:
        goals = goals[:MAX_CHOICES]
        self._why = (Say(f"{line!r} can be taken in {len(goals)} ways, so I asked which one is meant."),)
        ask = Ask("Which of these do you mean?", choices(goals))
        return self._ask(ask, chosen=lambda at: (Carry(line, goals[at]),))

    def _declined(self, line: str, found: Understood) -> Moves:
        word = "I cannot do that" if found.refused else "I did nothing, because I did not understand all of it"
        lines = f" I read {line.count(chr(10)) + 1} pasted lines as one request." if "\n" in line else ""
        said = (Say(f"{word}: {found.reason}{lines}", "bad"), *((Say(found.hint, "faint"),) if found.hint else ()))
        self._why = (Say(f"You asked: {line}", "strong"), *said, Say("I do nothing that I only half understand."))
        return said if found.sketch is None else (*said, *show_me(line, found.sketch, found.text, self._ask))

    def looked(self, shown: Shown, found: Found) -> Moves:
        """Go on with the program that was found for what was shown."""
        return looked(shown, found, self._ask)

    # -- the same for another file ------------------------------------------------------------------------------------

    def _same(self, names: Sequence[Named]) -> Moves:
        sources, outputs = sources_and_outputs(names, self.around)
        if len(outputs) > 1 or (outputs and len(sources) > 1):
            return (Say("Tell me one file and one name for its result at a time."),)
        self._queue = sources[1:]
        return self._same_for(sources[0], outputs[0] if outputs else None)

    def _same_for(self, new: str, output: str | None, old: str | None = None) -> Moves:
        if self._repeatable is None:
            return self.failed("There is nothing yet that I could do the same way.")
        found = redirection(self._repeatable, new, output, self.around, old)
        return self._redirected(found, new, output)

    def _redirected(self, found: Redirection, new: str, output: str | None) -> Moves:
        if found.reason:
            return self.failed(found.reason, found.hint)
        if found.sources:
            ask = Ask(f"In whose place shall {new!r} be?", found.sources)
            return self._ask(ask, chosen=lambda at: self._same_for(new, output, found.sources[at]))
        self._guess = _Guess(found.result, new, found.old) if found.result else None
        so: Moves = (Say(f"So: {found.request}", "faint"),)
        if found.guessed:
            so = (*so, Say(f"I call the result {found.result!r}, which is free; say another name if you like."))
        return (*so, Carry(found.request, found.goal))

    def _renamed(self, name: str, guess: _Guess) -> Moves:
        """Leave what was proposed, and do it under another name next."""
        self._next = lambda: self._same_for(guess.new, name, guess.old)
        return ()


def _nothing() -> Moves:
    return ()


def _later() -> Moves:
    return (Say("All right, I leave it."),)
