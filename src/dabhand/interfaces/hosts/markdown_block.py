"""A marked block in a Markdown file that belongs to somebody else."""

from __future__ import annotations

BEGIN = "<!-- dabhand: what follows is kept by `dabhand host` -->"
END = "<!-- dabhand: end -->"


def has(text: str) -> bool:
    """Whether the block is there."""
    return _span(text) is not None


def put(text: str, body: str) -> str:
    """The text with the block at its end, in place of an older one."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([BEGIN, *body.strip().splitlines(), END]) + newline
    span = _span(text)
    if span is not None:
        return text[: span[0]] + block + text[span[1] :]
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return text + gap + block


def take(text: str) -> str:
    """The text without the block and the blank line before it."""
    span = _span(text)
    if span is None:
        return text
    head, rest = text[: span[0]], text[span[1] :]
    for newline in ("\r\n", "\n"):
        if head.endswith(newline * 2):
            head = head.removesuffix(newline)
            break
    return head + rest


def _span(text: str) -> tuple[int, int] | None:
    start = text.find(BEGIN)
    end = text.find(END, start)
    if start < 0 or end < 0:
        return None
    end += len(END)
    for newline in ("\r\n", "\n"):
        if text.startswith(newline, end):
            return start, end + len(newline)
    return start, end
