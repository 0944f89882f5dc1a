"""Projects, their rules and their files, as the API takes and gives them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from agents.protocols import PROTOCOLS
from agents.providers.catalog import PROVIDERS
from agents.tools.profiles import PROFILES
from agents.tools.registry import TOOLSETS
from agents.workflows import WORKFLOWS
from workspace.accounts.rights import ALL_RIGHTS, RIGHTS
from workspace.projects.confinement import confinement_of
from workspace.projects.features import complaint_about_features
from workspace.projects.models import LEVELS, Project, Rule
from workspace.projects.rules import complaint_about_pattern, complaint_about_tool

NO_PROFILE = f"{{input}} is no profile. Profiles: {', '.join(PROFILES)}; leave it empty for the installation's."


class TeamNameOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()


class SandboxOut(serializers.Serializer[Any]):
    level = serializers.CharField()
    note = serializers.CharField()
    warning = serializers.CharField(allow_blank=True)


class ProjectOut(serializers.ModelSerializer[Project]):
    id = serializers.CharField(source="public_id")
    team = TeamNameOut()
    rights = serializers.SerializerMethodField()
    sandbox = serializers.SerializerMethodField()
    session_count = serializers.IntegerField()
    workflow = serializers.CharField(allow_blank=True)
    profile = serializers.CharField(allow_blank=True)
    features = serializers.DictField(child=serializers.BooleanField())

    class Meta:
        model = Project
        fields = [
            "id", "name", "slug", "description", "team", "rights", "network", "sandbox_level", "sandbox", "provider", "model", "toolset",
            "workflow", "protocol", "profile", "features", "bash_interceptor", "created", "archived", "session_count",
        ]  # fmt: skip

    def get_rights(self, project: Project) -> list[str]:
        rights = RIGHTS[project.role]  # type: ignore[attr-defined]  # `as_seen_by` puts it there
        return [right for right in ALL_RIGHTS if right in rights]

    @extend_schema_field(SandboxOut)
    def get_sandbox(self, project: Project) -> dict[str, Any]:
        return dict(SandboxOut(confinement_of(project)).data)


class SourceIn(serializers.Serializer[Any]):
    """`url` goes with git, `path` with path; with archive the file comes in the form field `archive`."""

    kind = serializers.ChoiceField(choices=["empty", "archive", "git", "path"])
    url = serializers.CharField(required=False, allow_blank=True, max_length=2000)
    path = serializers.CharField(required=False, allow_blank=True, max_length=4000)


class ChoicesIn(serializers.Serializer[Any]):
    """Which model works here, and with which tools; how it works (empty: as the toolset has it), and how it says its calls."""

    provider = serializers.ChoiceField(choices=list(PROVIDERS), required=False)
    model = serializers.CharField(required=False, allow_blank=True, max_length=200)
    toolset = serializers.ChoiceField(choices=list(TOOLSETS), required=False)
    workflow = serializers.ChoiceField(choices=list(WORKFLOWS), required=False, allow_blank=True)
    protocol = serializers.ChoiceField(choices=list(PROTOCOLS), required=False)


class ProjectIn(ChoicesIn):
    team = serializers.CharField()
    name = serializers.CharField(max_length=100)
    description = serializers.CharField(required=False, allow_blank=True, default="", max_length=10_000)
    source = SourceIn(required=False)  # type: ignore[assignment]  # a field called as the base class calls something else


class ProjectUpload(ChoicesIn):
    """The same as a multipart form, for an archive."""

    team = serializers.CharField()
    name = serializers.CharField(max_length=100)
    description = serializers.CharField(required=False, allow_blank=True, default="", max_length=10_000)
    archive = serializers.FileField()


class ProjectChange(ChoicesIn):
    name = serializers.CharField(required=False, max_length=100)
    description = serializers.CharField(required=False, allow_blank=True, max_length=10_000)
    network = serializers.BooleanField(required=False)
    sandbox_level = serializers.ChoiceField(required=False, allow_blank=True, choices=LEVELS[1:])
    archived = serializers.BooleanField(required=False)
    profile = serializers.ChoiceField(
        required=False, allow_blank=True, choices=list(PROFILES), error_messages={"invalid_choice": NO_PROFILE}
    )
    features = serializers.DictField(required=False, child=serializers.BooleanField())
    bash_interceptor = serializers.BooleanField(required=False)

    def validate_features(self, features: dict[str, bool]) -> dict[str, bool]:
        if complaint := complaint_about_features(features):
            raise serializers.ValidationError(complaint)
        return features


class RuleShape(serializers.ModelSerializer[Rule]):
    class Meta:
        model = Rule
        fields = ["tool", "pattern", "action"]
        extra_kwargs = {"pattern": {"required": False, "default": "*", "trim_whitespace": False}}

    def validate_tool(self, tool: str) -> str:
        if complaint := complaint_about_tool(tool):
            raise serializers.ValidationError(complaint)
        return tool

    def validate_pattern(self, pattern: str) -> str:
        if complaint := complaint_about_pattern(pattern):
            raise serializers.ValidationError(complaint)
        return pattern


class TreeEntryOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    path = serializers.CharField()
    kind = serializers.ChoiceField(choices=["file", "folder", "other"])
    size = serializers.IntegerField()
    modified = serializers.DateTimeField()


class TreeOut(serializers.Serializer[Any]):
    path = serializers.CharField()
    entries = TreeEntryOut(many=True)


class FileOut(serializers.Serializer[Any]):
    path = serializers.CharField()
    size = serializers.IntegerField()
    binary = serializers.BooleanField()
    text = serializers.CharField(allow_blank=True)
    truncated = serializers.BooleanField()


class ChangeOut(serializers.Serializer[Any]):
    path = serializers.CharField()
    change = serializers.ChoiceField(choices=["created", "modified", "deleted", "renamed"])
    added = serializers.IntegerField()
    removed = serializers.IntegerField()
    diff = serializers.CharField(allow_blank=True)


class DiffOut(serializers.Serializer[Any]):
    files = ChangeOut(many=True)
    added = serializers.IntegerField()
    removed = serializers.IntegerField()
