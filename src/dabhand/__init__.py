"""dabhand: a terminal specialist that learns what commands do by trying them."""

from __future__ import annotations

__version__ = "0.1.0"
