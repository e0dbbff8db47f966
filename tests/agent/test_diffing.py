"""The difference that a dry run shows."""

from __future__ import annotations

import pytest

from dabhand.agent.diffing import LONGEST, MOST_DELETED, MOST_LINES, unified
from dabhand.workspace import FOLDER, File, Link, Node, State, difference


def shown(before: dict[str, Node], after: dict[str, Node]) -> str:
    return unified(difference(State(before), State(after)))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, File(b"a\nb"), "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"),
        (File(b"a\n"), None, "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"),
        (File(b"a\n" * (MOST_DELETED + 1)), None, f"deleted file of {MOST_DELETED + 1} lines x\n"),
        (File(b"a\r\n"), File(b"a\n"), "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+a\n"),
        (None, File(b""), "new empty file x\n"),
        (File(b""), None, "deleted empty file x\n"),
        (None, FOLDER, "new folder x\n"),
        (FOLDER, None, "deleted folder x\n"),
        (None, Link("a\nb"), 'new link to "a\\012b" x\n'),
        (File(b"a"), File(b"a", True), "x becomes executable\n"),
        (File(b"a", True), File(b"a"), "x becomes not executable\n"),
        (File(b"\0"), None, "deleted binary file of 1 bytes x\n"),
        (File(b"a\n"), File(b"\xff"), "file of 2 bytes x becomes binary file of 1 bytes\n"),
        (None, File(b"a" * (LONGEST + 1)), f"new file of {LONGEST + 1:,} bytes x\n"),
        (None, File(b"\n" * (MOST_LINES + 1)), f"new file of {MOST_LINES + 1:,} bytes x\n"),
        (FOLDER, File(b"a\n"), "folder x becomes file of 2 bytes\n"),
    ],
)
def test_each_kind_of_change(before: Node | None, after: Node | None, expected: str) -> None:
    assert shown({} if before is None else {"x": before}, {} if after is None else {"x": after}) == expected


def test_names_are_on_one_line() -> None:
    assert "\n".join(shown({}, {name: FOLDER})[11:-1] for name in ("a\nb", "\x1b[2J", "\udcff", "\\", "é b")) == (
        '"a\\012b"\n"\\033[2J"\n"\\377"\n"\\\\"\né b'
    )
