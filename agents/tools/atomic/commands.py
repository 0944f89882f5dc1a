"""Making a command of the model's ready to run: where, with which variables, and with internal URLs in their places."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import join

from agents.errors import PathRefused, ToolError
from agents.sandboxes.sandbox import Files
from agents.tools.atomic.resources import expanded, is_resource, secrets_in
from agents.tools.places import begin_in
from agents.tools.tool import ToolContext

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LEADING_CD = re.compile(r"""\s*cd\s+(?P<folder>"[^"\n]+"|'[^'\n]+'|[^\s;&|<>"'\\]+)\s*(?:&&|;)(?P<rest>[^;&].*)\Z""", re.DOTALL)
COMPUTED = ("$", "`", "(", "~", "-", "*", "?", "[")
"""What a folder's name must not hold (or begin with) to be understood without a shell."""


@dataclass(frozen=True)
class Ready:
    """`hidden` are secret values that stand in `env`, and nowhere else."""

    command: str
    folder: str
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    hidden: tuple[str, ...] = field(default=(), repr=False)


async def ready(command: str, folder: str, env: Mapping[str, str], context: ToolContext) -> Ready:
    """Raises ToolError for a folder that is none, a variable's name that is none, and whatever URLs cannot be put into a command."""
    line, where = (command, folder) if folder else without_cd(command, context)
    check_names(env)
    told = await expanded(line, context)
    values = {name: await expanded(value, context, shell=False) for name, value in env.items()}
    place = await expanded(where, context, shell=False)
    if place.hidden:
        raise ToolError("cwd cannot hold a secret: a folder's name is shown to everybody.")
    hidden = (*told.hidden, *(text for value in values.values() for text in (*value.hidden, *([value.text] if value.hidden else []))))
    variables = {name: value.text for name, value in values.items()} | dict(told.env)
    return Ready(told.text, existing_folder(begin_in(context, place.text), context.sandbox.files), variables, hidden)


def check_names(env: Mapping[str, str]) -> None:
    for name, value in env.items():
        if not VARIABLE.fullmatch(name):
            raise ToolError(f"Invalid bash env name: {name!r}. A name is letters, digits and _, and does not begin with a digit.")
        if "\0" in value:
            raise ToolError(f"The variable {name} holds a NUL character, which no variable can.")


def existing_folder(folder: str, files: Files) -> str:
    """The folder within the workspace. Raises ToolError where there is none."""
    try:
        if files.stat(folder).kind != "folder":
            raise ToolError(f"Working directory is not a directory: {folder}")
        return files.relative(folder)
    except NotADirectoryError:
        raise ToolError(f"Working directory is not a directory: {folder}") from None
    except OSError:
        raise ToolError(f"Working directory does not exist: {folder}") from None


def without_cd(command: str, context: ToolContext) -> tuple[str, str]:
    """The command behind a leading `cd FOLDER &&`, and that folder; as it is, and "", where the shell must see to it."""
    split = split_cd(command)
    if split is None:
        return command, ""
    line, folder = split
    if not is_resource(folder):
        folder = join(begin_in(context, ""), folder)
        try:
            context.sandbox.files.relative(folder)
        except (PathRefused, OSError):
            return command, ""  # it leads out of the workspace, to where only the shell can go
    return line, folder


def split_cd(command: str) -> tuple[str, str] | None:
    """(rest, folder) of a command that begins with `cd FOLDER &&` or `cd FOLDER;`, unless a shell is needed to know the folder."""
    found = LEADING_CD.match(command)
    if found is None:
        return None
    folder = found["folder"].strip("\"'")
    needs_shell = any(mark in folder for mark in COMPUTED[:3]) or folder.startswith(COMPUTED)
    return None if needs_shell or not found["rest"].strip() else (found["rest"].strip(), folder)


def as_line(command: str, env: Mapping[str, str]) -> str:
    """What rules are held against: the command behind the variables it is given, as a shell would be told of them."""
    return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in env.items()), command])


def secrets_of(command: str, folder: str, env: Mapping[str, str]) -> Iterator[str]:
    """Names of the team's secrets that it would be given."""
    yield from dict.fromkeys(name for text in (command, folder, *env.values()) for name in secrets_in(text))
