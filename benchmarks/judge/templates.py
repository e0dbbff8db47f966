"""What is judged: the 35 templates of the starting pack, and templates that no primitive was made for.

Beside each template stands what a sensible person would put into its path slots, in order of name: `file` an
existing file, `folder` an existing folder, `any` either, `new` a free name, `output` a free name or sometimes an
existing file, `more` a file that is usually there, `place` a free name or a folder.
"""

from __future__ import annotations

import re

PACK: dict[str, str] = {
    "mkdir {A}": "new",
    "mkdir -p {A}": "new",
    "rmdir {A}": "folder",
    "touch {A}": "output",
    "rm {A}": "file",
    "rm -r {A}": "any",
    "cp {A} {B}": "file place",
    "cp -r {A} {B}": "any place",
    "mv {A} {B}": "any place",
    "chmod +x {A}": "any",
    "cat {A}": "file",
    "ls {A}": "any",
    "echo {T} > {A}": "output",
    "echo {T} >> {A}": "more",
    "cat {A} >> {B}": "file more",
    "cat {A} {B} > {C}": "file file output",
    "paste {A} {B} > {C}": "file file output",
    "sort {A} > {B}": "file output",
    "sort -r {A} > {B}": "file output",
    "sort -n {A} > {B}": "file output",
    "sort -u {A} > {B}": "file output",
    "uniq {A} > {B}": "file output",
    "tac {A} > {B}": "file output",
    "rev {A} > {B}": "file output",
    "nl {A} > {B}": "file output",
    "tr a-z A-Z < {A} > {B}": "file output",
    "head -n {N} {A} > {B}": "file output",
    "tail -n {N} {A} > {B}": "file output",
    "grep {T} {A} > {B}": "file output",
    "grep -v {T} {A} > {B}": "file output",
    "grep -c {T} {A} > {B}": "file output",
    "sed -i 's/{T}/{U}/g' {A}": "file",
    "wc -l < {A} > {B}": "file output",
    "wc -w < {A} > {B}": "file output",
    "wc -c < {A} > {B}": "file output",
}

OUTSIDE: dict[str, str] = {
    "cut -d, -f{N} {A} > {B}": "file output",
    "head -c {N} {A} > {B}": "file output",
    "tail -n +{N} {A} > {B}": "file output",
    "head -n 1 {A}": "file",
    "grep -i {T} {A} > {B}": "file output",
    "grep -F {T} {A} > {B}": "file output",
    "grep -E {T} {A} > {B}": "file output",
    "tr -d {T} < {A} > {B}": "file output",
    "wc -l {A}": "file",
    "basename {A}": "any",
    "dirname {A}": "any",
    "ln -s {A} {B}": "any place",
    "readlink {A}": "any",
    "date > {A}": "output",
    "shuf {A} > {B}": "file output",
    "mktemp {A}XXXX": "new",
    "sort -u -r {A} > {B}": "file output",
    "fold -w {N} {A} > {B}": "file output",
    "uniq -c {A} > {B}": "file output",
    "md5sum {A}": "file",
    "cp -p {A} {B}": "file place",
    "cp {A} {A}.bak": "file",
    "rm -f {A}": "file",
    "mkdir {A} {B}": "new new",
    "sed -n '{N}p' {A} > {B}": "file output",
    "sed '{N}d' {A} > {B}": "file output",
    "sed 's/^/# /' {A} > {B}": "file output",
    "cat -n {A} > {B}": "file output",
    "expr {N} + 1 > {B}": "output",
    "seq {N} > {A}": "output",
    "printf '%s\\n' {T} > {A}": "output",
    'echo "{T}" > {A}': "output",
    "truncate -s {N} {A}": "output",
    "diff {A} {B}": "file file",
    "comm {A} {B} > {C}": "file file output",
    "find {A}": "any",
    "du {A}": "any",
    "test -f {A}": "any",
    "stat -c %s {A} > {B}": "any output",
    "false {A}": "any",
}

SUITES = {"posix": PACK, "outside": OUTSIDE}


def slots_of(template: str) -> list[str]:
    """The names of a template's slots, sorted, each once: "A" to "D" paths, "T" and "U" words, "N" a number."""
    return sorted(set(re.findall(r"\{([A-DTUN])\}", template)))


def path_roles(template: str) -> dict[str, str]:
    """What a sensible person would put into each path slot."""
    roles = (PACK | OUTSIDE)[template].split()
    return dict(zip([slot for slot in slots_of(template) if slot in "ABCD"], roles, strict=True))
