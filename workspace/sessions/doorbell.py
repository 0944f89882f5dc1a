"""What is said through the channel layer: "the log grew", notes, and "stop". All of it may be lost; the log is the truth."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from agents.events import AnyNote
from workspace.sessions.loop import worker_loop

log = logging.getLogger(__name__)


def session_group(session_id: str) -> str:
    return f"session.{session_id}"


def run_group(run_id: str) -> str:
    return f"run.{run_id}"


def ring(session_id: str, head: int) -> None:
    """Tell everybody who has the session open that its log goes up to `head` now. From any thread without a running loop."""
    _send(session_group(session_id), {"type": "bell", "head": head})


def ask_to_stop(run_id: str) -> None:
    """Tell the worker that holds the run. It also sees `Run.stop_asked` when it renews its lease."""
    _send(run_group(run_id), {"type": "stop"})


def _send(group: str, message: dict[str, Any]) -> None:
    if worker_loop.started:
        worker_loop.post(tell(group, message))
    else:
        async_to_sync(tell)(group, message)


async def show(session_id: str, notes: Sequence[AnyNote]) -> None:
    """Show notes to whoever watches. Never raises."""
    await tell(session_group(session_id), {"type": "notes", "notes": [note.model_dump() for note in notes]})


async def tell(group: str, message: dict[str, Any]) -> None:
    """Send without ever raising: what could not be sent is found in the log a little later."""
    try:
        await get_channel_layer().group_send(group, message)
    except Exception as lost:  # whatever a layer or its server may raise
        log.warning("The channel layer did not take a message for %s: %s", group, lost)
