"""Beliefs, plans and refusals in words, with what they rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dabhand.agent.document import DoDocument
from dabhand.agent.history import PastRun, Undone
from dabhand.agent.moves import Say
from dabhand.agent.phrasing import said
from dabhand.goals import Goal, condition_sentence
from dabhand.language import PRIMITIVES
from dabhand.world import CommandReport, Effect

RULES = 4
"""Rules of a command that are told at once."""
CONTEXTS = 2
"""Contexts of a rule that are told at once."""
MAX_IN_FULL = 2
"""Commands that are told of in full at once."""
MAX_TOLD = 20
"""Changes that are named one by one, when they are undone."""
NAMED = 12
"""Commands that are named in one line."""
IDLE = ("fails", "nothing changes")
"""So begin the effects that say least about what a command is for."""
_CALL = re.compile(r"([a-z_]+)\(")
_SECONDS = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def introduction(reports: Sequence[CommandReport], experiments: int) -> Iterator[Say]:
    """Who speaks, with the true numbers."""
    understood = sum(report.status == "understood" for report in reports)
    partly = sum(report.status == "partial" for report in reports)
    more = f" {partly} more I know in part." if partly else ""
    learned = f"I learned {_count(understood, 'command')} by experimenting ({_count(experiments, 'experiment')}).{more}"
    if partly and not understood:
        learned = f"I know {_count(partly, 'command')} in part, by {_count(experiments, 'experiment')}."
    yield Say(f"Hello, I am dabhand. {learned}", "strong")
    yield Say('Tell me in plain English what to do with the files here. "help" says what else I answer to.', "faint")


def command_words(report: CommandReport, *, brief: bool = False) -> Iterator[Say]:
    """What is believed about one command, the main rules first; briefly only what it does when it works."""
    known = f"{report.status}, {_count(report.experiments, 'experiment')}"
    foretold = f"; {report.support[0]} of its last {report.support[1]} outcomes foretold exactly"
    yield Say(f"{report.command}  ({known}{foretold if report.support[1] else ''})", "strong")
    if report.reason:
        yield Say(f"  {report.reason}", "bad")
    effects = _main_first(report.effects)
    shown = effects[: 1 if brief else RULES]
    for effect in shown:
        yield Say(f"  {effect.effect}  (so in {_support(effect.support)} experiments)")
        if brief:
            continue
        for number, context in enumerate(_contexts(effect)):
            yield Say(f"    {'or' if number else 'when'} {context}", "faint")
        if effect.rival is not None and effect.rival_support is not None:
            yield Say(f"    closest rival: {effect.rival}  (fits {_support(effect.rival_support)})", "faint")
    if len(effects) > len(shown) and not brief:
        left = len(effects) - len(shown)
        yield Say(f"  and {_count(left, 'more rule')}: dabhand explain {report.command!r}", "faint")
    yield from _glossary(effect.effect for effect in shown)


def commands(wanted: str, known: Sequence[CommandReport], reports: Sequence[CommandReport]) -> Iterator[Say]:
    """What the commands do that something asked for may stand for, or that there is none."""
    if not known:
        yield from _unknown_command(wanted, reports)
        return
    brief = len(known) > MAX_IN_FULL
    for report in known:
        yield from command_words(report, brief=brief)
    if brief:
        yield Say('Ask about one of them for more, such as "what does sort -r do?"', "faint")


def put_back(undone: Undone) -> Iterator[Say]:
    """What undoing a run put back."""
    yield Say(f"Undone: {undone.request}", "good")
    for change in undone.changes[:MAX_TOLD]:
        yield Say(f"  {change.put_back} {change.path}")
    left = len(undone.changes) - MAX_TOLD
    if left > 0:
        yield Say(f"  and {left} more", "faint")
    for text in (undone.reason, undone.hint):
        if text:
            yield Say(text, "bad")


def reasons(document: DoDocument, reports: Sequence[CommandReport]) -> Iterator[Say]:
    """Why a request was planned, refused or left alone: what was understood, and what the plan rests on."""
    yield Say(f"You asked: {document.request}", "strong")
    if document.goal is not None:
        conditions = Goal.from_json(document.goal).conditions
        meant = "; ".join(map(said, conditions))
        source = {"grammar": "by grammar", "memory": "from memory"}.get(document.goal_from, document.goal_from)
        yield Say(f"I took it to mean: {meant}; and everything else stays as it was.")
        exact = "; ".join(map(condition_sentence, conditions))
        yield Say(f"  (exactly: {exact}; read {source}, {_count(document.lm_calls, 'language-model call')})", "faint")
    by_text = {report.command: report for report in reports}
    for step in document.plan:
        yield Say(f"For that I chose: {step.line}")
        yield Say(f"  I expect: {step.predicted}  (at least {step.confidence:.0%} sure)")
        if step.surprise:
            yield Say("  Something else happened, so I learned from it.", "bad")
        if step.command in by_text:
            yield from _belief(by_text[step.command])
    if not document.reason:
        return
    yield Say(f"{'But' if document.status == 'done' else 'Why it is not done'}: {document.reason}", "bad")
    if document.hint:
        yield Say(f"  {document.hint}", "faint")


def proposal_question(document: DoDocument) -> str:
    """Whether to go on, what is lost by it named one by one."""
    losses = [
        f"{'delete' if one.change == 'deleted' else 'overwrite'} {one.path!r}"
        for one in document.changes
        if one.path in document.loses
    ]
    return f"This will {', '.join(losses)}. Shall I do it?" if losses else "Shall I do it?"


def verdict(document: DoDocument) -> tuple[Say, ...]:
    """Whether the own check agrees that a request is done, and what changed."""
    check = document.self_check
    if document.status != "done" or check is None:
        return ()
    if not check.ok:
        return (Say("My own check does not agree.", "bad"),)
    changed = len(document.changes)
    what = "nothing had to change" if not changed else f"{changed} change{'s' if changed > 1 else ''} made"
    undo = ' "undo that" takes it back.' if document.run_id else ""
    return (Say(f"My own check agrees: all that you asked for holds, and nothing else changed; {what}.{undo}", "good"),)


def abilities(reports: Sequence[CommandReport]) -> Iterator[Say]:
    """What can be asked for, and with what it would be done."""
    understood = [report.command for report in reports if report.status == "understood"]
    yield Say(f"I understand {_count(len(understood), 'command')}, and combine up to four of them:", "strong")
    programs = list(dict.fromkeys(command.split(" ", 1)[0] for command in understood))
    yield Say("  " + ", ".join(programs) if programs else '  none yet; say "practise"')
    others: dict[str, list[str]] = {}
    for report in reports:
        if report.status != "understood":
            others.setdefault(report.status, []).append(report.command)
    for status, commands in others.items():
        more = f" and {len(commands) - NAMED} more" if len(commands) > NAMED else ""
        yield Say(f"  {status}: {'; '.join(commands[:NAMED])}{more}", "faint")
    yield Say(
        "Say what you want of the files here: make, copy, move, rename, delete, sort, join, count, find, replace."
    )
    yield Say("I try it on a copy, tell you what I expect, and ask before anything changes.")


HELP = (
    ("a request", "such as: sort the lines of A into B; how many lines has A?"),
    ("the same for A", "the last request, for another file"),
    ("undo", "takes the last change in this folder back"),
    ("why?", "what I understood, and what the plan rests on"),
    ("what does CMD do?", "what I believe about a command"),
    ("show A, more", "a look into a file or folder"),
    ("what did you do?", "what was done here"),
    ("what can you do?", "the commands that I know"),
    ("how good are you?", "what I have become, in numbers"),
    ("practise", "learn by experimenting"),
    ("quit", "or Ctrl-D; Ctrl-C stops what is running"),
)


def help_lines() -> Iterator[Say]:
    """What a conversation answers to."""
    yield Say("I answer to these, and to other words for the same:", "strong")
    for what, meaning in HELP:
        yield Say(f"  {what:20} {meaning}")


def history_lines(runs: Sequence[PastRun], now: float, most: int = 10) -> Iterator[Say]:
    """What was done in a folder, newest last."""
    if not runs:
        yield Say("Nothing was asked of me in this folder yet.")
        return
    if len(runs) > most:
        yield Say("The last things that I was asked in this folder:", "strong")
    for run in runs[-most:]:
        changed = f", {_count(len(run.changes), 'change')}" if run.changes else ""
        number = "" if run.number is None else str(run.number)
        yield Say(f"  {number:>4}  {ago(now - run.time):>15}  {run.state}{changed}: {run.request}")


def ago(seconds: float) -> str:
    """How long ago, in words."""
    for unit, length in _SECONDS:
        if seconds >= length:
            return f"{_count(int(seconds // length), unit)} ago"
    return "just now"


def _unknown_command(wanted: str, reports: Sequence[CommandReport]) -> Iterator[Say]:
    """That a command was never tried, and how to change that."""
    from difflib import get_close_matches

    programs = list(dict.fromkeys(report.command.split(" ", 1)[0] for report in reports))
    near = get_close_matches(wanted.split(" ", 1)[0], programs, 3)
    yield Say(f"I have never tried {wanted!r}, so I believe nothing about it.")
    if near:
        yield Say(f"  Do you mean {' or '.join(near)}?")
    yield Say(f"  I can learn it: dabhand learn --template '{wanted} {{A}}'", "faint")


def _belief(report: CommandReport) -> Iterator[Say]:
    for effect in [one for one in _main_first(report.effects) if not one.effect.startswith(IDLE)][:1]:
        rests = f"so in {_support(effect.support)} experiments"
        yield Say(f"  I believe of {report.command}: {effect.effect}  ({rests})")
        yield Say(f"    when {' or '.join(_contexts(effect))}", "faint")
        if effect.rival is not None and effect.rival_support is not None:
            yield Say(f"    closest rival: {effect.rival}  (fits {_support(effect.rival_support)})", "faint")


def _main_first(effects: Iterable[Effect]) -> list[Effect]:
    return sorted(effects, key=lambda effect: (effect.effect.startswith(IDLE), -effect.support[1]))


def _contexts(effect: Effect) -> list[str]:
    contexts = effect.context.split(" or ")
    left = len(contexts) - CONTEXTS
    return contexts[:CONTEXTS] + ([f"in {_count(left, 'other context')}"] if left > 0 else [])


def _glossary(effects: Iterable[str]) -> Iterator[Say]:
    """What the words of terms mean, those of plumbing left out."""
    named = dict.fromkeys(name for effect in effects for name in _CALL.findall(effect))
    for name in named:
        primitive = PRIMITIVES.get(name)
        if primitive is not None and primitive.cost > 1:
            yield Say(f"    {name}: {primitive.doc[:1].lower()}{primitive.doc[1:].rstrip('.')}", "faint")


def _support(counts: Sequence[int]) -> str:
    return f"{counts[0]} of {counts[1]}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
