"""Command templates: text with slots, the packs they come in, and how a filling is quoted into one.

A template never holds a value and a filling never becomes syntax: `render` is the only place where the two meet.
"""

from __future__ import annotations

from dabhand.commands.catalogue import Pack, load_pack
from dabhand.commands.rendering import Filling, render
from dabhand.commands.template import Slot, Template, parse_template

__all__ = ["Filling", "Pack", "Slot", "Template", "load_pack", "parse_template", "render"]
