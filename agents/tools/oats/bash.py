"""The tool `bash`."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import Field

from agents.errors import SandboxError, ToolError
from agents.sandboxes.sandbox import Exit, Limits
from agents.shell.aws import classify
from agents.shell.live import LiveText
from agents.shell.secrets import redact
from agents.shell.terminal import needs_terminal
from agents.tools.commanding import Commanding
from agents.tools.handing import handed_over, refuse_unheld
from agents.tools.places import begin_in, errors_told
from agents.tools.tool import ToolContext, ToolResult

SECONDS = 300
MOST_SECONDS = 600
MOST_LINES = 5000
MOST_CHARACTERS = 400_000


class Bash(Commanding):
    """One command line, run by a fresh bash in the sandbox; seconds for time, stdout and stderr merged as they came.

    A line that needs a person at a terminal is not run: the person is asked to run it, and what they say is the result.
    """

    name: ClassVar[str] = "bash"
    description: ClassVar[str] = (
        "Run a command line in bash, in a fresh shell in the workspace (nothing but files stays from call to call). Gives its output, "
        "errors included: the first 5000 lines, at most 400 KB; for more, send it to a file and page through that. Ends after 300 "
        "seconds unless timeout says otherwise (at most 600), with everything it started. No input can be typed: a command that needs a "
        "terminal (an editor, a sign-in) is handed to the person to run."
    )
    aliases: ClassVar[tuple[str, ...]] = ("shell", "terminal", "command")
    keywords: ClassVar[tuple[str, ...]] = ("run", "execute", "test", "build", "git", "command")
    always_load: ClassVar[bool] = True
    strict: ClassVar[bool] = True

    command: str = Field(min_length=1, description="The command line.")
    timeout: int = Field(SECONDS, gt=0, description="Seconds after which it is ended: 300 by default, at most 600.")
    working_dir: str = Field("", description="The folder to run it in, within the workspace; by default the workspace itself.")

    @property
    def line(self) -> str:
        return self.command

    def folder(self, context: ToolContext) -> str:
        return begin_in(context, self.working_dir)

    async def run(self, context: ToolContext) -> ToolResult:
        if "\0" in self.command:
            raise ToolError("The command holds a NUL character, which no command line can.")
        refuse_unheld(context)
        if reason := needs_terminal(self.command):
            return handed_over(self.command, reason, context)
        seconds = min(self.timeout, MOST_SECONDS)
        ended = await self._run(context, self._folder(context), seconds)
        output, redactions = await asyncio.to_thread(_readable, ended)
        if self.timeout > MOST_SECONDS:
            output = _with_notice(output, f"[timeout {self.timeout} was cut to {MOST_SECONDS} seconds, the most there is]")
        metadata: dict[str, Any] = {
            "command": self.command, "exit_code": -1 if ended.code is None else ended.code,
            "working_dir": self.folder(context), "truncated": _is_cut(ended), "timeout": ended.timed_out,
        }  # fmt: skip
        if (aws := classify(self.command)).is_aws:
            metadata["aws"] = {"risk": aws.risk.value, "service": aws.service, "operation": aws.operation}
        title = "Bash (timeout)" if ended.timed_out else f"Bash (exit {metadata['exit_code']})"
        return ToolResult(title, output, metadata, _complaint(ended, seconds), redactions=redactions)

    def _folder(self, context: ToolContext) -> str:
        files, folder = context.sandbox.files, self.folder(context)
        with errors_told(folder):
            if files.stat(folder).kind != "folder":
                raise ToolError(f"working_dir {folder} is not a folder.")
            return files.relative(folder)

    async def _run(self, context: ToolContext, folder: str, seconds: int) -> Exit:
        live = LiveText(_bounded(context.show))
        try:
            limits = Limits(seconds=seconds, cpu_seconds=2 * seconds)
            return await context.sandbox.run(["bash", "-c", self.command], cwd=folder, limits=limits, on_output=live.feed)
        except SandboxError as wrong:
            raise ToolError(f"The command could not be started: {wrong}") from wrong
        finally:
            live.close()


def _bounded(show: Callable[[str], None]) -> Callable[[str], None]:
    """Live output is shown as far as the result will be."""
    room = MOST_CHARACTERS

    def bounded(text: str) -> None:
        nonlocal room
        if room > 0:
            show(text[:room])
        room -= len(text)

    return bounded


def _readable(ended: Exit) -> tuple[str, int]:
    """The output without secrets, cut to what a model gets, and how many secrets there were."""
    text, redactions = redact(ended.output.decode(errors="replace"))
    lines = text.split("\n", MOST_LINES)
    kept = "\n".join(lines[:MOST_LINES])
    if len(kept) > MOST_CHARACTERS:
        kept = kept[:MOST_CHARACTERS]
    kept_back = len(text) - len(kept)
    if kept_back > 1 or ended.dropped:
        left_out = text[len(kept) :].strip("\n").count("\n") + 1
        more = f", and {ended.dropped} more bytes" if ended.dropped else ""
        kept = _with_notice(kept, f"[Output cut: {left_out} more lines ({kept_back} characters){more} were left out]")
    return kept, redactions


def _with_notice(output: str, notice: str) -> str:
    gap = "" if not output else "\n" if output.endswith("\n") else "\n\n"
    return f"{output}{gap}{notice}"


def _is_cut(ended: Exit) -> bool:
    return bool(ended.dropped) or len(ended.output) > MOST_CHARACTERS or ended.output.rstrip(b"\n").count(b"\n") >= MOST_LINES


def _complaint(ended: Exit, seconds: int) -> str | None:
    if ended.timed_out:
        return f"Command timed out after {seconds} seconds and was ended with everything it had started; above is its output until then."
    if ended.code is None:
        number = ended.signal or 0
        name = signal.Signals(number).name if number in signal.valid_signals() else "unknown"
        return f"Command was ended by signal {number} ({name})"
    return f"Command exited with code {ended.code}" if ended.code else None
