"""Packs: named lists of templates in TOML (`name = "posix"`, `templates = [...]`), ours and anybody's."""

from __future__ import annotations

from pathlib import Path

import msgspec

from dabhand.commands.template import Template, parse_template
from dabhand.errors import TemplateError


class Pack(msgspec.Struct, frozen=True):
    """A named, ordered list of templates, each once."""

    name: str
    templates: tuple[Template, ...]


class _PackFile(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    templates: list[str]


def load_pack(name_or_path: str | Path) -> Pack:
    """The pack of that name among our own, else the TOML file at that path.

    Raises:
        TemplateError: there is no such pack, it is no pack, or one of its templates cannot be used.
    """
    import tomllib  # a line can be quoted without it, and that has to be quick

    text = _read(name_or_path)
    try:
        file = msgspec.convert(tomllib.loads(text), _PackFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise TemplateError(
            f"The pack {str(name_or_path)!r} is not a pack: {error}.",
            'A pack is a TOML file with name = "..." and templates = ["sort {A} > {B}", ...].',
        ) from error
    try:
        templates = tuple(parse_template(template) for template in file.templates)
    except TemplateError as error:
        raise TemplateError(f"In the pack {str(name_or_path)!r}: {error.message}", error.hint) from error
    _check_templates(name_or_path, templates)
    return Pack(file.name, templates)


def _read(name_or_path: str | Path) -> str:
    from importlib import resources

    own = resources.files("dabhand.commands") / f"{name_or_path}.toml"
    if "/" not in str(name_or_path) and own.is_file():
        return own.read_text("utf-8")
    try:
        return Path(name_or_path).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise TemplateError(
            f"The pack {str(name_or_path)!r} cannot be read: {reason}.",
            'Give "posix" or the path of a readable TOML file.',
        ) from error


def _check_templates(name_or_path: str | Path, templates: tuple[Template, ...]) -> None:
    if not templates:
        raise TemplateError(f"The pack {str(name_or_path)!r} has no templates.")
    seen: set[str] = set()
    for template in templates:
        if template.text in seen:
            raise TemplateError(f"The pack {str(name_or_path)!r} has the template {template.text!r} twice.")
        seen.add(template.text)
