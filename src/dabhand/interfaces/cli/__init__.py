"""The command line: one file per command, each imported only when it is asked for, so that `--help` starts fast."""

from __future__ import annotations


def main() -> None:
    """Run the command line of this process and exit with the status that contracts.md gives it."""
    import gc
    import sys

    gc.disable()  # starting makes many objects and no garbage; commands that run for longer have it enabled again
    try:
        from dabhand.interfaces.cli.root import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # before anything could say it better
        wants_json = "--json" in sys.argv
        said = '{"error": {"code": "interrupted", "message": "Interrupted.", "hint": ""}}\n'
        print(said if wants_json else "dabhand: Interrupted.\n", end="", file=sys.stdout if wants_json else sys.stderr)
        status = 130
    gc.freeze()  # nor is anything gained by looking through all of it once more at the end
    sys.exit(status)
