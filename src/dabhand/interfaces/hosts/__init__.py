"""Coding agents that dabhand serves: where they keep their settings, how it is added to them, and taken out again."""
