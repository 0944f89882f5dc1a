"""Addresses of the API of projects, below /api/."""

from __future__ import annotations

from django.urls import path

from workspace.projects import api

urlpatterns = [
    path("projects/", api.Projects.as_view()),
    path("projects/<str:project_id>/", api.OneProject.as_view()),
    path("projects/<str:project_id>/rules/", api.Rules.as_view()),
    path("projects/<str:project_id>/tree/", api.Tree.as_view()),
    path("projects/<str:project_id>/file/", api.File.as_view()),
    path("projects/<str:project_id>/diff/", api.Diff.as_view()),
]
