"""local://, skill:// and rule://: what lies in the workspace, and nothing that does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.errors import ToolError
from agents.reading.frontmatter import head
from agents.resources.router import read
from agents.resources.rules import MOST_FOLDERS
from agents.sandboxes.files import ConfinedFiles
from agents.skills.sources import without_host
from tests.agents.resources.around import around, put

SKILL = "---\nname: release\ndescription: How a release\n  is made\n---\n# Release\nSteps.\n"


async def test_local_is_the_workspace_by_another_name(tmp_path: Path) -> None:
    put(tmp_path, {"src/a b.py": "x = 1\n", "src/deep/c.py": ""})
    shown = await read("local://src/a%20b.py", around(tmp_path))
    assert (shown.text, shown.file, shown.immutable) == ("x = 1\n", "src/a b.py", False)
    assert (await read("local:///workspace/src/a b.py", around(tmp_path))).file == "src/a b.py"
    assert (await read("local://src", around(tmp_path))).text == "src/a b.py\nsrc/deep/"
    assert (await read("local://", around(tmp_path))).text == (await read("local:///", around(tmp_path))).text == "src/"


@pytest.mark.parametrize(
    "url", ["local://../x", "local://%2e%2e/x", "local://a/../../x", "local:///etc/passwd", "local://out", "local://~/x"]
)
async def test_local_leads_out_of_the_workspace_by_no_way(tmp_path: Path, url: str) -> None:
    root = tmp_path / "root"
    put(root, {"a/b": ""})
    put(tmp_path, {"x": "secret"})
    (root / "out").symlink_to("../x")
    with pytest.raises(ToolError, match=r"outside the workspace|leads outside|home folder"):
        await read(url, around(root))


@pytest.mark.parametrize(("url", "said"), [("local://gone.txt", "was not found"), ("local://a/b", "Not a directory")])
async def test_what_is_not_there_is_told(tmp_path: Path, url: str, said: str) -> None:
    put(tmp_path, {"a": ""})
    with pytest.raises(ToolError, match=said):
        await read(url, around(tmp_path))


async def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    put(tmp_path, {"a.bin": b"\0\1"})
    with pytest.raises(ToolError, match="is no text"):
        await read("local://a.bin", around(tmp_path))


async def test_skills_are_listed_with_what_they_say_of_themselves(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            ".agents/skills/rel/SKILL.md": SKILL,
            ".claude/skills/plain/SKILL.md": "no head",
            "skills/rel2/SKILL.md": SKILL,
            "skills/none/README.md": "",
            "skills/SKILL.md": "",
        },
    )
    listed = await read("skill://", around(tmp_path))
    assert listed.text == "skill://plain\nskill://release — How a release is made"


async def test_a_skill_is_read_by_its_name_or_its_folders(tmp_path: Path) -> None:
    put(tmp_path, {".agents/skills/rel/SKILL.md": SKILL, ".agents/skills/rel/docs/more.md": "More."})
    for url in ("skill://release", "skill://rel", "skill://release/"):
        shown = await read(url, around(tmp_path))
        assert (shown.text, shown.file) == (SKILL, ".agents/skills/rel/SKILL.md")
    assert (await read("skill://release/docs/more.md", around(tmp_path))).text == "More."


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("skill://release/link.md", "leads out of the skill"),
        ("skill://release/far", "outside the workspace"),
        ("skill://release/../other/SKILL.md", "leaves what it names"),
        ("skill://release/%2e%2e/other/SKILL.md", "leaves what it names"),
        ("skill://nothing", "no skill 'nothing'. Skills of this workspace: other, release"),
        ("skill://release/gone.md", "was not found"),
        ("skill://release/SKILL.md/x", "Not a directory"),
        ("skill://release/docs", "is a folder"),
    ],
)
async def test_a_skill_shows_nothing_but_its_own_files(tmp_path: Path, url: str, said: str) -> None:
    root = tmp_path / "root"
    put(root, {"skills/release/SKILL.md": SKILL, "skills/other/SKILL.md": "", "skills/release/docs/x": "", ".env": "KEY=1"})
    (root / "skills/release/link.md").symlink_to("../../.env")
    (root / "skills/release/far").symlink_to("/etc/passwd")
    with pytest.raises(ToolError, match=said):
        await read(url, around(root))


async def test_skills_from_elsewhere_are_read_through_the_host(tmp_path: Path) -> None:
    put(tmp_path, {"skills/mine/SKILL.md": SKILL, "skills/debugging/SKILL.md": SKILL.replace("release", "debugging")})
    there = around(tmp_path, skills=without_host(ConfinedFiles(str(tmp_path), str(tmp_path)), tmp_path / "nobody"))
    listed = (await read("skill://", there)).text.splitlines()
    assert "skill://release — How a release is made" in listed
    assert [line.partition(" ")[0] for line in listed if "writing" in line.partition(" ")[0]] == [
        "skill://writing-docs",
        "skill://writing-tests",
    ]
    found = await read("skill://code-review/checklist.md", there)
    assert (found.file, found.immutable, found.media_type) == ("", True, "text/markdown")
    assert found.text.startswith("# Questions to ask")
    assert (await read("skill://debugging", there)).file == "skills/debugging/SKILL.md"
    with pytest.raises(ToolError, match="was not found: There is no skill 'nothing'"):
        await read("skill://nothing", there)
    with pytest.raises(ToolError, match=r"was not found: gone\.md"):
        await read("skill://code-review/gone.md", there)


async def test_skills_whose_folder_is_a_link_within_the_workspace_count(tmp_path: Path) -> None:
    put(tmp_path, {".agents/skills/release/SKILL.md": SKILL})
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/skills").symlink_to("../.agents/skills")
    assert (await read("skill://release", around(tmp_path))).text == SKILL
    assert (await read("skill://", around(tmp_path))).text.count("release —") == 1


@pytest.mark.parametrize(
    "text",
    [
        "no head",
        "---\nname: x\n",
        "---\n" + "a" * 9000 + ": b\n---\n",
        "---\n- a\n---\n",
        "---\n: : :\n---\n",
        "---\n" + "[" * 4000 + "\n---\n",
        "---\nname:\n  !!python/object/apply:os.system ['true']\n---\n",
        "---\n\x00\n---\n",
    ],
    ids=["none", "open", "long", "list", "broken", "deep", "python", "nul"],
)
def test_heads_that_make_no_sense_count_as_none(text: str) -> None:
    assert head(text) == {}


def test_a_head_is_read_plainly() -> None:
    assert head("---\r\nname: x\r\nn: 3\r\n---\r\nbody") == {"name": "x", "n": "3"}
    assert head("---\ndescription: " + "y" * 3000 + "\n---\n") == {"description": "y" * 1024}
    assert head("---\nname: ok\nmore:\n  name: inner\n---\n") == {"name": "ok"}


def test_a_head_that_is_no_yaml_is_read_line_by_line() -> None:
    assert head("---\ndescription: Style\nglobs: *.ts,*.tsx\n---\n") == {"description": "Style", "globs": "*.ts,*.tsx"}
    assert head("---\nwhen: 2026-99-99\n---\n") == {"when": "2026-99-99"}


def test_a_head_made_to_grow_without_end_is_not_followed() -> None:
    levels = "\n".join(f"k{level}: &k{level} {{<<: [*k{level - 1}, *k{level - 1}]}}" for level in range(1, 100))
    assert head(f"---\nname: bomb\nk0: &k0 {{x: 1}}\n{levels}\n---\n")["name"] == "bomb"


async def test_rules_are_listed_from_the_root_on(tmp_path: Path) -> None:
    cursor = "---\ndescription: Style\nglobs: '*.py'\n---\nUse tabs."
    put(
        tmp_path,
        {
            "AGENTS.md": "Be kind.",
            "backend/CLAUDE.md": "",
            ".cursorrules": "",
            ".cursor/rules/style.mdc": cursor,
            ".github/copilot-instructions.md": "",
            "CONTRIBUTING.md": "",
            "node_modules/x/AGENTS.md": "",
            ".venv/AGENTS.md": "",
            "a/b/c/d/AGENTS.md": "",
            "AGENTS.md.bak": "",
        },
    )
    (tmp_path / "loop").symlink_to(".")
    listed = (await read("rule://", around(tmp_path))).text.splitlines()
    assert listed == [
        "rule://.cursorrules",
        "rule://AGENTS.md",
        "rule://CONTRIBUTING.md",
        "rule://.github/copilot-instructions.md",
        "rule://backend/CLAUDE.md",
        "rule://.cursor/rules/style.mdc — Style; for *.py",
    ]


async def test_rules_are_read_by_path_or_name(tmp_path: Path) -> None:
    put(tmp_path, {"AGENTS.md": "Be kind.", ".cursor/rules/style.mdc": "Tabs.", "a/b/c/d/e/CLAUDE.md": "Deep."})
    assert (await read("rule://AGENTS.md", around(tmp_path))).text == "Be kind."
    assert (await read("rule://agents", around(tmp_path))).text == "Be kind."
    assert (await read("rule://style", around(tmp_path))).file == ".cursor/rules/style.mdc"
    assert (await read("rule://a/b/c/d/e/CLAUDE.md", around(tmp_path))).text == "Deep."


@pytest.mark.parametrize("url", ["rule://.env", "rule://src/main.py", "rule://.cursor/rules/deep/x.md", "rule://rules"])
async def test_rule_shows_no_other_files(tmp_path: Path, url: str) -> None:
    put(tmp_path, {"AGENTS.md": "", ".env": "KEY", "src/main.py": "", ".cursor/rules/deep/x.md": ""})
    with pytest.raises(ToolError, match=r"There are: AGENTS\.md"):
        await read(url, around(tmp_path))


async def test_rules_that_are_links_out_of_the_workspace_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    put(root, {"x": ""})
    (root / "AGENTS.md").symlink_to("/etc/passwd")
    assert (await read("rule://", around(root))).text.startswith("This project has no rules")
    with pytest.raises(ToolError, match="outside the workspace"):
        await read("rule://AGENTS.md", around(root))


async def test_looking_for_rules_ends_in_a_crowd_of_folders(tmp_path: Path) -> None:
    for number in range(MOST_FOLDERS + 50):
        (tmp_path / f"z{number:04}").mkdir()
    put(tmp_path, {"AGENTS.md": "", "z0001/AGENTS.md": "", f"z{MOST_FOLDERS + 40:04}/AGENTS.md": ""})
    assert (await read("rule://", around(tmp_path))).text.splitlines() == ["rule://AGENTS.md", "rule://z0001/AGENTS.md"]
