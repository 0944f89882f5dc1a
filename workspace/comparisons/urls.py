"""Addresses of the API of comparisons, below /api/."""

from __future__ import annotations

from django.urls import path

from workspace.comparisons import api

urlpatterns = [
    path("comparisons/", api.Comparisons.as_view()),
    path("comparisons/<str:comparison_id>/", api.OneComparison.as_view()),
    path("comparisons/<str:comparison_id>/keep/", api.Keep.as_view()),
    path("comparisons/<str:comparison_id>/drop/", api.Drop.as_view()),
    path("projects/<str:project_id>/comparisons/", api.ProjectComparisons.as_view()),
]
