"""Memories as the API takes and gives them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from workspace.accounts.serializers import PersonOut
from workspace.memories.actions import TITLE_LIMIT
from workspace.memories.models import SCOPES, TYPES, Memory


class PlaceOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()


class SourceOut(serializers.Serializer[Memory]):
    session = serializers.CharField(source="source_session")
    seq = serializers.IntegerField(source="source_seq", allow_null=True)


class MemoryOut(serializers.ModelSerializer[Memory]):
    id = serializers.CharField(source="public_id")
    tags = serializers.ListField(child=serializers.CharField())
    team = PlaceOut(allow_null=True)
    project = PlaceOut(allow_null=True)
    owner = PersonOut(allow_null=True)
    source = serializers.SerializerMethodField()  # type: ignore[assignment]  # a field called as the base class calls something else
    created_by = PersonOut(allow_null=True)
    updated_by = PersonOut(allow_null=True)

    class Meta:
        model = Memory
        fields = [
            "id", "title", "content", "scope", "type", "tags", "team", "project", "owner", "source", "created", "updated",
            "created_by", "updated_by", "used_count", "last_used",
        ]  # fmt: skip

    @extend_schema_field(SourceOut(allow_null=True))
    def get_source(self, memory: Memory) -> dict[str, Any] | None:
        return dict(SourceOut(memory).data) if memory.source_session else None


class MemoryChange(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=TITLE_LIMIT)
    content = serializers.CharField(max_length=100_000, trim_whitespace=False)
    type = serializers.ChoiceField(choices=TYPES)
    tags = serializers.ListField(child=serializers.CharField(max_length=50), required=False, max_length=20)


class MemoryIn(MemoryChange):
    """`project` goes with the project's scope, `team` with the team's; a memory of the user's scope is one's own."""

    scope = serializers.ChoiceField(choices=SCOPES)
    project = serializers.CharField(required=False, allow_null=True)
    team = serializers.CharField(required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        scope = attrs["scope"]
        if scope != "user" and not attrs.get(scope):
            raise serializers.ValidationError({scope: f"Say which {scope} it belongs to."})
        return attrs
