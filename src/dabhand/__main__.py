"""`python -m dabhand`."""

from __future__ import annotations

from dabhand.interfaces.cli import main

if __name__ == "__main__":
    main()
