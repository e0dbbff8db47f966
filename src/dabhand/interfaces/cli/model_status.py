"""`dabhand model status`: which models there are, what the local one was trained on, and what its answers are worth."""

from __future__ import annotations

from typing import Any

import click


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(as_json: bool) -> None:
    """Say which models are here, how the local one was trained, and what it scored.

    Nothing is loaded, and nothing is sent anywhere; whether there is a key is said, never the key.
    """
    document = status()
    if as_json:
        from dabhand.interfaces.cli.output import write_document

        write_document(document)
        return
    for name, value in _lines(document):
        click.echo(f"{name:12} {value}")


def status() -> dict[str, Any]:
    """What there is."""
    import os

    from dabhand.errors import DabhandError
    from dabhand.models.confidence import calibration
    from dabhand.models.keys import key_for
    from dabhand.models.prompts import HEADS
    from dabhand.models.remote import configured
    from dabhand.models.served import address_file, known_address
    from dabhand.models.weights import adapter_file, is_installed, record

    adapter = adapter_file()
    served = known_address(address_file())
    remote: dict[str, Any] | None = None
    try:
        chosen = configured(os.environ)
        if chosen is not None:
            has_key = key_for(chosen.provider, os.environ) is not None
            remote = {"model": chosen.name, "url": chosen.url or None, "key": has_key, "problem": None}
    except DabhandError as error:
        remote = {"model": None, "url": None, "key": False, "problem": error.message}
    trained = record(adapter.parent) if adapter is not None else {}
    known = {task: calibration(task, adapter) for task in HEADS} if adapter is not None else {}
    return {
        "installed": is_installed(),
        "adapter": None if adapter is None else {"file": str(adapter), "bytes": adapter.stat().st_size},
        "record": trained,
        "believed_from": {task: one.enough for task, one in known.items() if one.examples},
        "served": None if served is None else {"url": served.url, "process": served.process},
        "remote": remote,
    }


def _lines(document: dict[str, Any]) -> list[tuple[str, str]]:
    adapter, trained = document["adapter"], document["record"]
    found = [
        ("local model", "installed" if document["installed"] else "not installed: pip install 'dabhand[local]'"),
        ("adapter", "none: the model is not asked untrained" if adapter is None else _size(adapter)),
    ]
    for name in ("examples", "steps", "seconds", "data"):
        if name in trained:
            found.append((name, str(trained[name])))
    scores = trained.get("scores")
    if isinstance(scores, dict):
        found += [(f"score {name}", str(value)) for name, value in scores.items()]
    found += [("believed", f"{task} from a confidence of {v:.3f} on") for task, v in document["believed_from"].items()]
    served, remote = document["served"], document["remote"]
    found.append(("served", "no: dabhand model serve keeps it warm" if served is None else f"at {served['url']}"))
    if remote is None:
        found.append(("remote", "none is configured"))
    elif remote["problem"]:
        found.append(("remote", remote["problem"]))
    else:
        found.append(("remote", f"{remote['model']}, {'with' if remote['key'] else 'without'} a key"))
    return found


def _size(adapter: dict[str, Any]) -> str:
    return f"{adapter['file']} ({adapter['bytes'] / 1e6:.1f} MB)"
