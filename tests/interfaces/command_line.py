"""Runs the real command line in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

DABHAND = (sys.executable, "-m", "dabhand")


def dabhand(*arguments: str, given: bytes = b"", timeout: float = 120) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*DABHAND, *arguments], input=given, capture_output=True, timeout=timeout, check=False)


def document(done: subprocess.CompletedProcess[bytes]) -> Any:
    (line,) = done.stdout.splitlines()
    return json.loads(line)


def documents(done: subprocess.CompletedProcess[bytes]) -> list[Any]:
    return [json.loads(line) for line in done.stdout.splitlines()]
