"""How a conversation looks: as words and tables for people, as JSON Lines for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from dabhand.agent.moves import Ask, Say, ShowDocument, Tone
from dabhand.interfaces.cli.looking import Look
from dabhand.interfaces.cli.output import visible

if TYPE_CHECKING:
    from dabhand.agent.report import Report

STYLES: dict[Tone, str] = {"plain": "", "strong": "bold", "good": "green", "bad": "yellow", "faint": "dim"}


MAX_SAID = 2000
"""Characters of a sentence for people; names in it may be long."""


class Screen(Protocol):
    """Where a conversation is shown."""

    plain: bool

    def say(self, said: Say) -> None:
        """A line of words."""

    def ask(self, asked: Ask) -> None:
        """A question with its choices."""

    def document(self, shown: ShowDocument) -> None:
        """What is planned, or what became of a request."""

    def look(self, seen: Look) -> None:
        """A part of a file or folder."""

    def report(self, report: Report) -> None:
        """What it has become."""

    def heard(self, line: str | None) -> None:
        """A line was read; what follows belongs to it."""


class People:
    """A terminal, or plain text. Nothing that comes from files reaches it unescaped."""

    plain = False

    def __init__(self) -> None:
        from dabhand.interfaces.cli.output import console

        self._console = console()

    def say(self, said: Say) -> None:
        """A line of words."""
        from rich.text import Text

        text = said.text if len(said.text) <= MAX_SAID else f"{said.text[:MAX_SAID]}…"
        self._console.print(Text(visible(text), STYLES[said.tone]))

    def ask(self, asked: Ask) -> None:
        """A question with its choices."""
        from rich.text import Text

        self._console.print(Text(visible(asked.text), "bold"))
        for number, choice in enumerate(asked.choices, 1):
            self._console.print(Text(f"  {number}) {visible(choice)}"))

    def document(self, shown: ShowDocument) -> None:
        """What is planned, or what became of a request."""
        import msgspec

        from dabhand.interfaces.cli.doing import outcome, proposal

        made = msgspec.to_builtins(shown.document)
        self._console.print(proposal(made) if shown.proposal else outcome(made))

    def look(self, seen: Look) -> None:
        """A part of a file or folder."""
        from rich.text import Text

        name = "this folder" if seen.path in ("", ".") else visible(seen.path)
        if seen.lines:
            first, last = seen.lines[0][0], seen.lines[-1][0]
            part = f", {first} to {last} of {seen.total}" if len(seen.lines) < seen.total else ""
            name += part
        self._console.print(Text(f"{name}{f' ({seen.note})' if seen.note else ''}:", "bold"))
        width = len(str(seen.lines[-1][0])) if seen.lines else 0
        for number, line in seen.lines:
            self._console.print(Text.assemble((f"{number:>{width}}  ", "dim"), visible(line)))

    def report(self, report: Report) -> None:
        """What it has become."""
        from dabhand.interfaces.cli.report import page

        for part in page(report):
            self._console.print(part)

    def heard(self, line: str | None) -> None:
        """Nothing to show: the line is on the screen."""


class Programs:
    """One JSON document for each line that was read, and one before the first."""

    plain = True

    def __init__(self) -> None:
        self._begin(None)

    def _begin(self, line: str | None) -> None:
        self._turn: dict[str, Any] = {"line": line, "said": [], "question": None, "documents": [], "shown": []}

    def say(self, said: Say) -> None:
        """A line of words."""
        self._turn["said"].append(said.text)

    def ask(self, asked: Ask) -> None:
        """A question with its choices."""
        self._turn["question"] = {"text": asked.text, "choices": list(asked.choices)}

    def document(self, shown: ShowDocument) -> None:
        """What is planned, or what became of a request."""
        import msgspec

        self._turn["documents"].append({"proposal": shown.proposal, **msgspec.to_builtins(shown.document)})

    def look(self, seen: Look) -> None:
        """A part of a file or folder."""
        import msgspec

        lines = [{"n": number, "text": text} for number, text in seen.lines]
        self._turn["shown"].append({**msgspec.to_builtins(seen), "lines": lines})

    def report(self, report: Report) -> None:
        """What it has become."""
        import msgspec

        self._turn["report"] = msgspec.to_builtins(report)

    def heard(self, line: str | None) -> None:
        """Write what belongs to the line before; None: there is no other."""
        from dabhand.interfaces.cli.output import write_document

        write_document(self._turn)
        self._begin(line)
