"""A wanted word as pieces put one after the other: words that are there already, and what is always the same."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import count

from dabhand.language import WORD, Call, Const, Term
from dabhand.language.numbered import Entry

MAX_STATES = 400
MAX_PIECES = 250
MAX_CONSTANT = 40
GLUE = 2

Piece = tuple[int, int, tuple[str, ...], Entry]


class Pieces:
    """Words whose values occur in the wanted ones, by cost, and ways to make the whole of them."""

    def __init__(self, goal: Sequence[str]) -> None:
        self.goal = tuple(goal)
        self.found: list[Piece] = []
        self.is_changed = False
        self._number = count()

    def add(self, entry: Entry, values: Sequence[str]) -> None:
        """Remember a word, if it is a piece everywhere and something somewhere."""
        if len(self.found) >= MAX_PIECES or not any(values):
            return
        if all(map(str.__contains__, self.goal, values)):
            self.found.append((entry.cost, next(self._number), tuple(values), entry))
            self.is_changed = True

    def whole(self) -> Iterator[Term]:
        """Ways to make the goal of two or more pieces, cheapest first; at most a few."""
        self.is_changed = False
        goal, ties = self.goal, count()
        start, end = (0,) * len(goal), tuple(map(len, goal))
        pieces = sorted(self.found, key=lambda piece: piece[:2])
        queue: list[tuple[int, int, tuple[int, ...], tuple[Term | Entry, ...]]] = [(0, 0, start, ())]
        seen: dict[tuple[int, ...], int] = {}
        given = 0
        while queue and len(seen) < MAX_STATES:
            price, _, places, made = heapq.heappop(queue)
            if places == end and len(made) > 1:
                yield glued(made)
                given += 1
                if given == 3:
                    return
                continue
            if seen.get(places, price + 1) <= price:
                continue
            seen[places] = price
            for cost, _, values, entry in pieces:
                if all(map(str.startswith, goal, values, places)):
                    after = tuple([place + len(value) for place, value in zip(places, values, strict=True)])
                    if after != places:
                        heapq.heappush(queue, (price + cost + GLUE, next(ties), after, (*made, entry)))
            same = shared_start([text[place:] for text, place in zip(goal, places, strict=True)])[:MAX_CONSTANT]
            for size in range(1, len(same) + 1):
                after = tuple([place + size for place in places])
                constant = Const(same[:size], WORD)
                heapq.heappush(queue, (price + 2 + size // 3 + GLUE, next(ties), after, (*made, constant)))


def glued(pieces: Sequence[Term | Entry]) -> Term:
    """Several words as one term."""
    terms = [piece.term() if isinstance(piece, Entry) else piece for piece in pieces]
    made = terms[-1]
    for term in reversed(terms[:-1]):
        made = Call("glued", (term, made))
    return made


def shared_start(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    least, most = min(texts), max(texts)
    size = next((place for place, pair in enumerate(zip(least, most, strict=False)) if len(set(pair)) > 1), len(least))
    return least[:size]
