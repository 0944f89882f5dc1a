from __future__ import annotations

import socket
import time
from contextlib import aclosing
from types import SimpleNamespace

import pytest

from agents.events import Text
from agents.providers.catalog import open_provider
from agents.providers.failures import failure
from agents.providers.provider import Ended, Failed, Grew, Prompt
from agents.providers.replies import MOST_CHARACTERS, Endless, Reply
from agents.providers.vendors import VendorProvider
from tests.agents.providers.conftest import FORMATS, KEY, Open, Serve
from tests.agents.providers.replies import deltas, failed, said
from tests.peers.server import Format

every_format = pytest.mark.parametrize("format", FORMATS)


@every_format
@pytest.mark.parametrize(
    ("error", "kind", "status", "words"),
    [
        ("{kind: auth, message: 'bad key sk-very-secret-key'}", "auth", 401, "Check it in the team's settings"),
        ("{kind: auth, status: 403, message: nope}", "auth", 403, "may use this model"),
        ("{kind: bad_request, message: the schema is odd}", "bad_request", 400, "the schema is odd"),
        ("{kind: bad_request, message: 'sent sk-very-secret-key'}", "bad_request", 400, "sent …"),
        ("{kind: other, status: 404, message: no such model}", "bad_request", 404, "Choose another"),
        ("{kind: context, message: 'prompt is too long: 300 tokens'}", "context", 400, "Compact it"),
        ("{kind: malformed}", "malformed", None, "cannot be read"),
    ],
)
async def test_a_hopeless_failure_says_what_to_do(
    format: Format, error: str, kind: str, status: int | None, words: str, serve: Serve, connect: Open
) -> None:  # fmt: skip
    failure = await failed(connect(format, serve(format, f"- error: {error}\n")), said("go"))
    assert (failure.kind, failure.status) == (kind, status)
    assert words in failure.message
    assert len(failure.message) < 500
    assert KEY not in repr(failure)


@every_format
@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        ("{kind: rate_limit, message: slow down, retry_in: 0.05}", "rate_limit", 429),
        ("{kind: overloaded, message: busy, retry_in: 0.05}", "overloaded", 529),
        ("{kind: overloaded, status: 503, message: busy, retry_in: 0.05}", "overloaded", 503),
        ("{kind: other, status: 500, message: oops, retry_in: 0.05}", "other", 500),
    ],
)
async def test_a_passing_failure_is_shown_and_tried_again(
    format: Format, error: str, kind: str, status: int, serve: Serve, connect: Open
) -> None:  # fmt: skip
    peer = serve(format, f"- - error: {error}\n  - error: {error}\n  - text: at last\n")
    first, second, grew, last = await deltas(connect(format, peer), said("go"))
    for number, shown in enumerate((first, second), 1):
        assert isinstance(shown, Failed)
        assert (shown.kind, shown.status, shown.attempt) == (kind, status, number)
        assert shown.retry_in == pytest.approx(0.05)
    assert grew == Grew("text", 0, "at last")
    assert isinstance(last, Ended)
    assert len({asked.body for asked in peer.requests}) == 1
    assert len(peer.requests) == 3


@every_format
async def test_after_five_attempts_it_is_given_up(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, "- - " + "\n  - ".join(["error: {kind: rate_limit, message: nope, retry_in: 0.01}"] * 6) + "\n")
    failures = await deltas(connect(format, peer), said("go"))
    assert [failure.attempt for failure in failures if isinstance(failure, Failed)] == [1, 2, 3, 4, 5]
    assert getattr(failures[-1], "retry_in", 0) is None
    assert len(peer.requests) == 5


@every_format
async def test_an_overload_within_the_stream_starts_the_reply_anew(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, "- - text: half\n  - error: {kind: overloaded, message: busy, retry_in: 0}\n  - text: whole\n")
    half, failure, whole, last = await deltas(connect(format, peer), said("go"))
    assert (half, whole) == (Grew("text", 0, "half"), Grew("text", 0, "whole"))
    assert isinstance(failure, Failed)
    assert failure.kind == "overloaded"
    assert isinstance(last, Ended)
    assert last.parts == (Text(text="whole"),)


@every_format
async def test_a_dropped_connection_is_tried_again(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, "- - error: {kind: network, retry_in: 0}\n  - text: back\n")
    failure, grew, _ = await deltas(connect(format, peer), said("go"))
    assert isinstance(failure, Failed)
    assert failure.kind == "network"
    assert failure.retry_in
    assert grew == Grew("text", 0, "back")


@every_format
@pytest.mark.parametrize("before", ["", "text: I begin\n  - "])
async def test_silence_is_a_timeout(format: Format, before: str, serve: Serve, connect: Open) -> None:
    provider = connect(format, serve(format, f"- - {before}hang: true\n"), timeout=0.3)
    started = time.monotonic()
    failure = await failed(provider, said("go"))
    assert failure.kind == "timeout"
    assert 0.2 < time.monotonic() - started < 10


async def test_a_refused_connection_is_a_network_failure_with_a_wait() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    provider = open_provider("openai-compatible", base_url=f"http://127.0.0.1:{port}/v1", model="m")
    assert isinstance(provider, VendorProvider)
    async with aclosing(provider.ask(Prompt("m", "", said("go")))) as replies:
        refused = await anext(replies)
    await provider.close()
    assert isinstance(refused, Failed)
    assert refused.kind == "network"
    assert refused.retry_in


def test_a_wait_the_vendor_asks_for_is_not_shortened_but_an_absurd_one_is_given_up() -> None:
    class ModelRateLimitError(Exception):
        retry_after: float

    problem = ModelRateLimitError("slow")
    for asked, wait in [(7.0, 7.0), (4000.0, None)]:
        problem.retry_after = asked
        assert failure(problem, 1, "").retry_in == wait


def test_waits_grow_and_are_never_twice_the_same() -> None:
    class ModelServerError(Exception):
        pass

    waits = [failure(ModelServerError("oops"), attempt, "").retry_in for attempt in range(1, 6)]
    assert waits[4] is None
    for number, wait in enumerate(waits[:4]):
        assert wait
        assert 0.75 * 2**number <= wait <= 1.25 * 2**number


def test_a_used_up_quota_is_not_tried_again() -> None:
    class ModelQuotaExceededError(Exception):
        pass

    refused = failure(ModelQuotaExceededError("no credit"), 1, "")
    assert (refused.kind, refused.retry_in) == ("rate_limit", None)


def test_a_reply_that_never_ends_is_broken_off_with_a_word_and_not_asked_again() -> None:
    reply = Reply("openai", ())
    part = SimpleNamespace(part_kind="text", content="and so on ")
    list(reply.grew(SimpleNamespace(event_kind="part_start", index=0, part=part)))
    more = SimpleNamespace(part_delta_kind="text", content_delta="and so on " * (MOST_CHARACTERS // 20))
    again = SimpleNamespace(event_kind="part_delta", index=0, delta=more)
    list(reply.grew(again))
    with pytest.raises(Endless) as endless:
        list(reply.grew(again))
    failed = failure(endless.value, 1, "")
    assert (failed.kind, failed.retry_in) == ("malformed", None)
    assert "did not end" in failed.message
