from __future__ import annotations

import asyncio
import re
import time

import pytest

from agents.shell.known import Known
from agents.shell.live import LONGEST_LINE
from agents.shell.live_terminal import LiveTerminal
from tests.agents.sandboxes.processes import soon

TOKEN = "ghp_" + "a1B2" * 9
KEY = "-----BEGIN PRIVATE KEY-----\r\nMIIEpAIBAAKCAQEAx\r\nabcd==\r\n-----END PRIVATE KEY-----\r\n"


async def shown(*pieces: str, known: Known | None = None, pause: bool = False) -> str:
    """What is shown of these pieces; with `pause` whatever may be shown between two of them is."""
    texts: list[str] = []
    live = LiveTerminal(texts.append, known or Known())
    for piece in pieces:
        live.feed(piece.encode())
        if pause:
            live.flush()
    live.close()
    return "".join(texts)


async def test_escapes_are_kept() -> None:
    text = "\x1b]0;title\x07\x1b[1;31mred\x1b[0m\r\n\x1b[2K\r50%\r100%\r\n$ "
    assert await shown(text) == text
    assert await shown(*text) == text
    assert await shown(*text, pause=True) == text


async def test_a_line_that_has_not_ended_is_shown_soon() -> None:
    texts: list[str] = []
    live = LiveTerminal(texts.append)
    live.feed(b"\r[###   ] 45%")
    assert texts == []
    assert await soon(lambda: texts == ["\r[###   ] 45%"])
    live.feed("\r[###   ] 50% née".encode())
    assert await soon(lambda: "".join(texts) == "\r[###   ] 45%\r[###   ] 50% née")
    live.close()


@pytest.mark.parametrize("text", ["Password: ", "Loading...", "Compiling", "Continue? [y/N]", "⠋ building (3/10)", "\x1b[32m✓\x1b[0m"])
async def test_what_cannot_be_a_secret_is_not_waited_with(text: str) -> None:
    texts: list[str] = []
    live = LiveTerminal(texts.append)
    live.feed(text.encode())
    assert await soon(lambda: "".join(texts) == text)
    live.close()


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        (f"token {TOKEN} end\r\n", "token [redacted] end\r\n"),
        (f"\x1b[32m{TOKEN}\x1b[0m\r\n", "\x1b[32m[redacted]\x1b[0m\r\n"),
        (f"{TOKEN[:4]}\x1b[01;31m\x1b[K{TOKEN[4:]}\x1b[m", "[redacted]\x1b[01;31m\x1b[K\x1b[m"),
        ("aws_secret_access_key = " + "aB3/" * 10 + "\r\n", "aws_secret_access_key = [redacted]\r\n"),
        ("https://me:pass%word@host/x\r\n", "https://me:[redacted]@host/x\r\n"),
        ("say hunter two now\r\n", "say [redacted] now\r\n"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize("pause", [False, True])
async def test_a_secret_is_taken_out_however_it_comes(said: str, becomes: str, size: int, pause: bool) -> None:
    pieces = [said[at : at + size] for at in range(0, len(said), size)]
    text = await shown(*pieces, known=Known(["hunter two"]), pause=pause)
    begun = "|".join(word[:size] for word in (TOKEN, "aB3/") for size in (3, 2, 1))
    assert re.sub(rf"(?:{begun})\[redacted\]", "[redacted]", text) == becomes  # of a word that begins, so much may have been shown


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize("pause", [False, True])
async def test_a_private_key_is_taken_out_however_it_comes(size: int, pause: bool) -> None:
    said = f"before\r\n{KEY}after\r\n"
    text = await shown(*(said[at : at + size] for at in range(0, len(said), size)), pause=pause)
    assert re.sub("-----BEGIN[A-Z ]*", "", text) == "before\r\n[redacted]\nafter\r\n"


async def test_a_line_without_end_keeps_its_secrets() -> None:
    text = "x" * LONGEST_LINE + f" {TOKEN} " + "y" * LONGEST_LINE
    came = await shown(*(text[at : at + 997] for at in range(0, len(text), 997)))
    assert TOKEN[10:] not in came
    assert came.count("[redacted]") == 1
    assert came.startswith("xxx")
    assert came.endswith("yyy")
    assert len(came) == len(text) - len(TOKEN) + len("[redacted]")


async def test_bytes_that_are_no_text_and_escapes_that_never_end_are_shown() -> None:
    texts: list[str] = []
    live = LiveTerminal(texts.append)
    live.feed(b"a\xffb\x1b]0;never ends")
    live.close()
    assert "".join(texts) == "a\ufffdb\x1b]0;never ends"


@pytest.mark.parametrize("flood", ["\x1b[31ma\x1b[0m", "\x1b]", "\x1b[", "a", "a ", "\x1b]0;", "\r", "-----BEGIN "])
async def test_a_flood_takes_time_in_proportion(flood: str) -> None:
    async def took(size: int) -> float:
        text = flood * (size // len(flood))
        pieces = [text[at : at + 4096] for at in range(0, len(text), 4096)]
        began = time.process_time()
        await shown(*pieces, pause=True)
        return time.process_time() - began

    await took(1000)
    assert await took(400_000) < 40 * max(await took(40_000), 0.02)
    await asyncio.sleep(0)
