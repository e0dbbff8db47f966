"""Texts that are cut short inside JSON."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from dabhand.corpus.shortening import shortened

TEXTS = st.text(st.sampled_from('ab"\\\n\té漢😀\x00')) | st.text(max_size=40)
VALUES = st.recursive(
    TEXTS | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=12
)


@given(VALUES, st.integers(12, 40), st.integers(1, 9), st.booleans())
def test_what_is_sound_stays_sound(value: object, room: int, step: int, in_ascii: bool) -> None:
    data = json.dumps(value, ensure_ascii=in_ascii).encode()
    chunks = [data[at : at + step] for at in range(0, len(data), step)]
    found, is_cut = shortened(chunks, 1 << 20, room)
    assert found is not None
    if is_cut:
        assert _alike(value, json.loads(found)) and len(found) < len(data)
    else:
        assert found == data


def _alike(whole: object, short: object) -> bool:
    """Whether one is the other with texts cut behind some letter."""
    match whole, short:
        case str(), str():
            return whole.encode().startswith(short.encode()) or whole.startswith(short)
        case list(), list():
            return len(whole) == len(short) and all(map(_alike, whole, short))
        case dict(), dict():  # two keys may have become one
            return len(short) <= len(whole)
        case _:
            return whole == short


def test_too_much_even_so() -> None:
    assert shortened([b"[1," * 100], 200) == (None, False)
