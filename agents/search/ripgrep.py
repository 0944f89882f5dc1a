"""Running ripgrep in a sandbox and taking its answer line by line, no further than is wanted."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from agents.errors import SandboxError, ToolError
from agents.sandboxes.sandbox import Limits, Sandbox

SECONDS = 60.0
ALWAYS = ("--no-config", "--color=never", "--no-messages", "--hidden", "--no-ignore-global", "--glob=!.git")
"""Our own behaviour whatever the machine's settings: hidden files are searched, git's own never."""

JSON = '{"'
"""How every line begins that `--json` makes."""


@dataclass(frozen=True)
class Answer:
    """How it ended. `code` is None when we had enough and stopped it; `complaint` is what it said beside results."""

    code: int | None
    complaint: str = ""
    timed_out: bool = False

    def require(self, otherwise: str) -> None:
        """Raise ToolError where it did not come to its end in time or could not begin, with `otherwise` and the reason."""
        if self.timed_out:
            raise ToolError(f"The search took longer than {SECONDS:.0f} seconds and was stopped. Narrow it by path, glob or type.")
        if self.code == 2 and self.complaint:
            raise ToolError(f"{otherwise}: {self.complaint}")


@dataclass(frozen=True)
class Room:
    """What one run may take: bytes of output that are read, and seconds."""

    output: int = 2 * 2**20
    seconds: float = SECONDS


@cache
def ripgrep_path() -> str:
    """The real path of the `rg` that came with us, else of the machine's. Every sandbox shows it at this very path."""
    ours = Path(sys.executable).with_name("rg")
    found = str(ours) if ours.exists() else shutil.which("rg")
    if found is None:
        raise ToolError("ripgrep (rg) is not installed on this machine, so nothing can be searched.")
    return str(Path(found).resolve())


async def ripgrep(
    sandbox: Sandbox, arguments: Sequence[str], take: Callable[[str], bool], *, end: bytes = b"\n", room: Room = Room(), stdin: bytes = b""
) -> Answer:
    """Run it in the workspace's root; `take` gets each result and says whether more are wanted. Raises ToolError if it cannot start."""
    results = _Results(take, end)
    limits = Limits(seconds=room.seconds, cpu_seconds=2 * int(SECONDS), output=room.output)
    command = [ripgrep_path(), *ALWAYS, *arguments]
    running = asyncio.ensure_future(
        sandbox.run(command, limits=limits, stdin=stdin, on_output=lambda data: results.feed(data, running.cancel))
    )
    try:
        ended = await running
    except asyncio.CancelledError:
        if results.enough and not _being_cancelled():
            return Answer(None)
        running.cancel()
        raise
    except SandboxError as wrong:
        raise ToolError(f"The search could not be started: {wrong}") from wrong
    return Answer(None if ended.dropped else ended.code, results.close(), ended.timed_out)


def _being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _Results:
    """Cuts the output into results, which begin with `./` (or part them, `--`) or are JSON; everything else is a complaint."""

    def __init__(self, take: Callable[[str], bool], end: bytes) -> None:
        self._take, self._end = take, end
        self._rest: list[bytes] = []
        self._complaint: list[str] = []
        self.enough = False

    def feed(self, data: bytes, stop: Callable[[], object]) -> None:
        self._rest.append(data)
        if self.enough or self._end not in data:
            return
        *whole, rest = b"".join(self._rest).split(self._end)
        self._rest = [rest]
        for line in whole:
            self._one(line.decode(errors="replace"))
            if self.enough:
                stop()
                return

    def close(self) -> str:
        if rest := b"".join(self._rest):
            self._complaint.append(rest.decode(errors="replace"))
        return "\n".join(self._complaint).strip()

    def _one(self, line: str) -> None:
        if line.startswith(("./", JSON)) or line == "--":
            self.enough = not self._take(line.removeprefix("./"))
        else:
            self._complaint.append(line)
