"""What crosses the wire: commands in, frames out. `manage.py export_protocol` turns it into the page's `protocol.ts`.

A command's `command` is the name of the function in `actions.py` that does it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from agents.events import Answer, AnyFact, AnyNote, Todo
from workspace.accounts import rights
from workspace.sessions.state import SessionState

MESSAGE_LIMIT = 100_000
"""Characters in one message, plan text or comment."""


class Wire(BaseModel):
    """Base of everything here: closed, so that a misspelt field is an error at the door."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# --- commands ----------------------------------------------------------------------------------------------------------


class SendMessage(Wire):
    """`message_id` is made by the sender; sending the same one twice does nothing the second time."""

    command: Literal["send_message"] = "send_message"
    message_id: str = Field(min_length=8, max_length=64)
    text: str = Field(min_length=1, max_length=MESSAGE_LIMIT)


class StopRun(Wire):
    command: Literal["stop_run"] = "stop_run"


class DecideApproval(Wire):
    command: Literal["decide_approval"] = "decide_approval"
    approval_id: str
    hash: str
    verdict: Literal["allow", "deny"]
    scope: Literal["once", "session", "project"] = "once"
    reason: str = Field(default="", max_length=MESSAGE_LIMIT)


class ReviewPlan(Wire):
    """ "changes" sends the message and every comment on this revision back to the agent; it is never an approval."""

    command: Literal["review_plan"] = "review_plan"
    revision: int
    hash: str
    verdict: Literal["approved", "changes"]
    message: str = Field(default="", max_length=MESSAGE_LIMIT)


class CommentPlan(Wire):
    command: Literal["comment_plan"] = "comment_plan"
    revision: int
    text: str = Field(min_length=1, max_length=MESSAGE_LIMIT)
    quote: str = Field(default="", max_length=MESSAGE_LIMIT)
    start: int = Field(default=0, ge=0)


class RevisePlan(Wire):
    """A person's own revision of the proposed plan; it needs a review like any other."""

    command: Literal["revise_plan"] = "revise_plan"
    base: int
    text: str = Field(min_length=1, max_length=MESSAGE_LIMIT)


class LeavePlan(Wire):
    command: Literal["leave_plan"] = "leave_plan"
    reason: str = Field(default="", max_length=MESSAGE_LIMIT)


class AnswerQuestion(Wire):
    """One answer a question, in their order."""

    command: Literal["answer_question"] = "answer_question"
    question_id: str
    answers: tuple[Answer, ...] = Field(min_length=1, max_length=4)


class WriteTodos(Wire):
    command: Literal["write_todos"] = "write_todos"
    todos: tuple[Todo, ...] = Field(max_length=200)


class LeaveOutMemory(Wire):
    """Take a recalled memory out again: from its next step on the agent does not read it."""

    command: Literal["leave_out_memory"] = "leave_out_memory"
    memory_id: str


class AddComment(Wire):
    command: Literal["add_comment"] = "add_comment"
    text: str = Field(min_length=1, max_length=MESSAGE_LIMIT)
    about: int | None = None


class RenameSession(Wire):
    command: Literal["rename_session"] = "rename_session"
    title: str = Field(min_length=1, max_length=200)


class ConfigureSession(Wire):
    """`workflow` and `protocol` stay as they are where they are empty."""

    command: Literal["configure_session"] = "configure_session"
    provider: str
    model: str
    toolset: str
    workflow: str = ""
    protocol: str = ""


class ArchiveSession(Wire):
    command: Literal["archive_session"] = "archive_session"
    archived: bool


class LandWorktree(Wire):
    """Merge what a sub-agent changed in its own worktree into the project's files. Nothing is committed.

    `hash` is what the diff named: where the worktree is another by now, nothing is landed.
    """

    command: Literal["land_worktree"] = "land_worktree"
    hash: str = Field(min_length=1, max_length=64)


class DropWorktree(Wire):
    """Throw a sub-agent's worktree away, with all that changed in it."""

    command: Literal["drop_worktree"] = "drop_worktree"
    reason: str = Field(default="", max_length=MESSAGE_LIMIT)


AnyCommand = Annotated[
    SendMessage | StopRun | DecideApproval | ReviewPlan | CommentPlan | RevisePlan | LeavePlan | AnswerQuestion
    | WriteTodos | LeaveOutMemory | AddComment | RenameSession | ConfigureSession | ArchiveSession
    | LandWorktree | DropWorktree,
    Field(discriminator="command"),
]  # fmt: skip
commands: TypeAdapter[AnyCommand] = TypeAdapter(AnyCommand)


class Envelope(Wire):
    """What a tab sends: a command and the tab's own number for it, which comes back in `done` or `refused`."""

    id: str = Field(max_length=64)
    command: AnyCommand


# --- frames ------------------------------------------------------------------------------------------------------------

Right = rights.Right


class Person(Wire):
    """A person as others see them. `id` is the user's public id."""

    id: str
    name: str


class WireEntry(Wire):
    """An entry as it is pushed. `cut` names the fact's fields whose text was shortened: fetch `…/events/<seq>/` for all of it."""

    seq: int
    at: datetime
    by: str | None
    run_id: str | None
    fact: AnyFact
    cut: tuple[str, ...] = ()


class Welcome(Wire):
    """First frame: what this person may do here, and the log's end as the server sees it now."""

    type: Literal["welcome"] = "welcome"
    me: Person
    rights: tuple[Right, ...]
    head: int


class Entries(Wire):
    """The next entries in order; their first seq is always the one after the last sent."""

    type: Literal["entries"] = "entries"
    entries: tuple[WireEntry, ...]


class Live(Wire):
    """Everything up to `head` has been sent; from here on frames come as things happen."""

    type: Literal["live"] = "live"
    head: int


class Notes(Wire):
    type: Literal["notes"] = "notes"
    notes: tuple[AnyNote, ...]


class Present(Wire):
    """Who has the session open now."""

    type: Literal["present"] = "present"
    people: tuple[Person, ...]


class Problem(Wire):
    """Why something was refused: the same shape as the HTTP API's errors. `by` is who decided first, on a conflict."""

    kind: Literal["invalid", "forbidden", "missing", "conflict", "busy", "unavailable", "error"]
    title: str
    detail: str = ""
    by: Person | None = None


class Done(Wire):
    type: Literal["done"] = "done"
    id: str
    head: int


class Refused(Wire):
    type: Literal["refused"] = "refused"
    id: str
    problem: Problem


class Closed(Wire):
    """Last frame before the server closes: the session is gone for this person, or signed out."""

    type: Literal["closed"] = "closed"
    reason: Literal["forbidden", "signed_out", "restart"]


AnyFrame = Annotated[Welcome | Entries | Live | Notes | Present | Done | Refused | Closed, Field(discriminator="type")]


class Snapshot(Wire):
    """What a page loads first: the state, the newest entries (oldest first) and the people named in them."""

    session_id: str
    project_id: str
    project_name: str
    team_id: str
    created_by: str | None
    rights: tuple[Right, ...]
    state: SessionState
    entries: tuple[WireEntry, ...]
    people: tuple[Person, ...]
    first: int
    """Seq of the oldest entry there is below `entries` to fetch is `first - 1`; 0 when all were sent."""
    sandbox: str = ""
    provider_note: str = ""
    context_window: int = 0
    """Tokens the session's model can read at once; 0 where nobody knows."""
