"""bash of the Atomic toolset in a real (unconfined) sandbox."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from agents.calls import judged
from agents.errors import InvalidArguments
from agents.history import covered
from agents.host import InMemoryArtifacts
from agents.permissions import Rule
from agents.tools.atomic.running import MOST_SHOWN
from agents.tools.atomic.tail import MOST_BYTES, tail
from tests.agents.tools.atomic.commanding import SECRET, Board, furnished
from tests.agents.tools.hands import Hands


@pytest.fixture
def hands(hands: Hands, shelf: InMemoryArtifacts, board: Board) -> Hands:
    return furnished(hands, shelf, board)


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


async def test_a_secret_reaches_the_command_and_nothing_else(hands: Hands, shelf: InMemoryArtifacts) -> None:
    command = 'echo ${#COUNTERSIGN_VAULT_TOKEN} vault://TOKEN; echo "$OWN"; seq 1 5000; set | grep TOKEN'
    result = await hands.call("bash", command=command, env={"OWN": "x vault://TOKEN y"})
    assert result.error is None
    assert f"{len(SECRET)} [redacted]" in shelf.kept[0][1].decode()
    for text in (result.output, str(result.metadata), "".join(hands.shown), str(shelf.kept)):
        assert "horse" not in text


async def test_a_secret_drawn_on_a_terminal_is_taken_out(hands: Hands, shelf: InMemoryArtifacts) -> None:
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


async def test_the_end_of_long_output_is_given_and_the_whole_kept(hands: Hands, shelf: InMemoryArtifacts) -> None:
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
