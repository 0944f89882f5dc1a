"""Comparisons as the API takes and gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from workspace.accounts.serializers import PersonOut
from workspace.comparisons import naming
from workspace.comparisons.figures import Figures
from workspace.comparisons.models import SIDES, Comparison, Side
from workspace.projects.serializers import TeamNameOut
from workspace.sessions.models import Session
from workspace.sessions.serializers import NamedOut


class FiguresOut(serializers.Serializer[Any]):
    """What a side's work came to, its sub-agents' included. `files` is null until somebody has looked at the comparison.

    `cost` is in dollars and leaves out the `unpriced` replies, whose price nobody knows; `seconds` are of work, without waiting for people.
    """

    replies = serializers.IntegerField()
    tool_calls = serializers.IntegerField()
    failed_calls = serializers.IntegerField()
    refused_replies = serializers.IntegerField()
    input = serializers.IntegerField()
    output = serializers.IntegerField()
    cost = serializers.FloatField()
    unpriced = serializers.IntegerField()
    seconds = serializers.FloatField()
    files = serializers.IntegerField(allow_null=True)
    added = serializers.IntegerField()
    removed = serializers.IntegerField()


class SideOut(serializers.Serializer[Any]):
    """One session of the two; `label` says what sets it apart.

    `status` is its run's state, `asks` how much waits for people, `phase` "" outside of a workflow's phases.
    """

    session = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a declared field is no attribute
    title = serializers.CharField()
    toolset = serializers.CharField()
    workflow = serializers.CharField()
    protocol = serializers.CharField()
    status = serializers.CharField()
    asks = serializers.IntegerField()
    phase = serializers.CharField(allow_blank=True)
    cycle = serializers.IntegerField()
    worktree = serializers.ChoiceField(choices=["open", "landed", "dropped"])
    branch = serializers.CharField()
    figures = FiguresOut()


class ComparisonOut(serializers.ModelSerializer[Comparison]):
    """`base` is the commit both worktrees began with. `outcome`: the side that was landed, both, none of them, or "" where that is open."""

    id = serializers.CharField(source="public_id")
    project = NamedOut()
    team = TeamNameOut(source="project.team")
    created_by = PersonOut(allow_null=True)
    outcome = serializers.SerializerMethodField()
    left = serializers.SerializerMethodField()
    right = serializers.SerializerMethodField()

    class Meta:
        model = Comparison
        fields = [
            "id", "title", "prompt", "project", "team", "created_by", "provider", "model", "base", "created", "outcome", "left", "right",
        ]  # fmt: skip

    def get_outcome(self, comparison: Comparison) -> str:
        states = {side: _worktree(comparison.session(side)) for side in SIDES}
        landed = [side for side in SIDES if states[side] == "landed"]
        if landed:
            return "both" if len(landed) == len(SIDES) else landed[0]
        return "" if "open" in states.values() else "none"

    @extend_schema_field(SideOut)
    def get_left(self, comparison: Comparison) -> dict[str, Any]:
        return self._side(comparison, "left")

    @extend_schema_field(SideOut)
    def get_right(self, comparison: Comparison) -> dict[str, Any]:
        return self._side(comparison, "right")

    def _side(self, comparison: Comparison, side: Side) -> dict[str, Any]:
        session = comparison.session(side)
        figures: Mapping[int, Figures] = self.context["figures"]
        view, labels = session.view, naming.labels(comparison.left.view, comparison.right.view)
        told = {
            "session": session.public_id, "label": labels[SIDES.index(side)], "title": view.title,
            "status": session.status, "asks": session.asks,
            "toolset": view.toolset, "workflow": view.workflow, "protocol": view.protocol,
            "phase": view.phase.phase, "cycle": view.phase.cycle,
            "worktree": _worktree(session), "branch": view.worktree.branch if view.worktree else "",
            "figures": vars(figures[session.pk]),
        }  # fmt: skip
        return dict(SideOut(told).data)


def _worktree(session: Session) -> str:
    return session.view.worktree.state if session.view.worktree else "dropped"


class KeepIn(serializers.Serializer[Any]):
    """`hash` is what the diff of that side's session named: where its files are others by now, nothing is landed."""

    side = serializers.ChoiceField(choices=SIDES)
    hash = serializers.CharField(max_length=64)


class DropIn(serializers.Serializer[Any]):
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=10_000)
