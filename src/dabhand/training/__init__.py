"""Training the small local model: sets from a seed, an adapter from the sets, and from that files that others load.

torch, transformers, peft and gguf come from the extra `train`, and are imported when something is trained or exported.
"""
