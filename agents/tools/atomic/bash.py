"""The tool `bash`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.ports import JobWish
from agents.shell.aws import AwsRisk, classify
from agents.shell.interceptor import advice
from agents.shell.terminal import needs_terminal
from agents.tools.atomic import jobs, running
from agents.tools.atomic.commands import Ready, as_line, check_names, ready, secrets_of, split_cd
from agents.tools.handing import handed_over, refuse_unheld, taken_back
from agents.tools.places import begin_in
from agents.tools.tool import Decision, Tool, ToolContext, ToolResult

SECONDS, MOST_SECONDS = 300, 3600
NO_TERMINAL = ("PI_NO_PTY", "ATOMIC_NO_PTY")
"""Variables that ask for pipes where the call asks for a terminal."""


class Bash(Tool):
    """One command line, run by a fresh bash in the sandbox, at pipes or at a terminal, now or in the background.

    Permission: rules see the command behind its variables, and each secret it is given as ("vault", name). Asking about a
    background job of the session needs none. A line that needs a person at a terminal is handed to one.
    """

    name: ClassVar[str] = "bash"
    description: ClassVar[str] = (
        "Run a command line in bash, in a fresh shell (nothing but files stays from call to call). Gives stdout and stderr as they came: "
        "the last 3000 lines, at most 50 KB; where more was said, the whole is kept as an artifact that read opens. It is ended with "
        "everything it started after timeout seconds (300, at most 3600). cwd: the folder to run it in; env: variables. pty: true gives it "
        "a terminal of 120x40, for programs that draw or color; nobody can type there. async: true returns at once and lets it go on in "
        "the background; the result tells how to see its output and how to end it. local:// and skill:// addresses stand for their "
        "files, and vault://NAME for one of the team's secrets, which the command gets as a variable and whose value nobody is shown."
    )
    aliases: ClassVar[tuple[str, ...]] = ("shell", "terminal", "command")
    keywords: ClassVar[tuple[str, ...]] = ("run", "execute", "test", "build", "git", "command", "background", "job")
    always_load: ClassVar[bool] = True
    subject_is_command: ClassVar[bool] = True
    bounded: ClassVar[bool] = True

    command: str = Field(min_length=1, description="The command line.")
    env: dict[str, str] = Field(default_factory=dict, description="Variables to set for it.")
    timeout: float = Field(SECONDS, allow_inf_nan=False, description="Seconds after which it is ended: 1 to 3600.")
    cwd: str = Field("", description="The folder to run it in, within the workspace; by default the workspace itself.")
    pty: bool = Field(False, description="Run it at a terminal.")
    background: bool = Field(False, alias="async", description="Let it go on in the background and return at once.")

    def subject(self, context: ToolContext) -> str:
        return as_line(self.command, self.env)

    def parts(self, context: ToolContext) -> Sequence[tuple[str, str]]:
        if about := jobs.about_job(self.command):
            return [("bash_job", about.job_id)]
        return [(self.name, self.subject(context)), *(("vault", name) for name in secrets_of(self.command, self.cwd, self.env))]

    def prompt(self, context: ToolContext) -> str:
        folder, aws = begin_in(context, self.cwd), classify(self.command)
        how = [f"in {folder}"] if folder != "." else []
        how += [word for word, wanted in (("at a terminal", self.pty), ("in the background", self.background)) if wanted]
        line, where = self.subject(context), f" ({', '.join(how)})" if how else ""
        head = line if len(line) <= 100 else f"{line[:99]}…"
        return f"Run: {head}{where}{f' [AWS, {aws.risk}: {aws.reason}]' if aws.is_aws else ''}"

    def requires_permission(self, context: ToolContext) -> str | None:
        if jobs.about_job(self.command):
            return None
        self._refuse(context, self.command)  # before people are asked for what could not run
        return None if needs_terminal(self.command) else self.prompt(context)  # who runs it by hand decides by that

    def risk(self, context: ToolContext) -> Literal["low", "medium", "high"]:
        aws = classify(self.command)
        if aws.is_aws and aws.risk is not AwsRisk.READ:
            return "high"
        return "medium" if not aws.is_aws or self.env else "low"

    async def run(self, context: ToolContext) -> ToolResult:
        if about := jobs.about_job(self.command):
            return await jobs.asked(about, context)
        self._refuse(context, self.command)
        if reason := needs_terminal(self.command):
            return handed_over(self.command, reason, context)
        prepared = await ready(self.command, self.cwd, self.env, context)
        self._refuse(context, prepared.command)
        if self.background:
            return self._told(await jobs.started(self._wish(prepared, context), context))
        return self._told(await running.run(prepared, self.seconds, self._at_terminal(context), context))

    async def conclude(self, decision: Decision, context: ToolContext) -> ToolResult:
        return taken_back(self.command, decision)

    @property
    def seconds(self) -> int:
        """The time limit as it is kept to."""
        return min(max(1, math.floor(self.timeout)), MOST_SECONDS)

    def _refuse(self, context: ToolContext, line: str) -> None:
        """Raises ToolError for what cannot run here, and for what a tool does better where the project wants it so."""
        if "\0" in self.command:
            raise ToolError("The command holds a NUL character, which no command line can.")
        check_names(self.env)
        refuse_unheld(context)
        if self.background:
            jobs.jobs_of(context)
        behind = None if self.cwd else split_cd(line)
        forms = [self.command, line, *([behind[0]] if behind else [])]
        if context.flags.get("bash_interceptor") and (better := advice(forms, context.tools)):
            raise ToolError(f"Blocked: {better}.\nOriginal command: {self.command}")

    def _at_terminal(self, context: ToolContext) -> bool:
        refused = context.flags.get("no_terminals") or any(self.env.get(name) == "1" for name in NO_TERMINAL)
        return self.pty and not refused

    def _wish(self, prepared: Ready, context: ToolContext) -> JobWish:
        return JobWish(
            context.call_id, self.command, ("bash", "-c", prepared.command), prepared.folder, prepared.env, self.seconds,
            self._at_terminal(context), prepared.hidden,
        )  # fmt: skip

    def _told(self, result: ToolResult) -> ToolResult:
        """The result with what is known of the call itself."""
        metadata: dict[str, Any] = {"command": self.command, **result.metadata}
        output = result.output
        if self.timeout != self.seconds:
            metadata["requestedTimeoutSeconds"] = self.timeout
            output = (
                f"{output.rstrip()}\n[timeout {self.timeout:g} was taken as {self.seconds} seconds: whole seconds from 1 to {MOST_SECONDS}]"
            )
        if (aws := classify(self.command)).is_aws:
            metadata["aws"] = {"risk": aws.risk.value, "service": aws.service, "operation": aws.operation}
        return replace(result, output=output, metadata=metadata)
