"""What somebody showed of what a request means that no words of it say."""

from __future__ import annotations

import msgspec

from dabhand.goals.sketch import Sketch
from dabhand.toolmaking.examples import Example


class Shown(msgspec.Struct, frozen=True):
    """What was shown so far.

    Attributes:
        request: the request that was not understood.
        sketch: the file that it is about, and the one that is to be made of it.
        text: of the file that it is about.
        examples: what should come of which text.
    """

    request: str
    sketch: Sketch
    text: str
    examples: tuple[Example, ...] = ()

    def with_example(self, given: str, output: str) -> Shown:
        """With one more."""
        return msgspec.structs.replace(self, examples=(*self.examples, Example(given, output)))
