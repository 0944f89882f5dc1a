"""Where the bundled Redis is, as each library spells it, and that it lets nobody in without its password."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
import redis
from kombu.connection import Connection
from redis.exceptions import AuthenticationError, RedisError

from tests.processes.world import until
from workspace.embedded import SOCKET_PATH_LIMIT, broker_address, redis_address, redis_socket_path
from workspace.programs import bundled_redis


def answers(address: str) -> bool:
    with suppress(RedisError, OSError), redis.from_url(address) as client:
        return bool(client.ping())
    return False


def test_a_long_path_gives_way_to_a_short_one_that_stays_the_same(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 120)
    assert len(str(redis_socket_path(long))) <= SOCKET_PATH_LIMIT
    assert redis_socket_path(long) == redis_socket_path(long)
    assert redis_socket_path(long) != redis_socket_path(tmp_path / ("y" * 120))


def test_an_address_of_another_redis_is_left_as_it_is() -> None:
    assert broker_address("rediss://:secret@redis.example:6380/2") == "rediss://:secret@redis.example:6380/2"


def test_the_bundled_redis_answers_to_both_spellings_and_to_nobody_without_the_password(tmp_path: Path) -> None:
    program = bundled_redis(tmp_path)
    assert program is not None
    address = redis_address(tmp_path)
    with subprocess.Popen(program.argv, stdout=subprocess.DEVNULL) as server:
        try:
            until(lambda: answers(address), "Redis answering", 10)
            with Connection(broker_address(address)) as broker:  # type: ignore[no-untyped-call]
                broker.ensure_connection(max_retries=1)
            with pytest.raises(AuthenticationError), redis.Redis(unix_socket_path=str(redis_socket_path(tmp_path))) as stranger:
                stranger.ping()
            assert redis_address(tmp_path).split("@")[0].removeprefix("unix://:") not in " ".join(program.argv)
        finally:
            server.terminate()
