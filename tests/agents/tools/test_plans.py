"""Plan mode through the tools."""

from __future__ import annotations

from typing import Literal

import pytest

from agents.events import PlanCommented, PlanEntered, PlanProposed, PlanReviewed
from agents.plan import plan_after, plan_hash
from agents.tools.oats.plans import SKELETON
from tests.agents.tools.hands import Hands

TEXT = "# Plan\n1. Do it\n"


async def proposed(hands: Hands) -> PlanProposed:
    await hands.call("plan_enter", reason="big")
    await hands.call("write", file_path=".coder/plan.md", content=TEXT)
    ask = (await hands.call("plan_exit", summary="Do it")).waits
    assert isinstance(ask, PlanProposed)
    return ask


async def test_entering_makes_a_skeleton_and_tells_what_is_allowed(hands: Hands) -> None:
    result = await hands.call("plan_enter", reason="big change")
    assert result.facts == (PlanEntered(reason="big change", plan_file=".coder/plan.md"),)
    assert "Reason: big change" in result.output
    assert hands.files() == {".coder/plan.md": SKELETON.encode()}
    assert hands.plan.holds_back


async def test_a_plan_that_is_there_is_never_overwritten(hands: Hands) -> None:
    hands.put({"docs/mine.md": "precious"})
    await hands.call("plan_enter", plan_file="docs/mine.md")
    assert hands.files() == {"docs/mine.md": b"precious"}
    again = await hands.call("plan_enter", plan_file="other.md")
    assert "already active" in again.output
    assert (again.facts, hands.plan.plan_file) == ((), "docs/mine.md")


@pytest.mark.parametrize("path", ["../plan.md", "/etc/plan.md", "src/app.py", ".git/plan.md", "a.txt/plan.md"])
async def test_a_plan_file_elsewhere_is_refused(path: str, hands: Hands) -> None:
    hands.put({"a.txt": ""})
    assert (await hands.call("plan_enter", plan_file=path)).error
    assert not hands.plan.holds_back


async def test_proposing_waits_with_the_plan_s_text_and_hash(hands: Hands) -> None:
    ask = await proposed(hands)
    assert (ask.revision, ask.text, ask.hash, ask.summary, ask.call_id) == (1, TEXT, plan_hash(TEXT), "Do it", "call-1")
    assert (hands.plan.stage, hands.plan.holds_back) == ("proposed", True)


async def test_a_second_proposal_is_the_next_revision(hands: Hands) -> None:
    ask = await proposed(hands)
    await hands.conclude("plan_exit", PlanReviewed(revision=1, hash=ask.hash, verdict="changes"))
    again = (await hands.call("plan_exit")).waits
    assert isinstance(again, PlanProposed)
    assert again.revision == 2


async def test_an_approved_plan_says_go(hands: Hands) -> None:
    ask = await proposed(hands)
    result = await hands.conclude("plan_exit", PlanReviewed(revision=1, hash=ask.hash, verdict="approved", message="Nice."))
    assert "is approved" in result.output
    assert "Message: Nice." in result.output
    assert "NOT" not in result.output


@pytest.mark.parametrize("verdict", ["approved", "changes"])
async def test_what_a_person_revised_reaches_the_agent_and_the_plan_file(verdict: Literal["approved", "changes"], hands: Hands) -> None:
    ask = await proposed(hands)
    better = TEXT + "2. Test it\n"
    hands.plan = plan_after(hands.plan, ask.model_copy(update={"revision": 2, "text": better, "hash": plan_hash(better)}))
    result = await hands.conclude("plan_exit", PlanReviewed(revision=2, hash=plan_hash(better), verdict=verdict, message="So."))
    assert "revised by a person" in result.output
    assert better in result.output
    assert hands.files()[".coder/plan.md"] == better.encode()
    assert [(change.path, change.added) for change in result.changes] == [(".coder/plan.md", 1)]


def revise(hands: Hands, ask: PlanProposed, text: str) -> PlanReviewed:
    """A person's revision of the proposal, and the approval of it."""
    better = ask.model_copy(update={"revision": 2, "text": text, "hash": plan_hash(text)})
    hands.plan = plan_after(hands.plan, better)
    return PlanReviewed(revision=2, hash=better.hash, verdict="approved")


async def test_a_revision_that_stands_in_the_plan_file_already_is_told_all_the_same(hands: Hands) -> None:
    review = revise(hands, await proposed(hands), better := TEXT + "2. Test it\n")
    hands.put({".coder/plan.md": better})
    result = await hands.conclude("plan_exit", review)
    assert "revised by a person" in result.output
    assert result.changes == ()


@pytest.mark.parametrize("revised", [True, False])
async def test_a_plan_file_that_was_changed_under_review_is_left_and_said_so(revised: bool, hands: Hands) -> None:
    ask = await proposed(hands)
    review = revise(hands, ask, "Better") if revised else PlanReviewed(revision=1, hash=ask.hash, verdict="approved")
    hands.put({".coder/plan.md": "newer and unread"})
    result = await hands.conclude("plan_exit", review)
    assert hands.files()[".coder/plan.md"] == b"newer and unread"
    assert "was changed while the plan was under review" in result.output
    assert result.output.endswith("Better" if revised else TEXT)
    assert "is approved" in result.output
    assert result.changes == ()


async def test_an_unrevised_plan_is_not_called_revised(hands: Hands) -> None:
    ask = await proposed(hands)
    result = await hands.conclude("plan_exit", PlanReviewed(revision=1, hash=ask.hash, verdict="approved"))
    assert "revised by a person" not in result.output


async def test_a_plan_file_that_is_gone_is_written_again(hands: Hands) -> None:
    ask = await proposed(hands)
    (hands.root / ".coder/plan.md").unlink()
    await hands.conclude("plan_exit", PlanReviewed(revision=1, hash=ask.hash, verdict="approved"))
    assert hands.files()[".coder/plan.md"] == TEXT.encode()


async def test_a_verdict_counts_though_the_plan_file_is_gone_for_good(hands: Hands) -> None:
    ask = await proposed(hands)
    (hands.root / ".coder" / "plan.md").unlink()
    (hands.root / ".coder" / "plan.md").mkdir()
    result = await hands.conclude("plan_exit", PlanReviewed(revision=1, hash=ask.hash, verdict="approved"))
    assert (result.error, result.changes) == (None, ())
    assert "is approved" in result.output
    assert TEXT in result.output


async def test_changes_are_told_with_every_comment_and_never_as_approval(hands: Hands) -> None:
    ask = await proposed(hands)
    comments = (
        PlanCommented(comment_id="1", revision=1, text="Which it?", quote="Do it", start=10),
        PlanCommented(comment_id="2", revision=1, text="Add tests."),
    )
    review = PlanReviewed(revision=1, hash=ask.hash, verdict="changes", message="Not yet.", comments=comments)
    result = await hands.conclude("plan_exit", review)
    assert result.error is None
    assert "NOT approved" in result.output
    assert "at character 10:\n> Do it\nWhich it?" in result.output
    assert "on the whole plan:\nAdd tests." in result.output
    assert "Message: Not yet." in result.output
    assert hands.plan.holds_back


async def test_there_is_nothing_to_propose_without_plan_mode_or_plan(hands: Hands) -> None:
    assert "Plan mode is not active" in str((await hands.call("plan_exit")).error)
    await hands.call("plan_enter")
    assert "still empty" in str((await hands.call("plan_exit")).error)
    (hands.root / ".coder/plan.md").unlink()
    assert "File not found: .coder/plan.md" in str((await hands.call("plan_exit")).error)


async def test_the_status_follows(hands: Hands) -> None:
    assert (await hands.call("plan_status")).output == "Not in planning mode."
    await hands.call("plan_enter", reason="big")
    assert "Plan: active" in (await hands.call("plan_status")).output
    ask = await proposed(hands)
    status = await hands.call("plan_status")
    assert "awaiting approval" in status.output
    assert (status.metadata["active"], status.metadata["awaiting_approval"]) == (False, True)
    await hands.conclude("plan_exit", PlanReviewed(revision=1, hash=ask.hash, verdict="approved"))
    assert "Plan: approved" in (await hands.call("plan_status")).output


async def test_a_plan_can_be_given_by_whoever_cannot_write_its_file(hands: Hands) -> None:
    await hands.call("plan_enter")
    proposed = await hands.call("plan_exit", plan="# Plan\n\nRead, then edit.\n")
    assert isinstance(proposed.waits, PlanProposed)
    assert proposed.waits.text == "# Plan\n\nRead, then edit.\n"
    assert hands.files()[".coder/plan.md"] == b"# Plan\n\nRead, then edit.\n"
