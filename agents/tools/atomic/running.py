"""Running one command in the foreground, and what a model and a page are given of it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

from agents.errors import SandboxError, ToolError
from agents.ports import Artifact
from agents.sandboxes.sandbox import Exit, Limits
from agents.shell.known import Known
from agents.shell.live import LiveText
from agents.shell.live_terminal import LiveTerminal, without_secrets
from agents.shell.screen import plain
from agents.shell.secrets import redact
from agents.tools.atomic.commands import Ready
from agents.tools.atomic.tail import Tail, tail
from agents.tools.tool import ToolContext, ToolResult

SIZE = (120, 40)
"""Columns and rows of a command's terminal."""
MOST_OUTPUT = 16 * 2**20
MOST_SHOWN = 400_000
"""Bytes of its output that are shown live."""
DRAWN = "text/x-ansi; charset=utf-8"
"""The media type of what a terminal was given, escapes and all."""


async def run(ready: Ready, seconds: int, terminal: bool, context: ToolContext) -> ToolResult:
    """Run it to its end. `metadata` holds what came of it; the command itself is for the caller to add."""
    known = Known(ready.hidden)
    ended = await _ended(ready, seconds, terminal, known, context)
    raw, text = await asyncio.to_thread(texts, ended, terminal, known)
    metadata: dict[str, Any] = {"timeoutSeconds": seconds, "wallTimeMs": round(ended.seconds * 1000), "exitCode": ended.code}
    if terminal:
        drawn = await _kept(f"terminal-{context.call_id}.ansi", raw, DRAWN, context)
        metadata["terminal"] = {"cols": SIZE[0], "rows": SIZE[1], "artifact": drawn.number if drawn else None}
    end = tail(text)
    output = end.text or "(no output)"
    if end.cut or ended.dropped:
        whole = await _kept(f"bash-{context.call_id}.txt", text, "text/plain; charset=utf-8", context)
        metadata |= {"truncation": end.metadata, "artifact": whole.number if whole else None}
        output = "\n\n".join([output.rstrip("\n"), _footer(end, whole, ended)])
    title = "Bash (timeout)" if ended.timed_out else f"Bash (exit {ended.code})" if ended.code is not None else "Bash (killed)"
    return ToolResult(title, output, metadata, complaint(ended, seconds))


async def _ended(ready: Ready, seconds: int, terminal: bool, known: Known, context: ToolContext) -> Exit:
    live = LiveTerminal(context.show, known) if terminal else LiveText(context.show, known)
    limits = Limits(seconds=seconds, cpu_seconds=2 * seconds, output=MOST_OUTPUT, newest=True)
    try:
        return await context.sandbox.run(
            ["bash", "-c", ready.command], cwd=ready.folder, env=ready.env, limits=limits, on_output=beginning(live.feed),
            terminal=SIZE if terminal else None,
        )  # fmt: skip
    except SandboxError as wrong:
        raise ToolError(str(wrong)) from wrong
    finally:
        live.close()


def beginning(take: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Takes as much as is shown live."""
    room = MOST_SHOWN

    def taken(data: bytes) -> None:
        nonlocal room
        if room > 0:
            take(data[:room])
        room -= len(data)

    return taken


def texts(ended: Exit, terminal: bool, known: Known) -> tuple[str, str]:
    """What a terminal was given and what it says, or the same text twice; both without secrets."""
    said = ended.output.decode(errors="replace")
    if not terminal:
        clean, _ = redact(said, known)
        return clean, clean
    drawn = without_secrets(said, known)
    return drawn, redact(plain(drawn), known)[0]


async def _kept(name: str, text: str, media_type: str, context: ToolContext) -> Artifact | None:
    if not text or context.reach.artifacts is None:
        return None
    return await context.reach.artifacts.keep(name, text.encode(errors="replace"), media_type)


def _footer(end: Tail, whole: Artifact | None, ended: Exit) -> str:
    where = f"Full output: {whole.url}" if whole else "Nothing else was kept; send it to a file to page through it"
    lost = f"\n[The first {ended.dropped} bytes were more than is kept, and left out]" if ended.dropped else ""
    return f"{end.footer(where)}{lost}"


def complaint(ended: Exit, seconds: float) -> str | None:
    """Why the command failed, None where it did not."""
    if ended.timed_out:
        return f"Command timed out after {seconds:g} seconds and was ended with everything it had started; below is its output until then."
    if ended.code is None:
        number = ended.signal or 0
        name = signal.Signals(number).name if number in signal.valid_signals() else "unknown"
        return f"Command was ended by signal {number} ({name})"
    return f"Command exited with code {ended.code}" if ended.code else None
