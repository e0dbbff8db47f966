"""Measuring translators and selectors on sets of examples: what was carried out is held against an independent result.

An answer is right when carrying it out comes to what the wanted plan comes to in real shell tools; how it is written
does not matter. Whatever cannot be read, is no plan, comes too late or names what is not there is a failure.
"""
