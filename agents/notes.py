"""Notes: what is shown while it happens and then forgotten. Losing one, or applying it twice, does no harm."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agents.pieces import Piece


class Note(Piece):
    """Base of all notes; only this module defines subclasses."""


class TextGrew(Note):
    """`text` belongs at character `at` of part `part` of the reply that is being streamed."""

    type: Literal["text.grew"] = "text.grew"
    reply_id: str
    part: int
    at: int
    text: str


class ReasoningGrew(Note):
    type: Literal["reasoning.grew"] = "reasoning.grew"
    reply_id: str
    part: int
    at: int
    text: str


class CallGrew(Note):
    """The raw argument text of a call that the model is still writing."""

    type: Literal["call.grew"] = "call.grew"
    reply_id: str
    part: int
    call_id: str
    tool: str
    at: int
    text: str


class OutputGrew(Note):
    """Live output of a running tool, already redacted; `at` counts characters since the tool started."""

    type: Literal["output.grew"] = "output.grew"
    call_id: str
    at: int
    text: str


class JobGrew(Note):
    """Live output of a background job, already redacted; `at` counts characters since it began."""

    type: Literal["job.grew"] = "job.grew"
    job_id: str
    at: int
    text: str


AnyNote = Annotated[TextGrew | ReasoningGrew | CallGrew | OutputGrew | JobGrew, Field(discriminator="type")]
