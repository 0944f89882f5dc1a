"""What the host refuses, and who is told.

AppError                base: a title, a detail that says what to do, and who was first where that matters
├── Invalid             what was asked makes no sense; `fields` names the wrong ones
├── Forbidden           seen, but not allowed
├── Missing             not there, or not for this person's eyes
├── Conflict            somebody was first; `by` is who
├── Busy                too much or too soon; try again
└── Unavailable         something we depend on is down

`kind` is the word on the wire; `workspace/problems.py` gives each its HTTP status.
"""

from __future__ import annotations

from typing import ClassVar, Literal, Protocol

Kind = Literal["invalid", "forbidden", "missing", "conflict", "busy", "unavailable", "error"]


class Named(Protocol):
    """A person as errors name them."""

    public_id: str

    @property
    def shown_name(self) -> str: ...


class AppError(Exception):
    kind: ClassVar[Kind] = "error"

    def __init__(self, title: str, detail: str = "", *, by: Named | None = None, fields: dict[str, list[str]] | None = None) -> None:
        super().__init__(f"{title}: {detail}" if detail else title)
        self.title = title
        self.detail = detail
        self.by = by
        self.fields = fields


class Invalid(AppError):
    kind = "invalid"


class Forbidden(AppError):
    kind = "forbidden"


class Missing(AppError):
    kind = "missing"


class Conflict(AppError):
    kind = "conflict"


class Busy(AppError):
    kind = "busy"


class Unavailable(AppError):
    kind = "unavailable"
