"""Skills as the API takes and gives them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from workspace.accounts.serializers import PersonOut
from workspace.projects.serializers import TeamNameOut
from workspace.skills.bundle import FILES_LIMIT
from workspace.skills.models import SCOPES

SOURCES = ["builtin", "user", "team", "project"]


class SkillOut(serializers.Serializer[Any]):
    """`overridden_by` names the source whose skill of the same name counts instead, "" where this one counts.

    `uploaded` and `uploaded_by` are null for what ships with the product; `size` is in bytes.
    """

    id = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    source = serializers.ChoiceField(choices=SOURCES)  # type: ignore[assignment]  # a field called as the base class calls something else
    team = TeamNameOut(allow_null=True)
    owner = PersonOut(allow_null=True)
    uploaded = serializers.DateTimeField(allow_null=True)
    uploaded_by = PersonOut(allow_null=True)
    file_count = serializers.IntegerField()
    size = serializers.IntegerField()
    complaint = serializers.CharField(allow_blank=True)
    overridden_by = serializers.CharField(allow_blank=True)


class SkillFileOut(serializers.Serializer[Any]):
    path = serializers.CharField()
    size = serializers.IntegerField()


class OpenedSkillOut(SkillOut):
    """`text` is its SKILL.md without the head."""

    text = serializers.CharField(allow_blank=True)
    files = SkillFileOut(many=True)


class SkillUpload(serializers.Serializer[Any]):
    """Either an `archive` (zip or tar), or `files` with their `paths` in the same order; `team` goes with the team's scope."""

    scope = serializers.ChoiceField(choices=SCOPES)
    team = serializers.CharField(required=False, allow_blank=True)
    archive = serializers.FileField(required=False, allow_empty_file=True)
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), required=False, allow_empty=False, max_length=2 * FILES_LIMIT
    )
    paths = serializers.ListField(
        child=serializers.CharField(max_length=4000, trim_whitespace=False), required=False, max_length=2 * FILES_LIMIT
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["scope"] == "team" and not attrs.get("team"):
            raise serializers.ValidationError({"team": "Say which team it belongs to."})
        if ("archive" in attrs) == ("files" in attrs):
            raise serializers.ValidationError({"archive": "Send either an archive or files."})
        if "files" in attrs and len(attrs.get("paths") or attrs["files"]) != len(attrs["files"]):
            raise serializers.ValidationError({"paths": "Give a path for each of the files, in their order."})
        return attrs


class ProjectSkillOut(serializers.Serializer[Any]):
    """`id` is "" for a skill that lies in the workspace: `folder` says where. What is not `on` no agent finds."""

    id = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    source = serializers.ChoiceField(choices=SOURCES)  # type: ignore[assignment]  # a field called as the base class calls something else
    folder = serializers.CharField(allow_blank=True)
    on = serializers.BooleanField()
    complaint = serializers.CharField(allow_blank=True)
    overridden_by = serializers.CharField(allow_blank=True)


class SwitchIn(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=200)
    on = serializers.BooleanField()
