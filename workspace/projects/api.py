"""The API of places: projects, their rules, what lies in their workspaces."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, status
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts.access import person, team_for
from workspace.errors import Invalid
from workspace.pagination import CursorPages
from workspace.projects import actions, git, reading
from workspace.projects import serializers as shapes
from workspace.projects.access import project_for
from workspace.projects.models import Project
from workspace.projects.rules import RULES_LIMIT

PATH = OpenApiParameter("path", OpenApiTypes.STR, description="Relative to the workspace; empty is its root.")


class ByName(CursorPages):
    ordering = ("name", "pk")


class Projects(generics.ListAPIView[Project]):
    serializer_class = shapes.ProjectOut
    pagination_class = ByName
    parser_classes = [JSONParser, MultiPartParser]

    def get_queryset(self) -> QuerySet[Project]:
        found = Project.objects.visible_to(self.request.user).filter(archived=False).as_seen_by(self.request.user)
        team = self.request.query_params.get("team")
        return found.filter(team__public_id=team) if team else found

    @extend_schema(parameters=[OpenApiParameter("team", OpenApiTypes.STR)])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request={"application/json": shapes.ProjectIn, "multipart/form-data": shapes.ProjectUpload}, responses={201: shapes.ProjectOut}
    )
    def post(self, request: Request) -> Response:
        upload = "archive" in request.FILES
        wanted = (shapes.ProjectUpload if upload else shapes.ProjectIn)(data=request.data)
        wanted.is_valid(raise_exception=True)
        asked = dict(wanted.validated_data)
        team = team_for(request.user, asked.pop("team"), "manage_projects")
        source = _uploaded(asked.pop("archive")) if upload else _source(asked.pop("source", {"kind": "empty"}))
        project = actions.create_project(person(request), team, asked.pop("name"), source, **asked)
        return Response(_shown(request, project), status.HTTP_201_CREATED)


def _uploaded(archive: Any) -> actions.Archive:
    return actions.Archive(archive.file, archive.size)


def _source(asked: dict[str, str]) -> actions.Source:
    kind, url, path = asked["kind"], asked.get("url", "").strip(), asked.get("path", "").strip()
    if kind == "empty":
        return actions.Empty()
    if kind == "git" and url:
        return actions.GitUrl(url)
    if kind == "path" and path:
        return actions.AllowedPath(path)
    missing = {"git": "url", "path": "path"}.get(kind, "archive")
    raise Invalid("The source is not complete", f"Give the {missing} as well.", fields={missing: ["This is missing."]})


def _shown(request: Request, project: Project) -> dict[str, Any]:
    return dict(shapes.ProjectOut(Project.objects.as_seen_by(request.user).get(pk=project.pk)).data)


class OneProject(APIView):
    @extend_schema(responses=shapes.ProjectOut)
    def get(self, request: Request, project_id: str) -> Response:
        return Response(_shown(request, project_for(request.user, project_id)))

    @extend_schema(request=shapes.ProjectChange, responses=shapes.ProjectOut)
    def patch(self, request: Request, project_id: str) -> Response:
        project = project_for(request.user, project_id, "manage_projects")
        wanted = shapes.ProjectChange(data=request.data)
        wanted.is_valid(raise_exception=True)
        actions.change_project(project, **wanted.validated_data)
        return Response(_shown(request, project))

    @extend_schema(responses={204: None}, description="Puts the project away. Its files and sessions stay.")
    def delete(self, request: Request, project_id: str) -> Response:
        actions.change_project(project_for(request.user, project_id, "manage_projects"), archived=True)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Rules(APIView):
    @extend_schema(responses=shapes.RuleShape(many=True))
    def get(self, request: Request, project_id: str) -> Response:
        return Response(shapes.RuleShape(project_for(request.user, project_id).rules.all(), many=True).data)

    @extend_schema(
        request=shapes.RuleShape(many=True), responses=shapes.RuleShape(many=True), description="Of the rules that match, the last wins."
    )
    def put(self, request: Request, project_id: str) -> Response:
        project = project_for(request.user, project_id, "manage_projects")
        wanted = shapes.RuleShape(data=request.data, many=True, max_length=RULES_LIMIT)  # type: ignore[call-arg]  # of the list
        wanted.is_valid(raise_exception=True)
        actions.write_rules(project, [(rule["tool"], rule["pattern"], rule["action"]) for rule in wanted.validated_data], person(request))
        return Response(shapes.RuleShape(project.rules.all(), many=True).data)


class Tree(APIView):
    @extend_schema(parameters=[PATH], responses=shapes.TreeOut)
    def get(self, request: Request, project_id: str) -> Response:
        found = reading.folder(project_for(request.user, project_id), request.query_params.get("path", ""))
        return Response(shapes.TreeOut(found).data)


class File(APIView):
    @extend_schema(parameters=[PATH], responses=shapes.FileOut)
    def get(self, request: Request, project_id: str) -> Response:
        return Response(reading.file(project_for(request.user, project_id), request.query_params.get("path", "")))


class Diff(APIView):
    @extend_schema(responses=shapes.DiffOut, description="What is not committed yet, against HEAD.")
    def get(self, request: Request, project_id: str) -> Response:
        root = project_for(request.user, project_id).root
        changes = git.diff(root, git.head_tree(root))
        added, removed = sum(change.added for change in changes), sum(change.removed for change in changes)
        return Response({"files": [change.model_dump() for change in changes], "added": added, "removed": removed})
