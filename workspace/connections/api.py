"""The API of MCP servers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts.access import person, team_for
from workspace.accounts.models import Team, rights_in
from workspace.connections import actions
from workspace.connections import serializers as shapes
from workspace.connections.access import server_to_change
from workspace.connections.checking import check
from workspace.connections.models import McpServer
from workspace.errors import Missing
from workspace.projects.access import project_for
from workspace.projects.models import Project


class TeamServers(APIView):
    @extend_schema(responses=shapes.McpServerOut(many=True), description="What every project of the team has.")
    def get(self, request: Request, team_id: str) -> Response:
        team = team_for(request.user, team_id)
        return Response(_shown(request, team, McpServer.objects.of_team(team)))

    @extend_schema(request=shapes.McpServerChange, responses={201: shapes.McpServerOut})
    def post(self, request: Request, team_id: str) -> Response:
        return _added(request, actions.Place(team_for(request.user, team_id, "manage_members")))


class ProjectServers(APIView):
    @extend_schema(responses=shapes.McpServerOut(many=True), description="The project's own and its team's; of one name, the project's.")
    def get(self, request: Request, project_id: str) -> Response:
        project = project_for(request.user, project_id)
        return Response(_shown(request, project.team, McpServer.objects.of_project(project)))

    @extend_schema(request=shapes.McpServerChange, responses={201: shapes.McpServerOut})
    def post(self, request: Request, project_id: str) -> Response:
        project = project_for(request.user, project_id, "manage_projects")
        return _added(request, actions.Place(project.team, project))


class OneServer(APIView):
    @extend_schema(request=shapes.McpServerChange, responses=shapes.McpServerOut)
    def patch(self, request: Request, server_id: str) -> Response:
        server = server_to_change(request.user, server_id)
        wanted = shapes.McpServerChange(data=request.data, partial=True)
        wanted.is_valid(raise_exception=True)
        actions.change_server(server, **wanted.validated_data)
        return Response(_shown(request, server.team, [server])[0])

    @extend_schema(responses={204: None})
    def delete(self, request: Request, server_id: str) -> Response:
        server_to_change(request.user, server_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class Check(APIView):
    @extend_schema(request=shapes.CheckIn, responses=shapes.CheckOut, description="Connects, lists what there is, and says what is wrong.")
    def post(self, request: Request, server_id: str) -> Response:
        server = server_to_change(request.user, server_id)
        wanted = shapes.CheckIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        project = _project_to_try_in(request, server, wanted.validated_data.get("project", ""))
        return Response(shapes.CheckOut(asdict(check(server, project))).data)


def _added(request: Request, place: actions.Place) -> Response:
    wanted = shapes.McpServerChange(data=request.data)
    wanted.is_valid(raise_exception=True)
    server = actions.add_server(place, person(request), **wanted.validated_data)
    return Response(_shown(request, place.team, [server])[0], status.HTTP_201_CREATED)


def _shown(request: Request, team: Team, servers: Iterable[McpServer]) -> list[dict[str, Any]]:
    seen = shapes.McpServerOut(list(servers), many=True, context={"rights": rights_in(request.user, team)})
    return list(seen.data)


def _project_to_try_in(request: Request, server: McpServer, project_id: str) -> Project | None:
    """Raises Missing for a project of another team: its sandbox is not this server's place."""
    if server.project is not None or not project_id:
        return server.project
    project = project_for(request.user, project_id, "manage_projects")
    if project.team_id != server.team_id:
        raise Missing("No such project", "It is not a project of this server's team.")
    return project
