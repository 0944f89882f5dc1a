"""A workspace and a way to call tools in it, without a model and without people."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.errors import ToolError
from agents.events import AnyFact, Todo, TodosWritten
from agents.host import InMemoryMemories
from agents.plan import PlanState, plan_after
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Level, Sandbox, SandboxWish
from agents.tools.reach import Nesting, Reach
from agents.tools.registry import resolve, toolset
from agents.tools.tool import Decision, Tool, ToolContext, ToolResult


@dataclass
class Hands:
    """Calls tools as the loop does: facts are remembered, a ToolError is the call's error."""

    root: Path
    level: Level = "local"
    memories: InMemoryMemories = field(default_factory=InMemoryMemories)
    todos: tuple[Todo, ...] = ()
    plan: PlanState = field(default_factory=PlanState)
    shown: list[str] = field(default_factory=list)
    facts: list[AnyFact] = field(default_factory=list)
    nesting: Nesting = field(default_factory=Nesting)
    reach: Reach = field(default_factory=Reach)
    toolset: str = "oats"
    writable: bool = True

    def __post_init__(self) -> None:
        self.sandbox: Sandbox = open_sandbox(SandboxWish(root=str(self.root), level=self.level, writable=self.writable))

    def context(self) -> ToolContext:
        return ToolContext(
            "s1", "call-1", self.sandbox, self.memories, todos=self.todos, plan=self.plan, show=self.shown.append, nesting=self.nesting,
            reach=self.reach,
        )  # fmt: skip

    def tool(self, name: str, args: dict[str, Any]) -> Tool:
        found = resolve(toolset(self.toolset), name)
        assert found is not None, name
        return found.parse(args)

    async def call(self, name: str, /, **args: Any) -> ToolResult:
        try:
            result = await self.tool(name, args).run(self.context())
        except ToolError as refused:
            return ToolResult(name, error=str(refused))
        self._learn(result)
        return result

    async def conclude(self, name: str, decision: Decision, **args: Any) -> ToolResult:
        self.plan = plan_after(self.plan, decision)
        return await self.tool(name, args).conclude(decision, self.context())

    def _learn(self, result: ToolResult) -> None:
        for fact in (*result.facts, *([result.waits] if result.waits else [])):
            self.facts.append(fact)
            self.plan = plan_after(self.plan, fact)
            if isinstance(fact, TodosWritten):
                self.todos = fact.todos

    def put(self, files: dict[str, str | bytes]) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def files(self) -> dict[str, bytes]:
        """Every plain file of the workspace, links not followed."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }
