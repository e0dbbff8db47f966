"""Which folders a call may be about: those that the host gives, else those that the server was started with."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
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
    """The folders that a host names by `file://` URIs; others are passed over.

    So is the top of the file system, which is what a URI without a path comes out as: who means it names it when the
    server is started.
    """
    paths = []
    for uri in uris:
        try:
            parts = urlsplit(uri)
        except ValueError:
            continue
        path = unquote(parts.path, errors="surrogateescape")
        named = parts.scheme == "file" and parts.netloc in ("", "localhost") and path.startswith("/")
        if named and "\0" not in path and os.path.normpath(path).strip("/"):
            paths.append(Path(path))
    return tuple(paths)


def chosen(named: str | None, roots: Sequence[Path], targets: Mapping[str, str] = {}) -> Path:
    """The folder that a call is about.

    Args:
        named: by the call; relative to the first root; None for the first root that holds all absolute targets.
        roots: the folders that bound every call.
        targets: paths by name.

    Raises:
        UsageError: there is no root, or no such folder.
        NotConfined: the folder is in none of the roots, links followed.
    """
    if not roots:
        raise UsageError(
            "The host gives no folder to work in.", "Open a folder in the host, or start the server with --root."
        )
    absolute = [path for path in targets.values() if path.startswith("/")]
    fitting = (root for root in roots if all(_below(path, root) is not None for path in absolute))
    wanted = next(fitting, roots[0]) if named is None else roots[0] / named
    real = _real(wanted)
    if real is None:
        raise UsageError(f"The root {str(wanted)!r} does not exist.", "Name an existing folder.")
    if not real.is_dir():
        raise UsageError(f"The root {str(wanted)!r} is not a folder.", "Name an existing folder.")
    if not any(real.is_relative_to(bound) for bound in map(_real, roots) if bound is not None):
        allowed = ", ".join(repr(str(root)) for root in roots)
        raise NotConfined(
            f"The root {str(wanted)!r} is outside of what the host allows: {allowed}.", "Name a folder inside."
        )
    return real


def relative(targets: Mapping[str, str], root: Path) -> dict[str, str]:
    """Targets by paths relative to the root, where they are inside of it; others as they are, to be refused by name."""
    return {name: _below(path, root) or path if path.startswith("/") else path for name, path in targets.items()}


def _below(path: str, root: Path) -> str | None:
    """An absolute path as it is called below a root, or None where it is not; a link at its end is not followed."""
    parent, real = _real(Path(path).parent), _real(root)
    if parent is None or real is None:
        return None
    name = Path(path).name
    place = parent / name if name not in ("", "..") else _real(Path(path))
    return None if place is None or not place.is_relative_to(real) else str(place.relative_to(real))


def _real(path: Path) -> Path | None:
    """Where a path leads, or None where it leads nowhere."""
    try:
        return path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None
