"""Runs the session that README.md shows, for real, and puts what came out between its two marks."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- session: made by docs/session.py -->\n", "<!-- end of session -->\n"
WIDTH = "100"
PIANO = "Schumann\nChopin\nRavel\nBach\nChopin\nSatie\nBach\nMompou\n"

SESSION = (
    "dabhand learn >table 2>progress; head -n 3 progress; tail -n 2 table",
    "dabhand explain 'sort -u {A} > {B}'",
    "dabhand explain 'mkdir {A}'",
    "cat piano.txt",
    "dabhand do 'Write the lines of piano.txt sorted and without duplicates into uniq.txt.' --root .",
    "cat uniq.txt",
    "dabhand do 'Delete whatever is old.' --root .",
)


def main() -> None:
    """Run it in a fresh folder with a fresh store."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "music"
        folder.mkdir()
        (folder / "piano.txt").write_text(PIANO, "utf-8")
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "DABHAND_HOME": str(Path(temporary) / "store"),
            "COLUMNS": WIDTH,
        }
        shown = [_run(line, folder, environment) for line in SESSION]
    before, _, rest = README.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}```console\n{chr(10).join(shown)}```\n{END}{after}", "utf-8")


def _run(line: str, folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    lines = [each.rstrip() for each in (done.stdout + done.stderr).splitlines()]
    return "".join(f"{each}\n" for each in (f"$ {line}", *lines))


if __name__ == "__main__":
    main()
