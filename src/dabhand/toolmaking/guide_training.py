"""Learn which building blocks are likely: run them on many generated values, and look at what comes out.

A scene is three inputs of one look. Blocks drawn at random, each as often as any other, are run on values that are
there already; what has a value, and one that was not there before, is a program, and its values on the three inputs are
examples of it. What such examples look like is counted for the blocks that the program uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from dabhand.language import (
    FAILED,
    LINES,
    NUMBER,
    NUMBERS,
    TEXT,
    WORD,
    Call,
    Const,
    Env,
    Kind,
    Primitive,
    Term,
    Var,
    primitive_named,
    size,
)
from dabhand.language.evaluation import FAILURES
from dabhand.language.samples import FORMED, SHAPES, random_plain_word
from dabhand.toolmaking.examples import INPUT, env_of
from dabhand.toolmaking.guide import Block, Domain, Guide
from dabhand.toolmaking.guide_features import domain_of, features_of
from dabhand.toolmaking.search_blocks import NOWHERE, blocks_for, functions_over, number_functions
from dabhand.toolmaking.search_task import Task, blocks_in, constants_of, form_of, number_constants

EXAMPLES = 3
STEPS = 400
STOCK_AT = 60
STOCKED = 0.3
"""In so many scenes functions over elements join in, after so many steps."""
LARGEST = 11
GOALS = (TEXT, WORD, NUMBER, NUMBERS, LINES)


def train_guide(seed: int = 1, scenes: int = 400, said: Callable[[int, int], None] | None = None) -> Guide:
    """Learn a guide.

    Args:
        seed: of everything that is generated.
        scenes: how many; each gives tens of programs, by thousands of runs of blocks.
        said: told after every scene how many of all are done.
    """
    rng = Random(seed)
    countings: dict[str, _Counting] = {}
    for number in range(scenes):
        scene = _scene(rng, number)
        _learn_from(scene, rng, countings.setdefault(domain_of(scene), _Counting()))
        if said is not None:
            said(number + 1, scenes)
    return Guide(
        seed,
        sum(one.runs for one in countings.values()),
        {name: one.domain() for name, one in sorted(countings.items())},
    )


class _Counting:
    def __init__(self) -> None:
        self.runs = self.programs = 0
        self.properties: Counter[str] = Counter()
        self.used: Counter[str] = Counter()
        self.together: dict[str, Counter[str]] = {}

    def domain(self) -> Domain:
        """What was counted."""
        blocks = {name: Block(used, dict(sorted(self.together[name].items()))) for name, used in self.used.items()}
        return Domain(self.programs, dict(sorted(self.properties.items())), dict(sorted(blocks.items())))

    def add(self, features: tuple[str, ...], blocks: set[str]) -> None:
        self.programs += 1
        self.properties.update(features)
        self.used.update(blocks)
        for name in blocks:
            self.together.setdefault(name, Counter()).update(features)


def _scene(rng: Random, number: int) -> Task:
    """Inputs of one look, with no goal yet."""
    match number % 8:
        case 0:
            return _words_scene(rng)
        case 1:
            return _numbers_scene(rng)
    return _texts_scene(rng)


def _texts_scene(rng: Random) -> Task:
    weights = [weight for weight, _ in SHAPES]
    shape = rng.choices([shape for _, shape in SHAPES], weights)[0] if rng.random() < 0.6 else rng.choice(FORMED)
    texts = ["\n".join(shape(rng)) + "\n" for _ in range(EXAMPLES)]
    constants = constants_of([[text] for text in texts], texts)
    return Task((INPUT,), tuple(map(env_of, texts)), (), TEXT, constants, form=form_of(texts))


def _words_scene(rng: Random) -> Task:
    size = rng.choice((1, 1, 2))
    mark = rng.choice((" ", " ", "-", ", ", "/", "_", "."))
    count = rng.randint(1, 4)

    def word() -> str:
        parts = [rng.choice((random_plain_word(rng), random_plain_word(rng).title(), str(rng.randint(0, 999))))
                 for _ in range(count)]  # fmt: skip
        return mark.join(parts)

    inputs = tuple([Var(f"x{place}", WORD) for place in range(size)])
    rows = [[word() for _ in inputs] for _ in range(EXAMPLES + 1)]
    envs = [Env({slot.name: value for slot, value in zip(inputs, row, strict=True)}, NOWHERE) for row in rows]
    return Task(inputs, tuple(envs), (), WORD, constants_of(rows, [" ".join(row) for row in rows]))


def _numbers_scene(rng: Random) -> Task:
    inputs = (Var("x", NUMBERS), Var("n", NUMBER))[: rng.choice((1, 2))]

    def values() -> dict[str, Any]:
        return {"x": tuple([rng.randint(-20, 60) for _ in range(rng.randint(3, 8))]), "n": rng.randint(1, 5)}

    envs = [Env(values(), NOWHERE) for _ in range(EXAMPLES + 1)]
    return Task(inputs, tuple(envs), (), NUMBERS, number_constants(envs, ()))


Made = tuple[Term, tuple[Any, ...]]
"""A term and its values on the scene's inputs."""


def _learn_from(scene: Task, rng: Random, counting: _Counting) -> None:
    known = _seeds(scene)
    seen: set[tuple[Kind, tuple[Any, ...]]] = set()
    blocks = [each for name in blocks_for(scene, 0) if (each := primitive_named(name)) is not None]
    for step in range(STEPS):
        if step == STOCK_AT and rng.random() < STOCKED:
            counting.runs += _stock(scene, known)
        block = rng.choice(blocks)
        choices = [_place(block, place, known) for place in range(len(block.takes))]
        if not all(choices):
            continue
        arguments = [_drawn(one, rng) for one in choices]
        term = Call(block.name, tuple([argument for argument, _ in arguments]))
        values = _values(block, scene, [each for _, each in arguments])
        counting.runs += len(values)
        if FAILED in values or len(set(values)) == 1 or (term.kind, values) in seen or size(term) > LARGEST:
            continue
        seen.add((term.kind, values))
        known.setdefault(term.kind, []).append((term, values))
        if term.kind in GOALS:
            whole, results = printed(term, values) if scene.kind is TEXT else (term, values)
            task = Task(scene.inputs, scene.envs, results, whole.kind, form=scene.form)
            counting.add(features_of(task), set(blocks_in(whole)))


def _seeds(scene: Task) -> dict[Kind, list[Made]]:
    known: dict[Kind, list[Made]] = {}
    for slot in scene.inputs:
        known.setdefault(slot.kind, []).append((slot, tuple([env.slots[slot.name] for env in scene.envs])))
    for constant, _ in scene.constants:
        known.setdefault(constant.kind, []).append((constant, (constant.value,) * len(scene.envs)))
    return known


def _place(block: Primitive, place: int, known: dict[Kind, list[Made]]) -> list[Made]:
    """What may stand at a place of a block."""
    kind = block.takes[place]
    suggested: list[Made] = [(Const(value, kind), (value,) * 99) for value in block.suggests.get(place, ())]
    return [*known.get(kind, []), *suggested]


def _drawn(choices: list[Made], rng: Random) -> Made:
    """One of them: a constant, a small term or any."""
    constants = [one for one in choices if isinstance(one[0], Const)]
    if constants and rng.random() < 0.5:
        return rng.choice(constants)
    return min(rng.choices(choices, k=2), key=lambda one: size(one[0]))


def _values(block: Primitive, scene: Task, columns: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    made: list[Any] = []
    for place, env in enumerate(scene.envs):
        given = [column[place] for column in columns]
        try:
            made.append(block.meaning(env.folder, *given) if block.reads_folder else block.meaning(*given))
        except FAILURES:
            made.append(FAILED)
    return tuple(made)


def _stock(scene: Task, known: dict[Kind, list[Made]]) -> int:
    kind = NUMBERS if scene.kind is NUMBERS else LINES
    elements = [each for _, values in known.get(kind, [])[:3] for value in values for each in value]
    if not elements:
        return 0
    made, tried = (functions_over if kind is LINES else number_functions)(elements, scene.constants)
    for constant, _ in made:
        known.setdefault(constant.kind, []).append((constant, (constant.value,) * len(scene.envs)))
    return tried


def printed(term: Term, values: tuple[Any, ...]) -> tuple[Term, tuple[Any, ...]]:
    """A term and its values as a file would hold them."""
    while term.kind is not TEXT:
        name = {WORD: "line", NUMBER: "digits", NUMBERS: "written", LINES: "unlines"}[term.kind]
        term = Call(name, (term,))
        values = tuple(map(term.primitive.meaning, values))
    return term, values
