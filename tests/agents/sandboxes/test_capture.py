"""The reading side of a command's output, without a command."""

from __future__ import annotations

import tracemalloc
from contextlib import closing

from agents.sandboxes.capture import Pipe


def written(number: int) -> bytes:
    return f"{number % 100:02}".encode()


async def test_output_that_comes_in_small_pieces_takes_hardly_more_room_than_it_is_long() -> None:
    with closing(Pipe(lambda chunk: chunk)) as pipe:
        tracemalloc.start()
        try:
            for number in range(100_000):
                pipe.add(written(number))
            held, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert held < 400_000
        assert pipe.data == b"".join(map(written, range(100_000)))


async def test_the_oldest_of_small_pieces_is_let_go_of_and_the_newest_stays() -> None:
    with closing(Pipe(lambda chunk: chunk)) as pipe:
        for number in range(100_000):
            pipe.add(written(number))
            pipe.trim(10_000)
        assert 10_000 <= len(pipe.data) < 20_000
        assert pipe.data.endswith(b"979899")
