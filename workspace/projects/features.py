"""Which feature groups a project's agents have: what the installation chose, and what the project chose over it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from django.conf import settings

from agents.tools.own import furnished
from agents.tools.profiles import CORE, GROUPS, Choice, Selection, choice_of_variables, select
from agents.tools.registry import TOOLSETS
from agents.tools.tool import Tool

if TYPE_CHECKING:  # `manage.py tool` asks for the installation's choice without apps and models
    from workspace.projects.models import Project


def installation() -> Choice:
    """The operator's choice, as the environment says it."""
    return choice_of_variables(settings.TOOL_PROFILE, settings.TOOL_FEATURES)


def selection_of(project: Project) -> Selection:
    """What holds in this project."""
    return select(installation(), Choice(project.profile, project.features))


def tools_by_hand(toolset: str, profile: str | None) -> dict[str, type[Tool]]:
    """The tools where no project chooses, by name: all there are, unless a profile is named or the environment says anything."""
    chosen = installation()
    usual = "standard" if chosen.features else "full"
    return select(replace(chosen, profile=profile or chosen.profile or usual)).among(furnished(toolset))


def switches() -> list[str]:
    """The groups one may switch on and off, those of a team's own tools among them."""
    own = {tool.group for name in TOOLSETS for tool in furnished(name).values()}
    return [group for group in (*GROUPS, *sorted(own - set(GROUPS))) if group != CORE]


def complaint_about_features(groups: Iterable[str]) -> str:
    """What is wrong with switching these groups, "" when nothing is."""
    known = switches()
    odd = [group for group in groups if group not in known]
    if CORE in odd:
        return f"{CORE} cannot be switched off. The others: {', '.join(known)}."
    return f"There is no feature group {odd[0]!r}. Groups: {', '.join(known)}." if odd else ""
