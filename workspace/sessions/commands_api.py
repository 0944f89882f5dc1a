"""The API's way to every command: an address each, and one that takes them all as the socket does."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from workspace.accounts.access import person
from workspace.ids import new_id
from workspace.sessions import actions, doors
from workspace.sessions import protocol as p
from workspace.sessions.api import SessionView
from workspace.sessions.serializers import DoneOut


class CommandView(SessionView):
    """Carries out one command. What the address names is part of it; `command` need not be said."""

    named: ClassVar[dict[str, str]] = {}

    def post(self, request: Request, session_id: str, **address: Any) -> Response:
        session = self.session()
        command = doors.read_command(self.completed(request.data), **self.named, **address)
        entry = actions.perform(session, person(request), command)
        session.refresh_from_db(fields=["head"])
        return Response({"head": session.head, "entry": p.WireEntry(**vars(entry)).model_dump(mode="json") if entry else None})

    def completed(self, data: Any) -> Any:
        return data


class EveryCommand(CommandView):
    @extend_schema(request=OpenApiTypes.OBJECT, responses=DoneOut)
    def post(self, request: Request, session_id: str, **address: Any) -> Response:
        """Any command, as the socket takes them."""
        return super().post(request, session_id, **address)


class SendMessage(CommandView):
    """Without a `message_id` the message gets one; send your own to be able to send it again."""

    def completed(self, data: Any) -> Any:
        return {"message_id": new_id(), **data} if isinstance(data, dict) else data


def door(command: type[BaseModel], view: type[CommandView] = CommandView) -> Any:
    """The view of one command, described by the command's own fields."""
    name = command.model_fields["command"].default

    @extend_schema(request=command, responses=DoneOut, operation_id=name, description=command.__doc__ or "")
    def post(self: CommandView, request: Request, session_id: str, **address: Any) -> Response:
        return view.post(self, request, session_id, **address)

    made: Any = type(command.__name__, (view,), {"named": {"command": name}, "post": post})
    return made.as_view()
