from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents.host import InMemoryArtifacts
from agents.ports import JobStatus, JobWish
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from workspace.management.hand_jobs import MOST, HandJobs


@pytest.fixture
def jobs(tmp_path: Path) -> HandJobs:
    return HandJobs(open_sandbox(SandboxWish(str(tmp_path), level="local")), InMemoryArtifacts())


def wish(command: str, seconds: int = 30, **more: object) -> JobWish:
    return JobWish("c1", command, ("bash", "-c", command), seconds=seconds, **more)  # type: ignore[arg-type]


async def ended(jobs: HandJobs, status: JobStatus) -> JobStatus:
    async with asyncio.timeout(20):
        while status.state == "running":
            await asyncio.sleep(0.01)
            found = await jobs.status(status.job_id)
            assert found is not None
            status = found
    return status


async def test_a_job_goes_on_and_tells_how_it_ended(jobs: HandJobs, tmp_path: Path) -> None:
    started = await jobs.start(wish("while ! test -e go; do :; done; echo there; pwd"))
    assert started.state == "running"
    (tmp_path / "go").touch()
    status = await ended(jobs, started)
    assert (status.state, status.exit_code, status.error) == ("completed", 0, "")
    assert status.output == f"there\n{tmp_path}\n"
    assert status.artifact is not None
    assert status.artifact.size == len(status.output)


@pytest.mark.parametrize(
    ("command", "code", "error"), [("exit 3", 3, ""), ("kill -9 $$", None, "ended by signal 9")]
)  # fmt: skip
async def test_a_job_that_fails_says_how(jobs: HandJobs, command: str, code: int | None, error: str) -> None:
    status = await ended(jobs, await jobs.start(wish(command)))
    assert (status.state, status.exit_code, status.error) == ("failed", code, error)


async def test_a_job_has_its_time(jobs: HandJobs) -> None:
    status = await ended(jobs, await jobs.start(wish("echo so far; sleep 100", seconds=1)))
    assert (status.state, status.error, status.output) == ("failed", "timed out after 1 seconds", "so far\n")


async def test_a_job_can_be_ended(jobs: HandJobs, tmp_path: Path) -> None:
    started = await jobs.start(wish("sleep 100"))
    assert await jobs.cancel(started.job_id)
    status = await ended(jobs, started)
    assert (status.state, status.error) == ("failed", "aborted")
    assert await jobs.cancel(started.job_id) == status


async def test_what_must_stay_hidden_does(jobs: HandJobs) -> None:
    status = await ended(jobs, await jobs.start(wish('echo "it is $KEY"', env={"KEY": "open-sesame"}, hidden=("open-sesame",))))
    assert status.output.startswith("it is ")
    assert "sesame" not in status.output
    assert "sesame" not in repr(status)


async def test_a_job_may_have_a_terminal(jobs: HandJobs) -> None:
    status = await ended(jobs, await jobs.start(wish("test -t 1 && printf 'one\\rtwo\\n'", terminal=True)))
    assert (status.exit_code, status.output) == (0, "two\n")


async def test_a_job_that_cannot_be_started_fails(jobs: HandJobs) -> None:
    status = await ended(jobs, await jobs.start(JobWish("c1", "x", ("bash", "-c", "true"), cwd="nowhere")))
    assert status.state == "failed"
    assert status.error


async def test_there_are_no_more_than_a_hundred(jobs: HandJobs) -> None:
    first = await jobs.start(wish("sleep 100"))
    for _ in range(MOST):
        last = await jobs.start(JobWish("c1", "x", ("bash", "-c", "true"), cwd="nowhere"))
    assert await jobs.status(first.job_id) is None
    assert await jobs.status(last.job_id) is not None
    assert await jobs.status("nothing") is None
    assert await jobs.cancel("nothing") is None
