"""The tool `execute_command`."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from pydantic import Field, field_validator

from agents.errors import SandboxError, ToolError
from agents.sandboxes.sandbox import Exit, Limits
from agents.shell.live import LiveText
from agents.shell.secrets import redact
from agents.shell.terminal import needs_terminal
from agents.tools.alfredo.families import ModelFamily
from agents.tools.alfredo.specs import ToolSpec
from agents.tools.alfredo.worded import Worded
from agents.tools.atomic.running import beginning, complaint
from agents.tools.commanding import Commanding
from agents.tools.handing import handed_over, refuse_unheld
from agents.tools.tool import ToolContext, ToolResult

SECONDS, MOST_SECONDS = 120, 3600
MOST_CHARACTERS = 200_000
"""Of each of the two outputs that a model gets; the rest is left out of the middle."""


class ExecuteCommand(Worded, Commanding):
    """One command line, run by a fresh bash in the sandbox; what it prints and what it complains of are told apart.

    A command that ran is a success whatever its exit code, which is said. A line that needs a person at a terminal is handed to one.
    """

    name: ClassVar[str] = "execute_command"
    description: ClassVar[str] = (
        "Run a command line in bash, in a fresh shell in the workspace (nothing but files stays from call to call). Gives STDOUT, STDERR "
        "and the exit code; a code other than 0 is told, and for you to judge. Ends after 120 seconds unless timeout says otherwise, with "
        "everything it started; what it had printed by then is kept. No input can be typed."
    )
    aliases: ClassVar[tuple[str, ...]] = ("bash", "shell", "run_command")
    keywords: ClassVar[tuple[str, ...]] = ("run", "execute", "test", "build", "git", "command")
    variants: ClassVar[tuple[ToolSpec, ...]] = (
        ToolSpec(
            "execute_command", "execute_command", "Run a command line in a fresh bash in the workspace. Gives STDOUT, STDERR, exit code.",
            ModelFamily.NEXT_GEN,
        ),
    )  # fmt: skip

    command: str = Field(min_length=1, description="The command line.")
    timeout: int = Field(SECONDS, gt=0, description=f"Seconds after which it is ended: {SECONDS} by default, at most {MOST_SECONDS}.")

    @field_validator("timeout", mode="before")
    @classmethod
    def _usual_unless_a_number(cls, given: Any) -> Any:
        """A text that is no number is taken for nothing said."""
        if not isinstance(given, str):
            return given
        digits = given.strip()[:20]
        return int(digits) if digits.removeprefix("-").isdecimal() else SECONDS

    @property
    def line(self) -> str:
        return self.command

    async def run(self, context: ToolContext) -> ToolResult:
        if "\0" in self.command:
            raise ToolError("The command holds a NUL character, which no command line can.")
        refuse_unheld(context)
        if reason := needs_terminal(self.command):
            return handed_over(self.command, reason, context)
        seconds = min(self.timeout, MOST_SECONDS)
        ended = await self._ended(context, seconds)
        output, redactions = await asyncio.to_thread(told, ended)
        if self.timeout > MOST_SECONDS:
            output += f"\n[timeout {self.timeout} was cut to {MOST_SECONDS} seconds, the most there is]"
        code = -1 if ended.code is None else ended.code
        metadata = {
            "command": self.command, "exit_code": code, "working_dir": self.folder(context), "timeout": ended.timed_out,
            "truncated": bool(ended.dropped) or any(len(part) > MOST_CHARACTERS for part in (ended.output, ended.errors)),
        }  # fmt: skip
        title = "Command (timeout)" if ended.timed_out else f"Command (exit {code})"
        failed = complaint(ended, seconds) if ended.code is None else None
        return ToolResult(title, output, metadata, failed, redactions=redactions)

    async def _ended(self, context: ToolContext, seconds: int) -> Exit:
        live = LiveText(context.show)
        limits = Limits(seconds=seconds, cpu_seconds=2 * seconds, newest=True)
        try:
            return await context.sandbox.run(
                ["bash", "-c", self.command], cwd=self.folder(context), limits=limits, merge=False, on_output=beginning(live.feed)
            )
        except SandboxError as wrong:
            raise ToolError(f"The command could not be started: {wrong}") from wrong
        finally:
            live.close()


def told(ended: Exit) -> tuple[str, int]:
    """What a model is given of it, without secrets, and how many there were."""
    stdout, some = redact(ended.output.decode(errors="replace"))
    stderr, more = redact(ended.errors.decode(errors="replace"))
    parts = [f"{name}:\n{_cut(text.rstrip())}" for name, text in (("STDOUT", stdout), ("STDERR", stderr)) if text.strip()]
    parts = parts or ["Command completed with no output" if ended.code is not None else "There was no output"]
    parts += [f"[{ended.dropped} bytes more were printed than are kept, and the first of them left out]"] if ended.dropped else []
    parts += [f"Command exited with code {ended.code}"] if ended.code is not None else []
    return "\n\n".join(parts), some + more


def _cut(text: str) -> str:
    """The beginning and the end of a long text: what was tried, and what came of it."""
    if len(text) <= MOST_CHARACTERS:
        return text
    half = MOST_CHARACTERS // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"
