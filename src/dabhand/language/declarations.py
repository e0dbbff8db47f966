"""How a primitive is declared: once, with everything that the rest of the project derives from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Protocol, TypeVar

from dabhand.language.kinds import Kind, Value


class FolderView(Protocol):
    """A folder as terms see it. Paths are relative, "." is the folder itself, links are followed."""

    def text(self, path: str) -> str | None:
        """The text of a file, or None where there is no readable file."""

    def names(self, path: str) -> tuple[str, ...] | None:
        """The names in a folder, hidden ones too, in byte order; None where there is no folder."""

    def kind(self, path: str) -> str:
        """What is there: "file", "folder", or another word for what is neither."""


class Primitive:
    """One building block of the language.

    Attributes:
        name: as written in terms.
        takes, gives: the kinds of its arguments and of its result.
        cost: how much it adds to a term's cost; plumbing costs 1, meaning about 2.
        meaning: the Python function; gets the FolderView first when `reads_folder`. Raises only EvalError.
        python: a Python expression with {0}, {1} ... for the arguments; None: a call of the meaning function.
        suggests: constants worth trying, by argument position (enumeration uses constants nowhere else).
        streaming: the same meaning over an iterator of lines, in bounded memory, where there is one.
        doc: one sentence.
    """

    __slots__ = (
        "cost", "doc", "family", "gives", "meaning", "name", "python", "reads_folder", "streaming", "suggests",
        "takes",
    )  # fmt: skip

    def __init__(
        self,
        meaning: Callable[..., Any],
        takes: tuple[Kind, ...],
        gives: Kind,
        cost: int,
        python: str | None,
        suggests: Mapping[int, tuple[Value, ...]],
        streaming: Callable[..., Iterator[str]] | None,
        reads_folder: bool,
    ) -> None:
        self.name = meaning.__name__.rstrip("_")
        self.family = meaning.__module__.rpartition(".")[2]
        self.meaning = meaning
        self.takes = takes
        self.gives = gives
        self.cost = cost
        self.python = python
        self.suggests = suggests
        self.streaming = streaming
        self.reads_folder = reads_folder
        self.doc = " ".join((meaning.__doc__ or "").strip().partition("\n\n")[0].split())

    @property
    def signature(self) -> str:
        """For people: `first(number, lines) -> lines`."""
        return f"{self.name}({', '.join(self.takes)}) -> {self.gives}"

    def __repr__(self) -> str:
        return f"<{self.signature}>"


PRIMITIVES: dict[str, Primitive] = {}
"""Every primitive by name, in order of declaration, but for the blocks."""

BLOCKS: dict[str, Primitive] = {}
"""Primitives that only programs found from examples are built of: what commands do is said without them."""


def primitive_named(name: str) -> Primitive | None:
    """The primitive or block with a name."""
    return PRIMITIVES.get(name) or BLOCKS.get(name)


_F = TypeVar("_F", bound=Callable[..., Any])


def primitive(
    takes: Iterable[Kind],
    gives: Kind,
    *,
    cost: int = 2,
    python: str | None = None,
    suggests: Mapping[int, tuple[Value, ...]] | None = None,
    streaming: Callable[..., Iterator[str]] | None = None,
    reads_folder: bool = False,
    registry: dict[str, Primitive] = PRIMITIVES,
) -> Callable[[_F], _F]:
    """Declare a function as the meaning of a primitive; see `Primitive` for the parts."""

    def declare(meaning: _F) -> _F:
        made = Primitive(meaning, tuple(takes), gives, cost, python, suggests or {}, streaming, reads_folder)
        if primitive_named(made.name):
            raise ValueError(f"primitive {made.name} is declared twice")
        registry[made.name] = made
        return meaning

    return declare


block = partial(primitive, registry=BLOCKS)
"""Declare a function as the meaning of a block; otherwise as `primitive`."""
