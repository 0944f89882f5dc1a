"""The tool `run`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from agents.errors import SandboxError, ToolError
from agents.ports import Artifact
from agents.sandboxes.sandbox import Exit, Limits
from agents.shell.aws import classify
from agents.shell.live import LiveText
from agents.shell.secrets import redact
from agents.shell.terminal import needs_terminal
from agents.tools.atomic.running import MOST_OUTPUT, beginning, complaint
from agents.tools.atomic.tail import tail
from agents.tools.commanding import Commanding
from agents.tools.handing import handed_over, refuse_unheld
from agents.tools.places import errors_told
from agents.tools.tool import ToolContext, ToolResult

SECONDS, MOST_SECONDS = 600, 3600


@dataclass(frozen=True)
class Said:
    """One of a command's two outputs without secrets: its end as it is shown, and the whole where that was cut."""

    name: str
    text: str
    shown: str
    cut: str = ""
    """The words that tell of it; "" where nothing was cut."""
    redactions: int = 0


class Run(Commanding):
    """One command line, run by a fresh bash in the sandbox; it went well when nothing came on stderr, whatever its exit code.

    A line that needs a person at a terminal is not run: the person is asked to run it, and what they say is the result.
    """

    name: ClassVar[str] = "run"
    description: ClassVar[str] = (
        "Run a command line in bash, in a fresh shell in the workspace (nothing but files stays from call to call). Gives stdout, stderr "
        "and the exit code. The call counts as failed when anything came on stderr, whatever the exit code: read both, and add 2>&1 for "
        "programs that write ordinary words there. Ends after timeout_sec seconds (600, at most 3600) with everything it started. Nobody "
        "can type: what needs a terminal is handed to the person."
    )
    keywords: ClassVar[tuple[str, ...]] = ("shell", "bash", "execute", "test", "build", "git", "command")
    always_load: ClassVar[bool] = True

    cmd: str = Field(min_length=1, description="The command line.")
    timeout_sec: int = Field(SECONDS, gt=0, description=f"Seconds after which it is ended: {SECONDS} by default, at most {MOST_SECONDS}.")

    @property
    def line(self) -> str:
        return self.cmd

    async def run(self, context: ToolContext) -> ToolResult:
        if "\0" in self.cmd:
            raise ToolError("The command holds a NUL character, which no command line can.")
        refuse_unheld(context)
        if reason := needs_terminal(self.cmd):
            return handed_over(self.cmd, reason, context)
        seconds = min(self.timeout_sec, MOST_SECONDS)
        ended = await self._ended(context, seconds)
        both = await asyncio.to_thread(lambda: (_said("stdout", ended.output), _said("stderr", ended.errors)))
        title = "Run (timeout)" if ended.timed_out else f"Run (exit {ended.code})" if ended.code is not None else "Run (killed)"
        return ToolResult(
            title, await self._told(both, ended, context), self._metadata(both, ended), _failure(both[1], ended, seconds),
            redactions=both[0].redactions + both[1].redactions,
        )  # fmt: skip

    async def _ended(self, context: ToolContext, seconds: int) -> Exit:
        folder = self.folder(context)
        with errors_told(folder):
            folder = context.sandbox.files.relative(folder)
        live = LiveText(context.show)
        try:
            limits = Limits(seconds=seconds, cpu_seconds=2 * seconds, output=MOST_OUTPUT, newest=True)
            return await context.sandbox.run(
                ["bash", "-c", self.cmd], cwd=folder, limits=limits, merge=False, on_output=beginning(live.feed)
            )  # fmt: skip
        except SandboxError as wrong:
            raise ToolError(f"The command could not be started: {wrong}") from wrong
        finally:
            live.close()

    async def _told(self, both: tuple[Said, Said], ended: Exit, context: ToolContext) -> str:
        out, err = both
        lines = [out.shown.rstrip("\n")] if out.shown else []
        lines += await _footer(out, context)
        if err.shown.strip():
            lines += ["[stderr]", err.shown.rstrip("\n"), *await _footer(err, context)]
        if self.timeout_sec > MOST_SECONDS:
            lines.append(f"[timeout_sec {self.timeout_sec} was cut to {MOST_SECONDS} seconds, the most there is]")
        return "\n".join([*lines, f"[exit code {ended.code}]" if ended.code is not None else "[no exit code: it was ended]"])

    def _metadata(self, both: tuple[Said, Said], ended: Exit) -> dict[str, Any]:
        metadata: dict[str, Any] = {
            "cmd": self.cmd, "duration_ms": round(ended.seconds * 1000), "exit_code": ended.code, "timeout": ended.timed_out,
            "stderr": bool(both[1].text.strip()), "truncated": any(said.cut for said in both),
        }  # fmt: skip
        if (aws := classify(self.cmd)).is_aws:
            metadata["aws"] = {"risk": aws.risk.value, "service": aws.service, "operation": aws.operation}
        return metadata


def _said(name: str, data: bytes) -> Said:
    text, redactions = redact(data.decode(errors="replace"))
    end = tail(text)
    return Said(name, text, end.text, end.footer("{where}") if end.cut else "", redactions)


async def _footer(said: Said, context: ToolContext) -> list[str]:
    """How the whole of it can be read, where only its end is shown."""
    if not said.cut:
        return []
    kept: Artifact | None = None
    if context.reach.artifacts is not None:
        kept = await context.reach.artifacts.keep(f"{said.name}-{context.call_id}.txt", said.text.encode(errors="replace"))
    where = f"read_file opens the whole as {kept.url}" if kept else "The rest was not kept; send it to a file to page through it"
    return [said.cut.format(where=where)]


def _failure(errors: Said, ended: Exit, seconds: int) -> str | None:
    """Why the call counts as failed, None where it does not."""
    if ended.timed_out or ended.code is None:
        return complaint(ended, seconds)
    if not errors.text.strip():
        return None
    return f"The command wrote to stderr, which counts as failed here (exit code {ended.code}); judge by what it wrote."
