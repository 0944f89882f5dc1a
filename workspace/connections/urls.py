"""Addresses of the API of MCP servers and forges, below /api/."""

from __future__ import annotations

from django.urls import path

from workspace.connections import api, forges_api

urlpatterns = [
    path("teams/<str:team_id>/mcp-servers/", api.TeamServers.as_view()),
    path("projects/<str:project_id>/mcp-servers/", api.ProjectServers.as_view()),
    path("mcp-servers/<str:server_id>/", api.OneServer.as_view()),
    path("mcp-servers/<str:server_id>/check/", api.Check.as_view()),
    path("projects/<str:project_id>/forge/", forges_api.ProjectForge.as_view()),
    path("projects/<str:project_id>/forge/check/", forges_api.CheckForge.as_view()),
]
