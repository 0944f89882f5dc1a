"""bash of the Atomic toolset with terminals, in the background, and where a tool of its own does better."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from agents.calls import judged
from agents.errors import ToolError
from agents.events import QuestionAsked
from agents.host import InMemoryArtifacts
from agents.permissions import Rule
from agents.ports import Artifact, JobStatus
from agents.tools.registry import toolset
from tests.agents.tools.atomic.commanding import SECRET, Board, context, furnished, run
from tests.agents.tools.hands import Hands


@pytest.fixture
def hands(hands: Hands, shelf: InMemoryArtifacts, board: Board) -> Hands:
    return furnished(hands, shelf, board)


# --- terminals ----------------------------------------------------------------------------------------------------------


async def test_a_terminal_is_told_in_plain_text_and_kept_as_it_was_drawn(hands: Hands, shelf: InMemoryArtifacts) -> None:
    result = await hands.call("bash", command="stty size; echo $TERM; printf '\\033[31m10%%\\r20%%\\033[0m'", pty=True)
    assert result.output == "40 120\nxterm-256color\n20%"
    assert result.metadata["terminal"] == {"cols": 120, "rows": 40, "artifact": 1}
    drawn = "40 120\r\nxterm-256color\r\n\x1b[31m10%\r20%\x1b[0m"
    assert (shelf.kept[0][0].media_type, shelf.kept[0][1].decode()) == ("text/x-ansi; charset=utf-8", drawn)
    assert "".join(hands.shown) == drawn


@pytest.mark.parametrize("name", ["PI_NO_PTY", "ATOMIC_NO_PTY"])
async def test_a_terminal_can_be_refused(hands: Hands, name: str) -> None:
    result = await hands.call("bash", command="test -t 1 || echo pipe", pty=True, env={name: "1"})
    assert result.output == "pipe\n"
    assert "terminal" not in result.metadata
    result = await run(hands, context(hands, no_terminals=True), command="test -t 1 || echo pipe", pty=True)
    assert result.output == "pipe\n"


@pytest.mark.parametrize("pty", [False, True])
async def test_what_needs_a_person_at_a_terminal_is_handed_to_one(hands: Hands, pty: bool) -> None:
    result = await hands.call("bash", command="vim x", pty=pty)
    assert isinstance(result.waits, QuestionAsked)


# --- background jobs ----------------------------------------------------------------------------------------------------


async def test_a_job_is_started_and_says_how_to_hear_of_it(hands: Hands, board: Board) -> None:
    hands.put({"sub/x": ""})
    args = {"command": "cd sub && make vault://TOKEN", "async": True, "pty": True, "timeout": 60, "env": {"A": "b"}}
    result = await hands.call("bash", **args)
    (wish,) = board.wishes
    assert (wish.argv, wish.cwd, wish.seconds, wish.terminal) == (("bash", "-c", 'make "$COUNTERSIGN_VAULT_TOKEN"'), "sub", 60, True)
    assert (wish.env, wish.hidden) == ({"A": "b", "COUNTERSIGN_VAULT_TOKEN": SECRET}, (SECRET,))
    assert wish.command == args["command"]
    assert result.metadata["async"] == {
        "jobId": "j1", "type": "bash", "state": "running", "command": args["command"], "status": "running",
    }  # fmt: skip
    assert "__atomic_bash_job j1" in result.output
    assert "__atomic_bash_job_cancel j1" in result.output


async def test_a_job_can_be_asked_about_without_asking_anybody(hands: Hands, board: Board) -> None:
    kept = Artifact(7, "job", "text/plain", 9)
    board.standing["j1"] = JobStatus("j1", "make", "failed", "x" * 60_000, "Command exited with code 2", 2, 1.5, kept)
    tool = hands.tool("bash", {"command": " __atomic_bash_job j1 "})
    assert judged([Rule("bash", "*", "ask")], tool, hands.context()).action == "allow"
    result = await tool.run(hands.context())
    assert result.error is None
    assert result.output.startswith("Job j1: failed\nCommand: make\nError: Command exited with code 2\n\nxxx")
    assert result.output.endswith("[Output truncated at 50 KB. Full output: artifact://7]")
    assert (result.metadata["exitCode"], result.metadata["wallTimeMs"], result.metadata["artifact"]) == (2, 1500, 7)


@pytest.mark.parametrize(("state", "told"), [("running", "Once the job has ended"), ("lost", "Nothing more of it was kept")])
async def test_where_the_rest_of_a_jobs_output_is_depends_on_whether_it_has_ended(
    hands: Hands, board: Board, state: Literal["running", "lost"], told: str
) -> None:
    board.standing["j1"] = JobStatus("j1", "make", state, "x" * 60_000)
    assert f"Full output: {told}" in (await hands.call("bash", command="__atomic_bash_job j1")).output


async def test_a_job_can_be_canceled(hands: Hands, board: Board) -> None:
    board.standing["j1"] = JobStatus("j1", "make", "running")
    assert "ancellation requested" in (await hands.call("bash", command="__atomic_bash_job_cancel j1")).output


@pytest.mark.parametrize(
    "command", ["__atomic_bash_job j9", "__atomic_bash_job_cancel j9", "__atomic_bash_job", "__atomic_bash_job a; rm x"]
)
async def test_an_unknown_job_is_an_error_and_no_command(hands: Hands, command: str) -> None:
    hands.put({"x": ""})
    assert (await run(hands, hands.context(), command=command)).error
    assert "x" in hands.files()


async def test_without_jobs_there_are_none(hands: Hands) -> None:
    hands.reach = replace(hands.reach, jobs=None)
    for args in ({"command": "true", "async": True}, {"command": "__atomic_bash_job j1"}):
        assert "bash async execution is disabled" in str((await hands.call("bash", **args)).error)


# --- interceptor --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args", [{"command": "cat x"}, {"command": "cd sub && cat x"}, {"command": "grep -r x ."}, {"command": "echo x > local://y"}]
)
async def test_the_interceptor_blocks_what_a_tool_does_better_where_it_is_on(hands: Hands, args: dict[str, Any]) -> None:
    hands.put({"sub/x": "x", "x": "x"})
    blocked = await run(hands, context(hands, bash_interceptor=True), **args)
    assert str(blocked.error).startswith("Blocked: ")
    assert args["command"] in str(blocked.error)
    assert (await run(hands, context(hands), **args)).error is None


async def test_the_interceptor_knows_no_tool_that_is_not_there(hands: Hands) -> None:
    hands.put({"x": "x"})
    without = replace(
        context(hands, bash_interceptor=True), tools={name: tool for name, tool in toolset("atomic").items() if name != "read"}
    )
    assert (await run(hands, without, command="cat x")).error is None


async def test_the_interceptor_is_asked_before_people_are(hands: Hands) -> None:
    tool = hands.tool("bash", {"command": "cat x"})
    with pytest.raises(ToolError, match="Blocked"):
        tool.requires_permission(context(hands, bash_interceptor=True))
