"""The tools `todowrite` and `todoread`: the session's todo list, which people see too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.events import Todo, TodosWritten
from agents.tools.tool import Tool, ToolContext, ToolResult

MARKS = {"pending": "○", "in_progress": "◐", "completed": "●"}


class TodoInput(BaseModel):
    """One line of the list as a model writes it."""

    model_config = ConfigDict(populate_by_name=True)

    content: str = Field(min_length=1, description="What is to be done.")
    status: Literal["pending", "in_progress", "completed"] = Field("pending", description="How far it is.")
    active: str = Field("", alias="activeForm", description="The same while it is being done, such as 'Running the tests'.")

    def todo(self) -> Todo:
        return Todo(content=self.content, status=self.status, active=self.active)


class TodoWrite(Tool):
    """Replaces the whole list; an empty one clears it."""

    name: ClassVar[str] = "todowrite"
    description: ClassVar[str] = (
        "Write the session's todo list anew, as a whole; people watch it. Use it for work of several steps, keep one item in_progress, "
        "and mark each completed as soon as it is. An empty list clears it."
    )
    keywords: ClassVar[tuple[str, ...]] = ("todo", "tasks", "steps", "progress")
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    always_load: ClassVar[bool] = True

    todos: list[TodoInput] = Field(description="All items, in order.")

    async def run(self, context: ToolContext) -> ToolResult:
        todos = tuple(item.todo() for item in self.todos)
        output = f"Todo list updated:\n\n{listed(todos)}" if todos else "Todo list cleared."
        return ToolResult("Todos", output, _counts(context, todos), facts=(TodosWritten(todos=todos),))


class TodoRead(Tool):
    """The list as it stands."""

    name: ClassVar[str] = "todoread"
    description: ClassVar[str] = "Show the session's todo list with its progress. People may have changed it since you wrote it."
    keywords: ClassVar[tuple[str, ...]] = ("todo", "tasks", "steps", "progress")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    async def run(self, context: ToolContext) -> ToolResult:
        output = f"Current todos:\n\n{listed(context.todos)}" if context.todos else "No todos found for this session."
        return ToolResult("Todos", output, _counts(context, context.todos))


def listed(todos: Sequence[Todo]) -> str:
    """The list for a model: numbered, a mark for each state, the progress below."""
    lines = [f"{number}. [{MARKS[todo.status]}] {todo.content}{_doing(todo)}" for number, todo in enumerate(todos, 1)]
    lines += ["", f"Progress: {_number(todos, 'completed')}/{len(todos)} completed"]
    if doing := _number(todos, "in_progress"):
        lines.append(f"Currently: {doing} in progress")
    return "\n".join(lines)


def _doing(todo: Todo) -> str:
    return f"\n   → {todo.active}" if todo.active and todo.status == "in_progress" else ""


def _number(todos: Sequence[Todo], status: str) -> int:
    return sum(todo.status == status for todo in todos)


def _counts(context: ToolContext, todos: Sequence[Todo]) -> dict[str, Any]:
    return {"session_id": context.session_id, "count": len(todos), **{status: _number(todos, status) for status in MARKS}}
