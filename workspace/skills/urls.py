"""Addresses of the API of skills, below /api/."""

from __future__ import annotations

from django.urls import path

from workspace.skills import api

urlpatterns = [
    path("skills/", api.Skills.as_view()),
    path("skills/<str:skill_id>/", api.OneSkill.as_view()),
    path("skills/<str:skill_id>/file/", api.SkillFile.as_view()),
    path("projects/<str:project_id>/skills/", api.ProjectSkills.as_view()),
]
