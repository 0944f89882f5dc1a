"""The API of what tools keep beside the log: artifacts, and background jobs."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from workspace.accounts.access import person
from workspace.downloads import as_file
from workspace.errors import Missing
from workspace.sessions import access, artifacts, jobs
from workspace.sessions.api import SessionView, number, parameter
from workspace.sessions.models import Job, KeptArtifact

MOST_CHARACTERS = 2**25


class ArtifactOut(serializers.ModelSerializer[KeptArtifact]):
    """`size` in bytes."""

    class Meta:
        model = KeptArtifact
        fields = ["number", "name", "media_type", "size", "at"]


class JobOut(serializers.ModelSerializer[Job]):
    """`state` is running, completed, failed or lost; `timeout` in seconds; `artifact` the number of the whole output, once it has ended."""

    state = serializers.CharField()

    class Meta:
        model = Job
        fields = [
            "job_id", "call_id", "command", "state", "exit_code", "error", "began", "ended", "timeout", "terminal", "artifact",
        ]  # fmt: skip


class WholeJobOut(JobOut):
    """`output`: what it said so far, at most its first 64K characters."""

    class Meta(JobOut.Meta):
        fields = [*JobOut.Meta.fields, "output"]


class Artifacts(SessionView):
    @extend_schema(responses=ArtifactOut(many=True))
    def get(self, request: Request, session_id: str) -> Response:
        """Those of the whole tree of sessions, which share one numbering."""
        session = self.session()
        kept = KeptArtifact.objects.filter(session_id=session.root_id or session.pk).defer("data")
        return Response(ArtifactOut(kept, many=True).data)


class OneArtifact(SessionView):
    @extend_schema(
        operation_id="sessions_artifact_retrieve",
        parameters=[
            parameter("offset", "Of a text: how many characters to leave out", OpenApiTypes.INT),
            parameter("limit", "Of a text: how many characters to give", OpenApiTypes.INT),
        ],
        responses={(200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY)},
    )
    def get(self, request: Request, session_id: str, artifact: int) -> HttpResponse:
        """Its bytes: text and pictures to look at, everything else to download."""
        session = self.session()
        found = artifacts.read(session.root_id or session.pk, artifact)
        if found is None:
            raise Missing("No such artifact", "There is none with this number, or it had to make room for newer ones.")
        told, data = found
        if told.media_type.startswith("text/") and {"offset", "limit"} & request.query_params.keys():
            offset, limit = number(request, "offset", 0), number(request, "limit", MOST_CHARACTERS)
            data = data.decode(errors="replace")[offset : offset + limit].encode()
        return as_file(data, told.name, told.media_type)


class JobView(SessionView):
    """A view of a session's jobs."""

    def jobs(self) -> QuerySet[Job]:
        return Job.objects.filter(session=self.session()).select_related("session__project")

    def job(self) -> Job:
        found = self.jobs().filter(job_id=self.kwargs["job_id"]).first()
        if found is None:
            raise Missing("No such job", "There is none with this id in the session, or it ended too long ago.")
        return found


class SessionJobs(JobView):
    @extend_schema(responses=JobOut(many=True))
    def get(self, request: Request, session_id: str) -> Response:
        return Response(JobOut(self.jobs().defer("output"), many=True).data)


class OneJob(JobView):
    @extend_schema(operation_id="sessions_job_retrieve", responses=WholeJobOut)
    def get(self, request: Request, session_id: str, job_id: str) -> Response:
        return Response(WholeJobOut(self.job()).data)


class CancelJob(JobView):
    @extend_schema(request=None, responses=JobOut)
    def post(self, request: Request, session_id: str, job_id: str) -> Response:
        """Ask for its end; the log tells when it has come."""
        job: Any = self.job()
        access.require(person(request), job.session, "prompt")
        jobs.ask_to_end([job])
        return Response(JobOut(job).data)
