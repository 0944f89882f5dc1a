"""The API of sessions: lists, one session's log and what is folded from it."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import ValidationError
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts.access import person
from workspace.errors import Invalid, Missing
from workspace.pagination import CursorPages
from workspace.projects.access import project_for
from workspace.sessions import access, actions, doors, finding, log
from workspace.sessions import protocol as p
from workspace.sessions import serializers as shapes
from workspace.sessions.models import Session
from workspace.sessions.opening import open_session
from workspace.sessions.snapshots import snapshot_json
from workspace.sessions.worktree import changed_in

MOST = 500
"""Entries in one answer."""


def parameter(name: str, says: str = "", type: Any = OpenApiTypes.STR) -> OpenApiParameter:
    return OpenApiParameter(name, type, description=says)


def number(request: Request, name: str, default: int, most: int = 2**62) -> int:
    """A whole number of the query. Raises Invalid."""
    given = request.query_params.get(name, str(default))
    if not given.isdecimal():
        raise Invalid(f"{name} is not a number", f"Write {name} as digits.", fields={name: ["Write a whole number."]})
    return min(int(given), most)


def as_json(text: str) -> HttpResponse:
    """An answer that is JSON text already."""
    return HttpResponse(text, content_type="application/json")


class ByActivity(CursorPages):
    """The latest first; where something is searched for, the most relevant before that."""

    ordering = ("-active_at", "-pk")
    offset_cutoff = 100_000  # of equally relevant ones, far more than the usual thousand

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        return ("-relevance", *self.ordering) if finding.is_search(request.query_params) else self.ordering


class Sessions(generics.ListAPIView[Session]):
    serializer_class = shapes.SessionOut
    pagination_class = ByActivity
    snippets: dict[int, str] = {}

    def get_queryset(self) -> QuerySet[Session]:
        return finding.found(access.sessions_of(person(self.request)).roots(), self.request.query_params)

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset)
        self.snippets = finding.snippets(page or [], finding.terms_in(self.request.query_params))
        return page

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "snippets": self.snippets}

    @extend_schema(
        parameters=[
            parameter("q", 'Words that all stand in the title or in what was said, in any form; "a phrase"; -a word that stands nowhere'),
            parameter("project"),
            parameter("person", "Who opened it"),
            parameter("status"),
            parameter("archived", "1: only those; 0: only the others"),
        ]
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(request=shapes.SessionIn, responses={201: shapes.SessionOut})
    def post(self, request: Request) -> Response:
        wish = _read(shapes.SessionIn, request.data)
        session = open_session(project_for(request.user, wish.project), person(request), wish)
        return Response(shapes.SessionOut(session).data, status.HTTP_201_CREATED)


def _read(shape: Any, data: Any) -> Any:
    try:
        return shape.model_validate(data)
    except ValidationError as wrong:
        raise doors.invalid(wrong) from wrong


class SessionView(APIView):
    """A view of one session that the person may see."""

    def session(self) -> Session:
        return access.find(self.kwargs["session_id"], person(self.request))


class OneSession(SessionView):
    @extend_schema(responses=shapes.SessionOut)
    def get(self, request: Request, session_id: str) -> Response:
        return Response(shapes.SessionOut(self.session()).data)

    @extend_schema(request=shapes.SessionChange, responses=shapes.SessionOut)
    def patch(self, request: Request, session_id: str) -> Response:
        session = self.session()
        for command in _commands(session, _read(shapes.SessionChange, request.data)):
            actions.perform(session, person(request), command)
        return self.get(request, session_id)


def _commands(session: Session, change: shapes.SessionChange) -> list[p.AnyCommand]:
    """The commands that make this change."""
    commands: list[dict[str, Any]] = []
    if change.title is not None:
        commands.append({"command": "rename_session", "title": change.title})
    chosen = change.model_dump(include={"provider", "model", "toolset"}, exclude_none=True)
    if chosen:
        before = session.view.model_dump(include={"provider", "model", "toolset"})
        commands.append({"command": "configure_session", **before, **chosen})
    if change.archived is not None:
        commands.append({"command": "archive_session", "archived": change.archived})
    return [doors.read_command(command) for command in commands]


class Snapshot(SessionView):
    @extend_schema(parameters=[parameter("limit", type=OpenApiTypes.INT)], responses=p.Snapshot)
    def get(self, request: Request, session_id: str) -> HttpResponse:
        session = self.session()
        return as_json(snapshot_json(session, access.rights(person(request), session), number(request, "limit", 50, MOST)))


class Events(SessionView):
    @extend_schema(
        parameters=[
            parameter("since", "Entries behind this one, the first there are", OpenApiTypes.INT),
            parameter("before", "Entries before this one, the last there are", OpenApiTypes.INT),
            parameter("limit", type=OpenApiTypes.INT),
        ],
        responses=shapes.EventsOut,
    )
    def get(self, request: Request, session_id: str) -> HttpResponse:
        session = self.session()
        limit = number(request, "limit", 100, MOST)
        since = number(request, "since", 0)
        if "before" in request.query_params:
            before = min(number(request, "before", 0), session.head + 1)
            since, limit = max(0, before - 1 - limit), min(limit, max(0, before - 1))
        entries = log.read_wire(session.pk, since, limit)
        last = entries[-1][0] if entries else session.head
        following = json.dumps(last if last < session.head else None)
        return as_json(f'{{"results":[{",".join(text for _, text in entries)}],"head":{session.head},"next":{following}}}')


class OneEvent(SessionView):
    @extend_schema(operation_id="sessions_event_retrieve", responses=p.WireEntry, description="The entry with nothing cut.")
    def get(self, request: Request, session_id: str, seq: int) -> HttpResponse:
        entry = log.one_wire(self.session().pk, seq)
        if entry is None:
            raise Missing("No such entry", "The log does not go that far.")
        return as_json(entry)


class Changes(SessionView):
    @extend_schema(responses=shapes.ChangesOut)
    def get(self, request: Request, session_id: str) -> Response:
        """What differs in the workspace since the session was opened; of a sub-agent with a worktree, what differs in that."""
        found = changed_in(self.session())
        files = [change.model_dump() for change in found.changes]
        added, removed = sum(one["added"] for one in files), sum(one["removed"] for one in files)
        into = (found.into.title or "Untitled session") if found.into else ""
        return Response({"files": files, "added": added, "removed": removed, "note": found.note, "hash": found.hash, "into": into})
