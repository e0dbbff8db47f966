"""dabhand: a terminal specialist that learns what commands do by trying them."""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself would cost every start
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from typing import Literal

    from dabhand.handoff.bindings import Targets
    from dabhand.handoff.packet import Packet as Packet
    from dabhand.handoff.plan import Plan

__version__ = "0.1.0"


def inspect_request(
    root: str | os.PathLike[str],
    request: str | None = None,
    targets: Targets | None = None,
    evidence_request: str | None = None,
    backend: Literal["native", "bash", "powershell"] = "native",
    *,
    plan: Plan | Mapping[str, object] | str | None = None,
    translator: Literal["auto", "memory", "grammar", "local", "remote"] = "auto",
    max_lines: int | None = None,
    max_bytes: int | None = None,
    timeout: float | None = None,
    store: str | os.PathLike[str] | None = None,
) -> Packet:
    """Hand over an inspection of the files in a folder.

    Args:
        root: the folder; nothing outside it is read.
        request: what is wanted, in words, with `{{name}}` for each target.
        targets: files or folders inside the root, by name.
        evidence_request: which lines of the result are wanted, in words.
        backend: what carries it out.
        plan: a ready typed plan instead of a request; no language is used.
        translator: what may read the words.
        max_lines: lines in `output` at most (default: 1,000).
        max_bytes: bytes in `output` at most (default: 64 KiB).
        timeout: seconds that a shell may take.
        store: the folder in which results are kept (default: as for the command line).

    Returns:
        A packet; what went wrong is said in it (`status`, `error`).
    """
    from dabhand.handoff.inspecting import Wish, artifacts_of, inspect
    from dabhand.handoff.limits import MAX_BYTES, MAX_LINES, Limits

    wish = Wish(
        request=request,
        targets=targets or (),
        evidence=evidence_request,
        plan=plan,
        backend=backend,
        translator=translator,
        limits=Limits(MAX_LINES if max_lines is None else max_lines, MAX_BYTES if max_bytes is None else max_bytes),
        timeout=timeout,
    )
    return inspect(root, wish, artifacts_of(None if store is None else str(store)))


def __getattr__(name: str) -> object:
    if name == "Packet":
        from dabhand.handoff.packet import Packet

        return Packet
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
