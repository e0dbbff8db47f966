"""Finding places: names for the spots at which something changed that no place so far accounts for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dabhand.commands import Template
from dabhand.workspace import Folder, name_of, parent_of
from dabhand.world.observation import Observation
from dabhand.world.places import At, Beside, Fixed, Inside, Place, last_name, locate

MAX_PLACES = 12


def places_in(seen: Observation, template: Template, known: Sequence[Place], suggested: Counter[Place]) -> list[Place]:
    """New places for the changes that an observation leaves unaccounted for.

    A path made from a name and some ending, or named by the template, may be chance (`mktemp`), so it must be seen
    twice.

    Args:
        seen: the observation, looked at with the known places.
        template: the command.
        known: its places so far.
        suggested: how often each place was suggested; counted on here.
    """
    found: list[Place] = []
    slots = [place.slot for place in known if isinstance(place, At)]
    for path in (*seen.strays, *_new_below(seen)):
        for place in _candidates(path, slots, seen, template):
            if len(known) + len(found) >= MAX_PLACES:
                return found
            if place in known or place in found or locate(place, seen.filling, seen.before).entry != path:
                continue
            suggested[place] += 1
            if isinstance(place, Inside) or suggested[place] > 1:
                found.append(place)
                break
    return found


def _new_below(seen: Observation) -> list[str]:
    """Changed entries directly inside a folder that was there before and still is."""
    accounted = {sight.spot.entry for sight in seen.sightings.values()}
    return [
        path
        for path in seen.changed
        if isinstance(seen.before.get(parent_of(path)), Folder)
        and isinstance(seen.after.get(parent_of(path)), Folder)
        and path not in accounted
    ]


def _candidates(path: str, slots: Sequence[str], seen: Observation, template: Template) -> Iterator[Place]:
    name = name_of(path)
    for slot in slots:
        for named in slots:
            if named != slot and last_name(str(seen.filling[named])) == name:
                yield Inside(slot, named)
    for slot in slots:
        own = last_name(str(seen.filling[slot]))
        if own and name.startswith(own) and len(name) > len(own):
            yield Beside(slot, name[len(own) :])
    if name in template.text:
        yield Fixed(path)
