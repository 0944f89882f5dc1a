"""Skills in a real browser: uploaded, dropped, read, seen by the team, switched off, deleted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints, Visit, shot
from tests.browser.test_looks import NAMELESS, OVERFLOW

DROP = """(place, text) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "SKILL.md", { type: "text/markdown" }));
  const said = { dataTransfer, bubbles: true, cancelable: true };
  for (const type of ["dragenter", "dragover", "drop"]) place.dispatchEvent(new DragEvent(type, said));
}"""
MINE = "---\nname: release\ndescription: As I do it\n---\nMy own way.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A skill as somebody keeps it on a disk."""
    folder = tmp_path / "release"
    (folder / "references").mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: release\ndescription: How a release is made\n---\n# Steps\n\n1. Tag it\n\n<b>raw</b>\n")
    (folder / "references" / "format.txt").write_text("one line\n" * 200)
    return folder


def send(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Upload", exact=True).click()


def upload(page: Page, folder: Path) -> None:
    page.get_by_role("button", name="Upload a skill").click()
    page.locator("input[type=file][webkitdirectory]").set_input_files(folder)
    page.get_by_label("Who uses it").select_option(label="Demo team")
    send(page)


def test_a_team_shares_a_skill(visit: Visit, folder: Path) -> None:
    alice, bob = visit("alice", "/skills"), visit("bob", "/skills")
    upload(alice, folder)
    skill = alice.get_by_role("article", name="Skill")
    expect(skill.get_by_role("heading", name="Steps")).to_be_visible()
    expect(skill).to_contain_text("<b>raw</b>")
    shot(alice, "skill")

    bob.reload()
    bob.get_by_role("link", name=re.compile("^release")).click()
    seen = bob.get_by_role("article", name="Skill")
    expect(seen).to_contain_text("by Alice")
    expect(seen.get_by_role("button", name="Delete")).to_have_count(0)
    seen.get_by_role("link", name=re.compile("format")).click()
    expect(seen.get_by_role("heading", name="references/format.txt")).to_be_focused()

    bob.locator(".place").evaluate(DROP, MINE)
    expect(bob.get_by_role("dialog")).to_contain_text("SKILL.md")
    send(bob)
    expect(seen).to_contain_text("Agents do not get this one")
    seen.get_by_role("link", name="another of its name").click()
    expect(seen).to_contain_text("It counts instead of another of its name: personal.")
    expect(alice.get_by_role("article", name="Skill")).not_to_contain_text("My own way.")

    for page in (alice, bob):
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate(OVERFLOW) <= 0
        assert page.evaluate(NAMELESS) == []
    shot(bob, "skill-360")

    alice.get_by_role("button", name="Delete").click()
    alice.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(alice.get_by_role("heading", name="Built in")).to_be_visible()
    expect(alice.get_by_role("link", name=re.compile("^release"))).to_have_count(0)


def test_a_project_switches_a_skill_off(visit: Visit) -> None:
    alice = visit("alice")
    alice.get_by_role("link", name="Bookshelf").first.click()
    alice.get_by_role("link", name="Settings", exact=True).click()
    switch = alice.get_by_role("switch", name="writing-docs")
    expect(switch).to_be_checked()
    for _ in range(2):
        before = switch.is_checked()
        switch.click()
        expect(switch).to_be_enabled()
        alice.reload()
        expect(switch).to_be_checked(checked=not before)
    shot(alice, "project-skills")


def test_what_is_no_skill_is_told(visit: Visit, complaints: Complaints) -> None:
    bob = visit("bob", "/skills")
    bob.get_by_role("button", name="Upload a skill").click()
    dialog = bob.get_by_role("dialog")
    files = dialog.locator("input[type=file]:not([webkitdirectory])")
    files.set_input_files({"name": "README.md", "mimeType": "text/markdown", "buffer": b"x"})
    expect(dialog.get_by_role("alert")).to_contain_text("There is no SKILL.md")
    expect(dialog.get_by_role("button", name="Upload", exact=True)).to_be_disabled()
    complaints.expected.append("400")
    files.set_input_files({"name": "SKILL.md", "mimeType": "text/markdown", "buffer": b"# No head"})
    send(bob)
    expect(dialog.get_by_role("alert")).to_contain_text("has no name and no description")
