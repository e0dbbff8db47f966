"""What is asked, or refused, before a file is changed that somebody meant to keep, and what is said when none is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dabhand.agent.do import carry_out
from dabhand.agent.document import DoDocument
from dabhand.commands import parse_template
from dabhand.practice import practise
from dabhand.sandbox import probe
from dabhand.store import Store

pytestmark = pytest.mark.skipif(not any(tier.available for tier in probe()), reason="no isolation on this machine")
TEMPLATES = ("sort {A} > {B}", "cat {A} >> {B}", "rm {A}", "mv {A} {B}", "chmod +x {A}", "mkdir {A}")
APPEND = "Append b.txt to a.txt"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("learned")) as opened:
        practise(opened, [parse_template(text) for text in TEMPLATES], until_understood=True, experiments=400, seed=1)
        yield opened


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("Call\nBob\n")
    (tmp_path / "b.txt").write_text("call\n")
    return tmp_path


@pytest.mark.parametrize("request_", [APPEND, "Make a.txt executable", "Write the lines of b.txt sorted into a.txt"])
@pytest.mark.parametrize("dry_run", [False, True])
def test_a_file_with_another_name_is_not_parted_from_it(store: Store, root: Path, request_: str, dry_run: bool) -> None:
    os.link(root / "a.txt", root / "h.txt")
    document = carry_out(store, request_, root, yes=True, dry_run=dry_run)
    assert document.status == "refused" and "'a.txt' has another name (a hard link)" in document.reason, document
    assert not document.changes
    assert (root / "a.txt").stat().st_ino == (root / "h.txt").stat().st_ino
    assert (root / "a.txt").read_text() == "Call\nBob\n"


@pytest.mark.parametrize("request_", ["Delete a.txt", "Rename a.txt to c.txt"])
def test_one_name_of_several_can_go(store: Store, root: Path, request_: str) -> None:
    os.link(root / "a.txt", root / "h.txt")
    assert carry_out(store, request_, root, yes=True).status == "done"
    assert not (root / "a.txt").exists() and (root / "h.txt").read_text() == "Call\nBob\n"


@pytest.mark.parametrize("request_", [APPEND, "Delete a.txt"])
def test_what_is_write_protected_is_asked_about_by_name(store: Store, root: Path, request_: str) -> None:
    (root / "a.txt").chmod(0o444)
    refused = carry_out(store, request_, root)
    assert refused.status == "refused" and "Write-protected: 'a.txt'." in refused.reason
    assert (root / "a.txt").read_text() == "Call\nBob\n"
    asked: list[DoDocument] = []
    said_no = carry_out(store, request_, root, confirm=lambda document: bool(asked.append(document)))
    assert "Write-protected: 'a.txt'." in asked[0].reason and said_no.status == "refused"
    done = carry_out(store, request_, root, yes=True)
    assert done.status == "done" and "Write-protected: 'a.txt'." in done.reason
    if request_ == APPEND:
        assert (root / "a.txt").stat().st_mode & 0o777 == 0o444


def test_a_request_that_is_met_already_says_so(store: Store, root: Path) -> None:
    (root / "c.txt").write_text("call\n")
    document = carry_out(store, "Write the lines of b.txt sorted into c.txt", root)
    assert (document.status, document.changes) == ("done", ())
    assert document.reason.startswith("Nothing to do")


def test_a_word_that_is_there_in_other_letters_is_named(store: Store, root: Path) -> None:
    document = carry_out(store, "Replace call with phone in a.txt", root, yes=True)
    assert (document.status, document.changes) == ("done", ())
    assert document.reason.startswith("Nothing to do") and "'Call'" in document.hint


def test_ways_to_take_a_request_are_numbered_and_in_words(store: Store, root: Path) -> None:
    document = carry_out(store, "Count the lines of a.txt and b.txt", root)
    if document.status == "abstained" and "ways" in document.reason:
        assert "(1) " in document.reason and "(2) " in document.reason and "digits(" not in document.reason
