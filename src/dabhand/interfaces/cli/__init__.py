"""The command line: one file per command, each imported only when it is asked for, so that `--help` starts fast."""

from __future__ import annotations


def main() -> None:
    """Run the command line of this process and exit with the status that contracts.md gives it."""
    import sys

    try:
        from dabhand.interfaces.cli.root import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)
