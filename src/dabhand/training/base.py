"""The base model for training, and the low-rank matrices that are trained; torch and the rest come from an extra."""

from __future__ import annotations

import hashlib
from importlib import import_module
from pathlib import Path
from typing import Any

from dabhand.errors import UsageError

EXTRA = "Install it with: pip install 'dabhand[train]'"
TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj")
"""The attention's projections."""


def required(name: str) -> Any:
    """A module of the extra.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(f"Training needs {name}, which is not installed.", EXTRA) from error


def base_digest(base: Path) -> str:
    """The SHA-256 of a GGUF file, or of the names and sizes in a snapshot's folder."""
    if base.is_file():
        with base.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    listed = sorted(f"{path.relative_to(base)} {path.stat().st_size}" for path in base.rglob("*") if path.is_file())
    return hashlib.sha256("\n".join(listed).encode()).hexdigest()


def _source(base: Path) -> tuple[str, dict[str, str]]:
    """What `from_pretrained` takes: a GGUF file in its folder, or a snapshot."""
    if not base.exists():
        raise UsageError(f"There is no model at {base}.", "Name a GGUF file or the folder of a snapshot with --base.")
    return (str(base.parent), {"gguf_file": base.name}) if base.is_file() else (str(base), {})


def tokenizer_of(base: Path) -> Any:
    """The base model's tokenizer."""
    folder, more = _source(base)
    return required("transformers").AutoTokenizer.from_pretrained(folder, **more)


def fast_type(wanted: str = "auto") -> Any:
    """The type of weights and activations: bfloat16 where the hardware multiplies it, else float32."""
    torch = required("torch")
    if wanted != "auto":
        return getattr(torch, wanted)
    if torch.cuda.is_available():
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    flags = Path("/proc/cpuinfo")
    known = flags.read_text("utf-8", "replace") if flags.exists() else ""
    return torch.bfloat16 if "avx512_bf16" in known or "amx_bf16" in known else torch.float32


def model_of(base: Path, dtype: Any, device: str = "cpu") -> Any:
    """The base model; a quantised one is taken back to full numbers."""
    transformers = required("transformers")
    folder, more = _source(base)
    options: dict[str, Any] = dict(more)
    if more:  # with its weights packed, as some versions would keep them, nothing can be trained in good time
        options["quantization_config"] = transformers.GgufConfig(dequantize=True)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, **options)
    return model.to(device)


def with_adapter(model: Any, rank: int, alpha: int, *, checkpointing: bool) -> Any:
    """The model with low-rank matrices at its attention's projections, the only weights that are trained."""
    peft = required("peft")
    config = peft.LoraConfig(r=rank, lora_alpha=alpha, target_modules=list(TARGETS), lora_dropout=0.0, bias="none")
    adapted = peft.get_peft_model(model, config)
    if checkpointing:
        adapted.enable_input_require_grads()
        adapted.gradient_checkpointing_enable()
    adapted.train()
    return adapted


def adapter_state(model: Any) -> dict[str, Any]:
    """The trained matrices by name, such as `layers.0.self_attn.q_proj.lora_A`."""
    found = {}
    for name, value in model.named_parameters():
        if value.requires_grad:
            short = name[name.index("layers.") :].removesuffix(".weight").removesuffix(".default")
            found[short] = value
    return found
