"""dabhand's own command line as the server's child: told on standard input what to do, and gone when the server is.

Run as `python -P -m dabhand.interfaces.mcp.child`. The first line of standard input holds the arguments (JSON), so that
they are bounded by no limit of the system's; the rest of it never comes, and its end says that the server is gone,
however it died. `-P` keeps the modules of whatever folder the server stands in from being taken for ours.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

GRACE = 5.0
"""Seconds to end what was started, once the server is gone."""


def main() -> None:
    """Read the arguments, carry them out, and end when nobody is left who asked."""
    import msgspec

    given = b""
    while not given.endswith(b"\n"):
        piece = os.read(0, 1 << 16)
        if not piece:
            return
        given += piece
    sys.argv[1:] = msgspec.json.decode(given, type=list[str])
    threading.Thread(target=_watch, daemon=True).start()
    from dabhand.interfaces.cli import main as command_line

    command_line()


def _watch() -> None:
    """Wait for the server's end; then interrupt as Ctrl-C would, and a little later kill all of our group."""
    while os.read(0, 1 << 16):
        pass
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(GRACE)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
