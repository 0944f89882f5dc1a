"""`skill` and `read_skill_file`, over the skills of a real workspace and those that ship with us."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from agents.errors import ToolError
from agents.permissions import Rule, barring
from agents.skills.sources import without_host
from agents.tools.crashes import sound
from agents.tools.reach import Reach
from agents.tools.registry import TOOLSETS, resolve, toolset
from agents.tools.tool import ToolResult
from tests.agents.tools.hands import Hands

DOCX = "---\nname: docx\ndescription: Word files\n---\n# Docx\n\nUse docx-js.md.\n"


@pytest.fixture
def skilled(hands: Hands) -> Hands:
    hands.put({".atloop/skills/word/SKILL.md": DOCX, ".atloop/skills/word/docx-js.md": "l1\nl2\nl3\n", ".env": "KEY=1"})
    hands.reach = Reach(skills=without_host(hands.sandbox.files, hands.root / "nobody's"))
    return hands


async def file(hands: Hands, path: str, **args: object) -> ToolResult:
    return await hands.call("read_skill_file", path=path, **args)


async def test_a_skill_is_told_without_its_head_and_with_its_files(skilled: Hands) -> None:
    result = await skilled.call("skill", name="docx")
    assert result.output.startswith("# Skill: docx (from project)\n\n# Docx\n\nUse docx-js.md.\n\nFiles of this skill")
    assert result.output.endswith("They lie in .atloop/skills/word of the workspace.\n- docx-js.md")
    assert result.metadata == {"skill_name": "docx", "source": "project", "content_length": 23, "files": ["docx-js.md"]}


async def test_a_file_whose_name_is_no_text_keeps_no_skill_from_being_read(skilled: Hands) -> None:
    skilled.put({os.fsdecode(b".atloop/skills/word/\xff.md"): "x"})
    assert sound(await skilled.call("skill", name="docx")).metadata["files"] == ["docx-js.md", '"\\udcff.md"']


async def test_one_that_ships_with_us_names_no_place(skilled: Hands) -> None:
    result = await skilled.call("skill", name="error-handling")
    assert "(from builtin)" in result.output
    assert "lie in" not in result.output
    assert (await file(skilled, "retrying.md", skill_name="error-handling")).output.startswith("# Trying again")


async def test_a_skill_there_is_not_is_told_with_those_there_are(skilled: Hands) -> None:
    for result in (await skilled.call("skill", name="dox"), await file(skilled, "a.md", skill_name="dox")):
        assert "no skill 'dox'. Skills: code-review, debugging, docx, " in (result.error or "")


async def test_lines_of_a_file_are_chosen_by_number(skilled: Hands) -> None:
    result = await file(skilled, "docx-js.md", skill_name="docx", offset=2, limit=1)
    assert (result.output, result.metadata["start_line"], result.metadata["end_line"]) == ("l2", 2, 2)
    assert (await file(skilled, "docx-js.md", skill_name="docx")).output == "l1\nl2\nl3\n"
    assert (await file(skilled, "docx-js.md", skill_name="docx", offset=2)).output == "l2\nl3\n"
    assert "[Line 9 is past the end" in (await file(skilled, "docx-js.md", skill_name="docx", offset=9)).output


@pytest.mark.parametrize(
    "path", ["docx/docx-js.md", "~/.atloop/skills/docx/docx-js.md", ".atloop/skills/word/docx-js.md", "/skills/docx/docx-js.md"]
)
async def test_without_a_skill_the_path_names_it(skilled: Hands, path: str) -> None:
    assert (await file(skilled, path, limit=1)).output == "l1"


async def test_without_a_path_behind_the_skill_its_text_is_meant(skilled: Hands) -> None:
    assert (await file(skilled, "docx")).output == DOCX


@pytest.mark.parametrize("path", ["../../../.env", "/etc/passwd", "~/.ssh/id_rsa", "a/../../../../.env", "SKILL.md/../../../../.env"])
async def test_nothing_outside_of_the_skill_is_read(skilled: Hands, path: str) -> None:
    for result in (await file(skilled, path, skill_name="docx"), await file(skilled, path), await file(skilled, f"docx/{path}")):
        assert result.error
        assert "KEY" not in result.output


async def test_what_is_no_text_and_what_is_too_large_is_noted(skilled: Hands) -> None:
    skilled.put({"skills/x/SKILL.md": DOCX.replace("docx", "x"), "skills/x/a.bin": b"\0\1", "skills/x/big": b"a" * (10 * 2**20 + 1)})
    binary, large = await file(skilled, "a.bin", skill_name="x"), await file(skilled, "big", skill_name="x")
    assert (binary.error, binary.metadata["file_type"], binary.metadata["file_size"]) == (None, "binary", 2)
    assert (large.error, large.metadata["file_type"]) == (None, "large")
    assert "10 MiB" in large.output


async def test_a_long_text_is_shown_in_parts(skilled: Hands) -> None:
    text = DOCX.replace("docx", "x") + "y" * 49 + "\n" + "z" * 60_000 + "\n" + "z" * 60_000
    skilled.put({"skills/x/SKILL.md": text, "skills/x/one-line": "a" * 150_000})
    told = (await skilled.call("skill", name="x")).output
    assert len(told) < 62_000
    assert "[There is more: read_skill_file shows SKILL.md by lines]" in told
    first = await file(skilled, "SKILL.md", skill_name="x")
    assert first.output.endswith("zzz\n\n[There is more; offset=10 goes on]")
    assert (await file(skilled, "SKILL.md", skill_name="x", offset=10)).output == "z" * 60_000
    assert (await file(skilled, "one-line", skill_name="x")).output.endswith(
        "aaa\n\n[This line is cut at 100000 characters; offset=2 goes on]"
    )


async def test_a_rule_that_denies_a_folder_denies_the_skills_in_it(skilled: Hands) -> None:
    def barred(tool: str, subject: str) -> bool:
        return tool == "read" and subject.startswith(".atloop/")

    context = replace(skilled.context(), barred=barred)
    for name, args in {"skill": {"name": "docx"}, "read_skill_file": {"path": "docx/docx-js.md"}}.items():
        with pytest.raises(ToolError, match="a rule of this project denies reading there"):
            await skilled.tool(name, args).run(context)


@pytest.mark.parametrize("path", ["keys/a.pem", "keys\\a.pem", "./keys//a.pem", "linked.txt"])
async def test_no_spelling_shows_a_file_of_a_skill_that_a_rule_denies(skilled: Hands, path: str) -> None:
    skilled.put({".atloop/skills/word/keys/a.pem": "KEY=1"})
    (skilled.root / ".atloop/skills/word/linked.txt").symlink_to("keys/a.pem")
    context = replace(skilled.context(), barred=barring((Rule("read", "*/keys/*", "deny"),)))
    for args in ({"path": path, "skill_name": "docx"}, {"path": f"docx/{path}"}):
        with pytest.raises(ToolError, match="a rule of this project denies reading there"):
            await skilled.tool("read_skill_file", args).run(context)
    assert (await skilled.tool("skill", {"name": "docx"}).run(context)).metadata["files"] == ["docx-js.md"]
    with pytest.raises(ToolError, match=r"'nope' of the skill docx cannot be read. Its files: SKILL.md, docx-js.md\.$"):
        await skilled.tool("read_skill_file", {"path": "nope", "skill_name": "docx"}).run(context)


async def test_a_folder_gives_its_name_to_no_skill_while_another_has_it(skilled: Hands) -> None:
    skilled.put({"skills/debugging/SKILL.md": DOCX.replace("docx", "aaa").replace("# Docx", "Trust me.")})
    assert "Trust me." not in (await skilled.call("skill", name="debugging")).output
    assert "Trust me." in (await skilled.call("skill", name="aaa")).output
    assert "# Docx" in (await skilled.call("skill", name="word")).output


async def test_without_a_host_for_them_it_is_said(hands: Hands) -> None:
    assert "No skills can be reached" in ((await hands.call("skill", name="x")).error or "")


@pytest.mark.parametrize("name", [name for name in TOOLSETS if not TOOLSETS[name].part_of])
def test_every_toolset_offers_skills_from_the_start_and_their_files_once_one_was_read(name: str) -> None:
    skill, file = (resolve(toolset(name), word) for word in ("skill", "read_skill_file"))
    assert skill is not None
    assert file is not None
    assert skill.always_load
    assert file.always_load or "read_skill_file" in skill.brings
    assert skill.read_only
    assert file.read_only
