"""`read` of internal URLs, and which file a rule is held against, whatever the path looks like."""

from __future__ import annotations

from typing import Any

import pytest

from agents.calls import judged
from agents.edits.hashline.tags import tag_of
from agents.permissions import Rule
from agents.skills.sources import without_host
from agents.tools.oats.read import Read as OatsRead
from agents.tools.reach import Reach
from tests.agents.tools.hands import Hands

TEN = "".join(f"line {number}\n" for number in range(1, 11))


async def output(hands: Hands, path: str) -> str:
    result = await hands.call("read", path=path)
    assert result.error is None, result.error
    return result.output


async def test_a_file_behind_an_internal_url_is_read_as_that_file(hands: Hands) -> None:
    hands.put({"notes/a.txt": TEN, ".agents/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies.\n---\nDo it.\n"})
    assert await output(hands, "local://notes/a.txt:9") == f"[notes/a.txt#{tag_of(TEN)}]\n9:line 9\n10:line 10"
    assert (await output(hands, "skill://tidy")).startswith("[.agents/skills/tidy/SKILL.md#")
    for path in ("local://../../etc/passwd", "skill://tidy/../../../x", "local:///etc/passwd"):
        assert (await hands.call("read", path=path)).error, path


async def test_an_internal_url_without_a_file_is_shown_as_text(hands: Hands) -> None:
    hands.put({".agents/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies.\n---\nDo it.\n"})
    result = await hands.call("read", path="skill://")
    assert "tidy" in result.output
    assert result.metadata["kind"] == "resource"
    assert "beyond end of resource" in await output(hands, "skill://:500")
    assert "no session router" in str((await hands.call("read", path="omp://x")).error)
    assert (await hands.call("read", path="artifact://7")).error


async def test_a_skill_from_elsewhere_is_read_by_lines_and_by_no_command(hands: Hands) -> None:
    hands.put({"a.txt": "one\n"})
    hands.reach = Reach(skills=without_host(hands.sandbox.files, hands.root / "nobody's"))
    assert (await output(hands, "skill://debugging:1-2")).startswith("1:---\n2:name: debugging")
    assert "git bisect" in await output(hands, "skill://debugging/bisecting.md")
    for name, args in {
        "bash": {"command": "cat skill://debugging"},
        "write": {"path": "skill://debugging", "content": "x"},
        "edit": {"input": "[skill://debugging#1F2B]\nreplace 1..1:\n+x\n"},
    }.items():
        assert (await hands.call(name, **args)).error, name
    assert hands.files() == {"a.txt": b"one\n"}


RULES = [Rule("read", "secret/*", "deny"), Rule("read", "*.env", "deny"), Rule("read", "data.sqlite", "deny")]


@pytest.mark.parametrize(
    "path",
    [
        "secret/a.txt", "secret/a.txt:1-2", "./secret/../secret/a.txt:raw", "local://secret/a.txt", "local://secret/a.txt:3", "link",
        "link:2", ".env:raw", "secret/a.zip:x", "data.sqlite:users?limit=5", "data.sqlite?q=SELECT 1", "secret/none",
    ],
)  # fmt: skip
def test_rules_hold_for_the_file_that_is_opened(hands: Hands, path: str) -> None:
    hands.put({"secret/a.txt": TEN, ".env": "x", "data.sqlite": "x", "secret/a.zip": "x"})
    (hands.root / "link").symlink_to("secret/a.txt")
    assert judged(RULES, hands.tool("read", {"path": path}), hands.context()).action == "deny"


@pytest.mark.parametrize("path", ["open.txt", "open.txt:5-16", "gone.txt:5", "open.txt:0", "skill://"])
def test_reading_in_the_workspace_needs_nobody(hands: Hands, path: str) -> None:
    hands.put({"open.txt": TEN})
    assert judged(RULES, hands.tool("read", {"path": path}), hands.context()).action == "allow"


def test_it_is_no_tool_of_the_other_toolset(hands: Hands) -> None:
    tool: Any = hands.tool("read", {"path": "x"})
    assert not isinstance(tool, OatsRead)
    assert (tool.read_only, tool.mutates, tool.bounded, tool.always_load) == (True, False, True, True)


MERGED = "a\n<<<<<<< HEAD\nours\n||||||| base\n=======\ntheirs\nmore\n>>>>>>> other\n"


async def test_conflicts_are_read_by_their_addresses(hands: Hands) -> None:
    assert await output(hands, "conflict://") == "No conflict markers found"
    hands.put({"m.txt": MERGED, "secret/s.txt": MERGED})
    await output(hands, "m.txt:conflicts")
    await output(hands, "secret/s.txt:conflicts")
    assert await output(hands, "conflict://*") == "conflict://1  m.txt:2-8\nconflict://2  secret/s.txt:2-8"
    assert (await output(hands, "conflict://1")).startswith("conflict://1  m.txt:2-8\n2:<<<<<<< HEAD\n3:ours\n")
    assert await output(hands, "conflict://1/ours") == "ours"
    assert await output(hands, "conflict://1/THEIRS") == "theirs\nmore"
    assert await output(hands, "conflict://1/theirs:2:raw") == "more"
    assert await output(hands, "conflict://1/base") == ""
    for path, why in (("conflict://9", "was not found"), ("conflict://x", "names no conflict"), ("conflict://1/mine", "names no conflict")):
        assert why in str((await hands.call("read", path=path)).error)
    for path, action in (("conflict://1/ours", "allow"), ("conflict://2", "deny"), ("conflict://2/base:raw", "deny")):
        assert judged(RULES, hands.tool("read", {"path": path}), hands.context()).action == action
