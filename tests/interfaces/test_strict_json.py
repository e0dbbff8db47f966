"""Documents are JSON for strict readers, whatever bytes names and files hold."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.interfaces.cli.output import write_document
from tests.interfaces.command_line import dabhand

TEXTS = st.text(st.characters(exclude_categories=())) | st.binary().map(os.fsdecode)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS | st.just("reason"), inner),
    max_leaves=8,
)


def written(document: object) -> object:
    with pytest.MonkeyPatch.context() as patched:
        lines: list[str] = []

        class Out:
            write = staticmethod(lines.append)
            flush = staticmethod(lambda: None)

        patched.setattr("sys.stdout", Out)
        write_document(document)
    return msgspec.json.decode("".join(lines))  # refuses lone surrogates, as strict readers do


@given(DOCUMENTS)
def test_every_document_is_strict_json(document: object) -> None:
    written(document)


@given(st.binary())
def test_text_that_is_not_utf8_is_carried_byte_for_byte(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    try:
        expected: object = {"answer": data.decode()}
    except UnicodeDecodeError:
        expected = {"answer": {"base64": base64.b64encode(data).decode()}}
    assert written({"answer": text}) == expected


def test_sentences_and_keys_show_such_bytes_as_escapes() -> None:
    assert written({"reason": "no \udcff", "\udcfe": 1}) == {"reason": "no \\xff", "\\xfe": 1}


def test_a_request_about_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    store, root = tmp_path / "store", tmp_path / "root"
    root.mkdir()
    (root / os.fsdecode(b"\xff.txt")).write_bytes(b"\xfe\n")
    dabhand("learn", "--template", "cat {A}", "--experiments", "40", "--seed", "1", "--store", str(store), "--json")
    target = b"x=\xff.txt".decode("utf-8", "surrogateescape")
    done = dabhand("do", "Show {{x}}", "--target", target, "--root", str(root), "--store", str(store), "--json")
    result = msgspec.json.decode(done.stdout)
    assert json.loads(done.stdout)["status"] == "done", result
    assert result["answer"] == {"base64": base64.b64encode(b"\xfe").decode()}
    assert result["plan"][0]["slots"]["A"] == {"base64": base64.b64encode(b"\xff.txt").decode()}
