"""Which folders a call may be about: those that the host gives, else those that the server was started with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from dabhand.errors import NotConfined, UsageError


class Roots(msgspec.Struct, frozen=True):
    """The folders that the server was started with.

    Attributes:
        named: by whoever started it.
        current: the folder that it was started in, which is the root where nobody names one.
    """

    named: tuple[Path, ...]
    current: Path

    def beside(self, hosts: Sequence[Path] | None) -> Sequence[Path]:
        """The folders that bound a call.

        Args:
            hosts: what the host gives; None where it gives no roots at all. A host that gives none of those it could
                give leaves only what was named.
        """
        if hosts is None:
            return self.named or (self.current,)
        return hosts or self.named


def from_uris(uris: Iterable[str]) -> tuple[Path, ...]:
    """The folders that a host names by `file://` URIs; others are passed over."""
    parts = [urlsplit(uri) for uri in uris]
    return tuple(
        Path(unquote(each.path)) for each in parts if each.scheme == "file" and each.netloc in ("", "localhost")
    )


def chosen(named: str | None, roots: Sequence[Path]) -> Path:
    """The folder that a call is about.

    Args:
        named: by the call; relative to the first root; None for the first root.
        roots: the folders that bound every call.

    Raises:
        UsageError: there is no root, or no such folder.
        NotConfined: the folder is in none of the roots, links followed.
    """
    if not roots:
        raise UsageError(
            "The host gives no folder to work in.", "Open a folder in the host, or start the server with --root."
        )
    wanted = roots[0] if named is None else roots[0] / named
    try:
        real = wanted.resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise UsageError(f"The root {str(wanted)!r} does not exist.", "Name an existing folder.") from None
    if not real.is_dir():
        raise UsageError(f"The root {str(wanted)!r} is not a folder.", "Name an existing folder.")
    if not any(real.is_relative_to(root.resolve()) for root in roots):
        allowed = ", ".join(repr(str(root)) for root in roots)
        raise NotConfined(
            f"The root {str(wanted)!r} is outside of what the host allows: {allowed}.", "Name a folder inside."
        )
    return real
