"""What the documentation of the OATS tools promises, probe by probe, for the tools we have."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agents.tools.reach import Nesting, Reach
from agents.tools.registry import TOOLSETS
from agents.tools.tool import ToolResult
from tests.agents.tools.agency import agents_of
from tests.agents.tools.hands import Hands

PROBES = json.loads((Path(__file__).parents[2] / "cases/compat-probes.json").read_text())
OURS = [probe for probe in PROBES if probe["system"] == "oats" and probe["tool"] in TOOLSETS["oats"]]


def test_the_probes_of_our_tools_are_all_there() -> None:
    missing = {probe["tool"] for probe in PROBES if probe["system"] == "oats"} - set(TOOLSETS["oats"])
    assert missing == {"aws_safety.redact_secrets"}  # a function, tested beside its module


@pytest.mark.parametrize("probe", OURS, ids=lambda probe: probe["id"])
async def test_a_probe_holds(probe: dict[str, Any], hands: Hands) -> None:
    hands.put(files_of(probe["files"]))
    hands.nesting = Nesting(probe.get("ctx", {}).get("agent_depth", 0), probe.get("ctx", {}).get("max_agent_depth", 3))
    hands.reach = Reach(agents=agents_of(hands, "- text: Done.\n"))
    for step in probe.get("setup", ()):
        assert (await hands.call(step["tool"], **step["args"])).error is None
    if probe.get("kind") == "permission":
        tool = hands.tool(probe["tool"], probe["args"])
        assert tool.asks == "ask"
        check(probe["expect"], ToolResult(tool.prompt(hands.context())), hands)
    else:
        check(probe["expect"], await hands.call(probe["tool"], **placed(probe["args"], hands)), hands)


def placed(args: dict[str, Any], hands: Hands) -> dict[str, Any]:
    """The arguments with the workspace's path put in."""
    return dict(json.loads(json.dumps(args).replace("{WS}", str(hands.root))))


def files_of(files: dict[str, Any]) -> dict[str, str | bytes]:
    made: dict[str, str | bytes] = {}
    for name, content in files.items():
        if name == "gen":
            made |= {content["names"] % n: content["content"] for n in range(content["from"], content["to"] + 1)}
        elif isinstance(content, dict):
            changed = content.get("set", {})
            lines = [changed.get(str(n), content["lines"] % n) for n in range(content["from"], content["to"] + 1)]
            made[name] = "\n".join(lines) + "\n"
        else:
            made[name] = content
    return made


def check(expect: dict[str, Any], result: ToolResult, hands: Hands) -> None:
    text = "\n".join([result.title, result.output, result.error or ""])
    assert (result.error is None) == expect["ok"], text
    for wanted in expect.get("contains", ()):
        assert re.sub(r"\{META:(\w+)\}", lambda found: str(result.metadata[found[1]]), wanted) in text
    for unwanted in expect.get("not_contains", ()):
        assert unwanted not in text
    places = [text.find(wanted) for wanted in expect.get("in_order", ())]
    assert -1 not in places
    assert places == sorted(places)
    if "count" in expect:
        assert len(re.findall(expect["count"]["regex"], text)) == expect["count"]["equals"]
    assert expect.get("meta", {}).items() <= result.metadata.items()
    after = hands.files()
    for name, content in expect.get("files_after", {}).items():
        assert after[name] == content.encode()
    for name, words in expect.get("files_contain", {}).items():
        assert all(word in after[name].decode() for word in words)
