"""Which of several skills of one name counts, and what ships with us."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.errors import ToolError
from agents.prompts.skills import LONGEST
from agents.skills.merging import MergedSkills
from agents.skills.sources import BUILTIN, builtin, of_project, without_host
from agents.skills.telling import NAME
from tests.agents.skills.stocked import put, text


async def test_a_project_outdoes_a_person_who_outdoes_what_ships_with_us(tmp_path: Path) -> None:
    person, root = tmp_path / "person", tmp_path / "root"
    put(person, {"debugging/SKILL.md": text("debugging", "Mine."), "code-review/SKILL.md": text("code-review", "Mine.")})
    files = put(root, {".atloop/skills/x/SKILL.md": text("debugging", "Ours."), ".atloop/skills/x/more.md": "more"})
    skills = without_host(files, person)
    by_name = {one.name: one for one in await skills.all()}
    assert (by_name["debugging"].description, by_name["debugging"].source) == ("Ours.", "project")
    assert (by_name["code-review"].description, by_name["code-review"].source) == ("Mine.", "user")
    assert by_name["writing-docs"].source == "builtin"
    assert list(by_name) == sorted(by_name)
    assert await skills.files("debugging") == ["SKILL.md", "more.md"]
    assert b"Mine." in await skills.read("code-review")
    with pytest.raises(ToolError, match=r"checklist\.md"):
        await skills.read("code-review", "checklist.md")


async def test_what_is_switched_off_is_as_if_there_were_none(tmp_path: Path) -> None:
    files = put(tmp_path, {"skills/debugging/SKILL.md": text("debugging")})
    skills = MergedSkills(builtin(), of_project(files), off={"debugging", "unheard-of"})
    assert "debugging" not in [one.name for one in await skills.all()]
    with pytest.raises(ToolError, match=r"no skill 'debugging'. Skills: code-review, "):
        await skills.read("debugging")


async def test_without_sources_there_are_none() -> None:
    with pytest.raises(ToolError, match=r"Skills: none\."):
        await MergedSkills().files("x")


async def test_what_ships_with_us_is_in_order() -> None:
    skills = builtin()
    entries = await skills.all()
    assert [one.name for one in entries] == sorted(path.name for path in BUILTIN.iterdir())
    assert {"tool-usage", "error-handling"} <= {one.name for one in entries}
    for one in entries:
        assert not one.complaint
        assert NAME.fullmatch(one.name)
        assert len(one.description) <= LONGEST, one.name
        said = (await skills.read(one.name)).decode()
        beside = [path for path in await skills.files(one.name) if path != "SKILL.md"]
        assert beside
        assert [path for path in beside if path not in said] == []
