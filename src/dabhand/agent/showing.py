"""Being shown what a request means, where no words do: by what should come of a file, until one program is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dabhand.agent.moves import Ask, Carry, LookFor, Moves, Say
from dabhand.agent.shown import Shown
from dabhand.goals import Goal, Holds
from dabhand.goals.sketch import Sketch
from dabhand.language import Call, Const, Kind, Term, Var

if TYPE_CHECKING:
    from dabhand.toolmaking.search import Found

MAX_EXAMPLES = 6
"""After so many, several programs that still fit are too many."""
MAX_CHOICES = 5

Asking = Callable[..., Moves]
"""`Conversation._ask`."""


def show_me(request: str, sketch: Sketch, text: str, ask: Asking) -> Moves:
    """Ask for what should come of the file that a request is about."""
    shown = Shown(request, sketch, text)
    question = Ask(f"Show me what {sketch.target!r} should hold for {sketch.source!r}, or say no.", free=True)
    return ask(question, told=lambda line: _told(shown, line))


def _told(shown: Shown, line: str) -> Moves:
    """What follows when somebody says what the file should hold."""
    example = shown.with_example(shown.text, _as_text(line))
    return (Say("I look for a program that does that.", "faint"), LookFor(example))


def looked(shown: Shown, found: Found, ask: Asking) -> Moves:
    """Go on with the program that was found; where several fit, or too little was shown, ask for what decides."""
    if found.term is None:
        return (Say("I found no program that does that.", "bad"), Say("More examples: dabhand tool make", "faint"))
    if found.is_sure:
        return (Carry(shown.request, _goal(shown, found.term)),)
    answers, telling = _ways(found), found.telling
    if len(shown.examples) < MAX_EXAMPLES:
        if found.others and telling is not None and len(answers) > 1:
            return _which(shown, telling, answers, ask)
        if found.next_input is not None:
            return _is_it(shown, found.term, found.next_input, ask)
    return (
        Say("What you showed me says too little: more than one program fits.", "bad"),
        Say("More examples: dabhand tool make", "faint"),
    )


def _which(shown: Shown, telling: str, answers: tuple[str, ...], ask: Asking) -> Moves:
    """Ask which program is meant, by what it makes of a text that tells them apart."""
    question = f"Several programs do that. What should come of a file that holds {telling!r}?"
    return ask(
        Ask(question, tuple(map(repr, answers))),
        chosen=lambda at: (LookFor(shown.with_example(telling, answers[at])),),
        told=lambda line: (LookFor(shown.with_example(telling, _as_text(line))),),
    )


def _is_it(shown: Shown, term: Term, given: str, ask: Asking) -> Moves:
    """Ask whether a program is right about one more text, and if not, what is; nobody's --yes answers that."""
    from dabhand.toolmaking.search import result_of

    made = result_of(term, given) or ""

    def other(line: str) -> Moves:
        return (LookFor(shown.with_example(given, _as_text(line))),)

    def chosen(at: int) -> Moves:
        if at == 0:
            return (LookFor(shown.with_example(given, made)),)
        return ask(Ask(f"What should come of {given!r} then?", free=True), told=other)

    question = f"One program does that. What should come of a file that holds {given!r}?"
    return ask(Ask(question, (repr(made), "something else")), chosen=chosen, told=other)


def _as_text(line: str) -> str:
    """What somebody says a file should hold: a backslash and n end a line, and the last one is ended."""
    wanted = line.replace("\\n", "\n")
    return wanted if wanted.endswith("\n") else wanted + "\n"


def _ways(found: Found) -> tuple[str, ...]:
    """What the programs that fit make of the text that tells them apart, each once."""
    return tuple(dict.fromkeys(answer for answer in found.answers if answer is not None))[:MAX_CHOICES]


def _goal(shown: Shown, term: Term) -> Goal:
    """The goal that a program stands for, over the file that the request is about."""
    return Goal((Holds(shown.sketch.target, _over(term, shown.sketch.source)),), (shown.sketch.source,))


def _over(term: Term, path: str) -> Term:
    match term:
        case Var(name="A"):
            return Const(path, Kind.PATH)
        case Call(name=name, args=args):
            return Call(name, tuple(_over(arg, path) for arg in args))
    return term
