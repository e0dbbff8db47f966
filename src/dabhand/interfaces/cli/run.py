"""`dabhand run`: run an exact command and hand back what matters of it."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import INTERRUPTED, common, require_folder, store_directory

if TYPE_CHECKING:
    from dabhand.handoff.running.command import Ran


@click.command("run", context_settings={"allow_interspersed_args": False})
@click.option("--root", type=click.Path(path_type=Path), default=Path(), help="Where it runs; by default here.")
@click.option("--evidence-request", "wish", metavar="WISH", help='Which lines are wanted, such as "every warning".')
@click.option("--timeout", type=float, metavar="SECONDS", help="End it, and all that it started, after so long.")
@click.option("--shell", is_flag=True, help="The one argument is a line for bash; every stage of it is told.")
@click.option("--sandbox", is_flag=True, help="No network, and what it changes is thrown away.")
@click.option("--max-lines", type=click.IntRange(min=0), metavar="N", help="Show so many lines of either stream.")
@click.option("--max-bytes", type=click.IntRange(min=0), metavar="N", help="Show so many bytes of either stream.")
@click.argument("argv", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- ARGV...")
@common
def command(
    root: Path,
    wish: str | None,
    timeout: float | None,
    shell: bool,
    sandbox: bool,
    max_lines: int | None,
    max_bytes: int | None,
    argv: tuple[str, ...],
    as_json: bool,
    store: Path | None,
) -> int:
    """Run an exact command, with your own permissions and no input, and say faithfully how it ended.

    Standard output and error are told apart, the lines that matter are picked out (failures and the summary when it
    failed, the summary when it passed), and everything is kept: dabhand artifact show ID.

    \b
        dabhand run -- python -m pytest -q
        dabhand run --shell -- 'make test 2>&1 | tail -5'

    Of a line for the shell every stage is told: it has failed when any stage that matters failed, whatever the last
    one said. The exit status is 0 when all went well, 1 otherwise.
    """  # noqa: D301  (click reads the escape \b as "leave these lines as they are")
    from dabhand.handoff.inspecting import artifacts_of
    from dabhand.handoff.running.command import MOST_BYTES, MOST_LINES, Asked, run_command

    if timeout is not None and not timeout > 0:
        raise UsageError(f"A timeout of {timeout} seconds is none.", "Give a number above zero.")
    asked = Asked(
        argv=argv,
        root=require_folder(root),
        shell=shell,
        wish=wish,
        timeout=timeout,
        most_lines=MOST_LINES if max_lines is None else max_lines,
        most_bytes=MOST_BYTES if max_bytes is None else max_bytes,
    )
    if sandbox:
        from msgspec.structs import replace

        from dabhand.sandbox.confining import confinement

        asked = replace(asked, before=confinement(root))
    artifacts = artifacts_of(store_directory(store))
    signal.signal(signal.SIGTERM, _interrupt)
    if as_json:
        ran = run_command(asked, artifacts, over=_say_it_whole)
        _write(ran)
    else:
        from dabhand.interfaces.cli.running import show, watching

        with watching(asked) as watch:
            ran = run_command(asked, artifacts, watch=watch, over=_say_it_whole)
        show(ran)
    return INTERRUPTED if ran.interrupted else ran.packet.exit_status


def _interrupt(number: int, frame: Any) -> None:
    """Whoever asks that this ends wants the command to end, and to be told what came of it until then."""
    raise KeyboardInterrupt


def _say_it_whole() -> None:
    """From here on it takes an instant, and half a document is worth nothing."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _write(ran: Ran) -> None:
    from dabhand.interfaces.cli.output import write_document

    write_document(ran.packet.to_json())
