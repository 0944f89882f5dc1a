"""What a tool is: a pydantic class whose fields are its input, run in a context, ending in a result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.errors import InvalidArguments
from agents.events import (
    AgentFinished,
    AgentStarted,
    AnyFact,
    Attachment,
    FileChange,
    PlanProposed,
    PlanReviewed,
    QuestionAnswered,
    QuestionAsked,
    Todo,
)  # fmt: skip
from agents.plan import PlanState
from agents.ports import Memories
from agents.providers.provider import ToolDefinition
from agents.sandboxes.sandbox import Sandbox
from agents.tools.reach import Nesting, Reach

Ask = QuestionAsked | PlanProposed | AgentStarted
"""A fact that must be answered, by people or by a sub-agent's end, before the call can end."""
Decision = QuestionAnswered | PlanReviewed | AgentFinished


@dataclass(frozen=True)
class ToolResult:
    """What a call gives. `error` None means success; the model reads "Error: …" and then `output`.

    `facts` are kept together with the call's end. With `waits` set the call does not end yet: the ask is kept, people
    decide, and the tool's `conclude` makes the real result; this one is only what a host without people shows.
    """

    title: str
    output: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    changes: tuple[FileChange, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    facts: tuple[AnyFact, ...] = ()
    waits: Ask | None = None
    redactions: int = 0

    @classmethod
    def ok(cls, output: str, title: str = "") -> ToolResult:
        """A success in one word, for tools that have nothing to show but text."""
        return cls(title, output)

    @classmethod
    def err(cls, error: str, title: str = "") -> ToolResult:
        """A failure; the text says what went wrong and what to do."""
        return cls(title, error=error)


@dataclass
class ToolContext:
    """The hands a tool is given for one call. `show` takes live output text and may be called often."""

    session_id: str
    call_id: str
    sandbox: Sandbox
    memories: Memories
    todos: tuple[Todo, ...] = ()
    plan: PlanState = field(default_factory=PlanState)
    show: Callable[[str], None] = lambda text: None
    shown: list[str] = field(default_factory=list)
    """What `show` was given so far: the result of a call that is stopped."""
    flags: dict[str, Any] = field(default_factory=dict)
    tools: Mapping[str, type[Tool]] = field(default_factory=dict)
    """Every tool this agent may call, offered to the model by now or not."""
    nesting: Nesting = field(default_factory=Nesting)
    reach: Reach = field(default_factory=Reach)
    barred: Callable[[str, str], bool] | None = None
    """Whether a rule denies (tool, subject): for calls that come upon more than their parts name. None where no rule denies anything."""


class Tool(BaseModel):
    """Base of all tools. A subclass declares its input as fields and its nature as class variables.

    `read_only` calls may run side by side and in plan mode; `mutates` False with `read_only` False is for tools that only
    record something of the session itself (todos, questions, plan). `asks` is what happens where no permission rule matches.
    `group` is the feature group by which a profile has the tool or not; `always_load` tools are offered to the model from
    the start, others once `tool_search` found them or a call of a tool that `brings` them succeeded. A `resumable` call
    finds by its id what it had begun, and may be run again after its worker was lost. The results of a `bounded` tool are
    left as they are, however long other tools' may be.
    With `subject_is_command` the subject is a shell command line, which rules match command by command; with
    `subject_names_tools` each of its lines is another tool's name and that one's subject, for which rules are made.
    `toolsets` counts for a team's own tools only: those they are added to. `absent` is how its toolset speaks of a tool that there
    is not, "" for the usual words. What `subject`, `parts`, `prompt` and `preview`
    do may block: the loop asks them in threads.
    """

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    name: ClassVar[str]
    description: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    keywords: ClassVar[tuple[str, ...]] = ()
    always_load: ClassVar[bool] = False
    strict: ClassVar[bool] = False
    read_only: ClassVar[bool] = False
    mutates: ClassVar[bool] = True
    asks: ClassVar[Literal["allow", "ask"]] = "ask"
    subject_is_command: ClassVar[bool] = False
    subject_names_tools: ClassVar[bool] = False
    group: ClassVar[str] = "core_tools"
    brings: ClassVar[tuple[str, ...]] = ()
    resumable: ClassVar[bool] = False
    bounded: ClassVar[bool] = False
    toolsets: ClassVar[tuple[str, ...]] = ("oats",)
    absent: ClassVar[str] = ""

    @classmethod
    def parse(cls, arguments: dict[str, Any]) -> Self:
        """Validate the model's arguments; null means left out. Raises InvalidArguments naming each wrong one and the form it takes."""
        try:
            return cls.model_validate({name: value for name, value in arguments.items() if value is not None})
        except ValidationError as wrong:
            raise InvalidArguments(explain(cls, wrong)) from wrong

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """The JSON Schema of the arguments, without pydantic's titles and docstring."""
        schema: dict[str, Any] = _untitled(cls.model_json_schema(by_alias=True))
        schema.pop("description", None)
        schema.setdefault("properties", {})
        return schema

    @classmethod
    def definition(cls, model: str = "") -> ToolDefinition:
        """What a model of this name is told; most tools tell every model the same."""
        return ToolDefinition(cls.name, cls.description, cls.parameters(), cls.strict)

    @classmethod
    def is_concurrency_safe(cls) -> bool:
        """Whether calls of it may run beside others."""
        return cls.read_only

    def arguments(self) -> dict[str, Any]:
        """The validated arguments with their defaults: what an approval shows, and what its hash is made of."""
        return self.model_dump(mode="json", by_alias=True)

    def subject(self, context: ToolContext) -> str:
        """What permission patterns match: the path, the command, the url; "" where a tool has no such thing."""
        return ""

    def parts(self, context: ToolContext) -> Sequence[tuple[str, str]]:
        """(tool, subject) of everything this call would do; the rules judge each, and the strictest verdict holds for all."""
        return [(self.name, self.subject(context))]

    def prompt(self, context: ToolContext) -> str:
        """What a person is asked to approve, in one line."""
        return f"{self.name} {self.subject(context)}".strip()

    def requires_permission(self, context: ToolContext) -> str | None:
        """What a person is asked where no rule decides; None where nobody needs to be."""
        return self.prompt(context) if self.asks == "ask" else None

    def preview(self, context: ToolContext) -> str:
        """The change this call would make as a unified diff, or "" where there is none to show. Never raises ToolError."""
        return ""

    def risk(self, context: ToolContext) -> Literal["low", "medium", "high"]:
        return "low" if self.read_only else "medium"

    def plan_file(self, context: ToolContext) -> bool:
        """Whether this call touches nothing but the plan's own file, and so is allowed in plan mode."""
        return False

    async def run(self, context: ToolContext) -> ToolResult:
        """Do it. Contract: raises nothing but ToolError, OSError and CancelledError."""
        raise NotImplementedError

    async def conclude(self, decision: Decision, context: ToolContext) -> ToolResult:
        """Make the result of a call that waited, from what people decided."""
        raise NotImplementedError


def _untitled(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _untitled(value) for key, value in node.items() if key != "title" or not isinstance(value, str)}
    if isinstance(node, list):
        return [_untitled(item) for item in node]
    return node


def explain(cls: type[Tool], wrong: ValidationError) -> str:
    """One sentence per wrong argument: its name, what was wrong, and the accepted form."""
    lines = []
    for error in wrong.errors(include_url=False):
        place = ".".join(str(step) for step in error["loc"]) or "arguments"
        lines.append(f"{place}: {error['msg'].lower()} (got {_short(error['input'])})")
    accepted = ", ".join(_form(name, rule, cls) for name, rule in cls.parameters().get("properties", {}).items()) or "none"
    return f"Invalid arguments for {cls.name}: {'; '.join(lines)}. Accepted: {accepted}."


def _short(value: Any) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}…"


def _form(name: str, rule: dict[str, Any], cls: type[Tool]) -> str:
    required = name in cls.parameters().get("required", [])
    kind = rule.get("type") or "/".join(str(way.get("type", way.get("const", "value"))) for way in rule.get("anyOf", [])) or "value"
    choices = f" one of {'|'.join(map(str, rule['enum']))}" if "enum" in rule else ""
    return f"{name}{'' if required else '?'} {kind}{choices}"


def call_hash(tool: str, args: dict[str, Any]) -> str:
    """SHA-256 (hex) of the tool's name and its arguments as canonical JSON: what an approval names."""
    canonical = json.dumps([tool, args], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
