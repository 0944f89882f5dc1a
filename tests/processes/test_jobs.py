"""A background job lives as long as its worker, whatever becomes of the run that started it; then everybody is told."""

from __future__ import annotations

from tests.agents.sandboxes.processes import Trace
from tests.processes.person import Json, Person
from tests.processes.test_lost import ended, said
from tests.processes.world import World, until


def begun(person: Person, trace: Trace) -> tuple[str, str]:
    """A session whose run has ended and whose job goes on; the ids of both."""
    session = person.open_session(f"let {trace} go on", toolset="atomic")
    ended(person, session)
    (job,) = person.facts(session, "job.started")
    until(lambda: asleep(trace), "the job's own process")
    return session, str(job["job_id"])


def asleep(trace: Trace) -> bool:
    return any(line.startswith("sleep\0") for line in trace.alive())


def gone(trace: Trace) -> None:
    until(lambda: not trace.alive(), "the end of the job's processes")


def its_end(person: Person, session: str) -> Json:
    until(lambda: bool(person.facts(session, "job.finished")), "the job's end being told", 40)
    (told,) = person.facts(session, "job.finished")
    return told


def test_a_job_outlives_its_run_and_a_later_run_hears_of_it(world: World, alice: Person) -> None:
    trace = Trace()
    session, job = begun(alice, trace)
    until(lambda: alice.get(f"/api/sessions/{session}/jobs/{job}/")["output"] == "begun\n", "its output in the row")
    alice.say(session, f"how is {job}")
    ended(alice, session)
    assert said(alice, session).startswith(f"Job {job}: running")
    assert "begun" in said(alice, session)
    alice.post(f"/api/sessions/{session}/jobs/{job}/cancel/", {})
    assert its_end(alice, session)["error"] == "aborted"
    gone(trace)


def test_a_job_whose_worker_is_killed_is_lost_with_its_processes(world: World, alice: Person) -> None:
    trace = Trace()
    session, job = begun(alice, trace)
    world.kill("worker")
    gone(trace)
    world.start("worker")
    assert its_end(alice, session)["state"] == "lost"
    assert alice.get(f"/api/sessions/{session}/jobs/{job}/")["state"] == "lost"


def test_a_worker_that_is_asked_to_end_ends_its_jobs_and_says_so(world: World, alice: Person) -> None:
    trace = Trace()
    session, _ = begun(alice, trace)
    world.end("worker")
    gone(trace)
    told = its_end(alice, session)
    assert (told["state"], told["error"]) == ("lost", "The worker was shut down, and the job with it.")
    world.start("worker")


def test_a_stop_ends_a_job_that_outlived_its_run(world: World, alice: Person) -> None:
    trace = Trace()
    session, _ = begun(alice, trace)
    alice.stop(session)
    assert its_end(alice, session)["error"] == "aborted"
    gone(trace)
