"""bash of the Atomic toolset in a real (unconfined) sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import pytest

from agents.calls import judged
from agents.errors import InvalidArguments, ToolError
from agents.events import QuestionAsked
from agents.history import covered
from agents.permissions import Rule
from agents.ports import Artifact, JobStatus, JobWish
from agents.tools.atomic.running import MOST_SHOWN
from agents.tools.atomic.tail import MOST_BYTES, tail
from agents.tools.registry import toolset
from agents.tools.tool import ToolContext, ToolResult
from tests.agents.tools.hands import Hands

SECRET = "correct horse battery"


class Shelf:
    """Artifacts in a list."""

    def __init__(self) -> None:
        self.kept: list[tuple[Artifact, bytes]] = []

    async def keep(self, name: str, data: bytes, media_type: str = "text/plain; charset=utf-8") -> Artifact:
        self.kept.append((Artifact(len(self.kept) + 1, name, media_type, len(data)), data))
        return self.kept[-1][0]

    async def read(self, number: int) -> tuple[Artifact, bytes] | None:
        return self.kept[number - 1] if 0 < number <= len(self.kept) else None

    async def all(self) -> Sequence[Artifact]:
        return [one for one, _ in self.kept]


class Board:
    """Jobs that never run: what was wished for, and where each is said to stand."""

    def __init__(self) -> None:
        self.wishes: list[JobWish] = []
        self.standing: dict[str, JobStatus] = {}

    async def start(self, wish: JobWish) -> JobStatus:
        self.wishes.append(wish)
        self.standing["j1"] = JobStatus("j1", wish.command, "running")
        return self.standing["j1"]

    async def status(self, job_id: str) -> JobStatus | None:
        return self.standing.get(job_id)

    async def cancel(self, job_id: str) -> JobStatus | None:
        return await self.status(job_id)


class Safe:
    """A vault with one secret."""

    async def names(self) -> Sequence[str]:
        return ["TOKEN"]

    async def value(self, name: str) -> str | None:
        return SECRET if name == "TOKEN" else None


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def hands(hands: Hands, shelf: Shelf, board: Board) -> Hands:
    hands.reach = replace(hands.reach, artifacts=shelf, jobs=board, vault=Safe())
    return hands


def context(hands: Hands, **flags: Any) -> ToolContext:
    return replace(hands.context(), flags=flags, tools=toolset("atomic"))


async def run(hands: Hands, at: ToolContext, **args: Any) -> ToolResult:
    try:
        return await hands.tool("bash", args).run(at)
    except ToolError as refused:
        return ToolResult("bash", error=str(refused))


# --- ends ---------------------------------------------------------------------------------------------------------------


async def test_what_it_says_comes_merged_with_what_is_known_of_it(hands: Hands) -> None:
    result = await hands.call("bash", command="echo one; echo two >&2")
    assert (result.error, result.output) == (None, "one\ntwo\n")
    assert result.metadata.pop("wallTimeMs") >= 0
    assert result.metadata == {"command": "echo one; echo two >&2", "timeoutSeconds": 300, "exitCode": 0}


async def test_silence_is_said(hands: Hands) -> None:
    assert (await hands.call("bash", command="true")).output == "(no output)"


async def test_a_failing_command_is_an_error_that_keeps_its_output(hands: Hands) -> None:
    result = await hands.call("bash", command="echo out; exit 3")
    assert (result.output, result.error, result.metadata["exitCode"]) == ("out\n", "Command exited with code 3", 3)


async def test_a_command_that_takes_too_long_is_ended_and_its_output_kept(hands: Hands) -> None:
    result = await hands.call("bash", command="echo begun; sleep 600", timeout=1)
    assert result.output == "begun\n"
    assert "timed out after 1 seconds" in str(result.error)


@pytest.mark.parametrize(("asked", "taken"), [(0, 1), (-5, 1), (1.9, 1), (300, 300), (3600, 3600), (9999, 3600)])
async def test_the_time_limit_is_held_within_bounds_and_says_so(hands: Hands, asked: float, taken: int) -> None:
    result = await hands.call("bash", command="echo x", timeout=asked)
    assert result.metadata["timeoutSeconds"] == taken
    assert result.metadata.get("requestedTimeoutSeconds", taken) == asked
    assert ("was taken as" in result.output) == (asked != taken)


def test_a_time_limit_that_is_none_is_refused(hands: Hands) -> None:
    for wrong in (float("inf"), float("nan"), "soon"):
        with pytest.raises(InvalidArguments, match="timeout"):
            hands.tool("bash", {"command": "x", "timeout": wrong})


# --- where and with what ------------------------------------------------------------------------------------------------


async def test_it_runs_where_it_is_asked_to_with_the_variables_it_is_given(hands: Hands) -> None:
    hands.put({"sub/x.txt": "here"})
    result = await hands.call("bash", command='cat x.txt; echo "-$A-"', cwd="sub", env={"A": "b c"})
    assert result.output == "here-b c-\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"cwd": "nowhere"}, "does not exist"),
        ({"cwd": "x.txt"}, "is not a directory"),
        ({"cwd": "x.txt/y"}, "is not a directory"),
        ({"cwd": "../elsewhere"}, "outside"),
        ({"env": {"1A": "x"}}, "Invalid bash env name"),
        ({"env": {"A-B": "x"}}, "Invalid bash env name"),
        ({"env": {"A": "x\0y"}}, "NUL"),
        ({"cwd": "vault://TOKEN"}, "cannot hold a secret"),
    ],
)
async def test_what_cannot_be_is_refused(hands: Hands, args: dict[str, Any], said: str) -> None:
    hands.put({"x.txt": ""})
    result = await hands.call("bash", command="echo ran", **args)
    assert said in str(result.error)
    assert "ran" not in result.output


@pytest.mark.parametrize("command", ["cd sub && pwd", "cd sub; pwd", "  cd 'sub'  &&  pwd", 'cd "sub" && pwd', "cd ./sub/ && pwd"])
async def test_a_folder_it_changes_to_first_is_where_it_runs(hands: Hands, command: str) -> None:
    hands.put({"sub/x": ""})
    assert (await hands.call("bash", command=command)).output.rstrip().endswith("workspace/sub")


async def test_a_folder_to_change_to_that_is_not_there_keeps_the_rest_from_running(hands: Hands) -> None:
    result = await hands.call("bash", command="cd nowhere; echo ran")
    assert "does not exist" in str(result.error)


@pytest.mark.parametrize("command", ["cd / && pwd", 'cd "$PWD/sub" && pwd', "cd $(echo sub) && pwd", "cd ~ && pwd", "cd sub && pwd || x"])
async def test_what_only_a_shell_understands_is_left_to_it(hands: Hands, command: str) -> None:
    hands.put({"sub/x": ""})
    assert (await hands.call("bash", command=command)).error is None


async def test_a_folder_that_is_named_is_where_a_leading_cd_starts_from(hands: Hands) -> None:
    hands.put({"a/b/x": ""})
    assert (await hands.call("bash", command="cd b && ls", cwd="a")).output == "x\n"


async def test_internal_urls_stand_for_their_files(hands: Hands) -> None:
    hands.put({"my notes.txt": "noted"})
    result = await hands.call("bash", command="cat 'local://my notes.txt' && cat \"$FILE\"", env={"FILE": "local://my notes.txt"})
    assert "noted" in result.output


# --- secrets ------------------------------------------------------------------------------------------------------------


async def test_a_secret_reaches_the_command_and_nothing_else(hands: Hands, shelf: Shelf) -> None:
    command = 'echo ${#COUNTERSIGN_VAULT_TOKEN} vault://TOKEN; echo "$OWN"; seq 1 5000; set | grep TOKEN'
    result = await hands.call("bash", command=command, env={"OWN": "x vault://TOKEN y"})
    assert result.error is None
    assert f"{len(SECRET)} [redacted]" in shelf.kept[0][1].decode()
    for text in (result.output, str(result.metadata), "".join(hands.shown), str(shelf.kept)):
        assert "horse" not in text


async def test_a_secret_drawn_on_a_terminal_is_taken_out(hands: Hands, shelf: Shelf) -> None:
    result = await hands.call("bash", command="printf '\\033[31mvault://TOKEN\\n'; echo vault://TOKEN", pty=True)
    assert "[redacted]" in result.output or "single quotes" in str(result.error)
    result = await hands.call("bash", command='printf "\\033[31m%s\\033[0m" vault://TOKEN', pty=True)
    assert result.output == "[redacted]"
    assert "horse" not in str(shelf.kept) + "".join(hands.shown)


async def test_an_unknown_secret_is_refused(hands: Hands) -> None:
    assert "no secret" in str((await hands.call("bash", command="echo vault://OTHER")).error)


async def test_secrets_of_a_known_look_are_taken_out(hands: Hands) -> None:
    assert (await hands.call("bash", command="echo AKIAABCDEFGHIJKLMNOP")).output == "AKIA****************\n"


def test_rules_see_the_variables_and_each_secret(hands: Hands) -> None:
    tool = hands.tool("bash", {"command": "git push vault://TOKEN", "env": {"GIT_SSH": "x y", "B": "vault://OTHER"}})
    line = "GIT_SSH='x y' B=vault://OTHER git push vault://TOKEN"
    assert list(tool.parts(hands.context())) == [("bash", line), ("vault", "TOKEN"), ("vault", "OTHER")]
    allowed = [Rule("bash", "git *", "allow"), Rule("vault", "*", "allow")]
    assert judged(allowed, tool, hands.context()).action == "ask", "a variable may make git run anything"
    everything = Rule("*", "*", "allow")
    assert judged([everything, Rule("vault", "OTHER", "deny")], tool, hands.context()).action == "deny"
    assert judged([everything], tool, hands.context()).action == "allow"


def test_what_people_allowed_for_the_session_holds_in_the_same_folder(hands: Hands) -> None:
    def key(**args: Any) -> tuple[str, str, str]:
        tool = hands.tool("bash", {"command": "make", **args})
        return covered("bash", tool.subject(hands.context()), tool.arguments())

    assert key() == key(timeout=5)
    assert len({key(), key(cwd="a"), key(cwd="b"), key(env={"A": "b"})}) == 4


# --- long output --------------------------------------------------------------------------------------------------------


async def test_the_end_of_long_output_is_given_and_the_whole_kept(hands: Hands, shelf: Shelf) -> None:
    result = await hands.call("bash", command="seq 1 5000")
    assert result.output.splitlines()[0] == "2001"
    assert result.output.endswith("5000\n\n[Showing lines 2001-5000 of 5000. Full output: artifact://1]")
    assert result.metadata["artifact"] == 1
    assert result.metadata["truncation"]["totalLines"] == 5000
    assert shelf.kept[0][1].decode() == "".join(f"{number}\n" for number in range(1, 5001))


async def test_wide_output_is_cut_by_its_size(hands: Hands) -> None:
    result = await hands.call("bash", command="for i in $(seq 1 100); do head -c 1000 /dev/zero | tr '\\0' x; echo; done")
    assert "[Showing lines 50-100 of 100 (50.0KB limit). Full output: artifact://1]" in result.output


async def test_one_endless_line_shows_its_end(hands: Hands) -> None:
    result = await hands.call("bash", command="head -c 100000 /dev/zero | tr '\\0' x; echo end")
    assert "xend\n\n[Showing last 50.0KB of line 1 (line is 97.7KB). Full output: artifact://1]" in result.output
    assert len(result.output.encode()) < MOST_BYTES + 200


async def test_without_a_place_for_the_whole_it_says_so(hands: Hands) -> None:
    hands.reach = replace(hands.reach, artifacts=None)
    assert "Nothing else was kept" in (await hands.call("bash", command="seq 1 5000")).output


@pytest.mark.parametrize("text", ["", "one", "one\n", "\n", "é" * 100, "a\n" * 3000])
def test_what_fits_is_left_as_it_is(text: str) -> None:
    assert (tail(text).text, tail(text).cut) == (text, False)


# --- terminals ----------------------------------------------------------------------------------------------------------


async def test_a_terminal_is_told_in_plain_text_and_kept_as_it_was_drawn(hands: Hands, shelf: Shelf) -> None:
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


# --- live ---------------------------------------------------------------------------------------------------------------


async def test_output_is_shown_while_it_comes(hands: Hands) -> None:
    running = asyncio.create_task(hands.call("bash", command="printf first; while [ ! -e go ]; do sleep 0.05; done", pty=True))
    async with asyncio.timeout(20):
        while "first" not in "".join(hands.shown):
            await asyncio.sleep(0.01)
    hands.put({"go": ""})
    assert (await running).output == "first"


async def test_no_more_is_shown_live_than_anybody_can_read(hands: Hands) -> None:
    result = await hands.call("bash", command="seq 1 200000")
    assert result.output.startswith("197001\n")
    assert "".join(hands.shown).startswith("1\n2\n")
    assert len("".join(hands.shown)) == MOST_SHOWN
