from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.practice.lessons import Lesson, practised

# The judge is a program of its own, not part of the package.
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

PLAIN = ("cp {A} {B}", "mkdir {A}", "cat {A}", "sort {A} > {B}", "grep {T} {A} > {B}", "sed -i 's/{T}/{U}/g' {A}")
ODD = ("date > {A}", "date +%N > {A}", "shuf {A} > {B}", "md5sum {A} > {B}", "false {A}")


@pytest.fixture(scope="session")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    """Commands that can be understood, practised once for all tests that ask about them."""
    return practised(tmp_path_factory.mktemp("plain"), PLAIN, experiments=300, seed=1)


@pytest.fixture(scope="session")
def odd_lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    """Commands that cannot, for one reason or another."""
    return practised(tmp_path_factory.mktemp("odd"), ODD, experiments=240, seed=2)
