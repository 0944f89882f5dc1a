"""Where a language server is: in the project, beside our interpreter, in folders the host names, or on PATH."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from agents.code.languages import Language
from agents.errors import PathRefused
from agents.sandboxes.sandbox import Sandbox

OWN_PLACES = ("node_modules/.bin", ".venv/bin")
"""Where a project keeps programs of its own."""

SCRIPTS = {
    "basedpyright-langserver": ("basedpyright", "langserver.index.js"),
    "pyright-langserver": ("pyright", "dist/langserver.index.js"),
}
"""The JavaScript inside Python packages whose own starters would look for node and for newer versions on the network."""


@dataclass(frozen=True)
class Choices:
    """The host's word: command lines that replace our choice, by language, and more folders to look in."""

    servers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Launch:
    """How to start a server inside a sandbox: real folders it must see, and folders to put first in its PATH."""

    name: str
    argv: tuple[str, ...]
    tools: tuple[str, ...] = ()
    path: tuple[str, ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        if not self.path:
            return self.argv
        return ("/bin/sh", "-c", 'PATH="$1:$PATH"; shift; exec "$@"', "sh", ":".join(self.path), *self.argv)


def find(language: Language, sandbox: Sandbox, choices: Choices) -> Launch | None:
    """The first of the language's servers that is there."""
    chosen = choices.servers.get(language.name)
    for program, *options in [chosen] if chosen else language.servers:
        for launch in _launches(program, sandbox, choices):
            beside = [str(Path(found).parent) for need in language.needs if (found := shutil.which(need))]
            return Launch(program, (*launch.argv, *options), (*launch.tools, *beside), (*launch.path, *beside))
    return None


def _launches(program: str, sandbox: Sandbox, choices: Choices) -> Iterator[Launch]:
    for place in OWN_PLACES:
        with suppress(OSError, PathRefused):
            sandbox.files.stat(f"{place}/{program}")
            yield Launch(program, (f"{sandbox.mount}/{place}/{program}",))
    near = os.pathsep.join([str(Path(sys.executable).parent), *choices.places])
    if found := shutil.which(program, path=near) or shutil.which(program):
        yield from _of_the_machine(Path(found))


def _of_the_machine(found: Path) -> Iterator[Launch]:
    real = found.resolve()
    script = _script(found)
    if script and shutil.which("node"):
        yield Launch(found.name, ("node", str(script)), (str(script.parent),))
    elif real.name == "rustup":  # it stands in for programs of toolchains that may not have them
        yield from (Launch(found.name, (str(one),), (str(one.parents[1]),), (str(one.parent),)) for one in _toolchains(found.name))
    else:
        yield Launch(found.name, (str(real),), (str(_home(real)),))


def _script(found: Path) -> Path | None:
    package, inner = SCRIPTS.get(found.name, ("", ""))
    spec = importlib.util.find_spec(package) if package and found.parent == Path(sys.executable).parent else None
    script = Path(spec.origin).parent / inner if spec and spec.origin else None
    return script if script and script.is_file() else None


def _toolchains(program: str) -> list[Path]:
    toolchains = Path.home() / ".rustup" / "toolchains"
    return sorted(toolchains.glob(f"stable*/bin/{program}")) or sorted(toolchains.glob(f"*/bin/{program}"))


def _home(real: Path) -> Path:
    """The folder that holds all of an installed program, and as little else as can be told."""
    if "node_modules" in real.parts:
        return Path(*real.parts[: real.parts.index("node_modules") + 1])
    prefix = real.parent.parent
    whole = real.parent.name == "bin" and not Path.home().is_relative_to(prefix) and prefix != Path.home() / ".local"
    return prefix if whole else real.parent
