"""What expressions speak of, and how they are named in messages."""

from __future__ import annotations

from dabhand.goals import acts as say


def speaks_of_it(expression: say.Expression) -> bool:
    """Whether it is about what was spoken of before."""
    match expression:
        case say.FileText(path):
            return path == say.IT
        case say.Changed(of=of):
            return speaks_of_it(of)
        case say.Joined(parts):
            return any(map(speaks_of_it, parts))
        case _:
            return False


def speaks_of_both(expression: say.Expression) -> bool:
    """Whether it is about the several files spoken of before."""
    while isinstance(expression, say.Changed):
        expression = expression.of
    return expression == say.Joined((say.FileText(say.BOTH),))


def say_text(expression: say.Expression) -> str:
    """An expression in a few words, for messages."""
    match expression:
        case say.FileText(say.IT):
            return "the result"
        case say.FileText(path):
            return repr(path)
        case say.Words(text=text):
            return repr(text)
        case say.Names(path):
            return f"the names in {path!r}"
        case say.Changed(operation, args, of):
            return f"{say_text(of)} {operation.replace('_', ' ')}" + "".join(f" {arg!r}" for arg in args)
        case say.Joined(parts):
            return " and ".join(map(say_text, parts))
