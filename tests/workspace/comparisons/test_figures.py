"""What the sides' work comes to, told without reading a log twice."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from agents import events as e
from tests.workspace.comparisons.conftest import say
from workspace.comparisons import counting
from workspace.comparisons.figures import Figures, figures_of
from workspace.comparisons.models import Comparison, Tally
from workspace.projects import worktrees
from workspace.sessions.models import LoggedFact, Session


def called(call_id: str, error: str | None = None) -> e.ToolFinished:
    return e.ToolFinished(call_id=call_id, tool="bash", title="x", output='"error":null', error=error, metadata={"error": "no"})


def spoke(reply_id: str, **used: Any) -> e.AgentSpoke:
    return e.AgentSpoke(reply_id=reply_id, parts=(e.Text(text="I see."),), finish="stop", usage=e.Usage(**used))


def told(session: Session, *, compare: bool = False) -> Figures:
    return figures_of([Session.objects.get(pk=session.pk)], compare=compare)[session.pk]


def test_replies_calls_tokens_and_costs_are_counted(comparison: Comparison) -> None:
    side = comparison.left
    say(side, spoke("r1", input=100, output=20, cost=0.25), called("c1"), called("c2", "It failed"))
    say(side, spoke("r2", input=50, output=5), e.ReplyRefused(reply_id="r2", reason="no JSON", told="Say it again."), called("c3", ""))
    found = told(side)
    assert (found.replies, found.tool_calls, found.failed_calls, found.refused_replies) == (2, 3, 2, 1)
    assert (found.input, found.output, found.cost, found.unpriced) == (150, 25, 0.25, 1)
    assert told(comparison.right).tool_calls == 0


def test_a_second_look_reads_only_what_is_new(comparison: Comparison) -> None:
    side = comparison.left
    say(side, called("c1"))
    assert told(side).tool_calls == 1
    LoggedFact.objects.filter(session=side, type="tool.finished").update(data="this is read no more")
    say(side, called("c2", "It failed"))
    assert (told(side).tool_calls, told(side).failed_calls) == (2, 1)
    assert Tally.objects.get(session=side).seq == side.head


def test_a_log_too_long_for_one_look_is_counted_by_the_next(comparison: Comparison) -> None:
    side = comparison.left
    say(side, *(called(f"c{number}") for number in range(counting.AT_ONCE + 5)))
    assert [told(side).tool_calls for _ in range(3)] == [counting.AT_ONCE, counting.AT_ONCE + 5, counting.AT_ONCE + 5]


def test_who_looks_at_the_same_moment_counts_nothing_twice(comparison: Comparison) -> None:
    side = comparison.left
    say(side, called("c1"))
    told(side)
    early = Session.objects.get(pk=side.pk)
    say(side, called("c2"))
    late = Session.objects.get(pk=side.pk)
    assert counting.tallies([late])[side.pk].calls == 2
    assert counting.tallies([early])[side.pk].calls == 2  # whoever read the session before knows no less
    assert counting.tallies([late])[side.pk].calls == 2


def test_work_is_timed_and_waiting_for_people_is_not(comparison: Comparison) -> None:
    side, began = comparison.left, timezone.now() - timedelta(hours=1)
    facts = [
        e.RunStarted(run_id="r"), e.RunWaiting(run_id="r", calls=("c1",)), e.RunResumed(run_id="r"), e.RunStarted(run_id="r"),
        e.RunFinished(run_id="r", outcome="done"),
    ]  # fmt: skip
    say(side, *facts)
    for minute, at in enumerate(LoggedFact.objects.filter(session=side, type__startswith="run.", seq__gt=side.head - 5).order_by("seq")):
        LoggedFact.objects.filter(pk=at.pk).update(at=began + timedelta(minutes=minute))
    assert told(side).seconds == 120


def test_the_work_of_sub_agents_belongs_to_their_side(comparison: Comparison) -> None:
    side = comparison.left
    child = Session.objects.create(project=side.project, parent=side, root=side, started_by_call="c1")
    say(child, e.SessionOpened(title="Look", toolset="oats", provider="scripted", model="demo"))
    say(child, spoke("r1", input=7, output=3, cost=0.5), called("c1", "It failed"))
    say(side, spoke("r1", input=1, output=1, cost=0.25))
    found = told(side)
    assert (found.replies, found.tool_calls, found.failed_calls, found.input, found.cost) == (2, 1, 1, 8, 0.75)


def test_files_are_looked_at_again_only_when_something_may_have_changed(ended: Comparison) -> None:
    side, folder = ended.left, worktrees.place_of(ended.left.public_id)
    assert told(side).files is None
    (folder / "new.py").write_text("one\n")
    assert told(side, compare=True).files == 1
    (folder / "other.py").write_text("no call has made it\n")
    assert told(side, compare=True).files == 1
    say(side, called("c1"))
    found = told(side, compare=True)
    assert (found.files, found.added, found.removed) == (2, 2, 0)
    assert told(side).files == 2


def test_files_of_a_side_at_work_are_looked_at_now_and_then(comparison: Comparison) -> None:
    side, folder = comparison.left, worktrees.place_of(comparison.left.public_id)
    assert told(side, compare=True).files == 0
    (folder / "new.py").write_text("one\n")
    say(side, called("c1"))
    assert told(side, compare=True).files == 0
    Tally.objects.filter(session=side).update(compared_at=timezone.now() - timedelta(minutes=1))
    assert told(side, compare=True).files == 1


def test_a_worktree_that_is_gone_has_no_figures_of_files(ended: Comparison, home: Path) -> None:
    worktrees.drop(ended.project, ended.left.public_id)
    assert told(ended.left, compare=True).files is None


@pytest.mark.parametrize("many", [1, 3])
def test_however_many_there_are_a_list_asks_the_database_as_often(
    place: Path, comparison: Comparison, many: int, django_assert_num_queries: Any
) -> None:
    sessions = [comparison.left, comparison.right, *(Session.objects.create(project=comparison.project) for _ in range(many))]
    figures_of(sessions)
    with django_assert_num_queries(2):
        figures_of(sessions)
