"""Handing over inspections: exact targets, typed plans, original lines as evidence, every raw result kept.

A request is bound, read into one of ten typed plans (or given ready), confined, carried out without giving any text to
a shell, and answered with a packet. Nothing is imported here, so that each part costs only whoever uses it.
"""
