"""Every Atomic tool in a real session, terminals and background jobs, and where the toolset and a forge are chosen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from agents.providers.script import load_script
from agents.tools.registry import ATOMIC, SHARED
from tests.browser import atomic_workspace
from tests.browser.atomic_rows import CHANGED, READ, RUN
from tests.browser.conftest import PANELS, Visit, shot
from tests.browser.oats_rows import Seen, look_into, row, unfold_groups
from tests.browser.test_looks import BACKGROUND, NAMELESS, OVERFLOW
from tests.browser.test_oats import HTML, TALL, completed, start, waiting
from tests.peers import forges
from tests.peers import site as peer
from tests.processes.person import Person
from tests.processes.product import Product

SCRIPT = Path(__file__).with_name("atomic.yaml")
VALUE = "only-the-command-knows-7391"
RULES = (("bash", "*", "allow"), ("write", "*", "allow"), ("edit", "*", "allow"), ("edit", "shelf/*", "ask"))
PHONE: ViewportSize = {"width": 360, "height": 740}
MakeProject = Callable[[str], str]


@pytest.fixture(scope="module")
def site() -> Iterator[peer.Site]:
    with peer.Site({"/shelf": peer.Page(HTML.format("Reading and labelling a shelf").encode())}) as site:
        yield site


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source") / "shelf"
    atomic_workspace.make(folder)
    return folder


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Product]:
    """A product of this module's own, which may read what stands beside it."""
    allowed = {"COUNTERSIGN_ALLOW_PRIVATE_URLS": "1", "COUNTERSIGN_ALLOWED_PATHS": str(folder.parent)}
    with Product(tmp_path_factory.mktemp("product") / "home", COUNTERSIGN_SCRIPT=str(SCRIPT), **allowed) as product:
        yield product


@pytest.fixture
def new_project(outside: Person, folder: Path) -> MakeProject:
    """Makes a project of this name, in which most calls need nobody."""

    def make(name: str) -> str:
        wish = {"team": team_of(outside), "name": name, "source": {"kind": "path", "path": str(folder)}}
        project = str(outside.post("/api/projects/", wish)["id"])
        rules = [{"tool": tool, "pattern": pattern, "action": action} for tool, pattern, action in RULES]
        outside.post(f"/api/projects/{project}/rules/", rules, "PUT")
        return project

    return make


def team_of(person: Person) -> str:
    return str(person.get("/api/me/")["teams"][0]["id"])


def begin(page: Page, project: str, words: str) -> str:
    """A new session with the toolset picked in the page; gives its id."""
    page.goto(f"/sessions/new?project={project}")
    page.get_by_label("What should the agent do?").fill(words)
    page.get_by_role("radio", name=re.compile("^Atomic")).check()
    return start(page)


def log(page: Page) -> Locator:
    return page.get_by_role("log", name="Transcript")


def panels(page: Page) -> Locator:
    return page.get_by_role("complementary", name=PANELS)


def test_every_atomic_tool_runs_in_a_session_and_shows_what_it_did(
    visit: Visit, new_project: MakeProject, outside: Person, site: peer.Site
) -> None:
    calls = [part.call.tool for turn in load_script(str(SCRIPT)).scenarios[0].turns for part in turn.parts if part.call]
    assert set(calls) == set(ATOMIC) - {tool.name for tool in SHARED}
    outside.post(f"/api/teams/{team_of(outside)}/secrets/", {"name": "DEPLOY_TOKEN", "value": VALUE})
    project = new_project("Every Atomic tool")
    outside.open_session("Count the shelves", project=project)
    alice = visit("alice", viewport=TALL)
    session = begin(alice, project, f"Use every Atomic tool, with the site {site.url}")
    allow_the_pages(alice)
    allow_the_edit(alice)
    allow_the_secret(alice)
    expect(log(alice)).to_contain_text("That was all.", timeout=60_000)
    completed(alice)
    unfold_groups(alice)
    shot(alice, "atomic-tools")
    page = Seen(f"Read {site.url}/shelf", ("Reading and labelling a shelf", "text/html"), "a[href*='/shelf']")
    for seen in (*READ, page, *CHANGED, *RUN):
        look_into(alice, seen)
    look_at_drift(alice)
    open_the_whole(alice)
    cancel_the_job(alice)
    assert VALUE not in alice.content() + str(outside.entries(session))
    in_the_dark_on_a_phone(alice)


def allow_the_pages(page: Page) -> None:
    """The project has no network: people say which addresses are asked."""
    asks = page.get_by_role("region", name=re.compile("^Permission required: .*http"))
    expect(asks).to_have_count(2)
    for left in (1, 0):
        asks.first.get_by_role("button", name="Allow once").click()
        expect(asks).to_have_count(left)


def allow_the_edit(page: Page) -> None:
    """Who decides sees the change as a diff, and the script if they want."""
    waiting(page, "edit").get_by_role("button", name="Review").click()
    card = page.get_by_role("region", name=re.compile("^Permission required: Edit file"))
    expect(card.locator("table")).to_contain_text("item.price * item.quantity")
    expect(card.locator("table")).to_contain_text("# Counted in November")
    card.get_by_text("The script, word for word").click()
    expect(card).to_contain_text("replace 17..17")
    shot(page, "atomic-approval")
    card.get_by_role("button", name="Allow once").click()
    expect(card).to_have_count(0)


def allow_the_secret(page: Page) -> None:
    """The command alone is allowed; that it gets a secret is asked about, by name."""
    waiting(page, "bash").get_by_role("button", name="Review").click()
    card = page.get_by_role("region", name=re.compile("^Permission required: Run: echo"))
    expect(card).to_contain_text("vault://DEPLOY_TOKEN")
    shot(page, "atomic-secret")
    card.get_by_role("button", name="Allow once").click()
    expect(card).to_have_count(0)


def look_at_drift(page: Page) -> None:
    """The same tag three times: carried over to the changed file, and refused where the change was."""
    edits = page.get_by_role("article", name=re.compile("^Tool call: Edit(ed|ing) notes.md$"))
    carried, refused = edits.first, edits.last
    carried.locator("button.line").click()
    expect(carried.locator(".body")).to_contain_text("Tea is on the top shelf.")
    expect(carried.locator(".body")).to_contain_text("the file was changed externally since it was read")
    refused.locator("button.line").click()
    expect(refused.locator(".body")).to_contain_text("file changed between read and edit")
    shot(page, "atomic-drift")


def open_the_whole(page: Page) -> None:
    call = row(page, Seen("Ran seq 1 4000"))
    call.locator("button.line").click()
    call.get_by_role("button", name="Full output").click()
    dialog = page.get_by_role("dialog", name=re.compile("^Full output"))
    expect(dialog.get_by_role("region", name="The whole text")).to_contain_text(re.compile(r"^1\n2\n3\n"))
    shot(page, "atomic-whole")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def cancel_the_job(page: Page) -> None:
    """It goes on though the run has ended, and what it prints comes as it is printed."""
    panels(page).get_by_role("tab", name="Jobs").click()
    job = panels(page).get_by_role("listitem", name="Background job: python3 tick.py")
    job.get_by_role("button", name="Output").click()
    printed = job.get_by_label("output of the job", exact=True)
    expect(printed).to_contain_text("tick 1\n")
    ticks = re.findall(r"tick (\d+)", printed.inner_text())
    expect(printed).to_contain_text(f"tick {int(ticks[-1]) + 3}\n")
    shot(page, "atomic-job")
    job.get_by_role("button", name="Cancel").click()
    expect(job.get_by_text("Canceled", exact=True)).to_be_visible()
    expect(log(page)).to_contain_text(re.compile("python3 tick.py.*has ended: canceled"))


def in_the_dark_on_a_phone(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    expect(page.get_by_role("link", name="New session").first).not_to_be_in_viewport()
    shot(page, "atomic-360-dark")
    assert page.evaluate(BACKGROUND) < 80
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(NAMELESS) == []


def test_a_terminal_is_drawn_as_it_draws_itself_for_whoever_comes_late_and_afterwards(
    visit: Visit, new_project: MakeProject, product: Product
) -> None:
    alice = visit("alice")
    project = new_project("A drawing")
    begin(alice, project, "Draw the bar")
    drawn(alice, "Building on 120x40", "[####......] 40%")
    assert colored(alice, "40%") != colored(alice, "[####......]")
    shot(alice, "atomic-terminal")
    bob = visit("bob", color_scheme="dark")
    bob.set_viewport_size(PHONE)
    bob.goto(alice.url)
    drawn(bob, "Building on 120x40", "[####......] 40%")
    shot(bob, "atomic-terminal-360-dark")
    assert bob.evaluate(OVERFLOW) <= 0
    (Path(product.environment["COUNTERSIGN_HOME"]) / "workspaces" / project / "go").touch()
    completed(alice)
    alice.reload()
    row(alice, Seen("Ran python3 draw.py")).locator("button.line").click()
    drawn(alice, "Building on 120x40", "[##########] 100%")
    expect(terminal(alice)).not_to_contain_text("40%")
    assert colored(alice, "100%") != colored(alice, "[##########]")
    shot(alice, "atomic-terminal-replayed")


def terminal(page: Page) -> Locator:
    return log(page).get_by_role("group", name="terminal").locator(".xterm-rows")


def drawn(page: Page, *rows: str) -> None:
    for at, words in enumerate(rows):
        expect(terminal(page).locator("> div").nth(at)).to_have_text(re.compile(f"^{re.escape(words)}\\s*$"))


def colored(page: Page, words: str) -> Any:
    return terminal(page).get_by_text(words).last.evaluate("(node) => getComputedStyle(node).color")


def test_a_project_chooses_the_toolset_sends_commands_back_and_is_connected_to_a_forge(
    visit: Visit, new_project: MakeProject, outside: Person
) -> None:
    outside.post(f"/api/teams/{team_of(outside)}/secrets/", {"name": "FORGE_TOKEN", "value": forges.TOKEN})
    alice = visit("alice")
    project = new_project("A forge")
    alice.goto(f"/projects/{project}/settings")
    alice.get_by_role("radio", name=re.compile("^Atomic")).check()
    alice.get_by_role("button", name="Save", exact=True).click()
    expect(alice.get_by_text("Saved.")).to_be_visible()
    alice.get_by_label("Send commands to the tool for them").check()
    expect(alice.get_by_text("Such commands are sent back now.")).to_be_visible()
    with forges.github() as hub:
        connect(alice, hub.url)
        alice.goto(f"/sessions/new?project={project}")
        expect(alice.get_by_role("radio", name=re.compile("^Atomic"))).to_be_checked()
        alice.get_by_label("What should the agent do?").fill("Read the readme and an issue")
        start(alice)
        completed(alice)
    unfold_groups(alice)
    look_into(alice, Seen("Ran cat README.md", ("Blocked:", "read"), stage="Failed"))
    look_into(alice, Seen("Read issue://1", ("Issue 1", "It breaks."), "strong"))
    look_into(alice, Seen("Read pr://3/diff", ("x = 2",)))
    shot(alice, "atomic-forge-read")


def connect(page: Page, address: str) -> None:
    """First with what is wrong, then rightly."""
    main = page.get_by_role("main")
    main.get_by_role("button", name="Connect a forge").click()
    main.get_by_label("Address of the server").fill(address)
    main.get_by_label("Repository").fill("owner/nothing")
    main.get_by_label("Secret", exact=False).last.fill("FORGE_TOKEN")
    shot(page, "atomic-forge-form")
    main.get_by_role("button", name="Connect", exact=True).click()
    main.get_by_role("button", name="Check", exact=True).click()
    expect(main.get_by_role("status").filter(has_text="owner/nothing")).to_be_visible()
    main.get_by_role("button", name="Change", exact=True).click()
    main.get_by_label("Repository").fill("owner/shelf")
    main.locator("form").filter(has_text="Repository").get_by_role("button", name="Save", exact=True).click()
    main.get_by_role("button", name="Check", exact=True).click()
    expect(main).to_contain_text("It answers: owner/shelf")
    shot(page, "atomic-forge")
