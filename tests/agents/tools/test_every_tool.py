"""Whatever a model sends, every tool of every toolset answers in words: the call fails, the turn goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents import events as e
from agents.calls import finished, judged, settle_calls
from agents.errors import InvalidArguments, ToolError
from agents.mcp.servers import GivenServers
from agents.permissions import Rule
from agents.pieces import well_formed
from agents.tools.arguments import parse_arguments
from agents.tools.crashes import sound
from agents.tools.reach import Reach
from agents.tools.registry import OATS, TOOLSETS
from agents.tools.tool import Tool, ToolResult, call_hash
from tests.agents.tools.hands import Hands
from tests.agents.toys import asked, results, toy_agent

EVERY = list(dict.fromkeys(tool for registry in TOOLSETS.values() for tool in registry.list()))
SHELLS = {"bash", "run", "execute_command"}
"""Tools that are not run with what no tool expects: it would be a command line."""
TOOLS = [pytest.param(tool, id=f"{tool.__module__.split('.')[-2]}.{tool.name}") for tool in EVERY]
HALF = "\\ud800"
"""As JSON spells half of a character, which no text may hold by itself."""
ODD = (
    '""', '" "', '"\\u0000"', f'"{HALF}"', '"\\u202e"', json.dumps("x" * 100_000), '"../../etc/passwd"', '"/dev/zero"', '"-rf"', '"[*"',
    "-1", "0", "1e400", "1" + "0" * 30, "1.5", "NaN", "true", "false", "[]", "[[]]", "{}", "[null]", '{"a": null}', '["\\u0000"]',
    f'["{HALF}"]', "[" * 400 + "]" * 400, '{"a":' * 400 + "1" + "}" * 400,
)  # fmt: skip
"""What no tool expects, as JSON."""
WORDS = st.text(max_size=5)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner), max_leaves=8)
USUAL = {"string": '"a.txt"', "integer": "1", "number": "1", "boolean": "true", "array": "[]", "object": "{}"}


def usual(rule: dict[str, Any]) -> str:
    """A value that may fit, as JSON."""
    return json.dumps(rule["enum"][0]) if "enum" in rule else USUAL.get(str(rule.get("type", "")), '"a.txt"')


def calls_with(tool: type[Tool], value: str) -> Iterator[tuple[str, str]]:
    """(argument, arguments as JSON): each argument in turn with this value, those that are needed with something usual."""
    schema = tool.parameters()
    rules: dict[str, Any] = schema["properties"]
    for odd in rules:
        given = {name: usual(rules[name]) for name in schema.get("required", ())} | {odd: value}
        yield odd, "{" + ", ".join(f"{json.dumps(name)}: {one}" for name, one in given.items()) + "}"


def carried_out(hands: Hands, tool: type[Tool], raw: str) -> e.ToolFinished:
    """The end of the call, by the steps that the loop takes. Raises whatever the loop would have to catch as a fault of the tool."""
    context = hands.context()
    try:
        call = tool.parse(parse_arguments(raw))
        judged((), call, context)
        assert call.risk(context) in ("low", "medium", "high")
        e.ApprovalAsked(
            approval_id="a", call_id="c", tool=tool.name, args=call.arguments(), prompt=well_formed(call.prompt(context)),
            subject=well_formed(call.subject(context)), hash=call_hash(tool.name, call.arguments()), risk="low",
            preview=well_formed(call.preview(context)),
        ).model_dump_json()  # fmt: skip
        call.plan_file(context)
        result = ToolResult(tool.name) if tool.name in SHELLS else sound(asyncio.run(call.run(context)))
    except (ToolError, OSError) as refused:
        result = ToolResult(tool.name, error=str(refused))
    fact = finished(e.Call(call_id="c", tool=tool.name, arguments=raw), result, 0.0)
    e.facts.validate_json(fact.model_dump_json())
    return fact


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    hands = Hands(tmp_path)
    hands.put({"a.txt": "one\n"})
    hands.reach = Reach(mcp=GivenServers({}, hands.sandbox))
    return hands


@pytest.mark.parametrize("tool", TOOLS)
def test_no_odd_argument_breaks_it(tool: type[Tool], hands: Hands) -> None:
    for value in ODD:
        for _, raw in calls_with(tool, value):
            carried_out(hands, tool, raw)


@pytest.mark.parametrize("tool", TOOLS)
def test_an_argument_of_the_wrong_kind_is_named_with_the_form_it_takes(tool: type[Tool]) -> None:
    for name, raw in calls_with(tool, '{"a": [1]}'):
        rule = tool.parameters()["properties"][name]
        if str(rule.get("type", "")) in ("string", "integer", "number", "boolean", "array"):
            with pytest.raises(InvalidArguments) as refused:
                tool.parse(parse_arguments(raw))
            assert f"{name}: " in str(refused.value)
            assert "Accepted: " in str(refused.value)


@pytest.mark.parametrize("tool", TOOLS)
def test_an_argument_that_there_is_not_is_named(tool: type[Tool]) -> None:
    with pytest.raises(InvalidArguments, match="colour_of_the_sky"):
        tool.parse({"colour_of_the_sky": "blue"})


@given(tool=st.sampled_from(EVERY), arguments=st.dictionaries(WORDS, VALUES))
@settings(max_examples=150, deadline=None)
def test_no_object_at_all_breaks_its_reading(tool: type[Tool], arguments: dict[str, Any]) -> None:
    names = list(tool.parameters()["properties"])
    raw = json.dumps({names[number % len(names)] if names else name: value for number, (name, value) in enumerate(arguments.items())})
    with suppress(InvalidArguments):
        call_hash(tool.name, tool.parse(parse_arguments(raw)).arguments())


@pytest.mark.parametrize(
    ("value", "said"),
    [(f'"{HALF}"', "half a character"), (f'{{"{HALF}": 1}}', "half a character"), ("1e400", "finite"), ("-Infinity", "finite"),
     ("[" * 80 + "]" * 80, "nested"), ("[" * 100_000 + "]" * 100_000, "not valid JSON")],
)  # fmt: skip
async def test_what_no_log_can_keep_is_refused_before_the_call_starts(tmp_path: Path, value: str, said: str) -> None:
    recorder, agent = asked(), toy_agent(str(tmp_path), "- text: done\n")
    agent.tools = {"mcp_call": OATS.tools["mcp_call"]}
    agent.rules = (Rule("*", "*", "allow"),)
    arguments = f'{{"tool_name": "a/b", "arguments": {{"x": {value}}}}}'
    recorder.add(e.AgentSpoke(reply_id="r1", parts=(e.Call(call_id="c1", tool="mcp_call", arguments=arguments),), finish="calls"))
    assert await settle_calls(agent, recorder.history, recorder) == ()
    (ended,) = results(recorder)
    assert said in (ended.error or "")
    for entry in recorder.entries:
        entry.fact.model_dump_json()
