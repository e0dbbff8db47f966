"""The worker: a program of standard-library Python (3.9 or later) that runs inside the sandbox.

It is sent in as source text (`bundle.py`), so nothing of dabhand needs to be visible there, and it imports nothing of
dabhand but its own files. It trusts nothing that an experiment could have touched.
"""
