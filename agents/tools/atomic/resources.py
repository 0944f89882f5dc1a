"""Internal URLs as the tools of this toolset meet them: read whole, mapped to the file behind them, or put into a command."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from agents.errors import ToolError
from agents.resources import router
from agents.resources.address import Address, parse, scheme_of
from agents.resources.files import local_path
from agents.resources.mentions import Mention, Quotes, in_command, in_value, quoted
from agents.resources.resource import Resource as Resource
from agents.resources.resource import Surroundings
from agents.resources.rules import rule_path
from agents.resources.skills import is_project_skill, require_on, skill_path
from agents.sandboxes.sandbox import Files
from agents.tools.tool import ToolContext

VARIABLE = "COUNTERSIGN_VAULT_"
"""What the variables begin with by which a command gets secrets."""
SPOKEN_OF = ("issue", "pr")
"""Schemes whose addresses stand in commit messages and the like, where they mean nothing but themselves."""
SECRET = re.compile(r"vault://(\w+)")
BEHIND: dict[str, Callable[[Address, Files], str]] = {"local": local_path, "skill": skill_path, "rule": rule_path}
"""The schemes with files of the workspace behind them."""


@dataclass(frozen=True)
class Expanded:
    """A command (or a value for one) with its internal URLs replaced.

    `env` is what the command's environment must hold besides, `hidden` the values in it, which nobody may be shown, `secrets`
    their names, of which rules speak as ("vault", name).
    """

    text: str
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    hidden: tuple[str, ...] = field(default=(), repr=False)
    secrets: tuple[str, ...] = ()


def is_resource(path: str) -> bool:
    """Whether this is an internal URL: scheme://…, and no web address."""
    return bool(scheme_of(path))


def asks_first(path: str) -> bool:
    """Whether people are asked before it is read, unless a rule decides: what an MCP server is asked for, it is told."""
    return scheme_of(path) == "mcp" and bool(path.strip().partition("://")[2].partition("/")[2])


async def resource(url: str, context: ToolContext) -> Resource:
    """What the URL stands for, whole; of a scheme's root, a list of what there is. Raises ToolError with what to do."""
    reach = context.reach
    mcp = reach.mcp if _has(context, "mcp") else None
    memories = context.memories if _has(context, "memory") else None
    around = Surroundings(
        context.sandbox.files, memories, reach.artifacts, reach.agents, reach.past, mcp, reach.forge, reach.vault, reach.skills
    )
    return await router.read(url, around)


def _has(context: ToolContext, group: str) -> bool:
    """Whether the agent has this feature group: what is switched off for it, no URL brings back. By hand there are no groups."""
    return not context.tools or any(tool.group == group for tool in context.tools.values())


def file_of(path: str, context: ToolContext) -> str | None:
    """The workspace path behind a local://, skill:// or rule:// URL, suffix selectors left at its end; None for anything else.

    Also None for skill:// and rule:// alone, which are lists, and for a skill that is no part of the workspace. The file need not
    exist. Raises ToolError for an address that leaves the workspace or its skill.
    """
    behind = BEHIND.get(scheme_of(path))
    if behind is None:
        return None
    address = parse(path)
    if address.is_root and address.scheme != "local":
        return None
    files = context.sandbox.files
    if address.scheme == "skill" and context.reach.skills is not None and not is_project_skill(address, files):
        return None
    return behind(address, files)


async def require_switched_on(path: str, context: ToolContext) -> None:
    """Raises ToolError for a skill:// URL of one that is switched off, wherever it lies; says nothing to any other path."""
    if scheme_of(path) == "skill" and context.reach.skills is not None:
        await require_on(parse(path), context.reach.skills)


def secrets_in(text: str) -> tuple[str, ...]:
    """The names of the vault's secrets that a command or a value may be given, each once.

    More rather than fewer: whatever quotes and other words do to an address, its name stands here.
    """
    return tuple(dict.fromkeys(SECRET.findall(text)))


async def expanded(text: str, context: ToolContext, *, shell: bool = True) -> Expanded:
    """Replace internal URLs: of files by their paths, quoted for the shell; vault://NAME by "$COUNTERSIGN_VAULT_NAME".

    Without `shell`, for a variable or a folder, paths are plain and a vault://NAME is its value. Raises ToolError for a secret that
    the team does not have, and for what no command can be given as a file.
    """
    mentions = list(in_command(text) if shell else in_value(text))
    names = tuple(dict.fromkeys(_secret(one) for one in mentions if scheme_of(one.url) == "vault"))
    values = {name: await _value(name, context) for name in names}
    pieces, at = [], 0
    for one in mentions:
        pieces += [text[at : one.start], await asyncio.to_thread(_replaced, one, context, values, shell)]
        at = one.end
    env = {f"{VARIABLE}{name}": value for name, value in values.items()} if shell else {}
    return Expanded("".join([*pieces, text[at:]]), env, tuple(values.values()), names)


def _secret(mention: Mention) -> str:
    name = mention.url.removeprefix("vault://")
    if not name:
        raise ToolError("vault:// names no secret. Write vault://NAME; read vault:// lists the names.")
    if mention.quotes in ("'", "$'"):
        raise ToolError(f"vault://{name} stands in single quotes, in which the shell replaces nothing. Use double quotes, or none.")
    return name


async def _value(name: str, context: ToolContext) -> str:
    vault = context.reach.vault
    if vault is None:
        raise ToolError(f"vault://{name} cannot be used: no secrets can be reached from here.")
    value = await vault.value(name)
    if value is None:
        raise ToolError(f"The team has no secret {name}. It has: {', '.join(await vault.names()) or 'none'}.")
    return value


def _replaced(mention: Mention, context: ToolContext, values: Mapping[str, str], shell: bool) -> str:
    scheme = scheme_of(mention.url)
    if scheme == "vault":
        return _variable(_secret(mention), mention.quotes) if shell else values[_secret(mention)]
    path = file_of(mention.url, context)
    if path is not None:
        return quoted(_full(path, context), mention.quotes) if shell else _full(path, context)
    if shell and mention.quotes == "" and scheme not in SPOKEN_OF:
        raise ToolError(f"{mention.url} is no file that a command could be given. Read it, and write what you need of it to a file first.")
    return mention.url


def _variable(name: str, quotes: Quotes) -> str:
    return f"${{{VARIABLE}{name}}}" if quotes == '"' else f'"${VARIABLE}{name}"'


def _full(path: str, context: ToolContext) -> str:
    """By which path commands know the file. Links stay links: a command may be about the link itself."""
    if path.startswith("/"):
        path = context.sandbox.files.relative(path)
    mount = context.sandbox.mount.rstrip("/")
    return f"{mount}/" if path in (".", "./") else f"{mount}/{path}"
