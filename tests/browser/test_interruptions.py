"""Stopping, losing the network and losing the server: the page says what is, and recovers by itself."""

from __future__ import annotations

import os
import re
import signal

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Complaints, Visit, shot
from tests.browser.test_demo import REQUEST, start_session, waiting
from tests.processes.product import Product
from tests.processes.world import until


def test_escape_stops_the_agent_and_the_session_goes_on_when_asked(visit: Visit) -> None:
    page = visit("alice")
    start_session(page, REQUEST)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Stopped", exact=True).first).to_be_visible()
    shot(page, "stopped")
    page.get_by_label("Message to the agent").fill("Go on, please fix the failing test")
    page.keyboard.press("Enter")
    waiting(page, "Plan")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped", exact=True).first).to_be_visible()


@pytest.mark.parametrize("program", ["web", "worker"])
def test_a_killed_server_is_started_again_and_the_page_catches_up(
    program: str, product: Product, visit: Visit, complaints: Complaints
) -> None:
    complaints.expected = ["WebSocket", "ERR_CONNECTION_REFUSED", "Failed to load resource", "ERR_EMPTY_RESPONSE"]
    page = visit("alice")
    start_session(page, REQUEST)
    expect(page.get_by_role("log", name="Transcript")).to_contain_text("I start by looking around.")
    gone = product.children()[program]
    os.kill(gone, signal.SIGKILL)
    until(lambda: product.children().get(program, gone) != gone, "another one being started")
    waiting(page, "Plan")
    expect(page.get_by_text("Live", exact=True)).to_be_visible(timeout=30_000)
    assert page.get_by_role("log", name="Transcript").get_by_text("The plan is ready.").count() == 1


def test_a_page_without_network_keeps_what_is_written_and_sends_it_later(visit: Visit, complaints: Complaints) -> None:
    complaints.expected = ["ERR_INTERNET_DISCONNECTED", "WebSocket"]
    page = visit("alice")
    start_session(page, "hello")
    expect(page.get_by_text("Completed", exact=True).first).to_be_visible(timeout=30_000)
    page.context.set_offline(True)
    page.get_by_label("Message to the agent").fill("hello again")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log", name="Transcript")).to_contain_text("hello again")
    page.context.set_offline(False)
    expect(page.get_by_text("Completed", exact=True).first).to_be_visible(timeout=40_000)
    page.reload()
    expect(page.get_by_role("log", name="Transcript").get_by_text(re.compile("^hello again$"))).to_have_count(1)
