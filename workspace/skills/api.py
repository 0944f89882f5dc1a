"""The API of skills."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts.access import person, team_for
from workspace.downloads import ANY_KIND, as_file
from workspace.errors import Forbidden, Missing
from workspace.projects.access import project_for
from workspace.projects.models import Project
from workspace.projects.serializers import FileOut
from workspace.skills import actions, bundle, listing, reading
from workspace.skills import serializers as shapes
from workspace.skills.access import skill_to_change
from workspace.skills.models import Skill


class Skills(APIView):
    parser_classes = [MultiPartParser]

    @extend_schema(
        parameters=[OpenApiParameter("team", OpenApiTypes.STR)], responses=shapes.SkillOut(many=True),
        description="What ships with Countersign, one's own, and the team's; every team's where none is named.",
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        team, rows = request.query_params.get("team"), Skill.objects.visible_to(request.user)
        if team:
            rows = Skill.objects.of_session(team_for(request.user, team).pk, person(request))
        return Response(shapes.SkillOut(listing.of_person(rows), many=True).data)

    @extend_schema(
        request={"multipart/form-data": shapes.SkillUpload}, responses={201: shapes.SkillOut},
        description="A skill of the same name in the same place is replaced as a whole and keeps its id.",
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        wanted = shapes.SkillUpload(data=request.data)
        wanted.is_valid(raise_exception=True)
        asked = wanted.validated_data
        skill = actions.upload_skill(_belonging(request, asked), person(request), _bundle(asked))
        measured = Skill.objects.measured().get(pk=skill.pk)
        return Response(shapes.SkillOut(listing.of_row(measured)).data, status.HTTP_201_CREATED)


def _belonging(request: Request, asked: dict[str, Any]) -> actions.Belonging:
    if asked["scope"] == "team":
        return actions.Belonging(team=team_for(request.user, asked["team"], "manage_projects"))
    return actions.Belonging(owner=person(request))


def _bundle(asked: dict[str, Any]) -> bundle.Bundle:
    if archive := asked.get("archive"):
        return bundle.of_archive(archive.file, archive.size)
    files = asked["files"]
    paths = asked.get("paths") or [file.name for file in files]
    return bundle.of_files((path, file.file) for path, file in zip(paths, files, strict=True))


class OneSkill(APIView):
    @extend_schema(responses=shapes.OpenedSkillOut)
    def get(self, request: Request, skill_id: str) -> Response:
        found = reading.opened(request.user, skill_id)
        files = [{"path": path, "size": size} for path, size in found.files]
        return Response({**shapes.SkillOut(found.listed).data, "text": found.text, "files": files})

    @extend_schema(responses={204: None})
    def delete(self, request: Request, skill_id: str) -> Response:
        if reading.shipped_name(skill_id):
            raise Forbidden("This skill ships with Countersign", "It cannot be deleted. Switch it off in a project's settings.")
        skill_to_change(request.user, skill_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class SkillFile(APIView):
    @extend_schema(
        parameters=[
            OpenApiParameter("path", OpenApiTypes.STR, description="Relative to the skill's folder."),
            OpenApiParameter("download", OpenApiTypes.BOOL, description="Its bytes to save, instead of a text to show."),
        ],
        responses={200: FileOut, (200, ANY_KIND): OpenApiResponse(OpenApiTypes.BINARY)},
    )
    def get(self, request: Request, skill_id: str) -> HttpResponse:
        path = request.query_params.get("path", "")
        if request.query_params.get("download", "") in ("1", "true"):
            return as_file(reading.whole_file(request.user, skill_id, path), path.rpartition("/")[2])
        return Response(reading.file(request.user, skill_id, path))


class ProjectSkills(APIView):
    @extend_schema(
        responses=shapes.ProjectSkillOut(many=True),
        description="What agents have that act for whoever asks; of one name that which counts first, then those it overrides.",
    )
    def get(self, request: Request, project_id: str) -> Response:
        return _in_project(request, project_for(request.user, project_id))

    @extend_schema(request=shapes.SwitchIn, responses=shapes.ProjectSkillOut(many=True), description="Switches a name on or off there.")
    def put(self, request: Request, project_id: str) -> Response:
        project = project_for(request.user, project_id, "manage_projects")
        wanted = shapes.SwitchIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        name, on = wanted.validated_data["name"], wanted.validated_data["on"]
        if not on and name not in {one.name for one in listing.in_project(project, person(request))}:
            raise Missing("No such skill", f"Agents have no skill {name!r} in this project.")
        actions.switch_skill(project, name, person(request), on=on)
        return _in_project(request, project)


def _in_project(request: Request, project: Project) -> Response:
    found = listing.in_project(project, person(request))
    return Response(shapes.ProjectSkillOut(found, many=True).data)
