"""The API of a project's forge."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts.access import person
from workspace.connections import serializers as shapes
from workspace.connections.forges import check_forge, connect_forge
from workspace.connections.models import Forge
from workspace.projects.access import project_for


class ProjectForge(APIView):
    @extend_schema(responses=shapes.ForgeOut, description="Where the project's issues and pull requests are; empty where nowhere.")
    def get(self, request: Request, project_id: str) -> Response:
        project = project_for(request.user, project_id)
        return Response(shapes.ForgeOut(Forge.objects.filter(project=project).first() or Forge()).data)

    @extend_schema(request=shapes.ForgeIn, responses=shapes.ForgeOut)
    def put(self, request: Request, project_id: str) -> Response:
        project = project_for(request.user, project_id, "manage_projects")
        wanted = shapes.ForgeIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        return Response(shapes.ForgeOut(connect_forge(project, person(request), **wanted.validated_data)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, project_id: str) -> Response:
        Forge.objects.filter(project=project_for(request.user, project_id, "manage_projects")).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class CheckForge(APIView):
    @extend_schema(request=None, responses=shapes.ForgeCheckOut, description="Asks the repository for its name, and says what is wrong.")
    def post(self, request: Request, project_id: str) -> Response:
        project = project_for(request.user, project_id, "manage_projects")
        return Response(shapes.ForgeCheckOut(asdict(check_forge(project))).data)
