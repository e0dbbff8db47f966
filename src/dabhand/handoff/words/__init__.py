"""From a request in English to one typed plan, or to the part of it that does not fit.

`read` is the grammar; `translate` the chain of translators that it is one of. Every word has to be accounted for, all
readings are looked for, and two that differ are none.
"""

from __future__ import annotations

from dabhand.handoff.words.chain import Choice, Declined, Origin, Translated, Translator, translate
from dabhand.handoff.words.outcome import Abstained
from dabhand.handoff.words.reading import read

__all__ = ["Abstained", "Choice", "Declined", "Origin", "Translated", "Translator", "read", "translate"]
