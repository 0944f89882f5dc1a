"""Internal URLs as tools meet them: mapped to files, put into commands, secrets by name alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.errors import ToolError
from agents.host import InMemoryArtifacts
from agents.skills.merging import MergedSkills
from agents.skills.sources import of_project
from agents.tools.atomic.resources import asks_first, expanded, file_of, is_resource, resource, secrets_in
from agents.tools.reach import Reach
from agents.tools.registry import toolset
from tests.agents.resources.around import ListedVault, OneServer
from tests.agents.tools.hands import Hands

SECRET = "s3cr3t value's"


@pytest.fixture
def stocked(hands: Hands) -> Hands:
    hands.put(
        {
            "a b.txt": "hi\n",
            "skills/rel/SKILL.md": "---\nname: release\n---\nSteps.\n",
            "skills/rel/run.sh": "echo ran\n",
            "AGENTS.md": "Be kind.",
        }
    )
    hands.reach = Reach(vault=ListedVault({"TOKEN": SECRET}), artifacts=InMemoryArtifacts())
    return hands


async def shell(hands: Hands, command: str) -> str:
    """What the command says once its URLs are replaced, in a real shell."""
    ready = await expanded(command, hands.context())
    ended = await hands.sandbox.run(["bash", "-c", ready.text], env=ready.env)
    return ended.output.decode()


def test_web_addresses_and_paths_are_no_resources() -> None:
    paths = ("skill://x", "local://", "https://x", "a/b.py", "db.sqlite:t")
    assert [is_resource(path) for path in paths] == [True, True, False, False, False]


def test_only_what_goes_to_a_server_of_others_asks_first() -> None:
    asked = ("mcp://notes/file:///x", "mcp://notes", "mcp://", "issue://3", "skill://x", "https://x/y")
    assert [asks_first(path) for path in asked] == [True, False, False, False, False, False]


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("local://a%20b.txt", "a b.txt"),
        ("local://new/file.txt", "new/file.txt"),
        ("local://a.zip:docs/x.md", "a.zip:docs/x.md"),
        ("local://db.sqlite:t?limit=3", "db.sqlite:t?limit=3"),
        ("local://x.py:5-8", "x.py:5-8"),
        ("local://", "."),
        ("skill://release", "skills/rel/SKILL.md"),
        ("skill://release:5-8", "skills/rel/SKILL.md:5-8"),
        ("skill://release/run.sh:raw", "skills/rel/run.sh:raw"),
        ("skill://release/new.sh", "skills/rel/new.sh"),
        ("rule://agents", "AGENTS.md"),
        ("rule://AGENTS.md:1", "AGENTS.md:1"),
        ("skill://", None),
        ("rule://", None),
        ("artifact://1", None),
        ("AGENTS.md", None),
        ("https://example.org", None),
    ],
)
def test_urls_with_a_file_behind_them_are_mapped_to_it(stocked: Hands, url: str, path: str | None) -> None:
    assert file_of(url, stocked.context()) == path


@pytest.mark.parametrize(
    "url", ["local://../x", "local:///etc/passwd", "skill://release/../../AGENTS.md", "skill://release/out", "skill://none/x"]
)
def test_mapping_leads_nowhere_else(stocked: Hands, url: str) -> None:
    (stocked.root / "skills/rel/out").symlink_to("../../AGENTS.md")
    with pytest.raises(ToolError):
        file_of(url, stocked.context())


async def test_what_a_session_keeps_is_reached_through_its_hands(stocked: Hands) -> None:
    assert stocked.reach.artifacts is not None
    await stocked.reach.artifacts.keep("x", b"kept")
    assert (await resource("artifact://1", stocked.context())).text == "kept"
    assert (await resource("vault://", stocked.context())).text == "vault://TOKEN"


@pytest.mark.parametrize(("url", "group"), [("mcp://", "mcp"), ("memory://", "memory")])
async def test_what_is_switched_off_no_url_brings_back(stocked: Hands, url: str, group: str) -> None:
    stocked.reach = Reach(mcp=OneServer())
    every = toolset("atomic")
    assert (await resource(url, replace(stocked.context(), tools=every))).text
    without = {name: tool for name, tool in every.items() if tool.group != group}
    with pytest.raises(ToolError, match="was not found"):
        await resource(url, replace(stocked.context(), tools=without))


@pytest.mark.parametrize(
    "command",
    [
        "cat local://a%20b.txt",
        "cat 'local://a%20b.txt'",
        'cat "local://a%20b.txt"',
        "bash -c \"cat 'local://a%20b.txt'\"",
        "cat < local://a%20b.txt",
    ],
)
async def test_a_command_gets_the_file_whatever_quotes_its_url_stands_in(stocked: Hands, command: str) -> None:
    assert await shell(stocked, command) == "hi\n"


async def test_commands_run_and_make_files_by_url(stocked: Hands) -> None:
    assert await shell(stocked, "bash skill://release/run.sh && echo x > local://new.txt && cat local://*.txt") == "ran\nhi\nx\n"
    assert (await expanded("ls local://", stocked.context())).text == f"ls {stocked.sandbox.mount}/"
    assert (await expanded("echo no urls # local://x", stocked.context())).text == "echo no urls # local://x"


async def test_a_secret_is_in_the_commands_environment_and_not_in_its_words(stocked: Hands) -> None:
    ready = await expanded('printf %s vault://TOKEN; printf %s "<vault://TOKEN>"', stocked.context())
    assert ready.text == 'printf %s "$COUNTERSIGN_VAULT_TOKEN"; printf %s "<${COUNTERSIGN_VAULT_TOKEN}>"'
    assert (dict(ready.env), ready.hidden, ready.secrets) == ({"COUNTERSIGN_VAULT_TOKEN": SECRET}, (SECRET,), ("TOKEN",))
    assert SECRET not in repr(ready)
    assert await shell(stocked, 'printf %s vault://TOKEN; printf %s "<vault://TOKEN>"') == f"{SECRET}<{SECRET}>"


async def test_a_variable_gets_the_value_itself(stocked: Hands) -> None:
    ready = await expanded("Bearer vault://TOKEN", stocked.context(), shell=False)
    assert (ready.text, dict(ready.env), ready.hidden, ready.secrets) == (f"Bearer {SECRET}", {}, (SECRET,), ("TOKEN",))
    assert (await expanded("local://a%20b.txt", stocked.context(), shell=False)).text.endswith("/a b.txt")
    assert (await expanded("issue://3", stocked.context(), shell=False)).text == "issue://3"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo vault://NONE", "no secret NONE. It has: TOKEN"),
        ("echo vault://", "names no secret"),
        ("echo 'vault://TOKEN'", "stands in single quotes"),
        ("cat artifact://1", "no file that a command could be given"),
        ("cat rule://", "no file that a command could be given"),
        ("cat local://../x", "outside the workspace"),
    ],
)
async def test_what_cannot_be_put_into_a_command_is_told(stocked: Hands, command: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        await expanded(command, stocked.context())


async def test_urls_of_no_file_may_be_spoken_of_in_quotes(stocked: Hands) -> None:
    assert await shell(stocked, "echo fixes issue://3") == "fixes issue://3\n"
    assert await shell(stocked, "echo 'see issue://3' \"and history://x\"") == "see issue://3 and history://x\n"


async def test_without_a_vault_no_secret_is_given(hands: Hands) -> None:
    with pytest.raises(ToolError, match="cannot be used"):
        await expanded("echo vault://TOKEN", replace(hands.context(), reach=Reach()))


def test_rules_hear_which_secrets_a_command_asks_for() -> None:
    assert secrets_in("curl -H \"X: vault://A\" vault://B vault://A 'vault://C' vault://") == ("A", "B", "C")
    assert secrets_in("echo VAULT://A vault:/B") == ()


@pytest.mark.parametrize(
    "command",
    [
        "echo vault://TOKEN",
        "echo \\local://a@vault://TOKEN",
        "echo x@vault://TOKEN",
        'echo "local://a@vault://TOKEN"',
        "echo '#'vault://TOKEN",
        "echo issue://3,vault://TOKEN",
        "echo \\vault://TOKEN",
        "echo $'\\''vault://TOKEN",
    ],
)
async def test_no_command_gets_a_secret_that_rules_did_not_hear_of(stocked: Hands, command: str) -> None:
    try:
        given = (await expanded(command, stocked.context())).secrets
    except ToolError:
        given = ()
    assert set(given) <= set(secrets_in(command)) == {"TOKEN"}


async def test_a_skill_that_is_switched_off_is_read_by_no_url(stocked: Hands) -> None:
    project = of_project(stocked.sandbox.files)
    stocked.reach = Reach(skills=MergedSkills(project, off={"release"}))
    for url in ("skill://release", "skill://rel/run.sh:1-2"):
        assert "There is no skill" in str((await stocked.call("read", path=url)).error)
        with pytest.raises(ToolError, match="There is no skill"):
            await resource(url, stocked.context())
    stocked.reach = Reach(skills=MergedSkills(project))
    assert "echo ran" in (await stocked.call("read", path="skill://rel/run.sh")).output
