"""The tools `todo_write` and `todo_read`: one list, in the session for people to see, and in TODO.md of the workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.edits.diff import file_change
from agents.edits.source import encoded
from agents.errors import ToolError
from agents.events import FileChange, Todo, TodosWritten
from agents.sandboxes.sandbox import Files
from agents.tools.atloop.todo_file import SECTIONS, is_ours, read, written
from agents.tools.places import errors_told, is_barred, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult

FILE, BESIDE = "TODO.md", "TODO.agent.md"
"""Where the list is kept; and where, when the first is a file of people's own."""
LARGEST = 2**20
"""Bytes of a list; a file that has more is none of ours."""
MOST_COMPLETED = 5
MOST_NAMED = 10


class TodoItem(BaseModel):
    """One task as a model writes it."""

    model_config = ConfigDict(populate_by_name=True, extra="forbid")

    content: str = Field(min_length=1, description="What is to be done, such as 'Run the tests'.")
    active: str = Field(alias="activeForm", description="The same while it is being done, such as 'Running the tests'.")
    status: Literal["pending", "in_progress", "completed"] = Field(description="How far it is.")

    def todo(self) -> Todo:
        return Todo(content=self.content, status=self.status, active=self.active)


class TodoWrite(Tool):
    """Replaces the whole list; an empty one clears it. A TODO.md that holds anything else stays, and the list is kept beside it.

    Permission: never asked for, but a rule that denies `write` for the file keeps it as it is. In plan mode, where nothing may be
    changed, and of a sub-agent, whose tasks are not those of the agent above it, only the session has the list.
    """

    name: ClassVar[str] = "todo_write"
    description: ClassVar[str] = (
        "Write the task list anew, as a whole: people watch it, and TODO.md in the workspace holds it too. Use it for work of several "
        "steps, keep one task in_progress, and mark each completed as soon as it is. An empty list clears it."
    )
    keywords: ClassVar[tuple[str, ...]] = ("todo", "tasks", "steps", "progress")
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    always_load: ClassVar[bool] = True

    todos: list[TodoItem] = Field(description="All tasks, in order.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, FILE)

    async def run(self, context: ToolContext) -> ToolResult:
        todos = tuple(item.todo() for item in self.todos)
        path, change, notice = await asyncio.to_thread(_kept, context, todos)
        lines = [f"The task list has {_figures(todos)}." if todos else "The task list is cleared.", notice]
        if todos and not any(todo.status == "in_progress" for todo in todos) and any(todo.status == "pending" for todo in todos):
            lines.append("Warning: no task is in_progress. Mark the one you work on.")
        output = "\n".join(filter(None, lines))
        return ToolResult("Todos", output, _counts(path, todos), changes=(change,) if change else (), facts=(TodosWritten(todos=todos),))


@dataclass(frozen=True)
class Kept:
    """A file and what it holds, None where there is none; no more of it than a list may have, and one byte."""

    path: str
    data: bytes | None

    @property
    def text(self) -> str:
        return (self.data or b"").decode(errors="replace")

    @property
    def is_ours(self) -> bool:
        return len(self.data or b"") <= LARGEST and is_ours(self.text)


def _kept(context: ToolContext, todos: Sequence[Todo]) -> tuple[str, FileChange | None, str]:
    """Put the list into its file: which, what changed in it, and what there is to say of that."""
    if context.nesting.depth:
        return "", None, ""
    if context.plan.holds_back or not context.sandbox.writable:
        return "", None, f"{FILE} was left as it is: nothing in the workspace may be changed now."
    files = context.sandbox.files
    with errors_told(FILE), files.locked(FILE, BESIDE):
        places = _places(context, "write_file")
        if not places:
            return "", None, f"{FILE} was left as it is: a rule of this project denies changing it."
        kept = _free(places)
        after = encoded(written(todos))
        if kept.data == after or not (todos or kept.data):
            return kept.path, None, ""
        files.write(kept.path, after)
    return kept.path, file_change(kept.path, kept.data, after), "\n".join(_notices(kept, (*todos, *context.todos)))


def _places(context: ToolContext, tool: str) -> list[Kept]:
    """The files that the list may be kept in, but for those that a rule denies to this tool."""
    return [Kept(path, _look(context.sandbox.files, path)) for path in (FILE, BESIDE) if not is_barred(context, tool, path)]


def _look(files: Files, path: str) -> bytes | None:
    try:
        return files.read(path, LARGEST + 1)
    except FileNotFoundError:
        return None


def _free(places: Sequence[Kept]) -> Kept:
    """The first that holds nothing but a list."""
    for kept in places:
        if kept.is_ours:
            return kept
    names = " nor ".join(kept.path for kept in places)
    raise ToolError(f"Neither {names} holds a task list alone, so neither was written. Ask the person which may be moved away.")


def _notices(kept: Kept, known: Sequence[Todo]) -> Iterator[str]:
    if kept.path != FILE:
        yield f"{FILE} is not for this list alone and was left as it is; the list is kept in {BESIDE}."
    contents = {todo.content for todo in known}
    if lost := [todo.content for todo in read(kept.text) if todo.content not in contents]:
        yield f"{kept.path} held tasks that are not in this list, and are gone from it: {'; '.join(lost[:MOST_NAMED])}."


class TodoRead(Tool):
    """The list as TODO.md holds it; where the session's is another one, as people may have changed it there, both."""

    name: ClassVar[str] = "todo_read"
    description: ClassVar[str] = "Show the task list by status, from TODO.md; and what people have changed in it since you wrote it."
    keywords: ClassVar[tuple[str, ...]] = ("todo", "tasks", "steps", "progress")
    always_load: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, FILE)

    async def run(self, context: ToolContext) -> ToolResult:
        with errors_told(FILE):
            kept = await asyncio.to_thread(_found, context)
        if kept is None:
            return self._told("", context.todos, f"There is no {FILE} yet. Use todo_write to make a list.")
        same = kept.text == written(context.todos)
        result = self._told(kept.path, context.todos if same else read(kept.text), f"{kept.path} holds no tasks.")
        if same or not context.todos:
            return result
        other = f"[The session's list, which people see and may have changed, is another one:]\n{listed(context.todos)}"
        return replace(result, output=f"{result.output}\n\n{other}")

    def _told(self, path: str, todos: Sequence[Todo], otherwise: str) -> ToolResult:
        return ToolResult("Todos", listed(todos) if todos else otherwise, _counts(path, todos))


def _found(context: ToolContext) -> Kept | None:
    """The file beside counts before one of people's own."""
    if context.nesting.depth:
        return None
    kept = [one for one in _places(context, TodoRead.name) if one.data]
    return next((one for one in kept if one.is_ours), kept[0] if kept else None)


def listed(todos: Sequence[Todo]) -> str:
    """The list for a model, by status; of what is completed only the first few."""
    lines = [f"# TODO List ({len(todos)} task(s))"]
    for state, name in SECTIONS.items():
        tasks = [todo for todo in todos if todo.status == state]
        if not tasks:
            continue
        shown = tasks[:MOST_COMPLETED] if state == "completed" else tasks
        lines += ["", f"## {name}{f' ({len(tasks)})' if state == 'completed' else ''}"]
        lines += [f"{number}. {task.content}{_doing(task)}" for number, task in enumerate(shown, 1)]
        lines += [f"… and {len(tasks) - len(shown)} more"] if len(tasks) > len(shown) else []
    return "\n".join([*lines, "", f"Summary: {_figures(todos)}"])


def _doing(todo: Todo) -> str:
    return f" ({todo.active})" if todo.active and todo.status != "completed" else ""


def _figures(todos: Sequence[Todo]) -> str:
    return ", ".join(f"{_number(todos, state)} {state.replace('_', ' ')}" for state in ("pending", "in_progress", "completed"))


def _counts(path: str, todos: Sequence[Todo]) -> dict[str, Any]:
    return {
        "todo_file": path or FILE, "todo_count": len(todos), "count": len(todos),
        **{state: _number(todos, state) for state in ("pending", "in_progress", "completed")},
    }  # fmt: skip


def _number(todos: Sequence[Todo], state: str) -> int:
    return sum(todo.status == state for todo in todos)
