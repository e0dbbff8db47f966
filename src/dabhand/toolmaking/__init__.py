"""Grows new commands: programs found by search from examples or written by a model, tested, kept, practised.

A search works without any language model; `search` is its public face.
"""
