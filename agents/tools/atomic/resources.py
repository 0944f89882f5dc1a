"""Internal URLs as the tools of this toolset meet them: read whole, mapped to the file behind them, or put into a command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.resources.address import scheme_of
from agents.resources.resource import Resource as Resource
from agents.tools.tool import ToolContext


@dataclass(frozen=True)
class Expanded:
    """A command (or a value for one) with its internal URLs replaced. `env` holds what the command's environment must have besides,

    `hidden` are the values in it, which nobody may be shown; `secrets` their names, which rules may speak of as ("vault", name).
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
    raise NotImplementedError


def file_of(path: str, context: ToolContext) -> str | None:
    """The workspace path behind a local:// or skill:// URL, suffix selectors left at its end; None for any other path.

    The file need not exist. Raises ToolError for an address that leaves the workspace or its skill.
    """
    raise NotImplementedError


def secrets_in(text: str) -> tuple[str, ...]:
    """The names of the vault's secrets that a command or a value asks for, each once."""
    raise NotImplementedError


async def expanded(text: str, context: ToolContext, *, shell: bool = True) -> Expanded:
    """Replace internal URLs: of files by their paths, quoted for the shell; vault://NAME by "$COUNTERSIGN_VAULT_NAME".

    Without `shell`, for a variable or a folder, paths are plain and a vault://NAME is its value. Raises ToolError for a secret that
    the team does not have, and for what no command can be given as a file.
    """
    raise NotImplementedError
