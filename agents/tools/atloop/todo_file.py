"""TODO.md as the todo list of an agent: written in three sections, and read back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from agents.edits.source import plain
from agents.events import Todo

State = Literal["pending", "in_progress", "completed"]
SECTIONS: dict[State, str] = {"in_progress": "In Progress", "pending": "Pending", "completed": "Completed"}
TITLE = "# TODO"
_ITEM = re.compile(r"[-*+] \[([ xX])\] ?(.*)")
_COUNT = re.compile(r"\(\d+\) *$")
_STATES = {name.lower(): state for state, name in SECTIONS.items()}


def written(todos: Sequence[Todo]) -> str:
    """The file's text. The lines of an item behind its first are indented, so that none of them can pass for something else."""
    blocks = [TITLE]
    for state, name in SECTIONS.items():
        items = [_item(todo) for todo in todos if todo.status == state]
        blocks += ["\n".join([f"## {name}", *items])] if items else []
    return "\n\n".join(blocks) + "\n"


def _item(todo: Todo) -> str:
    doing = f" ({todo.active})" if todo.active and todo.status != "completed" else ""
    text = f"{todo.content}{doing}".replace("\n", "\n  ")
    return f"- [{'x' if todo.status == 'completed' else ' '}] {text}"


def read(text: str) -> tuple[Todo, ...]:
    """Every item of the file. Its section says how far one is; outside of those, its box does."""
    return tuple(_todo(state, item) for state, item in _items(text))


def is_ours(text: str) -> bool:
    """Whether the file holds nothing but such a list, so that nothing of anybody's is lost when it is written anew."""
    return not text.strip() or written(read(text)).split() == text.split()


def _items(text: str) -> Iterator[tuple[State, str]]:
    section: State | None = None
    item: list[str] = []
    state: State = "pending"
    for line in [*plain(text).split("\n"), "#"]:
        if item and line.startswith("  "):
            item.append(line[2:])
            continue
        if item:
            yield state, "\n".join(item)
            item = []
        if line.startswith("#"):
            section = _STATES.get(_COUNT.sub("", line).strip("# ").lower())
        elif found := _ITEM.fullmatch(line.lstrip()):
            state, item = "completed" if found[1] != " " else section or "pending", [found[2]]


def _todo(state: State, item: str) -> Todo:
    content, active = (item, "") if state == "completed" else _parted(item)
    return Todo(content=content, status=state, active=active)


def _parted(item: str) -> tuple[str, str]:
    """What an item says, and what stands in its last parentheses, if it ends with some."""
    depth = 0
    for at in range(len(item) - 1, 0, -1):
        depth += (item[at] == ")") - (item[at] == "(")
        if depth <= 0:
            break
    else:
        return item, ""
    if not item.endswith(")") or item[at - 1] != " ":
        return item, ""
    return item[: at - 1], item[at + 1 : -1]
