"""Errors as the HTTP API says them: one shape everywhere, the same as on the socket."""

from __future__ import annotations

import math
from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from workspace.errors import AppError, Kind, Named

STATUS: dict[Kind, int] = {
    "invalid": 400, "forbidden": 403, "missing": 404, "conflict": 409, "busy": 429, "unavailable": 503, "error": 500,
}  # fmt: skip
NOT_SIGNED_IN = 401
OTHER_STATUS: dict[int, Kind] = {401: "forbidden", 403: "forbidden", 404: "missing", 409: "conflict", 429: "busy", 503: "unavailable"}


def problem_body(kind: str, title: str, detail: str = "", *, by: Named | None = None, fields: Any = None) -> dict[str, Any]:
    """The body of every error answer."""
    body = {"kind": kind, "title": title, "detail": detail, "by": {"id": by.public_id, "name": by.shown_name} if by else None}
    return {**body, "fields": fields} if fields else body


def to_response(raised: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler. None for what we did not foresee: that becomes a 500 and a line in the log."""
    if isinstance(raised, AppError):
        set_rollback()
        return Response(problem_body(raised.kind, raised.title, raised.detail, by=raised.by, fields=raised.fields), STATUS[raised.kind])
    if isinstance(raised, UnicodeEncodeError | RecursionError):
        raised = exceptions.ParseError("It holds text that cannot be kept (half a character), or is nested too deeply.")
    if isinstance(raised, SuspiciousOperation):
        raised = exceptions.ParseError("It is too large for one request: too many files or fields, or too much text in them.")
    if isinstance(raised, Http404):
        raised = exceptions.NotFound()
    if isinstance(raised, PermissionDenied):
        raised = exceptions.PermissionDenied()
    if not isinstance(raised, exceptions.APIException):
        return None
    set_rollback()
    return Response(_framework_body(raised), raised.status_code, headers=_headers(raised))


def _framework_body(raised: exceptions.APIException) -> dict[str, Any]:
    kind = OTHER_STATUS.get(raised.status_code, "invalid")
    if isinstance(raised, exceptions.ValidationError):
        fields = raised.detail if isinstance(raised.detail, dict) else {"": raised.detail}
        return problem_body(kind, "Some of this is not right", _first_sentence(fields), fields=fields)
    if isinstance(raised, exceptions.NotAuthenticated):
        return problem_body(kind, "Not signed in", "Sign in, or send `Authorization: Bearer <token>`.")
    if isinstance(raised, exceptions.NotFound):
        return problem_body(kind, "There is nothing here", "It does not exist, or it is not for you to see.")
    return problem_body(kind, "This was refused", str(raised.detail))


def _first_sentence(fields: Any) -> str:
    """The first complaint with the field's name, for callers that show a single line."""
    name, complaint = next(iter(fields.items()))
    while isinstance(complaint, (list, dict)) and complaint:
        complaint = complaint[0] if isinstance(complaint, list) else next(iter(complaint.values()))
    return f"{name}: {complaint}" if name and name != "non_field_errors" else str(complaint)


def _headers(raised: exceptions.APIException) -> dict[str, str]:
    challenge = getattr(raised, "auth_header", None)
    wait = getattr(raised, "wait", None)
    found = {"WWW-Authenticate": challenge, "Retry-After": str(math.ceil(wait)) if wait else None}
    return {name: value for name, value in found.items() if value}
