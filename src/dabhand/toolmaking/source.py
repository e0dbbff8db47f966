"""A term as a Python file that stands alone: it reads one file and writes another, whole or not at all."""

from __future__ import annotations

import ast
import re

from dabhand.errors import DabhandError
from dabhand.language import TEXT, Call, Const, Term, Var, show, subterms, variables
from dabhand.language.python_source import to_python

GIVEN = Var("given", TEXT)
"""The text of the file that a tool reads."""


class NoTool(DabhandError):
    """What is wanted cannot be done by a tool that reads one file."""

    code = "no_tool"
    exit_code = 1


_HEAD = '''#!/usr/bin/env python3
"""{name}: read one file, write what is made of it into another.

usage: python3 {name}.py INPUT OUTPUT

Made from: {term}
"""

from __future__ import annotations

import os
import sys
import tempfile
{imports}

'''

_TAIL = '''

def result_of(given: str) -> str:
    """What is made of the text of the file."""
    return {expression}


def main(arguments: list[str]) -> int:
    """Read, work it out, write; on anything that cannot be handled a sentence and exit status 1."""
    if len(arguments) != 2:
        print("usage: {name}.py INPUT OUTPUT", file=sys.stderr)
        return 2
    source, target = arguments
    try:
        with open(source, "rb") as file:
            given = file.read().decode("utf-8", "surrogateescape")
        made = result_of(given).encode("utf-8", "surrogateescape")
        write_whole(os.path.realpath(target), made)
    except (OSError, ValueError, ArithmeticError, LookupError, RecursionError) as error:
        print(f"{name}: {{error}}", file=sys.stderr)
        return 1
    return 0


def write_whole(target: str, data: bytes) -> None:
    """Write beside the target first, so that no half-written file is ever there; a device or a pipe is written to."""
    if os.path.isdir(target):
        raise IsADirectoryError(f"{{target}} is a folder")
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as stream:
            stream.write(data)
        return
    mode = os.stat(target).st_mode & 0o7777 if os.path.isfile(target) else None
    handle, beside = tempfile.mkstemp(dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if mode is None:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        os.chmod(beside, mode)
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''


def stand_alone(term: Term, name: str) -> str:
    """The whole Python file, standard library only.

    Args:
        term: a text made of one file: of `text(...)` of one path or slot.
        name: what the file is called, without its ending.

    Raises:
        NoTool: it reads no file, several, or more of the folder than a file's text.
    """
    body = of_one_text(term)
    made = to_python(body)
    imports = "\n".join(one for one in made.imports if one not in ("import os", "import sys", "import tempfile"))
    return _whole(name, show(body), imports, "\n\n\n".join(made.definitions), made.expression)


def around(code: str, name: str, said: str) -> str:
    """The whole Python file around a function `make(text)` that somebody else wrote.

    Args:
        code: Python that defines it.
        name: what the file is called, without its ending.
        said: what it is to do.
    """
    return _whole(name, said, "", code.strip("\n"), "make(given)")


def _whole(name: str, made_from: str, imports: str, definitions: str, expression: str) -> str:
    imports, definitions = _with_annotations(imports, definitions)
    shown = made_from.replace("\\", "\\\\").replace('"""', "'''")
    head = _HEAD.format(name=name, term=shown, imports=imports)
    return head + definitions + "\n" + _TAIL.format(name=name, expression=expression)


def is_same_program(one: str, other: str) -> bool:
    """Whether two files of Python differ in comments and in how they are laid out, at most."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


_ANNOTATIONS = {"Lines": "tuple[str, ...]", "Numbers": "tuple[Any, ...]", "Number": "Any", "Value": "Any"}
"""What the definitions call their arguments, in words that Python 3.9 can run."""


def _with_annotations(imports: str, definitions: str) -> tuple[str, str]:
    """The imports and definitions with what the annotations speak of."""
    used = [name for name in _ANNOTATIONS if re.search(rf"(?:: |-> |\[){name}\b", definitions)]
    used = [name for name in used if not re.search(rf"^{name}\b.* = ", definitions, re.MULTILINE)]
    if not used:
        return imports, definitions
    aliases = "\n".join(f"{name} = {_ANNOTATIONS[name]}" for name in used)
    lines = set(imports.splitlines()) | ({"from typing import Any"} if "Any" in aliases else set())
    return "\n".join(sorted(lines)), f"{aliases}\n\n\n{definitions}"


def of_one_text(term: Term) -> Term:
    """The term over `given` in place of the one text that it reads.

    Raises:
        NoTool: as `stand_alone` says.
    """
    if term.kind != TEXT:
        raise NoTool("A tool writes a text, and this is none.")
    read = {part for part in subterms(term) if isinstance(part, Call) and part.primitive.reads_folder}
    if len(read) > 1 or any(part.name != "text" for part in read):
        raise NoTool("What is wanted is made of more than one file.", "Ask for it in smaller steps.")
    if not read:
        if GIVEN in variables(term):
            return term
        raise NoTool("What is wanted is made of no file.")
    return _replaced(term, read.pop(), GIVEN)


def _replaced(term: Term, old: Term, new: Term) -> Term:
    if term == old:
        return new
    match term:
        case Call(name=name, args=args):
            return Call(name, tuple(_replaced(arg, old, new) for arg in args))
        case Const() | Var():
            return term
    return term


def read_by(term: Term) -> str | None:
    """The path of the one file that a term reads; None when there is none, or more."""
    found = {
        part.args[0].value
        for part in subterms(term)
        if isinstance(part, Call) and part.name == "text" and isinstance(part.args[0], Const)
    }
    return str(found.pop()) if len(found) == 1 else None
