"""`dabhand exam`: sit exams whose verdicts come from a host that shares no code with the agent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import INTERRUPTED, common, store_directory, translator_option

if TYPE_CHECKING:
    from dabhand.exams.task import Task
    from dabhand.goals.chain import Only
    from dabhand.practice import LearnReport
    from dabhand.store import Store


_seed = click.option(
    "--seed", metavar="S", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Of what is drawn."
)
_practice = click.option("--no-practice", is_flag=True, help="Do not practise first where nothing was practised yet.")


@click.group("exam")
def command() -> None:
    """Sit exams, each task in a fresh folder, judged by a host that shares no code with the agent."""


@command.command("run")
@click.argument("suite", metavar="original|harder|coding|FILE.jsonl")
@_seed
@_practice
@translator_option
@common
def run(suite: str, seed: int, no_practice: bool, translator: Only, as_json: bool, store: Path | None) -> int:
    """Sit one exam: a suite drawn by the seed, or the tasks of a file.

    Where nothing was practised yet, practice comes first. The exit status says whether the exam was held, not how it
    went: that is the score. Ctrl-C ends it with what was sat so far.
    """
    tasks = tasks_of(suite, seed)

    import msgspec

    from dabhand.exams.sitting import Sitting
    from dabhand.interfaces.cli.exam_tables import Watch, exam_shown
    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.interfaces.cli.recall import recall
    from dabhand.store import Store

    with Store.open(store_directory(store)) as opened:
        practised = None if no_practice else practise_first(opened, seed, plain=as_json)
        sitting = Sitting(opened, suite_name(suite), seed, tasks, translator=translator, recall=recall)
        if practised is not None and practised.interrupted:
            result = sitting.not_sat()
        else:
            result = sitting.run(Watch(len(tasks), plain=as_json))
    if as_json:
        write_document(msgspec.to_builtins(result))
    else:
        console().print(exam_shown(result))
    return INTERRUPTED if result.interrupted else 0


@command.command("show")
@click.argument("suite", metavar="original|harder|coding|FILE.jsonl")
@_seed
@click.option("--json", "as_json", is_flag=True, help="One task line each (JSON Lines), with what the host expects.")
def show(suite: str, seed: int, as_json: bool) -> int:
    """Show the tasks of an exam without sitting it."""
    from dabhand.interfaces.cli.exam_tables import task_shown
    from dabhand.interfaces.cli.output import console, write_document

    tasks = tasks_of(suite, seed)
    screen = None if as_json else console()
    for task in tasks:
        if screen is None:
            write_document(task.to_json())
        else:
            screen.print(task_shown(task))
    return 0


@command.command("series")
@_seed
@_practice
@translator_option
@common
def series(seed: int, no_practice: bool, translator: Only, as_json: bool, store: Path | None) -> int:
    """Sit seven exams, original and harder in turn, seeds going up, each with what the ones before have taught."""
    import msgspec

    from dabhand.exams.series import plan, sit
    from dabhand.interfaces.cli.exam_tables import Watch, exam_shown, series_table
    from dabhand.interfaces.cli.output import console, write_document
    from dabhand.interfaces.cli.recall import recall
    from dabhand.store import Store

    def on_exam(suite: str, seed: int, tasks: int) -> Watch:
        print(f"{suite}, seed {seed}:", file=sys.stderr, flush=True)
        return Watch(tasks, plain=as_json)

    planned = plan(seed)
    with Store.open(store_directory(store)) as opened:
        practised = None if no_practice else practise_first(opened, seed, plain=as_json)
        stopped = practised is not None and practised.interrupted
        taken = () if stopped else planned
        results = list(sit(opened, taken, translator=translator, recall=recall, on_exam=on_exam))
    interrupted = stopped or any(result.interrupted for result in results)
    if as_json:
        write_document({"runs": msgspec.to_builtins(results), "interrupted": interrupted})
    else:
        screen = console()
        for result in results:
            if not result.is_perfect:
                screen.print(exam_shown(result), "")
        screen.print(series_table(results, len(planned)))
    return INTERRUPTED if interrupted else 0


def tasks_of(suite: str, seed: int) -> tuple[Task, ...]:
    """The tasks of a suite, or of a file.

    Raises:
        UsageError: there is no such suite or file, or a line of it is no task.
    """
    from dabhand.exams import read_tasks
    from dabhand.exams.suites import SUITES, draw

    if suite in SUITES:
        return draw(suite, seed)
    if not Path(suite).exists() and not suite.endswith(".jsonl"):
        raise UsageError(f"There is no suite {suite!r}, and no such file.", f"There are: {', '.join(SUITES)}.")
    return read_tasks(Path(suite))


def suite_name(suite: str) -> str:
    """What an exam is called in the store: the suite, or the file's name without its folder."""
    return Path(suite).name


def practise_first(store: Store, seed: int, *, plain: bool) -> LearnReport | None:
    """Practise the pack posix where nothing was practised yet, and say so; None: it was.

    Raises:
        SandboxUnavailable: there is no safe place to run commands.
    """
    if store.count_experiments():
        return None
    from dabhand.interfaces.cli.learn import chosen_templates, summary
    from dabhand.interfaces.cli.progress import watching
    from dabhand.practice import practise

    print("Nothing was practised yet, so practice comes first.", file=sys.stderr, flush=True)
    templates = chosen_templates((), ())
    with watching([template.text for template in templates], plain=plain) as watch:
        report = practise(store, templates, until_understood=True, seed=seed, on_event=watch)
    print(summary(report), file=sys.stderr, flush=True)
    return report
