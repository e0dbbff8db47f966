"""`python -m dabhand`."""

from __future__ import annotations

import sys

if not sys.flags.safe_path and sys.path:
    # `-m` puts the folder one stands in first: a project's own click.py would be run in place of the library.
    del sys.path[0]

from dabhand.interfaces.cli import main

if __name__ == "__main__":
    main()
