"""The gate and the running of calls: what is asked, refused, or run, and in which order."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from agents import events as e
from agents.calls import finished
from agents.history import covered
from agents.host import InMemoryArtifacts, InMemoryMemories, InMemoryRecorder
from agents.loop import Done, Outcome, Waiting
from agents.permissions import Rule
from agents.providers.provider import ToolMessage
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from agents.tools.oversize import shortened
from agents.tools.reach import Reach
from agents.tools.tool import ToolContext, ToolResult
from tests.agents.toys import ALLOW, Look, Paint, asked, results, run, told


async def test_read_only_calls_run_side_by_side_and_answer_in_order(tmp_path: Path) -> None:
    recorder = asked()
    turn = "- parts:\n" + "".join(f"  - call: {{tool: look, args: {{at: '{at}'}}}}\n" for at in "abc") + "- text: done\n"
    await run(tmp_path, turn, recorder)
    assert Look.running[1] == 3
    said = [m.text for m in recorder.history.transcript.messages if isinstance(m, ToolMessage)]
    assert said == ["a seen", "b seen", "c seen"]


async def test_a_writing_call_waits_for_approval_and_nothing_behind_it_runs(tmp_path: Path) -> None:
    recorder = asked()
    turn = "- parts:\n  - call: {tool: paint, args: {thing: wall}, id: c1}\n  - call: {tool: look, args: {at: wall}, id: c2}\n"
    turn += "  - call: {tool: paint, args: {thing: door}, id: c3}\n- text: done\n"
    outcome = await run(tmp_path, turn, recorder)
    assert outcome == Waiting(("c1", "c3"))
    asks = [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.ApprovalAsked)]
    assert [ask.subject for ask in asks] == ["wall", "door"]
    assert Paint.done == []
    assert await run(tmp_path, turn, recorder) == outcome
    assert told(recorder).count("approval.asked") == 2


def decide(recorder: InMemoryRecorder, call_id: str, verdict: str, **more: str) -> None:
    open_call = recorder.history.find(call_id)
    assert open_call is not None
    assert open_call.approval is not None
    asked = open_call.approval
    fact = {"approval_id": asked.approval_id, "call_id": call_id, "verdict": verdict, "hash": asked.hash, **more}
    recorder.add(e.ApprovalDecided.model_validate(fact), by="bob")


TWO_PAINTS = "- call: {tool: paint, args: {thing: wall}, id: c1}\n- call: {tool: paint, args: {thing: wall}, id: c2}\n- text: done\n"


async def test_an_approved_call_runs_and_the_next_asks_again(tmp_path: Path) -> None:
    recorder = asked()
    assert await run(tmp_path, TWO_PAINTS, recorder) == Waiting(("c1",))
    decide(recorder, "c1", "allow")
    assert await run(tmp_path, TWO_PAINTS, recorder) == Waiting(("c2",))
    assert Paint.done == ["wall"]


async def test_what_is_approved_while_another_call_runs_is_run_next(tmp_path: Path) -> None:
    recorder, rules = asked(), (Rule("look", "*", "ask"),)
    script = "- - call: {tool: look, args: {at: moon}, id: c1}\n  - call: {tool: look, args: {at: sun}, id: c2}\n- text: done\n"
    assert await run(tmp_path, script, recorder, rules) == Waiting(("c1", "c2"))
    decide(recorder, "c1", "allow")
    going_on = asyncio.create_task(run(tmp_path, script, recorder, rules))
    while not Look.running[0]:
        await asyncio.sleep(0)
    decide(recorder, "c2", "allow")
    assert await going_on == Done()
    assert [result.output for result in results(recorder)] == ["moon seen", "sun seen"]


async def test_an_approval_for_the_session_covers_the_same_subject_only(tmp_path: Path) -> None:
    recorder = asked()
    script = TWO_PAINTS.replace("- text: done\n", "- call: {tool: paint, args: {thing: roof}, id: c3}\n")
    await run(tmp_path, script, recorder)
    decide(recorder, "c1", "allow", scope="session")
    assert await run(tmp_path, script, recorder) == Waiting(("c3",))
    assert Paint.done == ["wall", "wall"]


def test_an_approval_of_a_command_covers_the_folder_it_was_given_for() -> None:
    here = covered("bash", "make clean", {"command": "make clean", "working_dir": ""})
    assert here == covered("bash", "make clean", {"command": "make clean", "timeout": 5})
    assert here != covered("bash", "make clean", {"command": "make clean", "working_dir": "other"})


def test_an_approval_to_write_what_is_missing_covers_no_overwriting() -> None:
    assert covered("generate_readme", ".", {"overwrite": False}) != covered("generate_readme", ".", {"overwrite": True})


async def test_a_deny_rule_beats_what_was_allowed_for_the_session(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, TWO_PAINTS, recorder)
    decide(recorder, "c1", "allow", scope="session")
    recorder.history.find("c1")
    outcome = await run(tmp_path, TWO_PAINTS, recorder, (Rule("paint", "*", "deny"),))
    assert outcome == Done()
    assert Paint.done == ["wall"]


async def test_an_approval_of_other_arguments_is_no_approval(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, TWO_PAINTS, recorder)
    recorder.add(e.ApprovalDecided(approval_id="a-c1", call_id="c1", verdict="allow", hash="0" * 64), by="bob")
    assert await run(tmp_path, TWO_PAINTS, recorder) == Waiting(("c1",))
    assert Paint.done == []


async def test_a_declined_call_tells_the_model_why(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, TWO_PAINTS, recorder)
    decide(recorder, "c1", "deny", reason="Not in red.")
    await run(tmp_path, TWO_PAINTS, recorder)
    assert "Not in red." in (results(recorder)[0].error or "")
    assert Paint.done == []


PLAN = e.PlanEntered(reason="big", plan_file="plan.md")


async def test_in_plan_mode_only_the_plan_file_can_be_changed(tmp_path: Path) -> None:
    recorder = asked()
    recorder.add(PLAN)
    turn = "- parts:\n  - call: {tool: paint, args: {thing: wall}}\n  - call: {tool: paint, args: {thing: plan.md}}\n"
    turn += "  - call: {tool: look, args: {at: wall}}\n- text: done\n"
    await run(tmp_path, turn, recorder, ALLOW)
    assert Paint.done == ["plan.md"]
    first, second, third = results(recorder)
    assert "plan_exit" in (first.error or "")
    assert (second.error, third.error) == (None, None)


async def write_plan(root: Path, plan_file: str, *rules: Rule) -> Outcome:
    recorder = asked()
    recorder.add(e.PlanEntered(reason="big", plan_file=plan_file))
    return await run(root, f"- call: {{tool: paint, args: {{thing: {plan_file}}}}}\n- text: done\n", recorder, rules)


async def test_the_plan_file_is_written_without_asking_unless_a_rule_forbids_it(tmp_path: Path) -> None:
    assert await write_plan(tmp_path, ".coder/plan.md") == Done()
    assert Paint.done == [".coder/plan.md"]
    await write_plan(tmp_path, ".coder/plan.md", Rule("paint", ".coder/*", "deny"))
    assert Paint.done == [".coder/plan.md"]


async def test_a_plan_file_among_the_projects_own_is_asked_for(tmp_path: Path) -> None:
    assert isinstance(await write_plan(tmp_path, "README.md"), Waiting)
    assert Paint.done == []


async def test_after_a_proposal_everything_stays_held_back_until_that_very_plan_is_approved(tmp_path: Path) -> None:
    recorder = asked()
    script = "".join(f"- call: {{tool: paint, args: {{thing: wall{i}}}}}\n" for i in range(4)) + "- text: done\n"
    recorder.add(PLAN)
    recorder.add(e.PlanProposed(revision=1, text="t", hash="h1", plan_file="plan.md"))
    await run(tmp_path, script, recorder, ALLOW, steps=1)
    recorder.add(e.PlanReviewed(revision=1, hash="h1", verdict="changes", message="more"), by="bob")
    await run(tmp_path, script, recorder, ALLOW, steps=1)
    recorder.add(e.PlanProposed(revision=2, text="t2", hash="h2", plan_file="plan.md"))
    recorder.add(e.PlanReviewed(revision=1, hash="h1", verdict="approved"), by="bob")
    await run(tmp_path, script, recorder, ALLOW, steps=1)
    assert Paint.done == []
    recorder.add(e.PlanReviewed(revision=2, hash="h2", verdict="approved"), by="bob")
    await run(tmp_path, script, recorder, ALLOW, steps=1)
    assert Paint.done == ["wall3"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("{tool: pain, args: {}}", "Did you mean paint?"),
        ('{tool: paint, raw: \'{"thing": "wa\'}', "not valid JSON"),
        ("{tool: paint, raw: '[1]'}", "must be a JSON object"),
        ("{tool: paint, args: {}}", "thing: field required"),
        ("{tool: paint, args: {thing: x, tone: 1}}", "tone"),
        ("{tool: paint, args: {thing: glass}}", "Glass cannot be painted."),
        ("{tool: paint, args: {thing: air}}", "ZeroDivisionError"),
    ],
)
async def test_a_bad_call_is_a_result_the_model_can_act_on(tmp_path: Path, call: str, words: str) -> None:
    recorder = asked()
    assert await run(tmp_path, f"- call: {call}\n- text: I see.\n", recorder, ALLOW) == Done()
    assert words in (results(recorder)[0].error or "")


async def test_secrets_never_reach_the_log_or_the_model(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, "- call: {tool: look, args: {at: AKIAABCDEFGHIJKLMNOP}}\n- text: done\n", recorder)
    assert "AKIAABCDEFGHIJKLMNOP" not in results(recorder)[0].output
    assert results(recorder)[0].redactions == 1
    assert "AKIAABCDEFGHIJKLMNOP" not in "".join(m.text for m in recorder.history.transcript.messages if isinstance(m, ToolMessage))


def test_secrets_are_in_no_title_and_no_name_of_a_file() -> None:
    file = e.Attachment(name="AKIAABCDEFGHIJKLMNOP.png", media_type="image/png", data="")
    fact = finished(e.Call(call_id="c1", tool="look", arguments="{}"), ToolResult("Saw AKIAABCDEFGHIJKLMNOP", attachments=(file,)), 0.0)
    assert "AKIAABCDEFGHIJKLMNOP" not in fact.model_dump_json()


async def test_an_alias_finds_its_tool(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, "- call: {tool: peek, args: {at: moon}}\n- text: done\n", recorder)
    assert results(recorder)[0].output == "moon seen"


async def test_a_result_that_is_too_long_is_kept_as_an_artifact_where_the_toolset_says_so(tmp_path: Path) -> None:
    artifacts, text = InMemoryArtifacts(), "ö" * 60_000
    box = open_sandbox(SandboxWish(root=str(tmp_path), level="local"))
    context = ToolContext("s", "c", box, InMemoryMemories(), flags={"longest_result": 50_000}, reach=Reach(artifacts=artifacts))
    short = ToolResult("Looked", "ö" * 50_000)
    assert await shortened(short, context) is short
    told = await shortened(ToolResult("Looked", text, {"at": 1}), context)
    assert told.output.startswith('<kept-output url="artifact://1" bytes="120000">\n' + "ö" * 1000 + "\n</kept-output>")
    assert told.metadata == {"at": 1, "artifact": 1}
    assert artifacts.kept[0][1].decode() == text
    unbounded = replace(context, flags={})
    assert (await shortened(ToolResult("Looked", text), unbounded)).output == text
