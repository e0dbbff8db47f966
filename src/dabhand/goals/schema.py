"""Goals as JSON for language models: the schema, drawn from the language's primitives, and a strict reader.

`{"conditions": [{"path": "b.txt", "is": "file", "content": {"upper": [{"text": ["a.txt"]}]}}], "others": "unchanged"}`:
as the contract's form, but that a content is a term as plain JSON data, which a model can be held to while it writes.
Text that is written out is `{"constant": "...", "kind": "text"}`. A content that is a string is read as the contract
prints terms, so that one reader reads both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dabhand.errors import NotUnderstood
from dabhand.goals.goal import Answers, Condition, Goal, Holds, IsCopy, condition_from_json, condition_to_json
from dabhand.language import Call, Const, Kind, subterms
from dabhand.language.json_form import from_json, schema, to_json

MAX_CONDITIONS = 200
_FIELDS = {"path", "is", "content"}
_PLAIN = ("folder", "absent", "executable", "not executable")


def goal_schema(primitives: Iterable[str] | None = None, depth: int | None = None) -> dict[str, Any]:
    """The JSON schema of goals.

    Args:
        primitives: names of those that contents may use; all of them when None.
        depth: how many calls may be inside one another; None: any number, by a schema that refers to itself.

    Raises:
        LanguageError: no content is that shallow.
    """
    contents = schema((), Kind.TEXT, primitives, depth)
    top = contents["$ref"].rpartition("/")[2]
    definitions = contents["$defs"]
    written = {"constant": {"type": "string"}, "kind": {"const": "text"}}
    calls = [one for one in definitions[top]["anyOf"] if one.get("type") == "object"]
    definitions["content"] = {"anyOf": [_object(written), *calls]}
    definitions["name"] = {"type": "string", "minLength": 1}
    content, name = {"$ref": "#/$defs/content"}, {"$ref": "#/$defs/name"}
    conditions: list[dict[str, Any]] = [
        {"path": name, "is": {"const": "file"}, "content": content},
        {"path": name, "is": {"const": "copy"}, "content": name},
        {"path": {"type": "null"}, "is": {"const": "answer"}, "content": content},
        {"path": name, "is": {"enum": list(_PLAIN)}, "content": {"type": "null"}},
    ]
    items = {"anyOf": [_object(one) for one in conditions]}
    listed = {"type": "array", "items": items, "minItems": 1, "maxItems": MAX_CONDITIONS}
    return {
        "$schema": contents["$schema"],
        "title": "Goal",
        "description": "What is to be true of the folder in the end; whatever no condition speaks of stays as it was.",
        **_object({"conditions": listed, "others": {"const": "unchanged"}}),
        "$defs": definitions,
    }


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def goal_to_json(goal: Goal) -> dict[str, Any]:
    """The goal in the form of the schema."""
    return {"conditions": [_condition_to_json(one) for one in goal.conditions], "others": "unchanged"}


def _condition_to_json(condition: Condition) -> dict[str, object]:
    made = condition_to_json(condition)
    if isinstance(condition, Holds | Answers):
        made["content"] = to_json(condition.content)
    return made


def goal_from_json(value: Any) -> Goal:
    """Read a goal in the form of the schema, or in the contract's; what it reads is drawn from its terms.

    Raises:
        NotUnderstood: it is no such goal.
        LanguageError: a term cannot be read.
    """
    if not isinstance(value, dict) or set(value) != {"conditions", "others"} or value["others"] != "unchanged":
        raise NotUnderstood("A goal is a list of conditions with everything else unchanged.")
    given = value["conditions"]
    if not isinstance(given, list) or not 0 < len(given) <= MAX_CONDITIONS:
        raise NotUnderstood(f"A goal has between one and {MAX_CONDITIONS} conditions.")
    conditions = tuple(map(_read_condition, given))
    return Goal(conditions, paths_read(conditions))


def _read_condition(value: Any) -> Condition:
    if not isinstance(value, dict) or set(value) != _FIELDS:
        raise NotUnderstood(f"A condition has the fields {', '.join(sorted(_FIELDS))}, and no others.")
    path, word, content = value["path"], value["is"], value["content"]
    if (path is None) != (word == "answer") or path == "":
        raise NotUnderstood(f"{value!r} is no condition.", "An answer has no path; everything else has one.")
    if word in _PLAIN and content is not None:
        raise NotUnderstood(f"{value!r} is no condition.", "Only files, copies and answers have a content.")
    if word == "file" and isinstance(content, dict):
        return Holds(_path(path), from_json(content, (), Kind.TEXT))
    if word == "answer" and isinstance(content, dict):
        return Answers(from_json(content, (), Kind.TEXT))
    return condition_from_json(value)


def _path(path: Any) -> str:
    if not isinstance(path, str):
        raise NotUnderstood(f"{path!r} is no path.")
    return path


def paths_read(conditions: Iterable[Condition]) -> tuple[str, ...]:
    """Paths of the folder as it was that conditions read, each once."""
    found: dict[str, None] = {}
    for one in conditions:
        if isinstance(one, IsCopy):
            found[one.source] = None
        elif isinstance(one, Holds | Answers):
            calls = [each for each in subterms(one.content) if isinstance(each, Call) and each.primitive.reads_folder]
            constants = [arg for call in calls for arg in call.args if isinstance(arg, Const)]
            found |= {str(arg.value): None for arg in constants if arg.kind is Kind.PATH}
    return tuple(found)
