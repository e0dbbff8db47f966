"""Every figure that has a floor, beside its floor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from practice import wrong_per_thousand
from showing import aligned

# What `python benchmarks/sandbox.py --json` gives in "ratios", with the least that is enough.
SANDBOX = {
    "worker_to_bwrap": ("worker's experiments per second, to one bwrap start per experiment", 6.0),
    "worker_to_bash": ("worker's experiments per second, to bare bash -c", 1.0),
    "two_workers_to_one": ("two workers, to one", 1.6),
}


@dataclass(frozen=True)
class Ratio:
    """One figure and what it must be.

    Attributes:
        name: what is measured; of several seeds, the worst.
        value: None when it was not measured.
        floor: the least that is enough, or the most when `at_most`.
        below: the figure must stay below the floor and not only reach it.
        aim: what is hoped for beyond the floor; None when there is no more to hope for.
        form: how to print the figures.
        seed: the one the figure is of.
        missing: why there is no value, when there is none.
    """

    name: str
    value: float | None
    floor: float
    at_most: bool = False
    below: bool = False
    aim: float | None = None
    form: str = "{:.0f}"
    seed: str = ""
    missing: str = "not measured"

    @property
    def met(self) -> bool:
        """Whether it was measured and is good enough."""
        if self.value is None:
            return False
        if self.below:
            return self.value < self.floor
        return self.value <= self.floor if self.at_most else self.value >= self.floor

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"met": self.met}


def table(ratios: list[Ratio]) -> str:
    """The figures as a table."""
    rows = []
    for ratio in ratios:
        sign = "< " if ratio.below else "<= " if ratio.at_most else ">= "
        value = ratio.missing if ratio.value is None else ratio.form.format(ratio.value)
        aim = "" if ratio.aim is None else ratio.form.format(ratio.aim)
        rows.append([ratio.name, value, sign + ratio.form.format(ratio.floor), aim, "ok" if ratio.met else "MISSED"])
        rows[-1].append(ratio.seed)
    return aligned(("figure (of several seeds the worst)", "measured", "floor", "aim", "", "seed"), rows)


def all_ratios(found: Mapping[str, Any]) -> list[Ratio]:
    """Every figure with a floor.

    Args:
        found: the parts that were measured: "posix", "outside" and "exams" (per seed), "startup", "sandbox", "staging",
            "planning"; any may be missing.
    """
    posix, outside = found.get("posix", {}), found.get("outside", {})
    return [
        *_learning(posix),
        *_outside(outside),
        *_exams(found.get("exams", {})),
        *_speed(found.get("sandbox", {})),
        *_staging(found),
        *_planning(found.get("planning", {}).get("ratios", {})),
        *_requests(found.get("requests", {}).get("ratios", {})),
        *_inspections(found.get("inspections", {}).get("ratios", {})),
        *_evidence(found.get("evidence", {}).get("ratios", {})),
        *_corpus(found.get("corpus", {}).get("ratios", {})),
        *_inspecting(found.get("inspecting", {}).get("ratios", {})),
        *_hosts(found.get("hosts", {}).get("ratios", {})),
        *_synthesis(found.get("synthesis", {}).get("ratios", {})),
        *_strangers(found.get("strangers", {}).get("ratios", {})),
        *_cost(posix, found),
    ]


_Figure = Callable[[dict[str, Any]], "float | None"]


def _worst(seeds: Mapping[str, Any], figure: _Figure, at_most: bool) -> tuple[float | None, str]:
    values = {seed: figure(one) for seed, one in seeds.items()}
    if not values or None in values.values():
        return None, ""
    known = {seed: value for seed, value in values.items() if value is not None}
    seed = (max if at_most else min)(known, key=lambda name: known[name])
    return known[seed], seed


def _of_seeds(seeds: Mapping[str, Any], name: str, figure: _Figure, floor: float, **more: Any) -> Ratio:
    value, seed = _worst(seeds, figure, more.get("at_most", False) or more.get("below", False))
    return Ratio(name, value, floor, seed=seed, missing="not reached" if seeds else "not measured", **more)


def _end(one: dict[str, Any]) -> dict[str, Any]:
    return dict(one["until_understood"])


def _experiments_until_all(one: dict[str, Any]) -> float | None:
    """None unless all are understood, and not only dabhand thinks so: giving up early is no merit."""
    score = _end(one)["score"]
    return float(_end(one)["experiments"]) if score["understood"] == score["of"] else None


def _learning(seeds: Mapping[str, Any]) -> list[Ratio]:
    return [
        _of_seeds(seeds, "commands understood, as the judge sees it", lambda one: _end(one)["score"]["understood"], 35),
        _of_seeds(seeds, "experiments until understood", _experiments_until_all, 2000, at_most=True, aim=400),
        _of_seeds(
            seeds,
            "whole outcomes predicted exactly",
            lambda one: 100 * _end(one)["score"]["exact"] / _end(one)["score"]["count"],
            98,
            aim=99.5,
            form="{:.2f}%",
        ),
        _of_seeds(
            seeds,
            "wrong among 1,000 trusted predictions",
            lambda one: wrong_per_thousand(_end(one)["score"]),
            1,
            below=True,
            form="{:.2f}",
        ),
    ]


def _outside(seeds: Mapping[str, Any]) -> list[Ratio]:
    def trusted_and_wrong(one: dict[str, Any]) -> float:
        return sum(bool(row["trusted_wrong"]) for row in _end(one)["score"]["commands"].values())

    def wrongly_claimed(one: dict[str, Any]) -> float:
        rows = _end(one)["score"]["commands"].values()
        return sum(bool(row.get("status") == "understood" and not row["understood"]) for row in rows)

    return [
        _of_seeds(seeds, "templates outside the pack trusted and wrong", trusted_and_wrong, 0, at_most=True),
        _of_seeds(seeds, "templates outside the pack wrongly called understood", wrongly_claimed, 0, at_most=True),
    ]


def _exams(seeds: Mapping[str, Any]) -> list[Ratio]:
    def passed(suite: str) -> _Figure:
        return lambda one: float(one[suite]["score"][0])

    def of_both(figure: _Figure) -> _Figure:
        return lambda one: sum(figure(result) or 0.0 for result in one.values())

    def disagreed(result: dict[str, Any]) -> float:
        agreed, judged = result["self_check_agreement"]
        return float(judged - agreed)

    both = {
        "tasks falsely called done": of_both(lambda result: float(result["false_done"])),
        "tasks in which self-check and host disagree": of_both(disagreed),
        "language model calls in exams": of_both(lambda result: float(result["lm_calls"])),
    }
    return [
        _of_seeds(seeds, "tasks of the exam original passed, of 25", passed("original"), 25),
        _of_seeds(seeds, "tasks of the exam harder passed, of 20", passed("harder"), 20),
        _of_seeds(seeds, "tasks of the exam coding passed, of 15", passed("coding"), 15),
        *(_of_seeds(seeds, name, figure, 0, at_most=True) for name, figure in both.items()),
    ]


def _speed(sandbox: Mapping[str, Any]) -> list[Ratio]:
    measured = sandbox.get("ratios", {})
    return [Ratio(name, measured.get(key), floor, form="{:.2f}x") for key, (name, floor) in SANDBOX.items()]


def _staging(found: Mapping[str, Any]) -> list[Ratio]:
    staging = found.get("staging", {})
    if staging.get("overlay") is False:
        return []  # where there is no overlay, a copy of what the request is about is made
    value = staging.get("ratios", {}).get("many_to_few")
    return [Ratio("staging 100,000 files, to staging 100", value, 2, at_most=True, form="{:.2f}x")]


def _requests(found: Mapping[str, float]) -> list[Ratio]:
    """How many answers to strangers' requests are right; none where there is no folder of them to measure with."""
    return [Ratio("requests of strangers, right of answered", share, 0.95) for share in found.values()]


def _inspections(found: Mapping[str, float]) -> list[Ratio]:
    """How many of the plans that strangers' words are read as are right; none where there are no such words."""
    return [
        Ratio("inspections of strangers, right of answered", share, 0.95, form="{:.3f}") for share in found.values()
    ]


def _evidence(found: Mapping[str, float]) -> list[Ratio]:
    """How much of what was wanted is found, and nothing where nothing is; none where there are no logs."""
    names = {"recall": ("evidence, recall where there is some", 0.95), "nothing": ("evidence, nothing as nothing", 0.9)}
    return [Ratio(name, found[key], floor, form="{:.3f}") for key, (name, floor) in names.items() if key in found]


def _corpus(found: Mapping[str, float]) -> list[Ratio]:
    """Reading transcripts; how many known calls are found exactly only where there are some to measure with."""
    shares = [found["exact"]] if "exact" in found else []
    known = [Ratio("known calls of transcripts, exact", share, 1, form="{:.3f}") for share in shares]
    return [
        Ratio("reading transcripts, to a bare decoding loop", found.get("to_bare_decode"), 0.4, form="{:.2f}x"),
        Ratio("reading transcripts, two workers to one", found.get("two_workers"), 1.7, form="{:.2f}x"),
        Ratio("reading transcripts, most memory", found.get("megabytes"), 200, at_most=True, form="{:.0f} MB"),
        *known,
    ]


def _hosts(found: Mapping[str, Any]) -> list[Ratio]:
    """The server as a host sees it; none where it was not measured."""
    if not found:
        return []
    resident, mixed = found["resident_kb"], found.get("mixed_session", {})
    growth = (resident[2] - resident[1]) / 1024
    return [
        Ratio("the server answers initialize", found["initialize_s"], 1.5, at_most=True, form="{:.2f} s"),
        Ratio(
            "a look through the server, above one in process", found["look_adds_ms"], 5, at_most=True, form="{:.1f} ms"
        ),
        Ratio("answers mixed up, eight calls in flight", found["mixed_up"], 0, at_most=True, form="{:.0f}"),
        Ratio("likewise, looks and runs mixed", mixed.get("mixed_up"), 0, at_most=True, form="{:.0f}"),
        Ratio("processes that cancelled calls leave", mixed.get("processes_left"), 0, at_most=True, form="{:.0f}"),
        Ratio("memory that calls leave behind", growth, 10, at_most=True, form="{:.1f} MB"),
    ]


INSPECTING = {
    "cold_to_python": ("dabhand inspect, cold, to python -c pass", 9, "{:.2f}x"),
    "above_read_ms": ("an inspection of 1 MB in process, above its bare read", 1, "{:.2f} ms"),
    "last_ms": ("the last lines of 5 GB", 50, "{:.1f} ms"),
    "last_mb": ("the last lines of 5 GB, memory", 60, "{:.0f} MB"),
    "search_rare_to_ripgrep": ("a rare text in 1 GB, to ripgrep", 2, "{:.2f}x"),
    "search_absent_to_ripgrep": ("an absent text in 1 GB, to ripgrep", 2, "{:.2f}x"),
    "search_mb": ("a search of 1 GB, memory", 60, "{:.0f} MB"),
}
"""What `python benchmarks/inspecting.py --json` gives in "ratios", with the most that is enough."""


def _inspecting(found: Mapping[str, float]) -> list[Ratio]:
    """What inspections cost; beside ripgrep only where there is one."""
    return [
        Ratio(name, found.get(key), most, at_most=True, form=form)
        for key, (name, most, form) in INSPECTING.items()
        if key in found or not key.endswith("ripgrep")
    ]


def _synthesis(found: Mapping[str, float]) -> list[Ratio]:
    """Programs from examples: none wrong among our own, what the guide saves, and how fast terms are looked at."""
    return [
        Ratio("own problems answered wrong, of all", found.get("own_wrong"), 0, at_most=True),
        Ratio("own problems found, unsure ones that are right too", found.get("own_found"), 0.9, form="{:.2f}"),
        Ratio("terms tried without the guide, to with it", found.get("guide_fewer"), 3, form="{:.1f}x"),
        Ratio("problems found with the guide, more than without", found.get("guide_found"), 0),
        Ratio("terms looked at per second and core", found.get("terms_per_second"), 200_000),
    ]


def _strangers(found: Mapping[str, float]) -> list[Ratio]:
    """Tools from three examples of strangers: as few wrong as can be, without asking about everything instead."""
    return [
        Ratio(
            "strangers' tools made and wrong, of all", found.get("strangers_wrong"), 0.01, at_most=True, form="{:.3f}"
        ),
        Ratio("strangers' tools made and right, of all", found.get("strangers_right"), 0.65, form="{:.2f}"),
    ]


def _planning(found: Mapping[str, float]) -> list[Ratio]:
    """How long planning takes; the same beam without direction must be clearly slower."""
    return [
        Ratio("planning, median", found.get("median_ms"), 20, at_most=True, form="{:.1f} ms"),
        Ratio("planning, 95th percentile", found.get("p95_ms"), 150, at_most=True, form="{:.1f} ms"),
        Ratio("planning without direction, to with", found.get("undirected_to_directed"), 2, form="{:.1f}x"),
    ]


def _cost(posix: Mapping[str, Any], found: Mapping[str, Any]) -> list[Ratio]:
    def share(name: str) -> _Figure:
        return lambda one: None if _end(one)["learn"][name] is None else 100 * _end(one)["learn"][name]

    def memory(one: dict[str, Any]) -> float:
        return max(float(run["learn"]["tree_peak_mb"]) for run in [*one["curve"], _end(one)])

    return [
        _of_seeds(
            posix,
            "seconds until understood",
            lambda one: _end(one)["learn"]["wall_seconds"],
            40,
            at_most=True,
            form="{:.1f} s",
        ),
        _of_seeds(posix, "of that outside the sandbox", share("outside_share"), 50, at_most=True, form="{:.0f}%"),
        _of_seeds(posix, "memory while practising, sandboxes and all", memory, 300, below=True, form="{:.0f} MB"),
        Ratio(
            "dabhand --help, to python -c pass", found.get("startup", {}).get("ratio"), 6, at_most=True, form="{:.2f}x"
        ),
    ]
