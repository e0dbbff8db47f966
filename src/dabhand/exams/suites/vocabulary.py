"""Words, sentences and names of which tasks are made; the lists are in vocabulary.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec


class Vocabulary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to draw from; what each list is for is said where it stands."""

    words: tuple[str, ...]
    small: tuple[str, ...]
    targets: tuple[str, ...]
    accented: tuple[str, ...]
    sentences: tuple[str, ...]
    stems: tuple[str, ...]
    endings: tuple[str, ...]
    odd_files: tuple[str, ...]
    scripts: tuple[str, ...]
    folders: tuple[str, ...]
    odd_folders: tuple[str, ...]


@cache
def vocabulary() -> Vocabulary:
    """The lists."""
    text = files(__package__).joinpath("vocabulary.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Vocabulary)
