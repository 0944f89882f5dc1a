"""What facts and notes are made of: small immutable values, each closed against fields nobody declared."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MemoryScope = Literal["user", "project", "team"]
MemoryType = Literal["user", "feedback", "project", "reference"]


_UNKEPT = re.compile("[\x00\ud800-\udfff]")


def well_formed(text: str) -> str:
    """Text that every database and JSON reader takes: no NUL, and no half of a surrogate pair (two halves become the character)."""
    if not _UNKEPT.search(text):
        return text
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def in_line(path: str) -> str:
    """A path that one line can hold: one with control characters or bytes that are no text is put in quotes, those escaped."""
    if path.isprintable():
        return path
    return json.dumps(path)


class Piece(BaseModel):
    """Base of everything in this file: immutable, and a field nobody declared is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Text(Piece):
    """Words the model said."""

    type: Literal["text"] = "text"
    text: str


class Reasoning(Piece):
    """The model's thinking. `signature` and `extras` are the provider's own and are sent back to it unchanged."""

    type: Literal["reasoning"] = "reasoning"
    text: str
    signature: str = ""
    extras: dict[str, Any] = {}


class Call(Piece):
    """A tool call as the model wrote it. `arguments` is its raw JSON text, kept even when it does not parse."""

    type: Literal["call"] = "call"
    call_id: str
    tool: str
    arguments: str
    extras: dict[str, Any] = {}


Part = Annotated[Text | Reasoning | Call, Field(discriminator="type")]


class Usage(Piece):
    """Tokens of one model request; `cost` in US dollars, None where the price is not known."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cost: float | None = None


class FileChange(Piece):
    """One file a tool changed. `path` is relative to the workspace, `diff` a unified diff (cut when very long)."""

    path: str
    change: Literal["created", "modified", "deleted", "renamed"]
    added: int = 0
    removed: int = 0
    diff: str = ""


class Todo(Piece):
    """One line of the todo list. `active` is how it reads while being worked on."""

    content: str
    status: Literal["pending", "in_progress", "completed"]
    active: str = ""


class Option(Piece):
    """One answer a question offers."""

    label: str
    description: str = ""


class QuestionItem(Piece):
    """One question of a set. With no options the answer is free text."""

    question: str
    header: str = ""
    options: tuple[Option, ...] = ()
    multi_select: bool = False


class Answer(Piece):
    """The answer to one question: chosen labels, free text, or both."""

    labels: tuple[str, ...] = ()
    text: str = ""


class Attachment(Piece):
    """A file a tool gives beside its text. `data` is base64; `media_type` as in "image/png"."""

    name: str
    media_type: str
    data: str


class RecalledMemory(Piece):
    """A memory told to the agent at the start, and why: what it shares with the first message."""

    memory_id: str
    title: str
    content: str
    why: str = ""
    scope: MemoryScope = "project"


AgentType = Literal["general", "explore", "plan", "verify"]


class AgentOrigin(Piece):
    """Whose sub-agent a session is: the sessions above it by public id, and the call that started it. `depth` counts from 1."""

    parent: str
    root: str
    call_id: str
    agent_id: str
    agent_type: AgentType
    depth: int
    background: bool = False
    working_dir: str = ""
