"""Terms say, byte for byte, what the real programs print: compared on random files and words."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from dabhand.language import NUMBER, PATH, WORD, EvalError, evaluate, parse
from dabhand.language.samples import TextFolder, random_bytes_text, random_number, random_text, random_word, word_from

SLOTS = {"A": PATH, "B": PATH, "P": PATH, "D": PATH, "T": WORD, "U": WORD, "N": NUMBER}
PATHS = ("a", "a/b", "a/b/", "/", "//", "/a", "a//b", "a.txt", "./a", "x/y.tar.gz", "..", ".", "a/", "b c/d e")
TABLE = [
    line.split("\t", 1)
    for line in Path(__file__).with_name("commands.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
CASES = 12


def is_gnu(program: str) -> bool:
    found = shutil.which(program)
    if found is None:
        return False
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    return "GNU" in said or "util-linux" in said


@pytest.fixture(scope="module", autouse=True)
def _programs() -> None:
    if not all(map(is_gnu, ("sort", "grep", "sed", "rev"))):
        pytest.skip("the programs of this machine are not the ones that the language describes")


@pytest.mark.parametrize(("command", "text"), TABLE, ids=[command for command, _ in TABLE])
def test_a_term_says_what_the_program_prints(command: str, text: str, tmp_path: Path) -> None:
    term, rng = parse(text, SLOTS), random.Random(command)
    for _ in range(CASES):
        texts = {"a": random_bytes_text(rng), "b": random_text(rng)}
        words = {"T": random_word(rng), "U": random_word(rng), "P": rng.choice(PATHS)}
        if rng.random() < 0.5:
            words["T"] = word_from(rng, texts["a"])
        number = random_number(rng)
        ok, printed = run(command, tmp_path, texts, {**words, "N": str(number)})
        try:
            said = evaluate(term, {"A": "a", "B": "b", "D": ".", "N": number, **words}, TextFolder(texts))
        except EvalError:
            assert not ok, f"no value for {texts!r} {words!r} {number}, printed {printed!r}"
            continue
        assert said == printed, f"{texts!r} {words!r} {number}"
        assert ok or command.startswith("rev")


def run(command: str, folder: Path, texts: dict[str, str], variables: dict[str, str]) -> tuple[bool, str]:
    for name, text in texts.items():
        folder.joinpath(name).write_bytes(text.encode("utf-8", "surrogateescape"))
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **variables}
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, check=False)
    ok = done.returncode == 0 or (command.startswith("grep") and done.returncode == 1)
    return ok, done.stdout.decode("utf-8", "surrogateescape")
