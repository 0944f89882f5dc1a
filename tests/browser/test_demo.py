"""The first three minutes: two people in two browsers watch an agent read, plan, ask, edit, test and remember."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PANELS, Visit, shot
from tests.processes.product import Product

REQUEST = "Please fix the failing test"


def start_session(page: Page, words: str) -> str:
    """A new session that begins with these words; gives its path."""
    page.get_by_role("link", name="New session").first.click()
    page.get_by_label("What should the agent do?").fill(words)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile(r"/sessions/(?!new)[^/]+$"))
    return page.url


def waiting(page: Page, what: str) -> Locator:
    """The line in the tray that says that this waits for somebody."""
    line = page.get_by_role("region", name="Needs you").get_by_role("listitem").filter(has_text=what)
    expect(line).to_be_visible(timeout=60_000)
    return line


def ask_for_changes(page: Page) -> None:
    waiting(page, "Plan").get_by_role("button", name="Review").click()
    review = page.get_by_role("region", name="Plan review")
    expect(review).to_contain_text("Count quantities")
    review.get_by_label("Comment", exact=True).fill("Say which tests will pass.")
    review.get_by_role("button", name="Comment", exact=True).click()
    expect(review.get_by_role("article")).to_contain_text("Say which tests will pass.")
    shot(page, "plan-review")
    review.get_by_role("button", name="Request changes…").click()
    review.get_by_label("What should change").fill("Name the tests, please.")
    review.get_by_role("button", name="Send back with 1 comment").click()


def approve(page: Page, revision: int) -> None:
    tray = page.get_by_role("region", name="Needs you")
    expect(tray).to_contain_text("Plan", timeout=60_000)
    tray.get_by_role("button", name="Review").click()
    review = page.get_by_role("region", name="Plan review")
    expect(review).to_contain_text("Name the tests, please.")
    review.get_by_role("button", name=f"Approve revision {revision}").click()


def answer(page: Page, label: str) -> None:
    waiting(page, "Question").get_by_role("button", name="Answer").click()
    form = page.get_by_role("form", name="The agent asks")
    form.get_by_text(label, exact=True).click()
    shot(page, "question")
    form.get_by_role("button", name="Answer").click()
    expect(form).to_have_count(0)


def allow(page: Page, tool: str) -> None:
    waiting(page, tool).get_by_role("button", name="Review").click()
    card = page.get_by_role("region", name=re.compile("Permission required"))
    asked = card.get_attribute("aria-label") or ""
    shot(page, f"approval-{tool}")
    card.get_by_role("button", name="Allow once").click()
    expect(page.get_by_role("region", name=asked)).to_have_count(0)


def test_a_team_watches_an_agent_work_and_approves_what_it_does(product: Product, visit: Visit) -> None:
    alice = visit("alice", link=product.printed_link("Alice"))
    address = start_session(alice, REQUEST)
    bob = visit("bob", link=product.printed_link("Bob"))
    bob.goto(address)
    expect(bob.get_by_role("log", name="Transcript")).to_contain_text(REQUEST)
    expect(alice.get_by_role("list", name="Here now").get_by_role("listitem")).to_have_count(2)
    expect(alice.get_by_role("log", name="Transcript")).to_contain_text("I start by looking around.")

    ask_for_changes(alice)
    approve(bob, revision=2)
    answer(alice, "Raise a ValueError")
    allow(bob, "edit")
    allow(alice, "bash")

    for page in (alice, bob):
        expect(page.get_by_text("Completed", exact=True).first).to_be_visible(timeout=60_000)
        expect(page.get_by_role("log", name="Transcript")).to_contain_text("3 of 3 pass")
    shot(alice, "session-done")

    panels = alice.get_by_role("complementary", name=PANELS)
    expect(panels.get_by_role("tab", name=re.compile("Todos"))).to_contain_text("5/5")
    panels.get_by_role("tab", name="Changes").click()
    expect(panels).to_contain_text("inventory.py")
    shot(alice, "changes")

    alice.get_by_role("link", name="Memories").first.click()
    alice.get_by_role("link", name=re.compile(re.escape("what total() counts"))).click()
    expect(alice.get_by_role("link", name=re.compile("a session"))).to_be_visible()
    shot(alice, "memories")

    bob.get_by_role("link", name="History").first.click()
    bob.get_by_label("Search sessions").fill("failing test")
    expect(bob.get_by_role("main").get_by_role("link", name=re.compile("fix the failing test")).first).to_be_visible()
    bob.get_by_label("Search sessions").fill("nothing is called like this")
    expect(bob.get_by_text("No session fits")).to_be_visible()
    shot(bob, "history")


def test_a_link_works_once(product: Product, visit: Visit) -> None:
    link = product.link("alice")
    visit("alice", link=link)
    stranger = visit("bob").context.browser
    assert stranger is not None
    page = stranger.new_page()
    page.goto(link)
    expect(page.get_by_text("no longer works")).to_be_visible()
    page.close()
