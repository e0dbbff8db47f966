"""Agent transcripts turned into evidence: triples of request, command and result, with where each was found.

`readers` has one file per source; `sources` keeps what was read; `extracting` does the work, in parts that can be
taken up again.
"""
