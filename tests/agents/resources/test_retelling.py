"""What a log becomes when another session reads it."""

from __future__ import annotations

from collections.abc import Sequence

from agents import events as e
from agents.pieces import Answer, FileChange, QuestionItem
from agents.resources.retelling import BEGINNING, END, OUTPUT, retold
from tests.agents.resources.around import NOON


def told(*facts: e.AnyFact, by: Sequence[str | None] = ()) -> str:
    people = [*by, *[None] * len(facts)]
    entries = [e.Entry(seq=seq, at=NOON, fact=fact, by=person) for seq, (fact, person) in enumerate(zip(facts, people, strict=False), 1)]
    return retold(entries, lambda person: person.title() if person else "Another agent")


def replied(text: str) -> e.AgentSpoke:
    return e.AgentSpoke(reply_id="r", parts=(e.Text(text=text), e.Call(call_id="c", tool="read", arguments="{}")), finish="calls")


def test_who_said_what_and_what_was_done_is_told_in_order() -> None:
    changed = (FileChange(path="a.py", change="modified", added=2),)
    text = told(
        e.UserSpoke(message_id="m", text="Fix it"),
        replied("On it."),
        e.ToolStarted(call_id="c", tool="edit", args={"input": "x"}),
        e.ToolFinished(call_id="c", tool="edit", title="Edit: a.py", output="fine", error="half", changes=changed),
        e.RunFinished(run_id="r", outcome="failed", detail="No key."),
        by=["alice"],
    )
    assert text == (
        '## Alice, 2026-11-20 12:00 UTC\n\nFix it\n\n## Agent\n\nOn it.\n\n→ edit {"input": "x"}\n\n'
        "← Edit: a.py\nError: half\nmodified a.py (+2 -0)\nfine\n\n(the run ended: failed. No key.)"
    )


def test_what_people_decided_is_told_with_who_did() -> None:
    comment = e.PlanCommented(comment_id="k", revision=1, text="Why?", quote="step 2")
    text = told(
        e.ApprovalDecided(approval_id="a", call_id="c", verdict="deny", reason="Too risky", hash="h"),
        e.PlanReviewed(revision=1, hash="h", verdict="changes", message="Almost", comments=(comment,)),
        e.QuestionAnswered(question_id="q", call_id="c", answers=(Answer(labels=("Yes",), text="but soon"),)),
        e.QuestionAsked(question_id="q", call_id="c", questions=(QuestionItem(question="Shall I?"),)),
        e.PlanProposed(revision=2, text="# Plan", hash="h", plan_file=".plan.md"),
        by=["bob", "bob", "alice"],
    )  # fmt: skip
    assert "(Bob declined the call: Too risky)" in text
    assert "(Bob reviewed revision 1: changes)\nAlmost\nOn 'step 2': Why?" in text
    assert "(Alice answered: Yes, but soon)" in text
    assert "(the agent asked: Shall I?)" in text
    assert text.endswith("## Plan, revision 2\n\n# Plan")


def test_what_people_say_among_themselves_is_not_told() -> None:
    assert told(e.CommentAdded(comment_id="k", text="He is slow today"), by=["alice"]) == "Nothing was said in this session."


def test_outputs_are_told_by_their_beginning() -> None:
    text = told(e.ToolFinished(call_id="c", tool="bash", title="Bash", output="x" * 9000))
    assert text.endswith("x\n[cut: 9000 characters]")
    assert len(text) < OUTPUT + 100


def test_of_a_long_session_the_middle_is_left_out() -> None:
    text = told(*(replied(f"{number}: {'y' * 10_000}") for number in range(60)))
    assert len(text) < BEGINNING + END + 30_000
    assert "left out here" in text
    assert "## Agent\n\n0: " in text
    assert "## Agent\n\n59: " in text
    assert "## Agent\n\n20: " not in text
