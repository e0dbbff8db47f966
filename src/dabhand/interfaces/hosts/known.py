"""The coding agents that dabhand can be added to: where each keeps its settings, and in which form.

Sources, looked at in November 2026: the documentation of Claude Code (MCP servers of a user in ~/.claude.json, rules in
~/.claude/rules, hooks in ~/.claude/settings.json), of Codex (config.toml and AGENTS.md in $CODEX_HOME), of Cursor
(~/.cursor/mcp.json, skills in ~/.cursor/skills) and of Gemini CLI (settings.json and GEMINI.md in ~/.gemini).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

SERVER = "dabhand"
"""What the server is called in every host."""

HOOK_ARGUMENTS = ("host", "hook")


class Host(msgspec.Struct, frozen=True):
    """A coding agent on this machine.

    Attributes:
        name: as on the command line; title: as people call it.
        home: the folder that is there when the host was ever used.
        settings: the file that lists MCP servers, and the names that lead to ours in it.
        form: of that file.
        extra: what an entry holds beside command and arguments.
        instructions: where what an agent should know goes, as a file of our own or a block in one of the user's.
        hooks: the file of hooks, where the host has them.
    """

    name: str
    title: str
    home: Path
    settings: Path
    path: tuple[str, ...]
    form: Literal["json", "toml"]
    instructions: Path
    instructions_as: Literal["file", "block", "skill"]
    type_named: bool = False
    hooks: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """All that installing may write to."""
        return (self.settings, self.instructions, *([] if self.hooks is None else [self.hooks]))


def hosts(home: Path, environment: Mapping[str, str]) -> dict[str, Host]:
    """The hosts that are known, by name.

    Args:
        home: the user's home folder.
        environment: $CLAUDE_CONFIG_DIR and $CODEX_HOME move a host's folder.
    """
    moved = environment.get("CLAUDE_CONFIG_DIR")
    claude = Path(moved) if moved else home / ".claude"
    codex = Path(environment.get("CODEX_HOME") or home / ".codex")
    cursor, gemini = home / ".cursor", home / ".gemini"
    rules, skill = claude / "rules/dabhand.md", cursor / "skills/dabhand/SKILL.md"
    table = ("mcp_servers", SERVER)
    known = (
        _of_json("claude-code", "Claude Code", claude, (claude if moved else home) / ".claude.json", rules, hooks=True),
        Host("codex", "Codex", codex, codex / "config.toml", table, "toml", codex / "AGENTS.md", "block"),
        _of_json("cursor", "Cursor", cursor, cursor / "mcp.json", skill, "skill"),
        _of_json("gemini", "Gemini CLI", gemini, gemini / "settings.json", gemini / "GEMINI.md", "block"),
    )
    return {host.name: host for host in known}


def _of_json(
    name: str,
    title: str,
    home: Path,
    settings: Path,
    instructions: Path,
    kind: Literal["file", "block", "skill"] = "file",
    *,
    hooks: bool = False,
) -> Host:
    """A host that keeps its servers as most do; the one that has hooks also wants the type of a server named."""
    path, file = ("mcpServers", SERVER), home / "settings.json" if hooks else None
    return Host(name, title, home, settings, path, "json", instructions, kind, hooks, file)
