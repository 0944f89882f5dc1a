"""What the workers are handed: runs to advance, parents to tell. A message is only a hint; the sweep finds what was missed."""

from __future__ import annotations

import gc
import logging
import threading
from concurrent.futures import CancelledError
from contextlib import suppress

from celery.signals import worker_ready, worker_shutting_down
from django.db import close_old_connections, connections

from workspace.celery import app
from workspace.sessions import jobs, runner, runs, stopping, telling, worktree
from workspace.sessions.loop import worker_loop
from workspace.sessions.models import Run
from workspace.sessions.queueing import queue
from workspace.sessions.workbench import warm_up

log = logging.getLogger(__name__)

SWEEP_EVERY = 2.0
"""Seconds between two looks for lost and forgotten runs, in each worker."""


@app.task(name="workspace.sessions.tasks.advance")  # type: ignore[untyped-decorator]
def advance(run_id: str) -> None:
    with suppress(CancelledError):  # the worker shuts down and has given the run back
        worker_loop.run(runner.advance(run_id))
        telling.tell_after(run_id)


@app.task(name="workspace.sessions.tasks.tell")  # type: ignore[untyped-decorator]
def tell(session_pk: int) -> None:
    telling.tell(session_pk)


@app.task(name="workspace.sessions.tasks.sweep")  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Hand out again every run whose worker went silent, and every queued run that nobody took up; then see to sub-agents and jobs."""
    for run in Run.objects.lost():
        if runs.recover(run):
            queue(run.public_id)
    for run in Run.objects.forgotten():
        if runs.hand_out_again(run):
            queue(run.public_id)
    for child in stopping.left_behind():
        stopping.stop_agent(child, None, "Stopped with the agent above it.")
    for child in telling.untold():
        telling.tell(child.pk)
    jobs.tidy_up()


_shutting_down = threading.Event()


@worker_ready.connect  # type: ignore[untyped-decorator]
def start_sweeping(**signal: object) -> None:
    """Sweep in every worker, so that nothing hangs on one scheduler being alive."""
    threading.Thread(target=_sweep_on, name="sweep", daemon=True).start()
    threading.Thread(target=_warm_up, name="warming up", daemon=True).start()
    threading.Thread(target=_tidy_up, name="tidying up", daemon=True).start()


def _warm_up() -> None:
    try:
        warm_up()
    except Exception:  # nothing depends on it
        log.exception("The worker starts cold")
    gc.collect()
    gc.freeze()  # what is imported by now stays; it need not be searched for garbage again and again


def _tidy_up() -> None:
    try:
        worktree.tidy_up()
    except Exception:  # what is left over stays until the next start
        log.exception("What is left of worktrees stays")
    connections.close_all()


def _sweep_on() -> None:
    while not _shutting_down.wait(SWEEP_EVERY):
        close_old_connections()
        try:
            sweep()
        except Exception:  # a sweep that fails must not be the last
            log.exception("The sweep failed and is tried again")


@worker_shutting_down.connect  # type: ignore[untyped-decorator]
def give_runs_back(**signal: object) -> None:
    """Celery waits for its tasks, and these may wait for a model for minutes: cancel them, so that each gives its run back."""
    _shutting_down.set()
    threading.Thread(target=worker_loop.close, name="closing").start()
