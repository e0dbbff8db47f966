"""Curiosity: which command to try next, and with which filling in which scene.

A command is tried the more, the larger the share of randomly drawn situations in which its prediction is not yet
trusted, and the more often it was wrong lately. Of several situations the one is tried that says most: a context that
nothing covers, rival explanations that disagree, a rule that has been tried seldom.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from random import Random

from dabhand.commands import Template
from dabhand.practice.scenes import ODD, Filler, random_file
from dabhand.workspace import File, State, resolve
from dabhand.world import CommandModel, World, status_of
from dabhand.world.explaining import MIN_TRIED
from dabhand.world.explanations import open_questions
from dabhand.world.features import Situation
from dabhand.world.newness import new_texts, new_words
from dabhand.world.outlook import Interest, interest
from dabhand.world.reading import Reader, values_of

CANDIDATES = 3
"""Situations thought through for each experiment that is chosen for what it could teach."""

COVER = 0.5
"""Share of those experiments that rather go where the command never was: newness shows at a glance, and is cheap."""

DECIDE = 0.3
"""Share of them that are sought to decide between terms that have explained the same so far, if there are any."""

PLAINLY = 0.5
"""Share of them that are as plain as can be, as long as the command has hardly succeeded."""

PLAIN_STANDINGS = ("file", "missing", "folder", "empty folder")

GLANCES = 10
LIKELY = 7
"""Situations glanced at for that, and how many of them are such as come up by themselves."""

NEW_WORD = 4
"""What a word of a new kind is worth, in times that a situation of one kind came up."""

NEW_FACT = 1
"""What a text of a new kind is worth, in the same measure."""

UNCOVERED = 2.0
"""What the share of situations of a kind never tried weighs in how much practising a command promises."""

USUALLY_UNFORESEEN = 0.25
"""How often a command is usually not foreseen in a new kind of situation: where its rules carry over to what it never
met, that it never did says little."""

KNOWN_BY_KIN = 0.25
"""What a new kind of situation is worth in which other commands have shown what to expect."""

SUCCESS = 0.5
"""What an experiment that is expected to succeed is worth more: successes show what a command does."""

RANDOM_COMMAND = 0.15
FREE = 0.4
"""Share of experiments in situations drawn freely, so that what is usual is seen as often as what is odd."""

FIRST_TRIES = 3
HOPELESS = ("opaque", "unrepeatable", "failing")
MAX_INTEREST = 1.0
DIVIDED = 1.5
"""What an experiment is worth over which explanations that are all still possible disagree."""

PROVOCATIONS = 12
MEMORY = 12
PATIENCE = 80.0
"""Experiments after which the same need weighs half as much, so that no command takes all the time."""

WRONG_AT_FIRST, WRONG = 1.0, 5.0
"""What the share of everyday situations that were mispredicted lately weighs, before a command was tried often, and
after: at first all are wrong now and then, and each deserves its turn."""

GIVE_UP = 30


Situated = tuple[State, dict[str, str | int]]
"""A scene and a filling."""


class Record:
    """How much practising one command promises.

    Attributes:
        model: what is believed about the command.
        tried: experiments so far, earlier sessions included.
        recent: whether the last outcomes were predicted exactly.
        status: how well it is understood.
        met: how often a situation of each kind came up.
        uncovered: the share of situations that came up whose kind was not tried.
        kept: a situation of each kind that came up and was not tried, with what else is new in it.
    """

    def __init__(self, model: CommandModel) -> None:
        self.model = model
        self.tried = len(model.vectors)
        self.recent: deque[bool] = deque(model.outcomes, maxlen=MEMORY)
        self.status = status_of(model)[0]
        self.met: Counter[tuple[str, ...]] = Counter()
        self.uncovered = 1.0
        self.kept: dict[tuple[str, ...], tuple[float, State, dict[str, str | int]]] = {}

    def note(self, right: bool) -> None:
        """Take in whether an outcome had been predicted exactly."""
        self.recent.append(right)
        self.status = status_of(self.model)[0]

    @property
    def unforeseen(self) -> float:
        """How often what happens in a new kind of situation was not foreseen lately, in times of what is usual."""
        first = self.model.first
        return (first.count(False) + 1.0) / (len(first) * USUALLY_UNFORESEEN + 1.0)

    @property
    def settled(self) -> bool:
        """Whether there is little left to learn by more of the same practice."""
        if self.status in HOPELESS:
            return self.tried + self.model.odd >= GIVE_UP
        return self.status == "understood"

    @property
    def need(self) -> float:
        """How much another experiment is worth."""
        wrong = self.recent.count(False) / MEMORY
        lately = self.model.free.count(False) / max(MEMORY, len(self.model.free))
        weight = WRONG if self.tried >= MIN_TRIED else WRONG_AT_FIRST
        need = (
            0.9 * self.model.doubt
            + UNCOVERED * self.uncovered * self.unforeseen
            + 0.6 * wrong
            + weight * lately
            + (0.0 if self.settled else 0.6)
        )
        if self.status in HOPELESS and self.settled:
            need = 0.0
        return need / (1.0 + self.tried / PATIENCE) + 0.6 / (1.0 + self.tried)


class Curiosity:
    """Chooses experiments.

    Args:
        world: what is believed.
        templates: the commands to choose from.
        rng: the randomness.
    """

    def __init__(self, world: World, templates: Sequence[Template], rng: Random) -> None:
        self.world = world
        self.templates = list(templates)
        self.rng = rng
        self.records = {template.text: Record(world.model(template)) for template in templates}

    def choose(self, scenes: Sequence[State]) -> tuple[Template, State, dict[str, str | int], bool]:
        """The next experiment in one of the scenes.

        Returns:
            Template, scene, filling, and whether the situation was drawn freely (and not for what it could teach).
        """
        template = self._command()
        model = self.world.model(template)
        record = self.records[template.text]
        free = self.rng.random() < FREE and record.tried > FIRST_TRIES
        if free:
            scene = self.rng.choice(scenes)
            found = scene, Filler(scene, self.rng).fill(template)
        else:
            found = self._purposeful(record, scenes) or self._most_telling(model, scenes)
        record.tried += 1
        return template, *found, free

    def _purposeful(self, record: Record, scenes: Sequence[State]) -> Situated | None:
        """A situation sought for one reason: that the command never was there, or that it decides between two terms."""
        draw = self.rng.random()
        if record.model.successes < FIRST_TRIES:
            return self._plainest(record.model.template, scenes) if draw < PLAINLY else None
        if draw < COVER:
            return self._newest(record, scenes)
        return self._deciding(record.model, scenes) if draw < COVER + DECIDE else None

    def _plainest(self, template: Template, scenes: Sequence[State]) -> Situated:
        """What anybody would try first with a command not known to work: from files to a new one, else some of each."""
        scene = self.rng.choice(scenes)
        paths = [slot.name for slot in template.slots if slot.kind == "path"]
        wanted = {name: "missing" if name == paths[-1] and paths[1:] else "file" for name in paths}
        if self.rng.random() < 0.5:
            wanted = {name: self.rng.choice(PLAIN_STANDINGS) for name in paths}
        return scene, Filler(scene, self.rng).fill(template, wanted)

    def _deciding(self, model: CommandModel, scenes: Sequence[State]) -> Situated | None:
        """A situation in which terms that have explained the same so far have different values."""
        questions = open_questions(model.roles)
        if not questions:
            return None
        believed, others = self.rng.choice(questions)
        for _ in range(PROVOCATIONS):
            scene = self.rng.choice(scenes)
            filling = Filler(scene, self.rng).fill(model.template, self._usual(model))
            paths = [str(filling[slot.name]) for slot in model.template.slots if slot.kind == "path"]
            real = resolve(scene, paths[0]).real if paths else None
            if real is not None and isinstance(scene.get(real), File):
                scene = scene.with_file(real, random_file(self.rng))
            reader = Reader(values_of(model.template.slots, filling), scene)
            value = reader.value(believed)
            if any(reader.value(term) != value for term in others):
                return scene, filling
        return None

    def _usual(self, model: CommandModel) -> dict[str, str]:
        """What the paths mostly point at when the command succeeds."""
        wanted = {}
        for slot in model.template.slots:
            if slot.kind == "path":
                worked = {word: counts[2] for (name, word), counts in model.standings.items() if name == slot.name}
                wanted[slot.name] = self.rng.choices(list(worked), [1e-9 + times for times in worked.values()])[0]
        return wanted

    def _newest(self, record: Record, scenes: Sequence[State]) -> Situated | None:
        """Of all situations ever glanced at one where the command never was: the kind that came up most."""
        self._glance(record, scenes)
        model, best = record.model, None
        highest = left = 0.0
        for context, (worth, scene, filling) in list(record.kept.items()):
            if model.has_been(context) and not worth:
                del record.kept[context]
                continue
            new = 0.0 if model.has_been(context) else float(record.met[context])
            if new and model.kinship.succeeds(model.template, context) is not None:
                new *= KNOWN_BY_KIN
            left += new
            if worth + new > highest:
                highest, best = worth + new, (context, scene, filling)
        record.uncovered = left / record.met.total()
        if best is None:
            return None
        del record.kept[best[0]]
        return best[1], best[2]

    def _glance(self, record: Record, scenes: Sequence[State]) -> None:
        """Draw some more situations, and keep one of every kind where the command never was."""
        model = record.model
        for number in range(GLANCES):
            scene = self.rng.choice(scenes)
            filler = Filler(scene, self.rng)
            filling = filler.fill(model.template, self._wanted(model.template, filler) if number >= LIKELY else None)
            situation = Situation(filling, scene, model.places)
            context = model.context(situation)
            record.met[context] += 1
            worth = NEW_WORD * new_words(model, situation) + NEW_FACT * new_texts(model, situation)
            if not model.has_been(context) or worth:
                before = record.kept.get(context)
                if before is None or worth >= before[0]:
                    record.kept[context] = (worth, scene, filling)

    def _most_telling(self, model: CommandModel, scenes: Sequence[State]) -> Situated:
        """Of a few situations the one whose outcome is expected to teach most."""
        best: tuple[float, State, dict[str, str | int]] | None = None
        for number in range(CANDIDATES):
            scene = self.rng.choice(scenes)
            filler = Filler(scene, self.rng)
            filling = filler.fill(model.template, None if number == 0 else self._wanted(model.template, filler))
            found = interest(model, filling, scene)
            if number == CANDIDATES - 1 and found.hopeful and (best is None or best[0] < DIVIDED):
                scene, found = self._provoked(model, filling, scene, found)
            value = min(found.value, MAX_INTEREST) + SUCCESS * found.hopeful + DIVIDED * found.divided
            if best is None or value > best[0]:
                best = (value, scene, filling)
        assert best is not None
        return best[1], best[2]

    def _provoked(
        self, model: CommandModel, filling: dict[str, str | int], scene: State, found: Interest
    ) -> tuple[State, Interest]:
        """The scene with another text in the first file, if one can be found over which explanations disagree."""
        paths = [str(filling[slot.name]) for slot in model.template.slots if slot.kind == "path"]
        real = resolve(scene, paths[0]).real if paths else None
        node = scene.get(real) if real is not None else None
        if real is None or not isinstance(node, File):
            return scene, found
        for _ in range(PROVOCATIONS):
            other = scene.with_file(real, File(random_file(self.rng).data, self.rng.random() < 0.4))
            provoked = interest(model, filling, other)
            if provoked.divided:
                return other, provoked
        return scene, found

    def _wanted(self, template: Template, filler: Filler) -> dict[str, str]:
        """What the paths should point at: for one slot something seldom tried, for the others what has worked."""
        model = self.world.model(template)
        paths = [slot.name for slot in template.slots if slot.kind == "path"]
        words = [slot.name for slot in template.slots if slot.kind == "word"]
        odd = self.rng.choice([*paths, *words]) if paths or words else None
        wanted: dict[str, str] = {odd: ODD} if odd in words else {}
        for slot in paths:
            tried = {word: counts for (name, word), counts in model.standings.items() if name == slot}
            if slot == odd:
                weights = {
                    word: _rarity(tried.get(word, (0, 0, 0))[1])
                    for word in ("missing", "without parent", "beyond a file", *filler.by_standing)
                }
                weights.update({other: _rarity(model.times_same(other, slot)) for other in wanted if other in paths})
            else:
                weights = {word: 0.2 + counts[2] for word, counts in tried.items()} or {"file": 1.0, "missing": 1.0}
            wanted[slot] = self.rng.choices(list(weights), list(weights.values()))[0]
        return wanted

    def _command(self) -> Template:
        if self.rng.random() < RANDOM_COMMAND:
            return self.rng.choice(self.templates)
        return max(self.templates, key=lambda template: self.records[template.text].need + 0.05 * self.rng.random())

    def settled(self, template: Template) -> bool:
        """Whether there is little left to learn about a command by more of the same practice."""
        return self.records[template.text].settled

    def is_hopeless(self, template: Template) -> bool:
        """Whether practice has shown that a command cannot be understood."""
        record = self.records[template.text]
        return record.status in HOPELESS and record.settled

    def learned(self, template: Template, *, right: bool) -> None:
        """Take in whether an outcome had been predicted exactly."""
        self.records[template.text].note(right)


def _rarity(times: int) -> float:
    """Weight of something tried so often."""
    return 1.0 / (1.0 + times) ** 2
