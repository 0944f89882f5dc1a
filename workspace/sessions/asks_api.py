"""The API of what waits for people, and of what they decided: approvals, questions, plans, todos, the inbox."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts.access import person
from workspace.accounts.models import User
from workspace.accounts.rights import RIGHTS, Right
from workspace.errors import Missing
from workspace.projects.serializers import RuleShape
from workspace.sessions import access, actions, choosing, doors
from workspace.sessions import serializers as shapes
from workspace.sessions.api import SessionView, parameter
from workspace.sessions.choices import AskState
from workspace.sessions.models import Session
from workspace.sessions.state import OpenAsk

RIGHT_TO: dict[str, Right] = {"approval": "approve_tools", "plan": "approve_plans", "question": "prompt"}
INBOX = 200
"""Sessions whose asks an inbox shows, the latest first."""
OPEN = parameter("open", "1: only what nobody has decided yet", OpenApiTypes.INT)


def _asked(request: Request, asks: Any) -> Any:
    """The asks in their order, with who decided them."""
    if request.query_params.get("open") == "1":
        asks = asks.filter(state=AskState.OPEN)
    return asks.select_related("decided_by").order_by("seq")


class Approvals(SessionView):
    @extend_schema(parameters=[OPEN], responses=shapes.ApprovalOut(many=True))
    def get(self, request: Request, session_id: str) -> Response:
        return Response(shapes.ApprovalOut(_asked(request, self.session().approvals), many=True).data)


class ApprovalRules(SessionView):
    @extend_schema(responses=RuleShape(many=True))
    def get(self, request: Request, session_id: str, approval_id: str) -> Response:
        """The rules that allowing this for the whole project would make."""
        session = self.session()
        approval = session.approvals.filter(approval_id=approval_id).first()
        if approval is None:
            raise Missing("No such approval", "This session never asked for it.")
        matched = choosing.patterns_for(session, approval)
        return Response([{"tool": tool, "pattern": pattern, "action": "allow"} for tool, pattern in matched])


class Questions(SessionView):
    @extend_schema(parameters=[OPEN], responses=shapes.QuestionOut(many=True))
    def get(self, request: Request, session_id: str) -> Response:
        return Response(shapes.QuestionOut(_asked(request, self.session().questions), many=True).data)


class Plan(SessionView):
    @extend_schema(responses=shapes.PlanOut)
    def get(self, request: Request, session_id: str) -> Response:
        session = self.session()
        revisions = list(session.planrevisions.select_related("by", "decided_by"))
        reviews, comments = (list(said.select_related("by")) for said in (session.planreviews, session.plancomments))
        for revision in revisions:
            revision.reviews = [review for review in reviews if review.revision == revision.revision]
            revision.comments = [comment for comment in comments if comment.revision == revision.revision]
        return Response(
            {"state": session.view.plan.model_dump(mode="json"), "revisions": shapes.PlanRevisionOut(revisions, many=True).data}
        )


class Todos(SessionView):
    @extend_schema(responses=shapes.TodoShape(many=True))
    def get(self, request: Request, session_id: str) -> Response:
        return Response([todo.model_dump() for todo in self.session().view.todos])

    @extend_schema(request=shapes.TodoShape(many=True), responses=shapes.TodoShape(many=True), description="Writes the whole list anew.")
    def put(self, request: Request, session_id: str) -> Response:
        command = doors.read_command({"todos": request.data}, command="write_todos")
        actions.perform(self.session(), person(request), command)
        return self.get(request, session_id)


class Inbox(APIView):
    @extend_schema(responses=shapes.InboxItemOut(many=True))
    def get(self, request: Request) -> Response:
        """Everything open in the sessions one may see, the oldest first."""
        return Response(waiting_for(person(request)))


def waiting_for(user: User) -> list[dict[str, Any]]:
    roles = dict(user.memberships.values_list("team", "role"))
    asking = access.sessions_of(user).filter(asks__gt=0, archived=False).exclude(root__archived=True)
    sessions = asking.select_related("project__team", "created_by", "root").order_by("-active_at")[:INBOX]
    items = [(ask.at, _item(session, ask, roles[session.project.team_id])) for session in sessions for ask in session.view.asks]
    return [item for _, item in sorted(items, key=lambda pair: pair[0])]


def _item(session: Session, ask: OpenAsk, role: str) -> dict[str, Any]:
    return {
        "session": {"id": session.public_id, "title": session.title},
        "root": {"id": session.root.public_id, "title": session.root.title} if session.root else None,
        "project": {"id": session.project.public_id, "name": session.project.name},
        "ask": ask.model_dump(mode="json"),
        "may_decide": RIGHT_TO[ask.ask] in RIGHTS[role],  # type: ignore[index]  # choices are the roles
    }
