"""Addresses of the API of memories, below /api/."""

from __future__ import annotations

from django.urls import path

from workspace.memories import api

urlpatterns = [
    path("memories/", api.Memories.as_view()),
    path("projects/<str:project_id>/recall/", api.Recall.as_view()),
    path("memories/<str:memory_id>/", api.OneMemory.as_view()),
]
