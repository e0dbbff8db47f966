"""Which part reads back what a line writes."""

from __future__ import annotations

from dabhand.handoff.blocks import Source
from dabhand.handoff.plan import CountLines, CountMatches, FindFiles, JsonField, ListFiles, Plan, Search
from dabhand.handoff.raw import Raw
from dabhand.handoff.shells.lines import Shell
from dabhand.handoff.shells.taking import Counts, Field, Lines, Matches, Names, Taking, first_number
from dabhand.handoff.shells.taking_powershell import TextOfPowerShell
from dabhand.workspace.confined import ConfinedFolder


def taking_of(shell: Shell, plan: Plan, folder: ConfinedFolder, path: str, raw: Raw, source: Source | None) -> Taking:
    """What takes in the output for a plan; `path` is what it is about, `source` the file, if it is one."""
    if shell == "powershell":
        return TextOfPowerShell(plan, folder, path, raw, source)
    match plan:
        case ListFiles() | FindFiles():
            return Names(plan, folder, path, raw)
        case Search():
            return Matches(plan, folder, path, raw, below=source is None)
        case CountMatches():
            return Counts(folder, path, raw, below=source is None)
        case CountLines():
            return Counts(folder, path, raw, below=False)
        case JsonField(key=key):
            return Field(raw, source, key)
        case _:
            return Lines(raw, first_number(plan, source))
