"""Who may have a socket, and for how long."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from django.contrib.sessions.models import Session as RequestSession

from agents import events as e
from tests.workspace.sessions.tab import ORIGIN, Tab, add, cookie_of, in_db
from workspace.accounts.credentials import create_token, sign_out_everywhere
from workspace.accounts.models import ApiToken, Membership, User
from workspace.sessions import doorbell, log
from workspace.sessions.models import Session

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_stranger_finds_no_session(session: Session, charlie: User) -> None:
    tab = await Tab.of(charlie, session.public_id)
    assert await tab.next() == {}
    assert tab.code == 4404
    await tab.close()


async def test_nobody_enters_without_signing_in(session: Session) -> None:
    tab = Tab(session.public_id, [ORIGIN])
    assert await tab.open()
    assert await tab.next() == {"type": "closed", "reason": "signed_out"}
    assert (await tab.next(), tab.code) == ({}, 4401)
    await tab.close()


@pytest.mark.parametrize("origin", [None, b"https://evil.example", b"null"])
async def test_a_browser_on_a_foreign_page_is_turned_away(session: Session, bob: User, origin: bytes | None) -> None:
    headers = [await in_db(cookie_of, bob)] + ([(b"origin", origin)] if origin else [])
    tab = Tab(session.public_id, headers)
    assert not await tab.open()


async def test_a_program_enters_with_its_token_and_leaves_with_it(session: Session, bob: User) -> None:
    _, token = await in_db(create_token, bob, "script")
    tab = Tab(session.public_id, [(b"authorization", f"Bearer {token}".encode())], tick=0.05)
    assert await tab.open()
    await tab.frame("live")
    await ApiToken.objects.all().adelete()
    assert await tab.frame("closed") == {"type": "closed", "reason": "signed_out"}
    await tab.close()


async def test_a_wrong_token_opens_nothing_even_with_a_cookie(session: Session, bob: User) -> None:
    tab = Tab(session.public_id, [ORIGIN, await in_db(cookie_of, bob), (b"authorization", b"Bearer wrong")])
    assert await tab.open()
    assert (await tab.frame("closed"))["reason"] == "signed_out"
    await tab.close()


ENDS: dict[str, tuple[Callable[[User], object], str, int]] = {
    "taken from the team": (lambda bob: Membership.objects.filter(user=bob).delete(), "forbidden", 4403),
    "deactivated": (lambda bob: User.objects.filter(pk=bob.pk).update(is_active=False), "signed_out", 4401),
    "signed out": (lambda bob: RequestSession.objects.all().delete(), "signed_out", 4401),
    "signed out everywhere": (sign_out_everywhere, "signed_out", 4401),
}


async def remark_on(session: Session, tab: Tab) -> None:
    await add(session)


async def show_notes(session: Session, tab: Tab) -> None:
    """For longer than rights that were checked once count."""
    for at in range(40):
        await doorbell.show(session.public_id, [e.TextGrew(reply_id="r", part=0, at=at, text="x")])
        await asyncio.sleep(0.01)


async def command(session: Session, tab: Tab) -> None:
    await tab.say('{"id": "7", "command": {"command": "add_comment", "text": "Hm"}}')


@pytest.mark.parametrize("how", ENDS)
async def test_whoever_may_not_stay_is_shown_out(session: Session, bob: User, how: str) -> None:
    end, reason, code = ENDS[how]
    tab = await Tab.of(bob, session.public_id, since="1", tick=0.05)
    await tab.frame("live")
    await in_db(partial(end, bob))
    assert await tab.frame("closed") == {"type": "closed", "reason": reason}
    assert (await tab.next(), tab.code) == ({}, code)
    await tab.close()


@pytest.mark.parametrize("then", [remark_on, show_notes, command])
async def test_whoever_may_not_stay_gets_and_does_nothing_more(
    session: Session, bob: User, then: Callable[[Session, Tab], Awaitable[None]]
) -> None:
    tab = await Tab.of(bob, session.public_id, since="1")
    await tab.frame("live")
    await Membership.objects.filter(user=bob).adelete()
    await then(session, tab)
    assert await tab.frame("closed") == {"type": "closed", "reason": "forbidden"}
    assert tab.seqs == []
    assert not [entry for entry in await in_db(log.read, session.pk, 1) if entry.by]
    await tab.close()


async def test_a_tab_hears_when_its_rights_change(session: Session, bob: User) -> None:
    tab = await Tab.of(bob, session.public_id, since="1", tick=0.05)
    await tab.frame("live")
    await Membership.objects.filter(user=bob).aupdate(role="viewer")
    assert (await tab.frame("welcome"))["rights"] == ["view"]
    await tab.close()
