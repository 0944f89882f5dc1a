"""What providers send that no model should, over the real wire formats: told in the log, and the session goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pytest_django.fixtures import Settings

from agents import events as e
from agents.providers.vendors import VendorProvider
from tests.peers.raw import CALLS, STOP, answering, called, chunk
from tests.peers.server import Format, Peer
from tests.workspace.sessions.driving import allow_everything, carry, decide, facts, goes_on, of, say, send, state, until
from workspace.accounts.credentials import store_provider_key
from workspace.accounts.models import Team, User
from workspace.projects.models import Project
from workspace.sessions import actions, log, protocol, workbench
from workspace.sessions.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

FORMATS: tuple[Format, ...] = ("anthropic", "google", "openai")
KEY = "sk-very-secret-key"
every_format = pytest.mark.parametrize("format", FORMATS)
Use = Callable[..., Awaitable[None]]


@pytest.fixture
async def use(session: Session, team: Team, alice: User) -> AsyncIterator[Use]:
    """Let the session ask this provider from now on."""
    used: list[tuple[str, str]] = []

    def choose(provider: str, base_url: str) -> None:
        store_provider_key(team, alice, provider=provider, base_url=base_url, model="", key=KEY)
        log.append(session.pk, [e.SessionConfigured(toolset="oats", provider=provider, model="m")])
        used.append((provider, base_url))

    yield sync_to_async(choose)
    for provider, base_url in used:
        opened = workbench.opened(provider, KEY, base_url, "m", "")
        assert isinstance(opened, VendorProvider)
        await opened.close()


@pytest.fixture
def serve(use: Use) -> Iterator[Callable[[Format, str], Awaitable[Peer]]]:
    """Let a peer play this script to the session, in the real wire format."""
    with ExitStack() as running:

        async def serve(format: Format, script: str) -> Peer:
            peer = running.enter_context(Peer(format, script))
            await use(format, peer.base_url)
            return peer

        yield serve


@pytest.fixture
def reply(use: Use) -> Iterator[Callable[..., Awaitable[None]]]:
    """Let a server answer the session with these bodies, one after another."""
    with ExitStack() as running:
        yield lambda *bodies: use("openai", running.enter_context(answering(*bodies)))


# --- calls over the wire ---------------------------------------------------------------------------------------------------


@every_format
async def test_malformed_arguments_over_the_wire_are_told_to_the_model(
    format: Format, session: Session, alice: User, serve: Any, scripted: Any
) -> None:  # fmt: skip
    if format == "google":
        pytest.skip("Google's format carries arguments as an object; they cannot be malformed in it")
    peer = await serve(format, "- call: {tool: read, raw: '{\"file_path\": ', id: c1}\n- text: I see.\n")
    await say(session, alice)
    assert await state(session) == "done"
    assert "not valid JSON" in (await of(e.ToolFinished, session))[0].error
    assert b"not valid JSON" in peer.requests[-1].body
    await goes_on(session, alice, scripted)


@pytest.mark.parametrize("call_id", ["", "a b/ü", "x" * 500, "nul\0"])
async def test_an_id_that_no_table_takes_is_replaced(call_id: str, session: Session, project: Project, alice: User, reply: Any) -> None:
    await reply(called("write", '{"file_path": "a.txt", "content": "x"}', call_id) + CALLS, chunk(content="Done.") + STOP)
    await say(session, alice)
    (asked,) = await of(e.ApprovalAsked, session)
    await decide(session, alice, asked)
    assert await state(session) == "done"
    assert (project.root / "a.txt").exists()


# --- what models say ---------------------------------------------------------------------------------------------------

HALF = b'data: {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{"index": 0, "delta": {"cont'
ODD_REPLIES: dict[str, tuple[bytes, str]] = {
    "a NUL": (chunk(content="a\0b") + STOP, "a\N{REPLACEMENT CHARACTER}b"),
    "half a surrogate pair": (chunk(content="a\ud83d") + STOP, "a\N{REPLACEMENT CHARACTER}"),
    "a pair in two pieces": (chunk(content="\ud83d") + chunk(content="\ude00") + STOP, "\N{GRINNING FACE}"),
    "ten thousand tiny pieces": (chunk(content="x") * 10_000 + STOP, "x" * 10_000),
}


@pytest.mark.parametrize(("body", "text"), ODD_REPLIES.values(), ids=ODD_REPLIES)
async def test_odd_text_is_kept_as_text(body: bytes, text: str, session: Session, alice: User, reply: Any, scripted: Any) -> None:
    await reply(body)
    await say(session, alice)
    assert await state(session) == "done"
    assert (await of(e.AgentSpoke, session))[0].parts == (e.Text(text=text),)
    await goes_on(session, alice, scripted)


@pytest.mark.parametrize("odd", ["\\u0000", "\\ud83d", "\\ud83d\\ude00"])
async def test_odd_arguments_are_asked_about_and_carried_out_or_refused(
    odd: str, session: Session, alice: User, reply: Any, scripted: Any
) -> None:  # fmt: skip
    arguments = f'{{"file_path": "a{odd}.txt", "content": "{odd}"}}'
    await reply(called("write", arguments) + CALLS, chunk(content="Done.") + STOP)
    await say(session, alice)
    for asked in await of(e.ApprovalAsked, session):
        await decide(session, alice, asked)
    assert await state(session) == "done"
    assert len(await of(e.ToolFinished, session)) == 1
    await goes_on(session, alice, scripted)


async def test_a_name_that_is_no_name_is_no_tool(session: Session, alice: User, reply: Any, scripted: Any) -> None:
    await reply(called("re\0ad\ud83d", "{}") + CALLS, chunk(content="Done.") + STOP)
    await say(session, alice)
    assert "no tool" in (await of(e.ToolFinished, session))[0].error
    await goes_on(session, alice, scripted)


EMPTY = {"nothing": STOP, "blanks": chunk(content=" \n") + STOP, "only thoughts": chunk(reasoning_content="Hm.") + STOP}


@pytest.mark.parametrize("body", EMPTY.values(), ids=EMPTY)
async def test_a_reply_that_says_nothing_is_told_and_not_asked_for_again(
    body: bytes, session: Session, alice: User, reply: Any, scripted: Any
) -> None:  # fmt: skip
    await reply(body)
    await say(session, alice)
    assert await state(session) == "done"
    assert len(await of(e.AgentSpoke, session)) == 1
    assert [notice.text for notice in await of(e.NoticeGiven, session)] == ["The model's reply was empty."]
    await goes_on(session, alice, scripted)


@every_format
async def test_a_stream_cut_in_a_call_runs_nothing_of_it(
    format: Format, session: Session, project: Project, alice: User, serve: Any, scripted: Any
) -> None:  # fmt: skip
    await allow_everything(session)
    call = "{tool: write, args: {file_path: a.txt, content: x}, id: c1}"
    await serve(format, f"- - text: I write.\n  - call: {call}\n  - cut: true\n- text: Again.\n")
    await say(session, alice)
    assert await state(session) == "done"
    assert (await of(e.AgentSpoke, session))[0].finish == "cut"
    assert not (project.root / "a.txt").exists()
    await goes_on(session, alice, scripted)


async def test_a_model_that_stops_within_its_json_is_said_to_have_broken_off(
    session: Session, alice: User, reply: Any, scripted: Any
) -> None:  # fmt: skip
    await reply(chunk(content="I begin") + HALF)
    await say(session, alice)
    assert await state(session) in ("done", "failed")
    said = await of(e.AgentSpoke, session)
    failed = await of(e.ProviderFailed, session)
    assert (said and said[0].finish == "cut") or failed
    await goes_on(session, alice, scripted)


# --- what providers do -------------------------------------------------------------------------------------------------


@every_format
@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        ("{kind: auth, message: no such key}", "auth", 401),
        ("{kind: bad_request, message: bad schema}", "bad_request", 400),
        ("{kind: malformed}", "malformed", None),
    ],
)
async def test_a_refused_request_ends_the_run_with_its_reason(
    format: Format, error: str, kind: str, status: int | None, session: Session, alice: User, serve: Any, scripted: Any
) -> None:  # fmt: skip
    await serve(format, f"- error: {error}\n")
    await say(session, alice)
    assert await state(session) == "failed"
    (failed,) = await of(e.ProviderFailed, session)
    assert (failed.kind, failed.status, failed.retry_in) == (kind, status, None)
    assert (await of(e.RunFinished, session))[0].detail == failed.message
    assert KEY not in str(await facts(session))
    await goes_on(session, alice, scripted)


@every_format
@pytest.mark.parametrize(("kind", "status"), [("rate_limit", 429), ("other", 500)])
async def test_a_passing_failure_is_told_with_its_wait_and_then_forgotten(
    format: Format, kind: str, status: int, session: Session, alice: User, serve: Any, scripted: Any
) -> None:  # fmt: skip
    await serve(format, f"- - error: {{kind: {kind}, message: slow down, retry_in: 0.1}}\n  - text: At last.\n")
    await say(session, alice)
    assert await state(session) == "done"
    (failed,) = await of(e.ProviderFailed, session)
    assert (failed.kind, failed.status, failed.retry_in) == (kind, status, pytest.approx(0.1))
    assert (await of(e.AgentSpoke, session))[0].parts == (e.Text(text="At last."),)
    await goes_on(session, alice, scripted)


async def test_a_silent_provider_is_given_up(session: Session, alice: User, serve: Any, scripted: Any, settings: Settings) -> None:
    settings.MODEL_SILENCE = 0.2
    await serve("openai", "- - text: I was\n  - hang: true\n")
    await say(session, alice)
    assert await state(session) in ("done", "failed")
    cut = [fact for fact in await of(e.AgentSpoke, session) if fact.finish == "cut"]
    assert cut or [fact.kind for fact in await of(e.ProviderFailed, session)] == ["timeout"]
    await goes_on(session, alice, scripted)


async def test_a_provider_that_is_not_there_is_said_to_be_out_of_reach(session: Session, alice: User, use: Use, scripted: Any) -> None:
    await use("openai", "http://127.0.0.1:9/v1")
    await send(session, alice)
    task = asyncio.create_task(carry(session))

    async def told() -> bool:
        return bool(await of(e.ProviderFailed, session))

    await until(told)
    await sync_to_async(actions.stop_run)(session, alice, protocol.StopRun())
    async with asyncio.timeout(10):
        await task
    assert (await of(e.ProviderFailed, session))[0].kind == "network"
    await goes_on(session, alice, scripted)
