"""The host of an exam: makes the folder of a task, reads it back with plain system calls, and judges what it finds."""

from __future__ import annotations
