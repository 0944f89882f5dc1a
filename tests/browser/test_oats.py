"""Every OATS tool in a real session, sub-agents, what is recalled, and which tools a project has: as people see and decide it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from agents.providers.script import load_script
from agents.tools.registry import OATS
from tests.browser.conftest import PANELS, Visit, shot
from tests.browser.oats_rows import CARDS, MORE, ROWS, look_into, unfold_groups
from tests.browser.test_searching import bing
from tests.peers import site as peer
from tests.processes.person import Person
from tests.processes.product import Product
from tests.processes.world import ROOT

SCRIPT = Path(__file__).with_name("oats.yaml")
DEMO_PROJECT = ROOT / "agents" / "providers" / "scripts" / "demo-project"
TALL = {"width": 1360, "height": 4000}
"""High enough that every row of a transcript is drawn, which shows only those in sight."""
HTML = "<!doctype html><title>{0}</title><main><h1>{0}</h1>" + "<p>Each label shows a name and a price, in large letters.</p>" * 5
HITS = {"organic_results": [{"title": "A paper on labels", "link": "https://one.example/a", "snippet": "Of paper"}]}
MakeProject = Callable[..., str]


@pytest.fixture(scope="module")
def site() -> Iterator[peer.Site]:
    pages = {
        f"/{name}": peer.Page(HTML.format(title).encode())
        for name, title in (("shelf", "Reading and labelling a shelf"), ("other", "Other"))
    }
    with peer.Site({**pages, "/search.json": peer.told(HITS), "/search": bing()}) as site:
        yield site


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What projects are copied from: the demo's project, and an MCP server that can be run there."""
    folder = tmp_path_factory.mktemp("source") / "shelf"
    shutil.copytree(DEMO_PROJECT, folder)
    shutil.copy(ROOT / "tests" / "peers" / "mcp_rogue.py", folder / "parrot.py")
    return folder


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory, site: peer.Site, folder: Path) -> Iterator[Product]:
    """A product of this module's own: its searches and its provider lead to what stands beside it."""
    home = tmp_path_factory.mktemp("product") / "home"
    own = {"SERPAPI_API_KEY": "key-of-the-test", "SERPAPI_BASE_URL": site.url, "BING_PAGE_URL": site.url}
    allowed = {"COUNTERSIGN_ALLOW_PRIVATE_URLS": "1", "COUNTERSIGN_ALLOWED_PATHS": str(folder.parent)}
    with Product(home, COUNTERSIGN_SCRIPT=str(SCRIPT), COUNTERSIGN_LEASE_SECONDS="5", **own, **allowed) as product:
        yield product


@pytest.fixture
def new_project(outside: Person, folder: Path) -> MakeProject:
    """Makes a project of this name with every tool; agents ask before they read web pages, and may search."""

    def make(name: str, **choices: Any) -> str:
        team = outside.get("/api/me/")["teams"][0]["id"]
        project = outside.post("/api/projects/", {"team": team, "name": name, "source": {"kind": "path", "path": str(folder)}})
        outside.post(f"/api/projects/{project['id']}/", {"profile": "full", **choices}, "PATCH")
        rules = [("webfetch", "ask"), ("websearch", "allow"), ("playwright_search", "allow")]
        outside.post(f"/api/projects/{project['id']}/rules/", [{"tool": tool, "action": action} for tool, action in rules], "PUT")
        return str(project["id"])

    return make


def begin(page: Page, project: str, words: str) -> str:
    """A new session of this project that begins with these words; gives its id."""
    page.goto(f"/sessions/new?project={project}")
    page.get_by_label("What should the agent do?").fill(words)
    return start(page)


def start(page: Page) -> str:
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/sessions/(?!new)[^/]+$"))
    return page.url.rpartition("/")[2]


def waiting(page: Page, what: str) -> Locator:
    """The line in the tray about this tool, or about this kind of decision."""
    tray = page.get_by_role("region", name="Needs you")
    return tray.get_by_role("listitem").filter(has=page.get_by_text(what, exact=True))


def allow(page: Page, tool: str) -> None:
    waiting(page, tool).get_by_role("button", name="Review").click()
    card = page.get_by_role("region", name="Permission required").filter(has=page.locator("dd code", has_text=re.compile(f"^{tool}$")))
    card.get_by_role("button", name="Allow once").click()
    expect(card).to_have_count(0)


def completed(page: Page) -> None:
    expect(page.get_by_role("banner").or_(page.get_by_role("main")).get_by_text("Completed", exact=True).first).to_be_visible()


def called() -> set[str]:
    """The tools that the script calls in the scenario of every tool, and in what follows from it."""
    scenarios = load_script(str(SCRIPT)).scenarios[:2]
    turns = [turn for scenario in scenarios for turn in scenario.turns]
    return {part.call.tool for turn in turns for part in turn.parts if part.call}


def test_every_tool_runs_in_a_session_and_shows_what_it_did(
    visit: Visit, new_project: MakeProject, outside: Person, site: peer.Site
) -> None:
    assert called() == set(OATS) == {*ROWS, *CARDS}
    alice = visit("alice", viewport=TALL)
    session = begin(alice, new_project("Every tool"), f"Use every tool, with the site {site.url}")
    waiting(alice, "Plan").get_by_role("button", name="Review").click()
    alice.get_by_role("button", name="Approve revision 1").click()
    answer(alice)
    for tool in ("write", "multiedit", "edit", "apply_patch", "bash", "generate_readme", "webfetch", "mcp_server_manage"):
        allow(alice, tool)
    for tool in ("mcp_call", "mcp_chain", "mcp_fan_out"):
        allow(alice, tool)
    log = alice.get_by_role("log", name="Transcript")
    expect(log).to_contain_text("That was all.", timeout=60_000)
    completed(alice)
    unfold_groups(alice)
    shot(alice, "oats-tools")
    for words in ("Failed", "Denied", "Canceled"):
        expect(log.get_by_text(words, exact=True)).to_have_count(0)
    for card in CARDS.values():
        expect(log).to_contain_text(card.line)
    for seen in (*ROWS.values(), *MORE):
        look_into(alice, seen)
    assert {fact["tool"] for fact in outside.facts(session, "tool.started")} == set(OATS)
    assert [fact["error"] for fact in outside.facts(session, "tool.finished") if fact["error"]] == []


def answer(page: Page) -> None:
    """Two questions wait at the same time; each is a form of its own."""
    forms = page.get_by_role("form", name="The agent asks")
    labels = forms.filter(has_text="Which labels?")
    labels.get_by_text("Long", exact=True).click()
    labels.get_by_role("button", name="Answer").click()
    expect(labels).to_have_count(0)
    copies = forms.filter(has_text="How many copies?")
    copies.get_by_role("button", name="Answer").click()
    expect(copies).to_have_count(0)


def test_sub_agents_ask_in_the_tray_and_their_changes_are_landed(
    visit: Visit, new_project: MakeProject, outside: Person, site: peer.Site
) -> None:
    alice = visit("alice", viewport=TALL)
    project = new_project("Helpers")
    begin(alice, project, f"Send three helpers, one to {site.url}")
    panels = alice.get_by_role("complementary", name=PANELS)
    panels.get_by_role("tab", name="Agents").click()
    expect(panels.get_by_role("listitem")).to_have_count(3)
    for title, tool in ((f"Read {site.url}/shelf", "webfetch"), (f"Read {site.url}/other", "webfetch"), ("Write the opening", "write")):
        line = waiting(alice, tool).filter(has_text=title)
        expect(line.get_by_role("img", name="Sub-agent")).to_be_visible()
        shot(alice, "agents-ask")
        line.get_by_role("button", name="Review").click()
        card = alice.get_by_role("region", name="Permission required").and_(alice.locator(":focus"))
        card.get_by_role("button", name="Allow once").click()
        expect(line).to_have_count(0)
    waiting(alice, "Changes").get_by_role("button", name="Review").click()
    review = alice.get_by_role("region", name="Changes in the agent's worktree")
    expect(review).to_contain_text("Nine to five.")
    shot(alice, "worktree-review")
    review.get_by_role("button", name="Land in the project").click()
    expect(review).to_contain_text("Landed")
    expect(panels).to_contain_text("none at work")
    expect(panels.get_by_text("Done", exact=True)).to_have_count(3)
    expect(panels).to_contain_text("landed")
    alice.goto(f"/projects/{project}/files/HOURS.md")
    expect(alice.get_by_role("main")).to_contain_text("Nine to five.")


def test_stopping_a_session_stops_the_agent_below_it(visit: Visit, new_project: MakeProject) -> None:
    alice = visit("alice")
    begin(alice, new_project("A busy helper"), "Keep a helper busy")
    panels = alice.get_by_role("complementary", name=PANELS)
    panels.get_by_role("tab", name="Agents").click()
    agent = panels.get_by_role("listitem")
    expect(agent).to_contain_text("Think for ever.")
    expect(agent).to_contain_text("Working")
    alice.get_by_role("button", name="Stop", exact=True).click()
    expect(agent).to_contain_text("Stopped")
    expect(panels).to_contain_text("none at work")
    agent.get_by_role("link", name="Think for ever.").click()
    expect(alice.get_by_role("navigation", name="Above this session")).to_contain_text("explore")
    expect(alice.get_by_text("Stopped", exact=True).first).to_be_visible()


def test_a_memory_of_one_session_is_told_in_the_next_unless_it_is_left_out(visit: Visit, new_project: MakeProject) -> None:
    alice = visit("alice")
    project = new_project("Parcels")
    begin(alice, project, "Remember when parcels leave")
    completed(alice)

    ask_about_parcels(alice, project)
    offered = alice.get_by_role("region", name="Memories the agent will be told")
    memory = offered.get_by_role("checkbox", name=re.compile("Parcels leave on Tuesdays"))
    expect(memory).to_be_checked()
    shot(alice, "recall-offered")
    memory.uncheck()
    start(alice)
    completed(alice)
    expect(alice.get_by_role("log")).to_contain_text("On Tuesdays.")
    told = alice.get_by_role("region", name="Recalled memories")
    expect(told).to_have_count(0)

    ask_about_parcels(alice, project)
    expect(memory).to_be_checked()
    start(alice)
    completed(alice)
    expect(told).to_contain_text("The agent was told 1 memory")
    told.get_by_role("button", name="Parcels leave on Tuesdays", exact=True).click()
    expect(told).to_contain_text("The van comes at noon.")
    shot(alice, "recalled")
    told.get_by_role("button", name="Leave out: Parcels leave on Tuesdays").click()
    expect(told).to_contain_text("reads 0")
    expect(told).to_contain_text("left out")


def ask_about_parcels(page: Page, project: str) -> None:
    page.goto(f"/sessions/new?project={project}")
    page.get_by_label("What should the agent do?").fill("When do the parcels leave, on Tuesdays?")


def test_a_project_chooses_its_tools_and_brings_servers_of_its_own(visit: Visit, new_project: MakeProject) -> None:
    alice = visit("alice")
    project = new_project("Choices")
    alice.goto(f"/projects/{project}/settings")
    main = alice.get_by_role("main")
    lsp = alice.get_by_role("checkbox", name="Code intelligence")
    expect(lsp).to_be_checked()
    expect(main).to_contain_text(f"{len(OATS)} tools; the model is told of")
    main.get_by_label("Profile").select_option("minimal")
    expect(lsp).not_to_be_checked()
    expect(main.get_by_text("Now in force: minimal")).to_be_visible()
    lsp.check()
    tools = main.get_by_role("listitem").filter(has=lsp)
    tools.get_by_text("1 tool", exact=True).click()
    expect(tools.get_by_role("term")).to_have_text("lsp")
    main.get_by_label("Profile").select_option("full")
    expect(main.get_by_text("Now in force: full")).to_be_visible()

    main.get_by_role("button", name="Add a server").click()
    form = alice.get_by_role("dialog", name="Add an MCP server")
    form.get_by_label("Name", exact=True).fill("parrot")
    form.get_by_label("Command").fill("python3 parrot.py nothing")
    shot(alice, "mcp-form")
    form.get_by_role("button", name="Add the server").click()
    server = main.get_by_role("listitem").filter(has_text="python3 parrot.py nothing")
    server.get_by_role("button", name="Check").click()
    expect(server.get_by_role("status")).to_contain_text("with 1 tool")
    expect(server.get_by_role("status")).to_contain_text("Says it back.")
    shot(alice, "project-tools")
    alice.reload()
    expect(main).to_contain_text(f"{len(OATS) + 1} tools; the model is told of")


def test_a_secret_of_the_team_goes_in_and_never_comes_out(visit: Visit, outside: Person) -> None:
    alice = visit("alice")
    team = outside.get("/api/me/")["teams"][0]["id"]
    alice.goto(f"/teams/{team}/secrets")
    alice.get_by_label("Name", exact=True).fill("PARROT_TOKEN")
    alice.get_by_label("Value", exact=True).fill("polly-wants-a-cracker")
    alice.get_by_role("button", name="Keep the secret").click()
    kept = alice.get_by_role("list", name="Secrets").get_by_role("listitem").filter(has_text="PARROT_TOKEN")
    expect(kept).to_be_visible()
    expect(alice.get_by_label("Value", exact=True)).to_have_value("")
    shot(alice, "secrets")
    alice.reload()
    expect(kept).to_be_visible()
    assert "polly-wants-a-cracker" not in alice.content() + str(outside.get(f"/api/teams/{team}/secrets/"))
    kept.get_by_role("button", name="Remove").click()
    kept.get_by_role("button", name="Really remove").click()
    expect(kept).to_have_count(0)
