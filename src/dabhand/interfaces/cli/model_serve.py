"""`dabhand model serve`: keep the local model warm for every other command of this user."""

from __future__ import annotations

import click


@click.command("serve")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Default: any that is free.")
@click.option("--untrained", is_flag=True, help="Without the adapter, to compare.")
def command(port: int, untrained: bool) -> None:
    """Serve the local model on this machine until Ctrl-C.

    It answers llama.cpp's own protocol, OpenAI's (/v1/chat/completions) and Anthropic's (/v1/messages), to whoever has
    the key; the key is in a private file beside the store, which other commands of dabhand read.
    """
    import contextlib
    import os
    import secrets
    import signal
    import threading

    from dabhand.errors import UsageError
    from dabhand.models.local import LocalEngine
    from dabhand.models.served import Address, address_file, known_address, publish
    from dabhand.models.weights import found_weights

    file = address_file()
    if (other := known_address(file)) is not None:
        raise UsageError(f"A model is served already, at {other.url}.", f"End process {other.process} first.")
    key = secrets.token_urlsafe(32)
    engine = LocalEngine(lambda: found_weights(trained=not untrained), port=port, key=key)
    url = engine.load()
    mine = Address(url, key, os.getpid(), "untrained" if untrained else "trained")
    publish(mine, file)
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    click.echo(f"Serving at {url}; the key is in {file}. Ctrl-C ends it.")
    try:
        over.wait()
    finally:
        if known_address(file) == mine:
            with contextlib.suppress(OSError):
                file.unlink()
        engine.close()
