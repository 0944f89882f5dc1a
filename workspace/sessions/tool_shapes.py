"""Toolsets and a project's tools, as the API gives them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class NamedToolsOut(serializers.Serializer[Any]):
    """A profile, or a feature group, and the names of its tools."""

    name = serializers.CharField()
    tools = serializers.ListField(child=serializers.CharField())


class ToolsetToolOut(serializers.Serializer[Any]):
    """A tool as it is for everybody. `parameters` is a JSON Schema; `asks` is what happens where no rule matches."""

    name = serializers.CharField()
    description = serializers.CharField()
    parameters = serializers.DictField()
    aliases = serializers.ListField(child=serializers.CharField())
    keywords = serializers.ListField(child=serializers.CharField())
    group = serializers.CharField()
    always_load = serializers.BooleanField()
    strict = serializers.BooleanField()
    read_only = serializers.BooleanField()  # type: ignore[assignment]  # a field called as the base class calls something else
    asks = serializers.ChoiceField(choices=["allow", "ask"])


class ToolsetOut(serializers.Serializer[Any]):
    """A toolset as it is for everybody; `about` says in a line what sets it apart.

    `workflow` is how its agents work where nobody chooses; `part_of` the toolset of which it is a smaller set, else "".
    """

    name = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    workflow = serializers.CharField()
    part_of = serializers.CharField(allow_blank=True)
    profiles = NamedToolsOut(many=True)
    groups = NamedToolsOut(many=True)
    tools = ToolsetToolOut(many=True)


class BriefToolsetOut(serializers.Serializer[Any]):
    """A toolset for those who choose one; `tools` is how many it has."""

    name = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    workflow = serializers.CharField()
    part_of = serializers.CharField(allow_blank=True)
    tools = serializers.IntegerField()


class ProtocolOut(serializers.Serializer[Any]):
    """A way in which a model says its calls; `about` says in a line for which models it is right."""

    name = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()


class WorkflowOut(ProtocolOut):
    """A way to go about a run. `phases` are those of one cycle, in order; none where there is nothing but the step."""

    phases = serializers.ListField(child=serializers.CharField())


class GroupOut(NamedToolsOut):
    """A feature group in one project. `locked`: a project cannot switch it, as it belongs to the core or the operator switched it off."""

    on = serializers.BooleanField()
    locked = serializers.BooleanField()


class ProjectToolOut(serializers.Serializer[Any]):
    """A tool that agents have in one project. `origin` is the toolset's name, "own" or "mcp:" and a server's name."""

    name = serializers.CharField()
    description = serializers.CharField()
    group = serializers.CharField()
    origin = serializers.CharField()
    offered = serializers.ChoiceField(choices=["always", "searched"])


class ProjectToolsOut(serializers.Serializer[Any]):
    """`profile` is what holds; `chosen_profile` is the project's own choice, "" where it leaves that to the installation."""

    profile = serializers.CharField()
    chosen_profile = serializers.CharField(allow_blank=True)
    groups = GroupOut(many=True)
    tools = ProjectToolOut(many=True)
