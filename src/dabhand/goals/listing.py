"""What a folder holds: its names, and the one file of a kind."""

from __future__ import annotations

from dabhand.goals.goal import Ambiguous, Refused
from dabhand.language import Call, Const, FolderView, Kind, Term


def only_file(ending: str, folder: FolderView) -> str:
    """The one file whose name ends so.

    Raises:
        Refused, Ambiguous: there is none, or several.
    """
    names = [name for name in folder.names(".") or () if name.lower().endswith(ending)]
    found = [name for name in names if folder.kind(name) == "file"]
    if not found:
        raise Refused(f"There is no file whose name ends in {ending!r}.", "Name the file.")
    if len(found) > 1:
        raise Ambiguous(
            f"There are {len(found)} files whose names end in {ending!r}, {found[0]!r} and {found[1]!r} among them.",
            "Name the file.",
        )
    return found[0]


def names_in(path: str, kind: str, folder: FolderView) -> Term:
    """The names in a folder that is as it was: of its files, its folders, or all.

    Raises:
        Ambiguous: only some of its names are asked for, and it holds others too.
    """
    shown = [name for name in folder.names(path or ".") or () if not name.startswith(".")]
    kinds = {folder.kind(f"{path}/{name}" if path else name) for name in shown}
    if kind != "all" and kinds - {kind.removesuffix("s")}:
        raise Ambiguous(
            f"{path or 'The folder'!r} holds more than {kind}, so the request can be taken in 2 ways: the names of "
            f"its {kind} only; or: all names.",
            'Ask for "everything in" the folder if all names are meant.',
        )
    return Call("unlines", (Call("visible", (Call("names", (Const(path or ".", Kind.PATH),)),)),))
