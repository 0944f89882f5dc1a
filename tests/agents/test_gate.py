"""The gate before every call: what plan mode holds back, and what an approval is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import events as e
from agents.loop import Waiting, step
from agents.permissions import Rule
from agents.plan import plan_hash
from agents.tools.registry import toolset
from tests.agents.toys import Paint, asked, results, run, toy_agent


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


PAINT = "- call: {tool: paint, args: {thing: wall}, id: c1}\n- text: done\n"


async def test_what_was_allowed_counts_only_for_the_very_call_that_runs(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, PAINT, recorder)
    open_call = recorder.history.find("c1")
    assert open_call is not None
    assert open_call.approval is not None
    allowed = {"approval_id": open_call.approval.approval_id, "call_id": "c1", "hash": open_call.approval.hash}
    recorder.add(e.ApprovalDecided(verdict="allow", **allowed), by="bob")
    open_call.call = open_call.call.model_copy(update={"arguments": '{"thing": "house"}'})
    assert await run(tmp_path, PAINT, recorder) == Waiting(("c1",))
    assert Paint.done == []
    approvals = [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.ApprovalAsked)]
    assert [approval.subject for approval in approvals] == ["wall", "house"]


CHANGES_NOTHING = {
    "read", "glob", "grep", "todowrite", "todoread", "memory_read", "plan_enter", "plan_exit", "plan_status", "question", "ask_user",
    "tool_search", "agent_status", "lsp", "webfetch", "websearch", "playwright_search", "mcp_discover", "mcp_rank", "mcp_session",
    "skill", "read_skill_file",
}  # fmt: skip
ARGUMENTS = {
    "write": "{file_path: a.txt, content: x}",
    "edit": "{file_path: a.txt, old_string: a, new_string: b}",
    "multiedit": "{file_path: a.txt, edits: [{old_string: a, new_string: b}]}",
    "apply_patch": '{patch: "--- a/a.txt\\n+++ b/a.txt\\n@@ -1 +1 @@\\n-a\\n+b\\n"}',
    "bash": "{command: touch b.txt}",
    "memory_write": "{title: t, content: c}",
    "memory_delete": "{memory_id: abc}",
    "generate_readme": "{}",
    "agent": "{prompt: x}",
    "mcp_call": "{tool_name: mcp__s__t}",
    "mcp_chain": "{calls: [{tool_name: mcp__s__t}]}",
    "mcp_fan_out": "{calls: [{tool_name: mcp__s__t}]}",
    "mcp_server_manage": "{action: remove, name: s}",
}


@pytest.mark.parametrize("stage", ["planning", "proposed"])
@pytest.mark.parametrize("tool", [name for name in toolset("oats") if name not in CHANGES_NOTHING])
async def test_plan_mode_holds_back_every_tool_that_could_change_anything(tool: str, stage: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n")
    recorder = asked()
    recorder.add(e.PlanEntered(reason="big", plan_file=".coder/plan.md"))
    if stage == "proposed":
        recorder.add(e.PlanProposed(revision=1, text="p", hash=plan_hash("p"), plan_file=".coder/plan.md", call_id="p1"))
    agent = toy_agent(str(tmp_path), f"- call: {{tool: {tool}, args: {ARGUMENTS[tool]}}}\n- text: done\n", (Rule("*", "*", "allow"),))
    agent.tools = toolset("oats")
    await step(agent, recorder.history, recorder)
    (finished,) = results(recorder)
    assert "may not change anything" in (finished.error or "")
    assert names_in(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "a\n"


@pytest.mark.parametrize("tool", ["search", "read", "*"])
async def test_a_search_of_everything_shows_nothing_of_what_a_rule_denies(tool: str, tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets/key.txt").write_text("token 1\n")
    (tmp_path / "link.txt").symlink_to("secrets/key.txt")
    (tmp_path / "open.txt").write_text("token 2\n")
    paths = (".", "[s]ecrets/*", "link.txt", "secrets/key.txt")
    calls = "".join(f"- call: {{tool: search, args: {{pattern: token, paths: '{path}'}}}}\n" for path in paths)
    agent = toy_agent(str(tmp_path), f"{calls}- text: done\n", (Rule("*", "*", "allow"), Rule(tool, "secrets/*", "deny")))
    agent.tools = toolset("atomic")
    recorder = asked()
    for _ in range(2 * len(paths)):
        await step(agent, recorder.history, recorder)
    everything, *others = [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.ToolFinished)]
    assert "open.txt" in everything.output
    assert "[Left out because rules of this project deny them: 2 files]" in everything.output
    assert len(others) == len(paths) - 1
    assert not any("token 1" in ended.output for ended in (everything, *others))
