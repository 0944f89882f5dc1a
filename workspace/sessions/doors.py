"""What both doors, the socket and the HTTP API, have in common: reading commands, and saying why one was refused."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from workspace.accounts.models import User
from workspace.errors import AppError, Invalid
from workspace.sessions import protocol as p

envelopes: TypeAdapter[p.Envelope] = TypeAdapter(p.Envelope)


def read_envelope(text: str) -> p.Envelope:
    """Raises Invalid."""
    try:
        return envelopes.validate_json(text)
    except ValidationError as wrong:
        raise invalid(wrong) from wrong


def read_command(data: Any, **given: object) -> p.AnyCommand:
    """A command of parsed JSON; what is `given` by the address goes over what the body says. Raises Invalid."""
    if not isinstance(data, dict):
        raise Invalid("This is not a command", "Send a JSON object.")
    try:
        return p.commands.validate_python({**data, **given})
    except ValidationError as wrong:
        raise invalid(wrong) from wrong


def invalid(wrong: ValidationError) -> Invalid:
    """What was wrong with which field, in one sentence and by field."""
    fields: dict[str, list[str]] = {}
    for error in wrong.errors(include_url=False, include_input=False):
        name = ".".join(str(step) for step in error["loc"])
        fields.setdefault(name, []).append(error["msg"])
    first, complaints = next(iter(fields.items()))
    return Invalid("This command makes no sense", f"{first}: {complaints[0]}" if first else complaints[0], fields=fields)


def id_in(text: str) -> str:
    """The tab's own number of a message that could not be read, so that the refusal can name it."""
    try:
        return str(json.loads(text)["id"])[:64]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def problem(refused: AppError) -> p.Problem:
    by = p.Person(id=refused.by.public_id, name=refused.by.shown_name) if refused.by else None
    return p.Problem(kind=refused.kind, title=refused.title, detail=refused.detail, by=by)


def person(user: User) -> p.Person:
    return p.Person(id=user.public_id, name=user.shown_name)
