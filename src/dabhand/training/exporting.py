"""A trained adapter as files that others load: a GGUF adapter for llama.cpp, a Modelfile for Ollama, merged weights."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from dabhand.errors import UsageError
from dabhand.training.base import base_digest, model_of, required, tokenizer_of
from dabhand.training.training import ADAPTER, CHECKPOINT, RECORD

NAMES = {"q_proj": "attn_q", "k_proj": "attn_k", "v_proj": "attn_v", "o_proj": "attn_output"}
"""The attention's projections as llama.cpp calls them."""

GGUF = "adapter.gguf"
MODELFILE = "Modelfile"


def export(run: Path, out: Path, base: Path, *, epoch: int | None = None, merged: bool = False) -> dict[str, Any]:
    """Write what a run trained: adapter, Modelfile and record; and merged weights, where they are asked for.

    Args:
        run: the folder of a run.
        out: where the files go.
        base: what it was trained on.
        epoch: the adapter as it was after this epoch; None for the end.
        merged: write base and adapter as one model too.

    Raises:
        UsageError: there is no such adapter, or it was trained on another base.
    """
    record = _record(run)
    if record.get("base") != base_digest(base):
        raise UsageError(f"The adapter in {run} was not trained on {base}.", "Name its base with --base.")
    weights = load_adapter(run, epoch)
    alpha = float(record["settings"]["alpha"])
    out.mkdir(parents=True, exist_ok=True)
    size = to_gguf(weights, alpha, out / GGUF, architecture_of(base), "dabhand")
    (out / MODELFILE).write_text(modelfile(base.name if base.is_file() else str(base)), "utf-8")
    kept = {**record, "exported_epoch": epoch} if epoch is not None else record
    (out / RECORD).write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    files = [GGUF, MODELFILE, RECORD]
    if merged:
        save_merged(base, weights, alpha, out / "merged")
        files.append("merged")
    return {"adapter": str(out / GGUF), "bytes": size, "matrices": len(weights), "files": files}


def _record(run: Path) -> dict[str, Any]:
    """What is known of a run; of one that goes on still, what its checkpoint says."""
    torch = required("torch")
    if (run / RECORD).exists():
        found: dict[str, Any] = json.loads((run / RECORD).read_text("utf-8"))
        return found
    if not (run / CHECKPOINT).exists():
        raise UsageError(f"There is no run in {run}.", "Train one with dabhand model train.")
    kept = torch.load(run / CHECKPOINT, weights_only=True)
    losses = kept["losses"]
    return {**json.loads(kept["identity"]), "steps": kept["step"], "seconds": round(kept["seconds"], 1),
            "sittings": kept["sittings"], "loss": round(sum(losses[-50:]) / len(losses[-50:]), 4)}  # fmt: skip


def load_adapter(run: Path, epoch: int | None = None) -> dict[str, Any]:
    """The matrices that a run trained, by name.

    Raises:
        UsageError: there are none.
    """
    file = run / (ADAPTER if epoch is None else f"epoch-{epoch}.pt")
    if not file.exists():
        raise UsageError(f"There is no trained adapter in {run}.", "Train one with dabhand model train.")
    found: dict[str, Any] = required("torch").load(file, weights_only=True)
    return found


def to_gguf(weights: dict[str, Any], alpha: float, target: Path, architecture: str, name: str) -> int:
    """Write matrices as an adapter that llama.cpp loads beside its base; how many bytes it has.

    Args:
        weights: by names such as `layers.0.self_attn.q_proj.lora_A`.
        alpha: the product is scaled by alpha / rank.
        target: the file; it appears whole or not at all.
        architecture: the base's, as GGUF names it.
        name: of the adapter.

    Raises:
        UsageError: a matrix is of no projection that is known.
    """
    gguf: Any = required("gguf")
    new = target.with_name(f"{target.name}.{os.getpid()}")
    writer = gguf.GGUFWriter(new, architecture)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(alpha))
    writer.add_name(name)
    for key in sorted(weights):
        writer.add_tensor(_gguf_name(key), weights[key].float().cpu().numpy().astype("float16"))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    new.replace(target)
    return target.stat().st_size


def _gguf_name(key: str) -> str:
    """`layers.3.self_attn.q_proj.lora_A` is `blk.3.attn_q.weight.lora_a` there."""
    parts = key.split(".")
    if len(parts) != 5 or parts[3] not in NAMES or parts[4] not in ("lora_A", "lora_B"):
        raise UsageError(f"{key!r} is no matrix of an attention's projection.")
    return f"blk.{parts[1]}.{NAMES[parts[3]]}.weight.{parts[4].lower()}"


def architecture_of(base: Path) -> str:
    """The architecture that a base model has, as GGUF names it.

    Raises:
        UsageError: it says none that is known.
    """
    if base.is_file():
        reader: Any = required("gguf").GGUFReader(base)
        return str(reader.get_field("general.architecture").contents())
    kind = str(required("transformers").AutoConfig.from_pretrained(str(base)).model_type)
    known = {"gemma3_text": "gemma3", "qwen2": "qwen2", "qwen3": "qwen3"}
    if kind not in known:
        raise UsageError(f"Models of the kind {kind!r} cannot be exported.", "Export gemma3, qwen2 or qwen3.")
    return known[kind]


def modelfile(base: str, adapter: str = GGUF) -> str:
    """What makes Ollama serve the base with the adapter; prompts are sent raw, as they are."""
    return (
        f"FROM {base}\nADAPTER ./{adapter}\n"
        'TEMPLATE """{{ .Prompt }}"""\nPARAMETER temperature 0\nPARAMETER num_ctx 4096\nPARAMETER stop "<eos>"\n'
    )


def adapted(base: Path, weights: dict[str, Any], alpha: float, dtype: Any = None) -> Any:
    """The base with the adapter's matrices multiplied in, as transformers holds it."""
    torch = required("torch")
    model = model_of(base, dtype or torch.float32)
    layers = dict(model.named_parameters())
    with torch.no_grad():
        for key, first in weights.items():
            if key.endswith(".lora_A"):
                stem = key.removesuffix(".lora_A")
                second = weights[f"{stem}.lora_B"]
                change = (second.float() @ first.float()) * (alpha / first.shape[0])
                target = layers[f"model.{stem}.weight"]
                target.add_(change.to(target.dtype))
    return model.eval()


def save_merged(base: Path, weights: dict[str, Any], alpha: float, target: Path) -> None:
    """Write base and adapter as one model that needs neither."""
    model = adapted(base, weights, alpha)
    model.config.__dict__.pop("quantization_config", None)
    model.hf_quantizer = None
    model.is_quantized = False
    model.save_pretrained(target, state_dict=dict(model.state_dict()))
    tokenizer_of(base).save_pretrained(target)
