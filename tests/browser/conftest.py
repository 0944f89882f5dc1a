"""The product, a Chromium, and people with a browser each; nobody's console may hold an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Response,
    StorageState,
    StorageStateCookie,
    expect,
    sync_playwright,
)

from tests.browser import chromium
from tests.processes.person import Person
from tests.processes.product import Product
from tests.processes.world import ROOT

DEMO = ROOT / "agents" / "providers" / "scripts" / "demo.yaml"
SCREENSHOTS = ROOT / "var" / "screenshots"
WIDE = {"width": 1360, "height": 860}
PANELS = "Todos, plan, changes, agents and jobs"
"""What stands beside a transcript, as those hear it who do not see it."""
Enter = Callable[..., Page]
Known = dict[tuple[str, str], StorageState]
Visit = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """With the demo of `make run`, told faster."""
    folder = tmp_path_factory.mktemp("product")
    script = folder / "demo.yaml"
    script.write_text(re.sub(r"^speed: \d+$", "speed: 600", DEMO.read_text(), flags=re.MULTILINE))
    with Product(folder / "home", COUNTERSIGN_SCRIPT=str(script), COUNTERSIGN_LEASE_SECONDS="5") as product:
        yield product


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    assert path, chromium.HOW
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-background-networking"])
        yield browser
        browser.close()


class Complaints:
    """What the consoles and the network of the open pages said against us. `expected` words are forgiven."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.expected: list[str] = []

    def watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.lines.append(f"uncaught: {error}"))
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.lines.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.lines.append(f"{response.status} {response.url}")

    def unexpected(self) -> list[str]:
        return [line for line in self.lines if not any(words in line for words in self.expected)]


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    complaints = Complaints()
    yield complaints
    assert complaints.unexpected() == []


@pytest.fixture
def enter(product: Product, browser: Browser, complaints: Complaints) -> Iterator[Enter]:
    """Opens a browser of its own, in which nobody is signed in; keywords go to its context."""
    contexts: list[BrowserContext] = []

    def open_browser(**wishes: Any) -> Page:
        context = browser.new_context(**{"viewport": WIDE, "base_url": product.address, **wishes})
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        complaints.watch(page)
        return page

    yield open_browser
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def known() -> Known:
    """Who has signed in, by the product's folder and the name: making a link starts a program, so each gets one."""
    return {}


@pytest.fixture(scope="module")
def outside(product: Product, known: Known) -> Iterator[Person]:
    """Alice without a page, who prepares what the tests of a module with a product of its own do not look at."""
    person = Person(product.address)
    person.sign_in(product.printed_link("Alice"))
    known[product.environment["COUNTERSIGN_HOME"], "alice"] = kept(person)
    yield person
    person.http.close()


def kept(person: Person) -> StorageState:
    """Her cookies, for a browser; those of localhost belong to no domain that Python's cookies could name."""
    more: StorageStateCookie = {"domain": "localhost", "path": "/", "expires": -1, "httpOnly": False, "secure": False, "sameSite": "Lax"}
    return {"cookies": [{**more, "name": one.name, "value": one.value or ""} for one in person.http.cookies.jar]}


@pytest.fixture
def visit(product: Product, enter: Enter, known: Known) -> Visit:
    """Opens a browser of its own for a person of the demo, signed in; more keywords go to the browser's context."""

    def open_signed_in(username: str, path: str = "/", link: str = "", **wishes: Any) -> Page:
        who = (product.environment["COUNTERSIGN_HOME"], username)
        is_new = link or who not in known
        page = enter(storage_state=None if is_new else known[who], **wishes)
        arrive(page, (link or product.link(username)) if is_new else "/")
        known.setdefault(who, page.context.storage_state())
        if path != "/":
            page.goto(path)
        return page

    return open_signed_in


def arrive(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="New session").first.wait_for()


def shot(page: Page, name: str) -> None:
    """Keep a picture for people to look at."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")
