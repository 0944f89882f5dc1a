"""Finding tools: what a query means, and that the model is really offered what it found."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest

from agents.events import ToolFinished, ToolsLoaded
from agents.host import InMemoryRecorder
from agents.loop import Continue, Done, Outcome, step
from agents.providers.provider import Delta, Prompt, Provider
from agents.tools.oats.tool_search import ToolSearch
from agents.tools.registry import toolset
from agents.tools.tool import Tool, ToolContext, ToolResult
from tests.agents.tools.hands import Hands
from tests.agents.toys import asked, results, toy_agent

OATS = toolset("oats")


def made(number: int) -> type[Tool]:
    """One of many tools that a team or a server might have."""
    topic = ["invoice", "deploy", "ticket", "calendar", "customer", "backup"][number % 6]

    class Made(Tool):
        name: ClassVar[str] = f"{topic}_{number}"
        description: ClassVar[str] = f"Does number {number} of the things one does with a {topic}."
        aliases: ClassVar[tuple[str, ...]] = (f"alias_{number}",)
        keywords: ClassVar[tuple[str, ...]] = (topic,)
        mutates: ClassVar[bool] = False
        asks: ClassVar[Literal["allow", "ask"]] = "allow"

        what: str

        async def run(self, context: ToolContext) -> ToolResult:
            return ToolResult(self.name, f"{self.name} did {self.what}")

    return Made


MANY = {tool.name: tool for tool in (made(number) for number in range(60))}
ALWAYS = ["read", "write", "edit", "bash", "glob", "grep", "todowrite", "plan_enter", "question", "tool_search"]


class Listening:
    """A provider that remembers which tools each request offered."""

    def __init__(self, inner: Provider) -> None:
        self.inner, self.name = inner, inner.name
        self.offered: list[list[str]] = []

    @property
    def context_window(self) -> int:
        return self.inner.context_window

    def ask(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        self.offered.append([tool.name for tool in prompt.tools])
        return self.inner.ask(prompt)


async def played(root: Path, script: str) -> tuple[Listening, InMemoryRecorder]:
    """The script with the tools of OATS and sixty more."""
    recorder, agent = asked(), toy_agent(str(root), script)
    agent.provider = listening = Listening(agent.provider)
    agent.tools = {**OATS, **MANY}
    outcome: Outcome = Continue()
    while isinstance(outcome, Continue):
        outcome = await step(agent, recorder.history, recorder)
    assert outcome == Done()
    return listening, recorder


async def test_a_prompt_of_many_tools_offers_only_the_small_set(tmp_path: Path) -> None:
    listening, _ = await played(tmp_path, "- text: done\n")
    assert set(ALWAYS) <= set(listening.offered[0])
    assert len(listening.offered[0]) <= 12
    assert not set(listening.offered[0]) & set(MANY)


async def test_what_was_found_is_offered_by_the_next_request_behind_the_others(tmp_path: Path) -> None:
    script = (
        "- call: {tool: tool_search, args: {query: 'select:deploy_1,ticket_2'}}\n- call: {tool: deploy_1, args: {what: it}}\n- text: done\n"
    )
    listening, recorder = await played(tmp_path, script)
    first, second, third = listening.offered
    assert second == third == [*first, "deploy_1", "ticket_2"]
    assert results(recorder)[1].output == "deploy_1 did it"


async def test_what_was_found_is_kept_as_a_fact_once(tmp_path: Path) -> None:
    twice = "- call: {tool: tool_search, args: {query: 'select:deploy_1'}}\n" * 2
    listening, recorder = await played(tmp_path, f"{twice}- text: done\n")
    assert recorder.history.loaded == ("deploy_1",)
    assert listening.offered[-1].count("deploy_1") == 1
    types = [type(entry.fact) for entry in recorder.entries]
    assert types.index(ToolsLoaded) < types.index(ToolFinished)


async def test_a_tool_that_was_not_looked_up_works_when_it_is_called_by_its_name(tmp_path: Path) -> None:
    listening, recorder = await played(tmp_path, "- call: {tool: backup_5, args: {what: all}}\n- text: done\n")
    assert results(recorder)[0].output == "backup_5 did all"
    assert "backup_5" not in listening.offered[-1]


async def test_a_wrong_name_is_answered_with_the_right_one_and_not_with_all(tmp_path: Path) -> None:
    _, recorder = await played(tmp_path, "- call: {tool: calender_3, args: {what: x}}\n- text: done\n")
    error = results(recorder)[0].error or ""
    assert "Did you mean calendar_3" in error
    assert "tool_search" in error
    assert len(error) < 200


async def test_what_a_tool_brings_is_offered_without_looking_it_up(tmp_path: Path) -> None:
    listening, _ = await played(tmp_path, "- call: {tool: plan_enter, args: {reason: big}}\n- text: done\n")
    assert listening.offered[1] == [*listening.offered[0], "plan_exit", "plan_status"]


async def search(hands: Hands, query: str, **more: Any) -> ToolResult:
    context = hands.context()
    context.tools = {**OATS, **MANY}
    return await ToolSearch.parse({"query": query, **more}).run(context)


def names(result: ToolResult) -> list[str]:
    found: list[str] = result.metadata["matched_tool_names"]
    return found


async def test_a_selection_takes_names_and_aliases_in_any_case_in_the_order_of_the_toolset(hands: Hands) -> None:
    found = await search(hands, "SELECT: Ticket_2 ,ALIAS_1,, shell,deploy_1")
    assert names(found) == ["bash", "deploy_1", "ticket_2"]
    assert found.error is None


async def test_a_selection_gives_all_it_names(hands: Hands) -> None:
    assert len(names(await search(hands, f"select:{','.join(MANY)}", max_results=2))) == len(MANY)


async def test_names_that_a_selection_does_not_find_are_told(hands: Hands) -> None:
    found = await search(hands, "select:deploy_1,calender_3")
    assert names(found) == ["deploy_1"]
    assert "No tool is called 'calender_3'. Did you mean calendar_3" in found.output
    assert found.metadata["missing"] == ["calender_3"]


async def test_a_result_holds_the_schema_of_each_hit(hands: Hands) -> None:
    found = await search(hands, "select:deploy_1")
    name, schema = found.output.split("\n")
    assert name == "- deploy_1"
    wanted = {"name": "deploy_1", "description": MANY["deploy_1"].description, "parameters": MANY["deploy_1"].parameters()}
    assert json.loads(schema) == wanted
    assert found.metadata == {"query": "select:deploy_1", "matched_tool_names": ["deploy_1"], "schemas": [wanted], "missing": []}


@pytest.mark.parametrize(("most", "count"), [(None, 8), (3, 3), (0, 1), (-5, 1), (20, 10), (1000, 10)])
async def test_a_search_gives_no_more_than_asked_for(hands: Hands, most: int | None, count: int) -> None:
    more = {} if most is None else {"max_results": most}
    found = names(await search(hands, "calendar", **more))
    assert len(found) == count
    assert all(name.startswith("calendar") for name in found)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("change several places of one file", "multiedit"),
        ("apply a unified diff", "apply_patch"),
        ("what was remembered earlier", "memory_read"),
        ("forget a memory", "memory_delete"),
        ("deploy_31", "deploy_31"),
        ("custmer", "customer_"),
    ],
)
async def test_a_search_finds_what_one_would_mean(hands: Hands, query: str, first: str) -> None:
    assert names(await search(hands, query))[0].startswith(first)


@pytest.mark.parametrize("query", ["select", "schema", "find a tool by name", "many of your tools", "name1", "load schemas"])
async def test_a_search_does_not_find_itself(hands: Hands, query: str) -> None:
    assert "tool_search" not in names(await search(hands, query))


async def test_without_a_hit_the_names_there_are_are_told(hands: Hands) -> None:
    found = await search(hands, "xyzzy")
    assert found.error is None
    assert names(found) == []
    assert found.facts == ()
    assert "Nothing was found for 'xyzzy'" in found.output
    assert "deploy_1" in found.output


@pytest.mark.parametrize("query", ["  ", "select:", "select: , "])
async def test_a_query_that_says_nothing_is_refused(hands: Hands, query: str) -> None:
    found = await hands.call("tool_search", query=query)
    assert found.error


async def test_tools_that_are_always_offered_need_no_loading(hands: Hands) -> None:
    assert (await search(hands, "select:read,grep")).facts == ()
    assert (await search(hands, "select:read,multiedit")).facts == (ToolsLoaded(tools=("multiedit",)),)
