"""Files whose contents and names have led shells astray, and plans about each of them."""

from __future__ import annotations

import os
from pathlib import Path

from dabhand.handoff.plan import (
    CountLines,
    CountMatches,
    FindFiles,
    FirstLines,
    LastLines,
    LineRange,
    ListFiles,
    Plan,
    Search,
    WholeFile,
)

CONTENTS: dict[str, bytes] = {
    "empty": b"",
    "newline": b"\n",
    "newlines": b"\n\n\n",
    "plain": b"one\ntwo ERROR here\nthree\nfour error\nfive\nERROR six\nseven\n",
    "open": b"one\ntwo ERROR\nlast without newline ERROR",
    "crlf": b"one\r\ntwo ERROR\r\nthree\r\n",
    "progress": b"start\n10%\r20%\r ERROR at 30%\r100%\ndone\n",
    "bom": b"\xef\xbb\xbffirst ERROR\nsecond\n",
    "utf16le": "eins\nzwei ERROR ä\ndrei\n".encode("utf-16"),
    "utf16be": b"\xfe\xff" + "eins\nzwei ERROR ä\ndrei".encode("utf-16-be"),
    "latin1": "caf\xe9\nERROR \xfc\n\xff\n".encode("latin-1"),
    "unicode": "größe ERROR\nЖ жЖ\n日本語\n\u2028 ERROR \u0085\n".encode(),
    "nul": b"a\0b ERROR\n\0\nc\n",
    "special": b"$HOME `id` \\n 'q' \"d\" ERROR\n-n -e --\n*?[a]{1}\n^ERROR$\n",
    "numbers": b"1:2:3\n4-5-6 ERROR\n--\n7:ERROR\n",
    "colours": b"\x1b[31mERROR\x1b[0m\nfine\n",
}

NAMES: list[bytes] = [
    b"plain.log",
    b"two words.log",
    b" leading",
    b"trailing ",
    b"-n",
    b"--help",
    b"[draft]'s.log",
    b'double"quote',
    b"$HOME.log",
    b"`id`",
    b"$(id)",
    b"back\\slash\\n",
    b"semi;colon|pipe&and>out<in",
    b"star*?[a-z]",
    b"{a,b}",
    b"~",
    b"#comment",
    b"!bang!",
    b"new\nline",
    b"tab\there",
    "größe日本.log".encode(),
    "\u2019typographic\u2018".encode(),
    b"latin\xe9\xff.log",
    b"x" * 255,
    b".hidden.log",
    b"a=b",
    b"1kb",
    b"%PATH%^",
]


def write(root: Path) -> None:
    """A folder with every content, every name, and a tree."""
    for name, data in CONTENTS.items():
        (root / f"{name}.txt").write_bytes(data)
    names = root / "names"
    names.mkdir()
    for at, name in enumerate(NAMES):
        (names / os.fsdecode(name)).write_bytes(b"content of %d\nERROR %d\n" % (at, at))
    tree = root / "tree"
    for folder in ("a", "a/deep", "a-b", ".hid", "B"):
        (tree / folder).mkdir(parents=True)
    for at, path in enumerate(("a/x.log", "a/deep/y.log", "a-b/z.txt", ".hid/h.log", "B/.p.log", "top.log", "b.TXT")):
        (tree / path).write_bytes(b"ERROR in %d\nfine\n" % at * (at + 1))
    (tree / "binary.log").write_bytes(b"\0\0ERROR\n")
    (tree / "link.log").symlink_to("top.log")
    (tree / "outside").symlink_to("/etc/passwd")
    (tree / "folder-link").symlink_to("a")
    (tree / "dangling").symlink_to("nowhere")
    for path, age in (("top.log", 10_000), ("a/x.log", 100_000)):
        os.utime(tree / path, (1_700_000_000 - age, 1_700_000_000 - age))


def plans_of_file(path: str) -> list[Plan]:
    """What is asked of a file."""
    return [
        FirstLines(path=path, count=2),
        LastLines(path=path, count=2),
        LineRange(path=path, first=2, last=3),
        LineRange(path=path, first=2),
        WholeFile(path=path),
        CountLines(path=path),
        Search(path=path, value="ERROR"),
        Search(path=path, value="error", ignore_case=True, before=1, after=1),
        Search(path=path, value="ERROR", max_count=1, after=2),
        Search(path=path, value="^ERROR|[0-9]+:", regex=True),
        CountMatches(path=path, value="ERROR"),
    ]


SPECIAL_VALUES = [
    "'",
    '"',
    "$HOME",
    "`id`",
    "-n",
    "--",
    "\\n",
    "*?[a]",
    "^ERROR$",
    " ",
    "ä",
    "Ж",
    "\udcff",
    "\t",
    "\x1b[",
]

PLANS_OF_FOLDERS: list[Plan] = [
    ListFiles(path="names"),
    ListFiles(path="names", hidden=True, kind="all"),
    ListFiles(path="names", glob="*.log"),
    ListFiles(path="names", glob="[[]*"),
    ListFiles(path="names", glob=".h*"),
    ListFiles(path="names", value="*?["),
    ListFiles(path="names", value="\\"),
    ListFiles(path="tree", kind="folders"),
    ListFiles(path="tree"),
    ListFiles(path="tree", kind="all", glob="*.log", ignore_case=True),
    ListFiles(path="."),
    FindFiles(path="tree"),
    FindFiles(path="tree", kind="folders", hidden=False),
    FindFiles(path="tree", kind="all", max_depth=1),
    FindFiles(path="tree", glob="*.txt", ignore_case=True),
    FindFiles(path="tree", hidden=False, value="o"),
    FindFiles(path="tree", min_bytes=20, max_bytes=60),
    FindFiles(path=".", min_bytes=0, glob="*"),
    FindFiles(path="tree", kind="folders", max_bytes=10**9),
    FindFiles(path="tree", min_age=50_000.0, max_age=2e9),
    Search(path="tree", value="ERROR", recursive=True),
    Search(path="tree", value="ERROR", recursive=True, hidden=False),
    Search(path="tree", value="ERROR", glob="*.log"),
    Search(path="tree", value="fine", recursive=True, before=1, max_count=3),
    Search(path="tree", value="nothing of the kind", recursive=True),
    Search(path="names", value="ERROR", after=1),
    CountMatches(path="tree", value="ERROR", recursive=True),
    CountMatches(path="names", value="error", ignore_case=True),
]
