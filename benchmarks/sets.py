"""Held-out sets, each drawn and carried out once and then kept in a temporary folder."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from judge.drawing import generate
from judge.scoring import read_lines

JUDGE = Path(__file__).parent / "judge"
SPARE = 50  # one in so many is drawn on top, in the place of those whose outcome cannot be repeated


def fresh_set(suite: str, seed: int, count: int, cache: Path | None = None) -> list[dict[str, Any]]:
    """`count` held-out experiments of a seed.

    Args:
        suite: "posix" or "outside".
        seed: of the drawing.
        count: how many.
        cache: where sets are kept (default: a folder of this user below the temporary one).
    """
    folder = cache if cache is not None else Path(tempfile.gettempdir()) / f"dabhand-heldout-{os.getuid()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{suite}-{seed}-{count}-{_judge_digest()}.jsonl"
    if not path.exists():
        rows, _ = generate(seed, count + count // SPARE + 1, suite)
        _write_whole(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows[:count]))
    return read_lines(path)


def _judge_digest() -> str:
    """Changes when the judge does, so that no set of an older judge is used."""
    digest = hashlib.sha256()
    for path in sorted(JUDGE.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _write_whole(path: Path, text: str) -> None:
    """Write a file so that nobody, ever, reads half of it."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(text)
    Path(file.name).replace(path)
