"""Skills in folders: found where they lie, read no further than their folder, whatever somebody put there."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.errors import PathRefused, TooLarge, ToolError
from agents.ports import SkillEntry
from agents.skills import folder
from agents.skills.folder import LARGEST, MOST_FILES, FolderSkills
from agents.skills.sources import of_person, of_project
from tests.agents.skills.stocked import put, text


async def test_skills_are_found_by_name_with_where_they_lie(tmp_path: Path) -> None:
    files = put(tmp_path, {".agents/skills/b/SKILL.md": text("beta"), ".atloop/skills/a/skill.md": text("alpha", "First.")})
    assert await of_project(files).all() == [
        SkillEntry("alpha", "First.", "project", ".atloop/skills/a"),
        SkillEntry("beta", "Does it.", "project", ".agents/skills/b"),
    ]


async def test_of_two_places_the_first_counts(tmp_path: Path) -> None:
    files = put(tmp_path, {"skills/x/SKILL.md": text("x", "Late."), ".agents/skills/y/SKILL.md": text("x", "Early.")})
    assert [one.description for one in await of_project(files).all()] == ["Early."]


async def test_one_that_tells_nothing_of_itself_is_listed_with_a_complaint_and_can_be_read(tmp_path: Path) -> None:
    skills = of_project(put(tmp_path, {"skills/My Notes!/SKILL.md": "Just do it."}))
    (one,) = await skills.all()
    assert one.name == "My-Notes"
    assert "no name and no description" in one.complaint
    assert await skills.read("My-Notes") == b"Just do it."


async def test_folders_that_hold_no_skill_are_none(tmp_path: Path) -> None:
    files = put(
        tmp_path, {"skills/none/README.md": "", "skills/SKILL.md": "", "skills/deep/er/SKILL.md": text("er"), "skills/…/SKILL.md": ""}
    )
    assert await of_project(files).all() == []


async def test_a_folder_that_is_not_there_has_none(tmp_path: Path) -> None:
    assert await of_person(tmp_path / "gone").all() == []


async def test_a_persons_own_tell_no_place_in_a_workspace(tmp_path: Path) -> None:
    put(tmp_path, {"tidy/SKILL.md": text("tidy")})
    assert await of_person(tmp_path).all() == [SkillEntry("tidy", "Does it.", "user")]


async def test_its_files_are_listed_from_its_folder_on(tmp_path: Path) -> None:
    files = put(tmp_path, {"skills/x/skill.md": text("x"), "skills/x/docs/deep/a.md": "", "skills/x/b.md": "", "skills/y.md": ""})
    assert await of_project(files).files("x") == ["SKILL.md", "b.md", "docs/deep/a.md"]
    assert await of_project(files).read("x", "./docs//deep/a.md") == b""


async def test_no_more_files_are_listed_than_there_is_room_for(tmp_path: Path) -> None:
    files = put(tmp_path, {"skills/x/SKILL.md": text("x")} | {f"skills/x/{number:04}": "" for number in range(MOST_FILES + 50)})
    assert len(await of_project(files).files("x")) == MOST_FILES


async def test_links_lead_out_of_no_skill(tmp_path: Path) -> None:
    root = tmp_path / "root"
    files = put(root, {"skills/x/SKILL.md": text("x"), "skills/x/a.md": "a", "secret/key": "s"})
    put(tmp_path, {"far": "f"})
    for name, target in {"near": "a.md", "out": "../../secret/key", "far": "../../../far", "up": "..", "round": "."}.items():
        (root / "skills/x" / name).symlink_to(target)
    skills = of_project(files)
    assert await skills.files("x") == ["SKILL.md", "a.md", "near"]
    assert await skills.read("x", "near") == b"a"
    for path in ("out", "far", "up/../../secret/key", "up/y"):
        with pytest.raises((ToolError, PathRefused)):
            await skills.read("x", path)


@pytest.mark.parametrize("path", ["../x/SKILL.md", "a/../../y", "/etc/passwd", "~/x", "..", "", ".", "..\\y", "a/..", "\0", "x" * 300])
async def test_no_spelling_leads_out_of_a_skill(tmp_path: Path, path: str) -> None:
    files = put(tmp_path, {"skills/x/SKILL.md": text("x"), "skills/y": "y"})
    with pytest.raises(ToolError):
        await of_project(files).read("x", path)


async def test_what_is_not_there_is_told_with_what_is(tmp_path: Path) -> None:
    skills = of_project(put(tmp_path, {"skills/x/SKILL.md": text("x"), "skills/x/docs/a.md": ""}))
    with pytest.raises(ToolError, match=r"no skill 'y'. Skills: x\."):
        await skills.read("y")
    with pytest.raises(ToolError, match=r"gone: No such file or directory\. Files of the skill x: SKILL\.md, docs/a\.md"):
        await skills.read("x", "gone")
    with pytest.raises(ToolError, match="docs is a folder"):
        await skills.read("x", "docs")


async def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    skills = of_project(
        put(tmp_path, {"skills/x/SKILL.md": text("x"), "skills/x/big": b"a" * (LARGEST + 1), "skills/x/fits": b"a" * LARGEST})
    )
    assert len(await skills.read("x", "fits")) == LARGEST
    with pytest.raises(TooLarge, match="10 MiB"):
        await skills.read("x", "big")


async def test_a_name_is_taken_before_a_folders(tmp_path: Path) -> None:
    files = put(tmp_path, {"skills/a/SKILL.md": text("b", "Named b."), "skills/b/SKILL.md": text("c", "Named c.")})
    skills = FolderSkills(files, ("skills",), "project")
    assert b"Named b." in await skills.read("b")
    assert b"Named b." in await skills.read("a")


async def test_there_are_no_more_than_anybody_could_choose_from(tmp_path: Path) -> None:
    files = put(tmp_path, {f"skills/s{number:03}/SKILL.md": text(f"s{number:03}") for number in range(folder.MOST_SKILLS + 20)})
    assert len(await of_project(files).all()) == folder.MOST_SKILLS
