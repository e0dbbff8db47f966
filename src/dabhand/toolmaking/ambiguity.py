"""Fresh inputs that look like the examples', to tell programs apart that all examples leave equal."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

from dabhand.language import LINES, NUMBER, NUMBERS, PATH, WORD, Env, Value, Var
from dabhand.language.samples import TextFolder
from dabhand.toolmaking.likeness import Likeness

TURNS = 12
"""How often an input is drawn for each that is wanted: what is not like the examples is left out."""

_NUMBER = re.compile(r"\d+")
_PIECE = re.compile(r"\w+|\W")


def fresh_envs(inputs: Sequence[Var], envs: Sequence[Env], rng: Random, count: int) -> list[Env]:
    """Inputs of the same look as the examples'.

    Args:
        inputs: the slots; a path is read, and the file it names gets a fresh text.
        envs: the examples.
        rng: where chance comes from.
        count: how many are wanted.
    """
    seen = {_key(inputs, env) for env in envs}
    texts = [each for each in inputs if each.kind in (PATH, WORD)]
    likes = {each: Likeness([text_in(env, each) for env in envs]) for each in texts}
    made: list[Env] = []
    for turn in range(count * TURNS):
        if len(made) == count:
            break
        fresh = _fresh(inputs, envs, rng, turn)
        key = _key(inputs, fresh)
        is_like = all(like.holds(text_in(fresh, each)) for each, like in likes.items())
        if key not in seen and is_like:
            seen.add(key)
            made.append(fresh)
    return made


def text_in(env: Env, slot: Var) -> str:
    """The word in a slot, or the text of the file that is named there."""
    value = str(env.slots[slot.name])
    return (env.folder.text(value) or "") if slot.kind is PATH else value


def _key(inputs: Sequence[Var], env: Env) -> tuple[Any, ...]:
    return tuple([env.folder.text(env.slots[v.name]) if v.kind is PATH else env.slots[v.name] for v in inputs])


def _fresh(inputs: Sequence[Var], envs: Sequence[Env], rng: Random, turn: int) -> Env:
    base = envs[turn % len(envs)]
    slots = dict(base.slots)
    texts: dict[str, str] = {}
    for variable in inputs:
        name, kind = variable.name, variable.kind
        if kind is PATH:
            path = slots[name]
            given = [env.folder.text(env.slots[name]) or "" for env in envs]
            texts[path] = fresh_text(base.folder.text(path) or "", given, rng)
        elif rng.random() < 0.8 or len(inputs) == 1:
            slots[name] = _fresh_value(slots[name], [env.slots[name] for env in envs], kind, rng)
    return Env(slots, TextFolder(texts) if texts else base.folder)


def _fresh_value(value: Value, others: Sequence[Value], kind: Any, rng: Random) -> Value:
    if kind is NUMBER:
        return rng.choice([value + rng.choice((-1, 1, 2)), rng.choice(others)])
    if kind in (NUMBERS, LINES):
        return _fresh_list(value, others, kind is NUMBERS, rng)
    return fresh_word(value, [str(each) for each in others], rng)


def _fresh_list(value: Value, others: Sequence[Value], numbers: bool, rng: Random) -> Value:
    made = list(value)
    pool = [each for other in others for each in other] or ([0, 1] if numbers else ["x"])
    for _ in range(rng.randint(1, 3)):
        match rng.randrange(5):
            case 0 if len(made) > 1:
                made.pop(rng.randrange(len(made)))
            case 1:
                made.insert(rng.randint(0, len(made)), rng.choice(pool))
            case 2:
                rng.shuffle(made)
            case 3 if made and numbers:
                place = rng.randrange(len(made))
                made[place] = rng.choice((made[place] + rng.choice((-1, 1)), -made[place], 0))
            case _ if made:
                made[rng.randrange(len(made))] = rng.choice(pool)
    return tuple(made)


def fresh_text(text: str, others: Sequence[str], rng: Random) -> str:
    """A text like some others: their lines, rows or items mixed, dropped, doubled and changed a little."""
    if text.lstrip()[:1] in ("[", "{"):
        made = _fresh_json(text, others, rng)
        if made is not None:
            return made
    lines = text.split("\n")
    end = "" if lines[-1] else "\n"
    lines = lines[:-1] if end else lines
    head = lines[:1] if _same_first(others) else []
    return "\n".join([*head, *_fresh_lines(lines[len(head) :], len(head), others, rng)]) + (end if lines else "")


def _same_first(texts: Sequence[str]) -> bool:
    firsts = {text.split("\n", 1)[0] for text in texts}
    return len(firsts) == 1 and len(texts) > 1 and "," in next(iter(firsts))


def _fresh_lines(lines: list[str], skip: int, others: Sequence[str], rng: Random) -> list[str]:
    made = list(lines)
    pool = [line for other in others for line in other.split("\n")[skip:] if line] or ["a"]
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(made)) if made else 0
        match rng.randrange(7):
            case 0 if len(made) > 1:
                made.pop(place)
            case 1 if made:
                made.insert(rng.randint(0, len(made)), rng.choice(made))
            case 2 | 3:
                made.insert(rng.randint(0, len(made)), rng.choice(pool))
            case 4:
                rng.shuffle(made)
            case _ if made:
                made[place] = fresh_word(made[place], pool, rng)
    return made


def fresh_word(word: str, others: Sequence[str], rng: Random) -> str:
    """A word or line like some others: its pieces changed, dropped, doubled, or numbers in it made other ones."""
    if _NUMBER.search(word) and rng.random() < 0.5:
        return _NUMBER.sub(lambda found: _fresh_number(found[0], rng), word, count=rng.randint(1, 2))
    pieces = _PIECE.findall(word)
    mine = [place for place, piece in enumerate(pieces) if piece[0].isalnum()]
    theirs = [piece for other in others for piece in _PIECE.findall(other) if piece[0].isalnum()]
    if not mine or not theirs:
        return rng.choice(others) if others else word
    place = rng.choice(mine)
    match rng.randrange(4):
        case 0 if len(mine) > 2:
            del pieces[place : place + 2]
        case 1:
            mark = pieces[place - 1] if place else (pieces[1] if len(pieces) > 1 else " ")
            pieces[place:place] = [rng.choice(theirs), mark]
        case _:
            pieces[place] = rng.choice(theirs)
    return "".join(pieces)


def _fresh_number(digits: str, rng: Random) -> str:
    if digits.startswith("0"):
        return "".join(rng.choice("0123456789") for _ in digits)
    return str(max(0, int(digits) + rng.choice((-10, -5, -1, 1, 2, 5, 7, 10))))


def _fresh_json(text: str, others: Sequence[str], rng: Random) -> str | None:
    try:
        value, all_values = json.loads(text), [json.loads(other) for other in others]
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        lists = [name for name, each in value.items() if isinstance(each, list)]
        if not lists:
            return json.dumps({name: _fresh_scalar(each, rng) for name, each in value.items()}, ensure_ascii=False)
        name = rng.choice(lists)
        pool = [each for other in all_values if isinstance(other, dict) for each in other.get(name, [])]
        return json.dumps(value | {name: _fresh_items(value[name], pool, rng)}, ensure_ascii=False)
    if not isinstance(value, list):
        return json.dumps(_fresh_scalar(value, rng), ensure_ascii=False)
    pool = [each for other in all_values if isinstance(other, list) for each in other]
    return json.dumps(_fresh_items(value, pool, rng), ensure_ascii=False)


def _fresh_items(items: list[Any], pool: list[Any], rng: Random) -> list[Any]:
    made = list(items)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(made)) if made else 0
        match rng.randrange(4):
            case 0 if len(made) > 1:
                made.pop(place)
            case 1 if pool:
                made.insert(rng.randint(0, len(made)), rng.choice(pool))
            case 2:
                rng.shuffle(made)
            case _ if made:
                item = made[place]
                made[place] = (
                    {name: _fresh_scalar(each, rng) for name, each in item.items()}
                    if isinstance(item, dict)
                    else _fresh_scalar(item, rng)
                )
    return made


def _fresh_scalar(value: Any, rng: Random) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return value + rng.choice((-10, -1, 0, 1, 5))
    return value
