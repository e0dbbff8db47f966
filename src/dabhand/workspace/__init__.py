"""The state of a folder as an immutable value: snapshot, difference, confined paths, apply and undo.

Everything that touches a user's real folder goes through this room.
"""

from __future__ import annotations

from dabhand.workspace.resolve import Resolution, resolve
from dabhand.workspace.state import FOLDER, File, Folder, Link, Node, State, encode_text, name_of, parent_of

__all__ = ["FOLDER", "File", "Folder", "Link", "Node", "Resolution", "State", "encode_text", "name_of", "parent_of", "resolve"]
