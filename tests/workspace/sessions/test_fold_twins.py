"""The logs that the page's fold is tested on say what `state_after` says, and leave no fact out."""

from __future__ import annotations

from typing import get_args

import pytest

from agents import events
from tests.workspace.sessions.fold_cases import FOLDER, LOGS, as_text


@pytest.mark.parametrize("name", LOGS)
def test_the_page_is_tested_on_what_state_after_says(name: str) -> None:
    kept = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert kept == as_text(name), "run python -m tests.workspace.sessions.fold_cases and the page's tests again"


def test_no_kept_case_is_left_from_a_log_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(LOGS)


def test_every_fact_is_in_some_log() -> None:
    union = get_args(events.AnyFact)[0]
    assert {type(fact) for log in LOGS.values() for fact in log} == set(get_args(union))
