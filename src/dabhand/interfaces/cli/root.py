"""The root command, and what every way of ending becomes: an exit status, and one sentence or one JSON document."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from dabhand import __version__
from dabhand.errors import DabhandError, UsageError
from dabhand.interfaces.cli.lazy_group import LazyGroup
from dabhand.interfaces.cli.options import INTERRUPTED

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""What the system says when a stream takes no more."""

# Summaries stand here and not only in the commands, because listing them must not import the commands.
SUMMARIES = {
    "demo": "Watch it practise from nothing, then carry out one real request.",
    "learn": "Practise commands in a sandbox until their effects are known.",
    "commands": "Show what is believed about every command.",
    "explain": "Show the rules of one command, with their evidence.",
    "predict": "Ask what commands would do (JSON Lines in, JSON Lines out).",
    "inspect": "Look at files for somebody else: typed plans, original lines.",
    "artifact": "Show and let go the whole results that are kept.",
    "do": "Carry out a request on a folder.",
    "run": "Run an exact command and hand back what matters of it.",
    "tool": "Make, list, test and remove small programs of its own.",
    "chat": "Talk about the files of a folder.",
    "history": "Show what was asked for, and whether it still stands.",
    "undo": "Put back what a run changed.",
    "exam": "Sit exams that are judged by an independent host.",
    "report": "Show what it has become, in numbers.",
    "corpus": "Recover real work from the transcripts of agents.",
    "world": "Export or import everything learned, as JSON.",
    "mcp": "Serve coding agents over the Model Context Protocol.",
    "host": "Add dabhand to coding agents, and take it out again.",
    "model": "Train the small local model, and see what it is.",
    "bench": "Measure something, and keep the numbers under a label.",
    "doctor": "Say what was found on this machine, and how to mend what is missing.",
}


class Interruption(DabhandError):
    """Somebody pressed Ctrl-C, and the command itself had nothing to say about it."""

    code = "interrupted"
    exit_code = INTERRUPTED


@click.group(
    cls=LazyGroup,
    summaries=SUMMARIES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="dabhand")
def root() -> None:
    """A terminal specialist: learns what commands do by trying them, and plans with what it learned."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status; nothing that is meant to happen ends in a traceback."""
    _require_streams()
    try:
        status = _status_of(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # whoever read our output has seen enough
        _silence(sys.stdout)
        return 1
    except OSError as error:
        if error.filename is not None or error.errno not in UNWRITABLE:
            raise
        _silence(sys.stdout)
        try:
            click.echo(f"dabhand: The output cannot be written: {error.strerror}.", err=True)
            click.echo("  Make room, or send it elsewhere.", err=True)
        except OSError:  # there is nowhere left to say it; the exit status does
            _silence(sys.stderr)
        return 1


def _require_streams() -> None:
    """Stand in for standard streams that are closed, so that no file of ours is opened in their place."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(opened if opened == number else os.dup2(opened, number), mode))


def _silence(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, so that it does not complain when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _status_of(arguments: Sequence[str]) -> int:
    try:
        status = root.main(args=list(arguments), prog_name="dabhand", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        return _complain(arguments, UsageError(_sentence(error.format_message()), _usage_hint(error)))
    except (KeyboardInterrupt, click.Abort):
        return _complain(arguments, Interruption("Interrupted."))
    except DabhandError as error:
        return _complain(arguments, error)


def _complain(arguments: Sequence[str], error: DabhandError) -> int:
    from dabhand.interfaces.cli.output import visible, write_document

    ours = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--json" in ours:
        write_document({"error": {"code": error.code, "message": error.message, "hint": error.hint}})
    else:
        click.echo(f"dabhand: {visible(error.message)}", err=True)
        if error.hint:
            click.echo(f"  {visible(error.hint)}", err=True)
    return error.exit_code


def _sentence(message: str) -> str:
    return message if message.endswith((".", "?", "!")) else message + "."


def _usage_hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f"See: {context.command_path} --help" if context else ""
