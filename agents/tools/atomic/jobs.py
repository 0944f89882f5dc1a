"""Background jobs as the model knows them: how one is started, asked about and ended."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agents.errors import ToolError
from agents.ports import Jobs, JobStatus, JobWish
from agents.tools.tool import ToolContext, ToolResult

POLL, CANCEL = "__atomic_bash_job", "__atomic_bash_job_cancel"
SHOWN = 50 * 1024
"""Bytes of a job's output that a poll tells."""
DISABLED = "bash async execution is disabled here. Run the command without async, with a timeout that is long enough."


@dataclass(frozen=True)
class AboutJob:
    """A line that is no command of the shell's, but asks about a job, or for its end."""

    job_id: str
    cancel: bool


def about_job(command: str) -> AboutJob | None:
    """None for a command of the shell's. Raises ToolError for one that should have named a job."""
    words = command.split()
    if not words or words[0] not in (POLL, CANCEL):
        return None
    if len(words) != 2 or not re.fullmatch(r"[\w-]{1,64}", words[1]):
        raise ToolError(f"{words[0]} takes the id of one job and nothing else: {words[0]} ID.")
    return AboutJob(words[1], words[0] == CANCEL)


def jobs_of(context: ToolContext) -> Jobs:
    if context.reach.jobs is None:
        raise ToolError(DISABLED)
    return context.reach.jobs


async def started(wish: JobWish, context: ToolContext) -> ToolResult:
    """Start it and tell how to hear of it again."""
    status = await jobs_of(context).start(wish)
    told = (
        f"Started background job {status.job_id} (at most {wish.seconds} seconds).\n"
        f'Its output so far: bash with the command "{POLL} {status.job_id}".\n'
        f'To end it: "{CANCEL} {status.job_id}".'
    )
    return ToolResult(f"Bash (job {status.job_id})", told, {"command": wish.command, "timeoutSeconds": wish.seconds, **_metadata(status)})


async def asked(about: AboutJob, context: ToolContext) -> ToolResult:
    """Where the job stands, or that its end was asked for. Raises ToolError where this session has no such job."""
    jobs = jobs_of(context)
    status = await (jobs.cancel(about.job_id) if about.cancel else jobs.status(about.job_id))
    if status is None:
        raise ToolError(f"There is no background job {about.job_id} in this session, or it ended too long ago.")
    lines = [f"Job {status.job_id}: {status.state}", f"Command: {status.command}"]
    lines += [f"Error: {status.error}"] if status.error else []
    if about.cancel and status.state == "running":
        lines.append(f'Cancellation requested. "{POLL} {status.job_id}" tells when it has ended.')
    output = "" if about.cancel else _shown(status)
    return ToolResult(f"Bash (job {status.job_id})", "\n".join([*lines, *(["", output] if output else [])]), _metadata(status))


def _shown(status: JobStatus) -> str:
    data = status.output.encode()
    later = "Once the job has ended, an artifact holds the whole" if status.state == "running" else "Nothing more of it was kept"
    more = status.artifact.url if status.artifact else later
    if len(data) > SHOWN:
        return f"{data[:SHOWN].decode(errors='ignore')}\n[Output truncated at {SHOWN // 1024} KB. Full output: {more}]"
    return status.output or "(no output)"


def _metadata(status: JobStatus) -> dict[str, Any]:
    told: dict[str, Any] = {
        "async": {
            "jobId": status.job_id, "type": "bash", "state": status.state, "command": status.command,
            "status": status.error or status.state,
        },
        "wallTimeMs": round(status.seconds * 1000),
    }  # fmt: skip
    if status.exit_code is not None:
        told["exitCode"] = status.exit_code
    if status.artifact is not None:
        told["artifact"] = status.artifact.number
    return told
