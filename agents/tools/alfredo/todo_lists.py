"""The tools `write_todo_list` and `read_todo_list`: the session's todos as a numbered checklist."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.events import Todo, TodosWritten
from agents.tools.alfredo.worded import Worded
from agents.tools.tool import ToolContext, ToolResult

ITEM = re.compile(r"(?:(?:\d+[.)]|[-*])\s*)?\[(?P<mark>[ xX~>-]?)\]\s+(?P<content>\S.*)")
BARE = re.compile(r"(?:\d+[.)]|[-*])\s+(?P<content>\S.*)")
MARKS: dict[str, Literal["pending", "in_progress", "completed"]] = {
    "": "pending", " ": "pending", "x": "completed", "~": "in_progress", ">": "in_progress", "-": "in_progress",
}  # fmt: skip
SIGNS = {"pending": " ", "in_progress": "~", "completed": "x"}


class WriteTodoList(Worded):
    """Replaces the whole list; an empty one clears it. People see and may change the same list."""

    name: ClassVar[str] = "write_todo_list"
    description: ClassVar[str] = (
        "Write the session's todo list anew, as a numbered checklist that people watch: [ ] to do, [~] being done, [x] done. Work through "
        "it in order, and write it again as soon as a task is done or you find that there is another."
    )
    aliases: ClassVar[tuple[str, ...]] = ("todowrite",)
    keywords: ClassVar[tuple[str, ...]] = ("todo", "tasks", "steps", "progress", "checklist")
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    content: str = Field(description="The whole list, a task a line:\n1. [x] Find the cause\n2. [~] Mend it\n3. [ ] Run the tests")

    async def run(self, context: ToolContext) -> ToolResult:
        todos = todos_in(self.content)
        output = f"Todo list updated:\n\n{checklist(todos)}" if todos else "Todo list cleared."
        return ToolResult("Todos", output, _counts(todos), facts=(TodosWritten(todos=todos),))


class ReadTodoList(Worded):
    """The list as it stands."""

    name: ClassVar[str] = "read_todo_list"
    description: ClassVar[str] = "Show the session's todo list. People may have changed it since you wrote it."
    aliases: ClassVar[tuple[str, ...]] = ("todoread",)
    keywords: ClassVar[tuple[str, ...]] = ("todo", "tasks", "steps", "progress", "checklist")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    async def run(self, context: ToolContext) -> ToolResult:
        return ToolResult("Todos", checklist(context.todos) if context.todos else "No todo list created yet.", _counts(context.todos))


def todos_in(content: str) -> tuple[Todo, ...]:
    """The tasks of a checklist; an indented line that is none goes on with the one above it. Raises ToolError for a text without any."""
    todos: list[Todo] = []
    for line in content.splitlines():
        item = ITEM.fullmatch(line.strip()) or BARE.fullmatch(line.strip())
        if item is None and todos and line[:1].isspace() and line.strip():
            todos[-1] = todos[-1].model_copy(update={"content": f"{todos[-1].content}\n{line.strip()}"})
        elif line.strip() and not line.lstrip().startswith("#"):
            mark, words = (item.groupdict().get("mark") or "", item["content"]) if item else ("", line)
            todos.append(Todo(content=words.strip(), status=MARKS[mark.lower()]))
    if content.strip() and not todos:
        raise ToolError(
            "There is no task in this list: write each in a line of its own, such as `1. [ ] Run the tests`. Nothing was changed."
        )
    return tuple(todos)


def checklist(todos: Sequence[Todo]) -> str:
    return "\n".join(f"{number}. [{SIGNS[todo.status]}] {_indented(todo.content)}" for number, todo in enumerate(todos, 1))


def _indented(content: str) -> str:
    return content.replace("\n", "\n   ")


def _counts(todos: Sequence[Todo]) -> dict[str, Any]:
    return {"count": len(todos), **{status: sum(todo.status == status for todo in todos) for status in SIGNS}}
