"""Sessions and what is decided in them, as the API gives them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from workspace.accounts.serializers import PersonOut
from workspace.projects.serializers import DiffOut, TeamNameOut
from workspace.sessions import protocol as p
from workspace.sessions.models import Approval, PlanComment, PlanReview, PlanRevision, Question, Session
from workspace.sessions.opening import OpenSession


class NamedOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()


class SessionOut(serializers.ModelSerializer[Session]):
    """A session in a list. `asks` is how much waits for people; `snippet` is where a search found its words.

    Of a sub-agent `parent` and `root` are the ids of the sessions above it, null of a session that people opened.
    """

    id = serializers.CharField(source="public_id")
    project = NamedOut()
    team = TeamNameOut(source="project.team")
    created_by = PersonOut(allow_null=True)
    opened = serializers.DateTimeField(source="opened_at")
    active = serializers.DateTimeField(source="active_at")
    provider = serializers.SerializerMethodField()
    model = serializers.SerializerMethodField()
    toolset = serializers.SerializerMethodField()
    snippet = serializers.SerializerMethodField()
    parent = serializers.SerializerMethodField()  # type: ignore[assignment]  # a declared field is no attribute
    root = serializers.SerializerMethodField()  # type: ignore[assignment]  # as above
    agent_type = serializers.SerializerMethodField()

    class Meta:
        model = Session
        fields = [
            "id", "title", "project", "team", "created_by", "status", "asks", "opened", "active", "archived", "provider", "model",
            "toolset", "cost", "snippet", "parent", "root", "agent_type",
        ]  # fmt: skip

    def get_provider(self, session: Session) -> str:
        return session.view.provider

    def get_model(self, session: Session) -> str:
        return session.view.model

    def get_toolset(self, session: Session) -> str:
        return session.view.toolset

    def get_snippet(self, session: Session) -> str:
        snippets: dict[int, str] = self.context.get("snippets", {})
        return snippets.get(session.pk, "")

    def get_parent(self, session: Session) -> str | None:
        return session.view.origin.parent if session.view.origin else None

    def get_root(self, session: Session) -> str | None:
        return session.view.origin.root if session.view.origin else None

    def get_agent_type(self, session: Session) -> str | None:
        return session.view.origin.agent_type if session.view.origin else None


class SessionIn(OpenSession):
    """A new session. With a prompt its agent is at work at once."""

    project: str


class SessionChange(p.Wire):
    """What is left out stays as it is."""

    title: str | None = None
    archived: bool | None = None
    provider: str | None = None
    model: str | None = None
    toolset: str | None = None


class EventsOut(p.Wire):
    """Entries in their order. `next` is the `since` to go on with, None at the end of the log."""

    results: tuple[p.WireEntry, ...]
    head: int
    next: int | None


class ChangesOut(DiffOut):
    """`note` says where the files are told from, when it is not the workspace as it is now.

    `hash` names the state of a worktree that can be landed: give it to land_worktree, and nothing else is landed. `into` is the title of
    the session above in whose worktree it lands; "" for the project.
    """

    note = serializers.CharField(allow_blank=True)
    hash = serializers.CharField(allow_blank=True)
    into = serializers.CharField(allow_blank=True)


class DoneOut(p.Wire):
    """A command was carried out; `entry` tells of it, None where there was nothing to do."""

    head: int
    entry: p.WireEntry | None


class ReferenceOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField()


class ProjectReferenceOut(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()


class InboxItemOut(serializers.Serializer[Any]):
    """Something that waits for people, and whether this person may decide it. `ask` is an OpenAsk.

    Where a sub-agent asks, `session` is its own, to which the decision is sent, and `root` the one people know it by.
    """

    session = ReferenceOut()
    root = ReferenceOut(allow_null=True)
    project = ProjectReferenceOut()
    ask = serializers.DictField()
    may_decide = serializers.BooleanField()


class TodoShape(serializers.Serializer[Any]):
    content = serializers.CharField()
    status = serializers.ChoiceField(choices=["pending", "in_progress", "completed"])
    active = serializers.CharField(required=False, allow_blank=True)


class AskOut(serializers.ModelSerializer[Any]):
    decided_by = PersonOut(allow_null=True)


class ApprovalOut(AskOut):
    class Meta:
        model = Approval
        fields = [
            "approval_id", "call_id", "seq", "tool", "subject", "hash", "state", "scope", "reason", "decided_by", "decided_seq",
        ]  # fmt: skip


class QuestionOut(AskOut):
    class Meta:
        model = Question
        fields = ["question_id", "call_id", "seq", "state", "decided_by", "decided_seq"]


class PlanReviewOut(serializers.ModelSerializer[PlanReview]):
    by = PersonOut(allow_null=True)

    class Meta:
        model = PlanReview
        fields = ["verdict", "message", "by", "at", "seq"]


class PlanCommentOut(serializers.ModelSerializer[PlanComment]):
    by = PersonOut(allow_null=True)

    class Meta:
        model = PlanComment
        fields = ["comment_id", "text", "quote", "start", "by", "at", "seq"]


class PlanRevisionOut(AskOut):
    """A text of the plan; `by` None: the agent wrote it."""

    by = PersonOut(allow_null=True)
    reviews = PlanReviewOut(many=True)
    comments = PlanCommentOut(many=True)

    class Meta:
        model = PlanRevision
        fields = ["revision", "text", "summary", "hash", "state", "by", "at", "seq", "decided_by", "reviews", "comments"]


class PlanOut(serializers.Serializer[Any]):
    """`state` is a PlanView."""

    state = serializers.DictField()
    revisions = PlanRevisionOut(many=True)
