"""What "it", "that folder", "the copy" and "both" stand for: what was spoken of before."""

from __future__ import annotations

from dabhand.errors import NotUnderstood
from dabhand.goals import acts as say

_WORDS = {say.IT: "it", say.THERE: "that folder", say.COPY: "the copy", say.ORIGINAL: "the original", say.BOTH: "both"}


class References:
    """What was spoken of so far.

    Attributes:
        last: the file or folder spoken of last.
        rivals: what else "it" may stand for, where that matters.
        described: the file of whose lines something was said last, so that "it" may be those too.
    """

    def __init__(self) -> None:
        self.last: str | None = None
        self.rivals: tuple[str, ...] = ()
        self.described: str | None = None
        self._folder: str | None = None
        self._copied: tuple[str, str] | None = None
        self._source: str | None = None
        self._group: list[str] = []
        self._group_of: type | None = None
        self._mentioned: dict[str, None] = {}

    def speak_of(self, path: str, *, folder: bool = False) -> None:
        """Note that a path is spoken of."""
        self.last = path
        self.rivals = ()
        self.described = None
        self._mentioned[path] = None
        if folder:
            self._folder = path

    def note_folder(self, path: str) -> None:
        """Note a folder that something was put into."""
        self._folder = path

    def note_source(self, path: str) -> None:
        """Note a file that a text was made from."""
        self._source = path

    def note_copy(self, source: str, made: str) -> None:
        """Note what was copied, and what that made."""
        self._copied = (source, made)
        self.rivals = (source,)

    def note_result(self, path: str, act: type) -> None:
        """Note what an act made; results of several acts of a kind in a row are "both", or "them"."""
        if act is not self._group_of:
            self._group, self._group_of = [], act
        self._group.append(path)

    def named(self, path: str) -> str:
        """What a word stands for; a name stands for itself.

        Raises:
            NotUnderstood: nothing of the kind was spoken of.
        """
        if not path.startswith("\0"):
            return path
        word, _, rest = path.partition("/")
        found = {
            say.IT: self.last,
            say.THERE: self._folder,
            say.THIS: self._folder or ".",
            say.COPY: self._copied[1] if self._copied else None,
            say.ORIGINAL: self._copied[0] if self._copied else self._source,
        }.get(word)
        if found is None:
            raise NotUnderstood(f'It is not clear what "{_WORDS[word]}" stands for.', "Name the file or folder.")
        return f"{found}/{rest}" if rest and found != "." else rest or found

    def both(self) -> tuple[str, ...]:
        """What "both" or "them" stands for.

        Raises:
            NotUnderstood: there are not two things, or more than one pair.
        """
        group = tuple(dict.fromkeys(self._group))
        if len(group) < 2 and len(self._mentioned) == 2:
            group = tuple(self._mentioned)
        if len(group) < 2 or (self._group_of in (say.Copy, say.Move) and self._copied is not None):
            raise NotUnderstood('It is not clear what "both" or "them" stands for.', "Name the files.")
        return group
