"""`dabhand do`: carry out a request on a folder."""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import INTERRUPTED, common, require_folder, store_directory, translator_option

if TYPE_CHECKING:
    from dabhand.agent import DoDocument
    from dabhand.agent.do import Confirm
    from dabhand.agent.growing import Offer, Offering
    from dabhand.goals.chain import Only
    from dabhand.interfaces.cli.working import Working

STATUS_EXITS = {"done": 0, "not_done": 1, "abstained": 3, "needs_tool": 3, "refused": 3}

Document = Mapping[str, Any]


class _Asked:
    """A request on its way: whether carrying it out was begun, and what came of that."""

    begun = False
    result: DoDocument | None = None


@click.command("do")
@click.argument("request")
@click.option("--root", metavar="DIR", type=click.Path(path_type=Path), required=True, help="The folder to work on.")
@click.option("--target", "pairs", metavar="NAME=PATH", multiple=True, help="What a {{NAME}} in the request means.")
@click.option("--dry-run", is_flag=True, help="Plan, try it in the sandbox, show what would change; change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask before changing anything.")
@click.option("--agreed", metavar="DIGEST", help="Do it if it is what a dry run with this digest showed, else refuse.")
@translator_option
@click.option("--no-tools", is_flag=True, help="Plan with what was practised alone; make no new command for it.")
@common
def command(
    request: str,
    root: Path,
    pairs: tuple[str, ...],
    dry_run: bool,
    yes: bool,
    agreed: str | None,
    no_tools: bool,
    translator: Only,
    as_json: bool,
    store: Path | None,
) -> int:
    """Carry out REQUEST on a folder, by planning with what was learned.

    The plan runs in the sandbox first, on a staged view of the folder. Only when every condition of the goal holds
    there, and nothing else changed, is the difference applied to the folder. At a terminal you are asked before that;
    elsewhere what deletes or overwrites needs --yes. What no command does takes a tool, a small program that is made,
    tested and practised first; that too is asked about, or agreed to with --yes.
    """
    require_folder(root)
    targets = targets_from(pairs)

    asked = _Asked()
    try:
        _carry_out(asked, request, root, targets, dry_run, yes, agreed, not no_tools, translator, as_json, store)
    except KeyboardInterrupt as error:
        if asked.result is None:
            before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left to be said is said whole
            try:
                _say_interrupted(_interrupted(request, dry_run, asked.begun, error), as_json)
            finally:
                signal.signal(signal.SIGINT, before)
            return INTERRUPTED
    return _said(asked, as_json)


def _said(asked: _Asked, as_json: bool) -> int:
    """Say what came of a request; the exit status."""
    import msgspec

    document = msgspec.to_builtins(asked.result)
    if as_json:
        _write(document)
    else:
        _show(document)
    return STATUS_EXITS[document["status"]]


def _carry_out(
    asked: _Asked,
    request: str,
    root: Path,
    targets: Mapping[str, str],
    dry_run: bool,
    yes: bool,
    agreed: str | None,
    tools: bool,
    translator: Only,
    as_json: bool,
    store: Path | None,
) -> None:
    from dabhand.agent.do import carry_out
    from dabhand.interfaces.cli.recall import recall
    from dabhand.interfaces.cli.working import Working
    from dabhand.store import Store

    with Working(shown=not as_json) as working, Store.open(store_directory(store)) as opened:
        confirm = None if as_json else _someone_to_ask(root, working)
        asked.begun = True
        asked.result = carry_out(
            opened,
            request,
            root,
            targets=targets,
            dry_run=dry_run,
            yes=yes,
            agreed=agreed,
            confirm=confirm,
            translator=translator,
            recall=recall,
            progress=working.say,
            tools=tools,
            offer=None if as_json else _someone_to_offer_to(working),
        )


def _interrupted(request: str, dry_run: bool, begun: bool, error: KeyboardInterrupt) -> Document:
    """What can be said when somebody interrupts: all of it, or, before anything was begun, just that."""
    known = getattr(error, "document", None)
    if known is not None:
        import msgspec

        made: Document = msgspec.to_builtins(known)
        return made
    # Written out, because the interrupt may have come while the modules that could say it were being imported.
    return {
        "status": "not_done", "request": request, "goal": None, "goal_from": "grammar", "lm_calls": 0, "attempts": 0,
        "plan": [], "self_check": None, "changes": [], "digest": None, "loses": [], "answer": None,
        "tools_made": [], "run_id": None,
        "timings_ms": {}, "reason": "Interrupted.", "dry_run": dry_run, "imagined": 0, "diff": None,
        "staged": "", "general": True,
        "hint": "What it did is in: dabhand history" if begun else "Nothing was changed.",
    }  # fmt: skip


def _say_interrupted(document: Document, as_json: bool) -> None:
    if as_json:
        _write(document)
    else:
        click.echo(f"dabhand: {document['reason']} {document['hint']}", err=True)


def _show(document: Document) -> None:
    from dabhand.interfaces.cli.doing import coloured, outcome
    from dabhand.interfaces.cli.output import console

    screen = console()
    screen.print(outcome(document))
    if document["diff"]:
        screen.print()
        screen.print(coloured(document["diff"]), soft_wrap=True)


def _write(document: Document) -> None:
    """Write the one document whole: an interrupt comes too late by now."""
    from dabhand.interfaces.cli.output import write_document

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        write_document(document)
    finally:
        signal.signal(signal.SIGINT, before)


def targets_from(pairs: Sequence[str]) -> dict[str, str]:
    """The bindings of `--target NAME=PATH`.

    Raises:
        UsageError: one is no such pair, or a name comes twice.
    """
    targets: dict[str, str] = {}
    for pair in pairs:
        name, equals, path = pair.partition("=")
        if not name or not equals or not path:
            raise UsageError(f"--target {pair!r} is not NAME=PATH.")
        if name in targets:
            raise UsageError(f"--target names {name!r} twice.")
        targets[name] = path
    return targets


def _is_somebody_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _someone_to_offer_to(working: Working) -> Offering | None:
    """Whoever sits at the terminal, to be asked whether a tool is to be made."""
    if not _is_somebody_there():
        return None

    def ask(offer: Offer) -> bool:
        from dabhand.interfaces.cli.output import console, visible

        with working.paused():
            console(error=True).print(
                f"None of my commands can do that. A tool would: {visible(offer.does)}", markup=False
            )
            try:
                return click.confirm(f"Shall I make the tool {offer.name!r}, and test it?", err=True)
            except click.Abort as error:  # Ctrl-C, or the end of the input
                raise KeyboardInterrupt from error

    return ask


def _someone_to_ask(root: Path, working: Working) -> Confirm | None:
    """Whoever sits at the terminal, if anybody does; questions go to standard error."""
    if not _is_somebody_there():
        return None

    def ask(document: DoDocument) -> bool:
        import msgspec

        from dabhand.interfaces.cli.doing import proposal
        from dabhand.interfaces.cli.output import console, visible

        with working.paused():
            console(error=True).print(proposal(msgspec.to_builtins(document)))
            try:
                return click.confirm(f"Tried in the sandbox. Do it in {visible(str(root))!r}?", err=True)
            except click.Abort as error:  # Ctrl-C, or the end of the input
                raise KeyboardInterrupt from error

    return ask
