"""Reading the lines of a conversation: edited and remembered at a terminal, plain from a pipe."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from dabhand.interfaces.cli.output import visible

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.history import History

HISTORY = "chat_history"
MAX_LINE = 1 << 20
"""Bytes of a line from a pipe, at most."""
MAX_COMPLETIONS = 200
STARTS = ("undo that", "do the same for ", "why?", "what does ", "what can you do?", "what did you do?", "show me ",
          "help", "quit", "practise")  # fmt: skip
"""What a line can begin with, besides a request."""


class Lines(Protocol):
    """Where lines come from."""

    def read(self, prompt: str, *, fresh: bool = False) -> str | None:
        """The next line; None at the end. `fresh`: what was typed before the prompt is no answer to it.

        Raises:
            KeyboardInterrupt: somebody pressed Ctrl-C.
        """


class PlainLines:
    """Lines from a pipe or a file, shown after their prompt, so that the transcript reads like a conversation."""

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent

    def read(self, prompt: str, *, fresh: bool = False) -> str | None:
        """The next line."""
        if not self._silent:
            print(prompt, end="", flush=True)
        data = sys.stdin.buffer.readline(MAX_LINE)
        line = data.decode("utf-8", "surrogateescape").rstrip("\r\n")
        if not self._silent and (not sys.stdin.isatty() or not data):
            print(visible(line), flush=True)
        return line if data else None


class EditedLines:
    """Lines from somebody at a terminal, with history and completion.

    Args:
        home: the folder in which the history is kept, readable by its owner only.
        names: the entries of a folder (by path; "" is the root), for completion.
        commands: the commands that can be asked about.
    """

    def __init__(
        self, home: Path, names: Callable[[str], Iterable[str]], commands: Callable[[], Iterable[str]]
    ) -> None:
        from prompt_toolkit import PromptSession

        self._session: PromptSession[str] = PromptSession(
            history=_private_history(home / HISTORY),
            completer=_completer(names, commands),
            complete_while_typing=False,
            enable_history_search=True,
            mouse_support=False,
            reserve_space_for_menu=4,
        )

    def read(self, prompt: str, *, fresh: bool = False) -> str | None:
        """The next line; pasted lines come as one, with newlines in it."""
        if fresh:
            self._drop_typed_ahead()
        try:
            return self._session.prompt(prompt)
        except EOFError:
            return None

    def _drop_typed_ahead(self) -> None:
        """Let no line that was typed or pasted before a question was asked be its answer."""
        from prompt_toolkit.input.typeahead import clear_typeahead

        clear_typeahead(self._session.app.input)
        with contextlib.suppress(ImportError, OSError):
            import termios

            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def lines_for(home: Path, names: Callable[[str], Iterable[str]], commands: Callable[[], Iterable[str]]) -> Lines:
    """Edited lines where somebody sits at a terminal, plain ones elsewhere."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return EditedLines(home, names, commands)
    return PlainLines()


def _private_history(file: Path) -> History:
    """The history, in a file that only its owner can read, whatever the mode it had."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    class Private(FileHistory):
        def store_string(self, string: str) -> None:
            super().store_string(string.encode("utf-8", "replace").decode("utf-8"))

    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        fd = os.open(file, flags, 0o600)
    except OSError as error:
        print(f"dabhand: What you type is not remembered: {error.strerror}: {str(file)!r}.", file=sys.stderr)
        return InMemoryHistory()
    try:
        os.fchmod(fd, 0o600)
    finally:
        os.close(fd)
    return Private(str(file))


def _completer(names: Callable[[str], Iterable[str]], commands: Callable[[], Iterable[str]]) -> Completer:
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class Names(Completer):
        """The beginnings of lines, the names in the folder, and commands after words that ask for one."""

        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            before = document.text_before_cursor
            for text, length in completions(before, names, commands):
                yield Completion(text, start_position=-length, display=visible(text))

    return Names()


def completions(
    before: str, names: Callable[[str], Iterable[str]], commands: Callable[[], Iterable[str]]
) -> list[tuple[str, int]]:
    """What a line may go on with: each text, and how much of the line it stands in place of."""
    found = [(start, len(before)) for start in STARTS if before and start.startswith(before.lower())]
    word = before[before.rfind(" ") + 1 :]
    quote = word[:1] if word[:1] in "\"'" and word else ""
    inside, _, begun = word[len(quote) :].rpartition("/")
    for name in names(inside):
        path = f"{inside}/{name}" if inside else name
        if name.startswith(begun) and name.isprintable() and (begun or not name.startswith(".")):
            found.append((_quoted(path, quote), len(word)))
    if before.lower().startswith(("what does", "explain", "what is", "why")) and word:
        programs = dict.fromkeys(command.split(" ", 1)[0] for command in commands())
        found += [(program, len(word)) for program in programs if program.startswith(word)]
    return found[:MAX_COMPLETIONS]


def _quoted(path: str, quote: str) -> str:
    if quote:
        return f"{quote}{path}{'' if path.endswith('/') else quote}"
    return path if " " not in path else f'"{path}"'
