"""`dabhand corpus check`: recorded commands and the operations they map to, run side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

SHOWN = 20


@click.command("check")
@click.argument("corpus", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, for programs.")
def command(corpus: Path, as_json: bool) -> int:
    """Run every command of DIR that maps to an operation, a term or a change in the sandbox, and that natively.

    Labels go to DIR/labels.jsonl: agrees, differs (with the reason), or cannot run.
    """
    import time
    from collections import Counter

    import msgspec

    from dabhand.corpus.checking import Label, check
    from dabhand.corpus.redacting import redacted, texts_of
    from dabhand.corpus.stored import replacing, triples_of
    from dabhand.interfaces.cli.output import write_document
    from dabhand.sandbox import open_worker

    triples = triples_of(corpus)
    by_id = {triple.id: triple for triple in triples}
    labels: list[Label] = []
    begun = time.perf_counter()
    with open_worker() as worker, replacing(corpus / "labels.jsonl") as stream:
        for label in check(triples, worker):
            labels.append(label)
            private = redacted(msgspec.to_builtins(label), texts_of(by_id[label.id]))
            stream.write(msgspec.json.encode(private) + b"\n")
    seconds = time.perf_counter() - begun
    counts = Counter(label.label for label in labels)
    unexplained = [label for label in labels if label.label == "differs" and not label.explained]
    statements = {((label.id, label.statement), label.operation) for label in labels}
    document: dict[str, Any] = {
        "commands": len(statements),
        "kinds": dict(Counter(operation for _, operation in statements).most_common()),
        "labels": {name: counts[name] for name in ("agrees", "differs", "cannot_run")},
        "unexplained": len(unexplained),
        "reasons": dict(Counter(label.reason for label in labels if label.reason).most_common()),
        "by_operation": dict(Counter(f"{label.operation}: {label.label}" for label in labels).most_common()),
        "per_second": round(len(labels) / seconds, 1) if seconds else 0.0,
        "out": str(corpus / "labels.jsonl"),
    }
    if as_json:
        write_document(document)
    else:
        _show(document, unexplained)
    return 1 if unexplained else 0


def _show(document: dict[str, Any], unexplained: list[Any]) -> None:
    from dabhand.interfaces.cli.output import console, visible

    screen = console()
    labels = document["labels"]
    screen.print(
        f"{document['commands']} commands, {sum(labels.values())} checks ({document['per_second']} a second):"
        f" {labels['agrees']} agree, {labels['differs']} differ, {labels['cannot_run']} cannot run."
    )
    screen.print(", ".join(f"{count} {name}" for name, count in document["kinds"].items()))
    for reason, count in list(document["reasons"].items())[:SHOWN]:
        screen.print(f"{count:6}  {visible(reason)}")
    for label in unexplained[:SHOWN]:
        screen.print(f"unexplained: {visible(label.command[:80])}: {visible(label.reason)}")
    screen.print(f"Labels in {visible(document['out'])}")
