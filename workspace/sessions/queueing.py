"""Handing work to the workers by name. A message is only a hint: the rows are the truth, and the sweep reads them."""

from __future__ import annotations

import logging

from kombu.exceptions import OperationalError

from workspace.celery import app

log = logging.getLogger(__name__)


def queue(run_id: str) -> None:
    """Hand the run to the workers."""
    _send("advance", run_id)


def queue_telling(session_pk: int) -> None:
    """Have the parent of this sub-agent told how its work ended."""
    _send("tell", session_pk)


def _send(task: str, argument: str | int) -> None:
    """Where the queue is down, the sweep does it later."""
    try:
        app.send_task(f"workspace.sessions.tasks.{task}", [argument])
    except OperationalError as down:
        log.warning("%s of %s could not be queued, the sweep will find it: %s", task, argument, down)
