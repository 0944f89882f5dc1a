"""Five toolsets mend the same failing test, two of them in words; how a session works is chosen; two are compared and one is kept."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Complaints, Enter, Visit, shot
from tests.browser.oats_rows import look_into, unfold_groups
from tests.browser.test_atomic import PHONE, in_the_dark_on_a_phone, log, team_of
from tests.browser.test_looks import NAMELESS, OVERFLOW
from tests.browser.test_oats import TALL, completed, start, waiting
from tests.browser.toolset_stories import ASKING, FIXED, REFUSED, STORIES, Story
from tests.processes.person import Person
from tests.processes.product import Product
from tests.processes.world import ROOT

SCRIPT = Path(__file__).with_name("toolsets.yaml")
DEMO_PROJECT = ROOT / "agents" / "providers" / "scripts" / "demo-project"
NAMES = "(rows) => rows.map((row) => row.getAttribute('aria-label'))"
TITLES = ("OATS", "Atomic", "atloop", "Alfredo", "agent_loop")
HALF = {"json": ("Write half a file in JSON", "atloop"), "xml": ("Write half a file in tags", "alfredo")}
MakeProject = Callable[..., str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(DEMO_PROJECT, tmp_path_factory.mktemp("source") / "shelf")


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Product]:
    """A product of this module's own, with its script."""
    home = tmp_path_factory.mktemp("product") / "home"
    with Product(home, COUNTERSIGN_SCRIPT=str(SCRIPT), COUNTERSIGN_ALLOWED_PATHS=str(folder.parent)) as product:
        yield product


@pytest.fixture(scope="module")
def new_project(outside: Person, folder: Path) -> MakeProject:
    """Makes a project of this name in which nobody is asked, except about calls of the tool named."""

    def make(name: str, asked: str = "") -> str:
        wish = {"team": team_of(outside), "name": name, "source": {"kind": "path", "path": str(folder)}}
        project = str(outside.post("/api/projects/", wish)["id"])
        rules = [{"tool": "*", "action": "allow"}, *([{"tool": asked, "action": "ask"}] if asked else [])]
        outside.post(f"/api/projects/{project}/rules/", rules, "PUT")
        return project

    return make


@pytest.fixture(scope="module")
def told(outside: Person, new_project: MakeProject) -> dict[str, tuple[str, str]]:
    """Story → its session and its project. All of them begin together and are looked at one after another."""
    places = {name: new_project(name, "run" if name == ASKING else "") for name in STORIES}
    return {name: (begin(outside, places[name], story), places[name]) for name, story in STORIES.items()}


def begin(person: Person, project: str, story: Story) -> str:
    return person.open_session(story.words, project=project, toolset=story.toolset, protocol=story.protocol)


def workspace(product: Product, project: str) -> Path:
    return Path(product.environment["COUNTERSIGN_HOME"]) / "workspaces" / project


def is_mended(project: Path) -> bool:
    tests = subprocess.run([sys.executable, "-m", "unittest", "-q"], cwd=project, capture_output=True, check=False)
    return FIXED in (project / "shelf" / "inventory.py").read_text() and tests.returncode == 0


@pytest.mark.parametrize("name", [name for name in STORIES if name != ASKING])
def test_a_toolset_mends_the_project_with_its_own_tools_in_its_own_way(
    name: str, visit: Visit, product: Product, outside: Person, told: dict[str, tuple[str, str]]
) -> None:
    session, project = told[name]
    alice = visit("alice", f"/sessions/{session}", viewport=TALL)
    look_through(alice, STORIES[name])
    shot(alice, f"toolset-{name.replace(' ', '-')}")
    assert outside.status(session) == "done"
    assert is_mended(workspace(product, project))
    in_the_dark_on_a_phone(alice)


def look_through(page: Page, story: Story) -> None:
    """Everything that the transcript of a session that is over shows."""
    completed(page)
    rows = log(page).locator("article[aria-label]")
    expect(rows).to_have_count(len(story.outline))
    assert tuple(rows.evaluate_all(NAMES)) == story.outline
    for words in story.texts:
        expect(log(page)).to_contain_text(words)
    unfold_groups(page)
    for seen in story.rows:
        look_into(page, seen)
    if story.refused:
        refused = page.get_by_role("article", name=REFUSED)
        refused.get_by_role("button").click()
        for words in story.refused:
            expect(refused).to_contain_text(words)


def test_a_team_sees_where_a_phased_run_stands_and_lets_it_verify_and_a_stranger_sees_nothing(
    visit: Visit, enter: Enter, product: Product, outside: Person, told: dict[str, tuple[str, str]], complaints: Complaints
) -> None:
    session, project = told[ASKING]
    alice = visit("alice", f"/sessions/{session}", viewport=TALL)
    bob = visit("bob", f"/sessions/{session}", product.printed_link("Bob"), viewport=TALL)
    for page in (alice, bob):
        steps = page.get_by_role("list", name="Workflow: Phased")
        expect(steps.get_by_role("listitem")).to_contain_text(["Discover", "Plan", "Act", "Verify"])
        expect(steps.locator("[aria-current=step]")).to_have_text(re.compile("Verify.*cycle 2"))
    shot(bob, "phase-seen")
    look_as_a_stranger(enter, outside, session, complaints)
    allow_the_tests(alice)
    for page in (bob, alice):
        look_through(page, STORIES[ASKING])
        expect(page.get_by_text("Verified", exact=True).first).to_be_visible()
    assert is_mended(workspace(product, project))
    in_the_dark_on_a_phone(bob)


def allow_the_tests(page: Page) -> None:
    waiting(page, "run").get_by_role("button", name="Review").click()
    card = page.get_by_role("region", name=re.compile("^Permission required: .*python3 -m unittest"))
    card.get_by_role("button", name="Allow once").click()
    expect(card).to_have_count(0)


def look_as_a_stranger(enter: Enter, outside: Person, session: str, complaints: Complaints) -> None:
    """Charlie, who is in a team of his own."""
    complaints.expected = ["404", "WebSocket"]
    team = outside.post("/api/teams/", {"name": "Elsewhere"})["id"]
    invitation = outside.post(f"/api/teams/{team}/invites/", {"role": "member"})["url"]
    charlie = enter()
    charlie.goto(invitation)
    charlie.get_by_label("User name").fill("charlie")
    for field in ("New password", "The same again"):
        charlie.get_by_label(field).fill("a long enough password of his")
    charlie.get_by_role("button", name="Make the account and join").click()
    charlie.get_by_role("link", name="New session").first.wait_for()
    charlie.goto(f"/sessions/{session}")
    expect(charlie.get_by_role("alert")).to_contain_text("There is nothing here that you may see")
    assert "Mend the shelf" not in charlie.content()


@pytest.mark.parametrize("protocol", HALF)
def test_a_call_in_words_is_seen_while_it_is_written(
    protocol: str, visit: Visit, product: Product, outside: Person, new_project: MakeProject
) -> None:
    """The reply goes on until somebody stops it; half a call is none."""
    words, toolset = HALF[protocol]
    project = new_project(words)
    session = outside.open_session(words, project=project, toolset=toolset, protocol=protocol)
    alice = visit("alice", f"/sessions/{session}")
    writing = alice.get_by_role("article", name="Tool call: Writing labels.py")
    writing.locator("button.line").click()
    expect(writing).to_contain_text("item.pri")
    shot(alice, f"half-a-call-{protocol}")
    assert outside.facts(session, "agent.spoke") == []
    alice.get_by_role("button", name="Stop", exact=True).click()
    expect(alice.get_by_text("Stopped", exact=True).first).to_be_visible()
    expect(writing).to_have_count(0)
    assert not (workspace(product, project) / "labels.py").exists()


def test_toolset_workflow_and_protocol_are_chosen_for_a_session_and_changed_in_it(visit: Visit, new_project: MakeProject) -> None:
    alice = visit("alice", f"/sessions/new?project={new_project('A choice')}")
    alice.get_by_label("What should the agent do?").fill("Say hello")
    radio(alice, "atloop").check()
    expect(alice.get_by_text("Workflow and protocol: Phased, Function calling")).to_be_visible()
    alice.get_by_text("More", exact=True).click()
    radio(alice, "React").check()
    radio(alice, "JSON with file sections").check()
    shot(alice, "choosing")
    assert alice.evaluate(NAMELESS) == []
    start(alice)
    completed(alice)
    expect(log(alice)).to_contain_text("opened the session with the scripted demo · atloop · React workflow · JSON with file sections")
    alice.get_by_role("button", name="Session menu").click()
    alice.get_by_role("menuitem", name="Change model").click()
    form = alice.get_by_role("dialog", name="Model and tools of this session")
    expect(radio(form, "atloop")).to_be_checked()
    radio(form, "Alfredo").check()
    form.get_by_text("More", exact=True).click()
    radio(form, "XML tags").check()
    shot(alice, "choosing-anew")
    form.get_by_role("button", name="Change", exact=True).click()
    expect(form).to_have_count(0)
    expect(log(alice)).to_contain_text("Alice chose the scripted demo · Alfredo · Verified workflow · XML tags")


def radio(place: Page | Locator, name: str) -> Locator:
    return place.get_by_role("radio", name=re.compile(f"^{name}"))


def test_a_project_says_how_its_sessions_work(visit: Visit, new_project: MakeProject) -> None:
    project = new_project("A custom")
    alice = visit("alice", f"/projects/{project}/settings")
    radio(alice, "Alfredo").check()
    alice.get_by_text("More", exact=True).click()
    radio(alice, "Phased").check()
    radio(alice, "XML tags").check()
    alice.get_by_role("button", name="Save", exact=True).click()
    expect(alice.get_by_text("Saved.")).to_be_visible()
    alice.goto(f"/sessions/new?project={project}")
    expect(radio(alice, "Alfredo")).to_be_checked()
    expect(alice.get_by_text("Workflow and protocol: Phased, XML tags")).to_be_visible()
    alice.set_viewport_size(PHONE)
    assert alice.evaluate(OVERFLOW) <= 0


def test_toolsets_stand_side_by_side_and_their_descriptions_can_be_taken_away(visit: Visit, tmp_path: Path) -> None:
    alice = visit("alice", "/toolsets")
    for title in TITLES:
        expect(alice.get_by_role("article", name=title, exact=True)).to_be_visible()
    alice.get_by_role("region", name="Edit files").get_by_role("button", name="replace_in_file").click()
    tool = alice.get_by_role("article", name=re.compile("^replace_in_file"))
    expect(tool.get_by_role("term")).to_contain_text(["path", "diff"])
    expect(tool).to_contain_text("SEARCH")
    shot(alice, "toolsets-tool")
    chosen = alice.get_by_role("group", name="Toolsets to compare")
    for title in ("OATS", "Atomic"):
        chosen.get_by_role("button", name=title, exact=True).click()
        expect(alice.get_by_role("article", name=title, exact=True)).to_have_count(0)
    with alice.expect_download() as download:
        alice.get_by_role("link", name="Export the descriptions of Alfredo").click()
    assert download.value.suggested_filename == "alfredo-tools.md"
    download.value.save_as(tmp_path / "alfredo.md")
    assert "## `replace_in_file`" in (tmp_path / "alfredo.md").read_text()
    in_the_dark_on_a_phone(alice)


def test_two_toolsets_are_compared_and_one_is_kept(visit: Visit, product: Product, new_project: MakeProject) -> None:
    project = new_project("A contest")
    alice = visit("alice", f"/sessions/new?project={project}")
    alice.get_by_label("What should the agent do?").fill("Count quantities in total()")
    alice.get_by_role("link", name="Compare two toolsets instead").click()
    expect(alice.get_by_label("What should both do?")).to_have_value("Count quantities in total()")
    left, right = (alice.get_by_role("group", name=side, exact=True) for side in ("Left", "Right"))
    left.get_by_label("Toolset").select_option(label="OATS")
    right.get_by_label("Toolset").select_option(label="atloop")
    right.get_by_label("Workflow").select_option(label="React")
    shot(alice, "comparison-new")
    alice.get_by_role("button", name="Compare", exact=True).click()
    kept, dropped = (session_of(alice, title) for title in ("OATS", "atloop"))
    for title in ("OATS", "atloop"):
        expect(alice.get_by_role("region", name=title, exact=True).get_by_text("Completed", exact=True)).to_be_visible()
    changes = alice.get_by_role("region", name="Changes", exact=True)
    for words in ("item.quantity * item.price", FIXED):
        expect(changes).to_contain_text(words)
    expect(alice.get_by_role("row", name=re.compile("^Failed calls"))).to_contain_text("1")
    worktrees = Path(product.environment["COUNTERSIGN_HOME"]) / "worktrees"
    assert (worktrees / kept).exists()
    assert (worktrees / dropped).exists()
    shot(alice, "comparison")
    keep(alice, "OATS")
    expect(alice.get_by_role("region", name="OATS", exact=True).get_by_text("Kept", exact=True)).to_be_visible()
    expect(alice.get_by_role("region", name="atloop", exact=True).get_by_text("Dropped", exact=True)).to_be_visible()
    assert "item.quantity * item.price" in (workspace(product, project) / "shelf" / "inventory.py").read_text()
    assert not (worktrees / dropped).exists()
    in_the_dark_on_a_phone(alice)
    alice.goto("/comparisons")
    expect(alice.get_by_role("main")).to_contain_text("Kept OATS")


def session_of(page: Page, title: str) -> str:
    """The id of the session of this side."""
    link = page.get_by_role("region", name=title, exact=True).get_by_role("link", name=title, exact=True)
    return str(link.get_attribute("href")).rpartition("/")[2]


def keep(page: Page, title: str) -> None:
    page.get_by_role("button", name=f"Keep {title}").click()
    dialog = page.get_by_role("dialog", name="Keep this one?")
    expect(dialog).to_contain_text("1 changed file of OATS is merged into the project's files")
    shot(page, "comparison-keep")
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_have_count(0)
