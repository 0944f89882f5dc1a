"""What is said through the channel layer: "the log grew", notes, "stop", and "I watch". All of it may be lost; the log is the truth."""

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


def work_group(session_id: str) -> str:
    """Where the worker that holds the session's run listens for those who begin to watch."""
    return f"work.{session_id}"


def job_group(lease: str) -> str:
    """Where the worker that keeps a job listens for its end."""
    return f"job.{lease}"


def ring(session_id: str, head: int) -> None:
    """Tell everybody who has the session open that its log goes up to `head` now. From any thread without a running loop."""
    _send(session_group(session_id), {"type": "bell", "head": head})


def ask_to_stop(run_id: str) -> None:
    """Tell the worker that holds the run. It also sees `Run.stop_asked` when it renews its lease."""
    _send(run_group(run_id), {"type": "stop"})


def ask_to_end(lease: str) -> None:
    """Tell the worker that keeps the job. It also sees `Job.cancel_asked` when it next looks."""
    _send(job_group(lease), {"type": "stop"})


def _send(group: str, message: dict[str, Any]) -> None:
    if worker_loop.started:
        worker_loop.post(tell(group, message))
    else:
        async_to_sync(tell)(group, message)


async def show(session_id: str, notes: Sequence[AnyNote]) -> None:
    """Show notes to whoever watches. Never raises."""
    await tell(session_group(session_id), _shown(notes))


async def show_to(channel: str, notes: Sequence[AnyNote]) -> None:
    """Show notes to one of them. Never raises."""
    try:
        await get_channel_layer().send(channel, _shown(notes))
    except Exception as lost:  # as below
        log.warning("The channel layer did not take notes for %s: %s", channel, lost)


async def begin_to_watch(session_id: str, channel: str) -> None:
    """Ask the worker, if one is at it, for what is growing now. Never raises."""
    await tell(work_group(session_id), {"type": "watch", "channel": channel})


def _shown(notes: Sequence[AnyNote]) -> dict[str, Any]:
    return {"type": "notes", "notes": [note.model_dump() for note in notes]}


async def tell(group: str, message: dict[str, Any]) -> None:
    """Send without ever raising: what could not be sent is found in the log a little later."""
    try:
        await get_channel_layer().group_send(group, message)
    except Exception as lost:  # whatever a layer or its server may raise
        log.warning("The channel layer did not take a message for %s: %s", group, lost)
