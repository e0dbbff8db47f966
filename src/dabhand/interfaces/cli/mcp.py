"""`dabhand mcp`: serve coding agents over the Model Context Protocol."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

import click

from dabhand.errors import UsageError
from dabhand.interfaces.cli.options import require_folder, store_directory

TOKEN = "DABHAND_MCP_TOKEN"


@click.command(short_help="Serve coding agents over MCP.")
@click.option(
    "--root",
    "roots",
    metavar="DIR",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A folder to work in, where the host gives none.  [default: the current one]",
)
@click.option(
    "--http", "port", metavar="PORT", type=click.IntRange(1, 65535), help="Serve HTTP on this machine instead."
)
@click.option("--store", metavar="DIR", type=click.Path(path_type=Path), help="Where everything learned is kept.")
def command(roots: tuple[Path, ...], port: int | None, store: Path | None) -> None:
    """Serve coding agents over standard input and output, until they close it.

    With --http, every request must bear the token in $DABHAND_MCP_TOKEN, or the one that is printed.
    """
    try:
        import anyio

        from dabhand.interfaces.mcp import server
        from dabhand.interfaces.mcp.roots import Roots
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("anyio", "mcp", "mcp_types"):
            raise
        raise UsageError(
            "The server needs the MCP SDK, which is not installed.", "pip install 'dabhand[mcp]'"
        ) from error
    folders = Roots(tuple(require_folder(root).absolute() for root in roots), Path.cwd())
    made = server.make(store_directory(store).absolute(), folders)
    try:
        if port is None:
            anyio.run(server.serve_streams, made)
        else:
            token = os.environ.get(TOKEN) or secrets.token_urlsafe(24)
            if TOKEN not in os.environ:
                click.echo(f"Token: {token}", err=True)
            click.echo(f"Serving on http://127.0.0.1:{port}/mcp", err=True)
            anyio.run(server.serve_http, made, port, token)
    except* (BrokenPipeError, ConnectionResetError):
        sys.stderr.close()
