"""Memories as the API takes and gives them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from workspace.accounts.serializers import PersonOut
from workspace.memories.actions import TITLE_LIMIT
from workspace.memories.marks import Looked
from workspace.memories.models import SCOPES, TYPES, Memory

NOTHING = Looked(())
"""Outside of a search no word was looked for."""


class PlaceOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField()


class SourceOut(serializers.Serializer[Memory]):
    session = serializers.CharField(source="source_session")
    seq = serializers.IntegerField(source="source_seq", allow_null=True)


class MarksOut(serializers.Serializer[Any]):
    """Where the words searched for stand: [start, end] in characters; of tags, the numbers of those that hold one."""

    title = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    content = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    tags = serializers.ListField(child=serializers.IntegerField())


class MemoryOut(serializers.ModelSerializer[Memory]):
    id = serializers.CharField(source="public_id")
    tags = serializers.ListField(child=serializers.CharField())
    team = PlaceOut(allow_null=True)
    project = PlaceOut(allow_null=True)
    owner = PersonOut(allow_null=True)
    source = serializers.SerializerMethodField()  # type: ignore[assignment]  # a field called as the base class calls something else
    created_by = PersonOut(allow_null=True)
    updated_by = PersonOut(allow_null=True)
    why = serializers.SerializerMethodField()
    marks = serializers.SerializerMethodField()

    class Meta:
        model = Memory
        fields = [
            "id", "title", "content", "scope", "type", "tags", "team", "project", "owner", "source", "created", "updated",
            "created_by", "updated_by", "used_count", "last_used", "why", "marks",
        ]  # fmt: skip

    @extend_schema_field(SourceOut(allow_null=True))
    def get_source(self, memory: Memory) -> dict[str, Any] | None:
        return dict(SourceOut(memory).data) if memory.source_session else None

    @property
    def _looked(self) -> Looked:
        looked: Looked = self.context.get("looked", NOTHING)
        return looked

    def get_why(self, memory: Memory) -> str:
        """What of the search it holds; empty outside of one."""
        return self._looked.why(memory)

    @extend_schema_field(MarksOut)
    def get_marks(self, memory: Memory) -> dict[str, Any]:
        return asdict(self._looked.marks(memory))


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


class RecallIn(serializers.Serializer[Any]):
    prompt = serializers.CharField(max_length=100_000, trim_whitespace=False, allow_blank=True)


class RecalledOut(serializers.Serializer[Any]):
    """A memory that a session would begin with, as its agent would be told of it."""

    memory_id = serializers.CharField()
    title = serializers.CharField()
    content = serializers.CharField()
    why = serializers.CharField()
    scope = serializers.ChoiceField(choices=SCOPES)
