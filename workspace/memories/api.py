"""The API of memories."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts.access import demand, person, team_for
from workspace.accounts.models import Anyone, rights_in
from workspace.errors import Missing
from workspace.fulltext.terms import read_terms
from workspace.memories import actions, recall
from workspace.memories import serializers as shapes
from workspace.memories.marks import Looked
from workspace.memories.models import SCOPES, TYPES, Memory, MemoryQuerySet
from workspace.pagination import CursorPages
from workspace.projects.access import project_for

FILTERS = {"scope": "scope", "type": "type", "project": "project__public_id", "team": "team__public_id"}


class BestFirst(CursorPages):
    """By relevance where something is searched for, else the newest first."""

    ordering = ("-updated", "-pk")
    offset_cutoff = 100_000  # of equally good ones, far more than the usual thousand

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: Any) -> tuple[str, ...]:
        return ("-relevance", *self.ordering) if read_terms(request.query_params.get("q", "")) else self.ordering


class Memories(generics.ListAPIView[Memory]):
    serializer_class = shapes.MemoryOut
    pagination_class = BestFirst

    def get_queryset(self) -> QuerySet[Memory]:
        asked = self.request.query_params
        wanted = {column: asked[name] for name, column in FILTERS.items() if asked.get(name)}
        return _with_names(Memory.objects.visible_to(self.request.user)).filter(**wanted).matching(asked.get("q", ""))

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "looked": Looked(read_terms(self.request.query_params.get("q", "")))}

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "q",
                OpenApiTypes.STR,
                description='Words in any form, "phrases", -words that must not be there; the best memories come first.',
            ),
            OpenApiParameter("scope", OpenApiTypes.STR, enum=SCOPES),
            OpenApiParameter("type", OpenApiTypes.STR, enum=TYPES),
            OpenApiParameter("project", OpenApiTypes.STR),
            OpenApiParameter("team", OpenApiTypes.STR),
        ]
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=shapes.MemoryIn, responses={201: shapes.MemoryOut}, description="A title the place already has changes that memory."
    )
    def post(self, request: Request) -> Response:
        wanted = shapes.MemoryIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        asked = wanted.validated_data
        memory = actions.write_memory(
            _belonging(request, asked), title=asked["title"], content=asked["content"], type=asked["type"],
            tags=asked.get("tags", []), by=person(request),
        )  # fmt: skip
        return Response(shapes.MemoryOut(memory).data, status.HTTP_201_CREATED)


def _with_names(found: MemoryQuerySet) -> MemoryQuerySet:
    return found.select_related("owner", "project", "team", "created_by", "updated_by")


def _belonging(request: Request, asked: dict[str, Any]) -> actions.Belonging:
    if asked["scope"] == "project":
        return actions.Belonging(project=project_for(request.user, asked["project"], "manage_memories"))
    if asked["scope"] == "team":
        return actions.Belonging(team=team_for(request.user, asked["team"], "manage_memories"))
    return actions.Belonging(owner=person(request))


class Recall(APIView):
    @extend_schema(
        request=shapes.RecallIn, responses=shapes.RecalledOut(many=True),
        description="The memories that a session which begins with this prompt would bring back.",
    )  # fmt: skip
    def post(self, request: Request, project_id: str) -> Response:
        project = project_for(request.user, project_id, "prompt")
        wanted = shapes.RecallIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        found = recall.relevant(project, person(request), wanted.validated_data["prompt"])
        return Response([memory.model_dump() for memory in recall.told(found)])


class OneMemory(APIView):
    @extend_schema(responses=shapes.MemoryOut)
    def get(self, request: Request, memory_id: str) -> Response:
        return Response(shapes.MemoryOut(_memory_for(request.user, memory_id)).data)

    @extend_schema(request=shapes.MemoryChange, responses=shapes.MemoryOut)
    def patch(self, request: Request, memory_id: str) -> Response:
        memory = _memory_to_change(request.user, memory_id)
        wanted = shapes.MemoryChange(data=request.data, partial=True)
        wanted.is_valid(raise_exception=True)
        return Response(shapes.MemoryOut(actions.change_memory(memory, person(request), **wanted.validated_data)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, memory_id: str) -> Response:
        _memory_to_change(request.user, memory_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


def _memory_for(user: Anyone, public_id: str) -> Memory:
    found = _with_names(Memory.objects.visible_to(user)).filter(public_id=public_id).first()
    if found is None:
        raise Missing("No such memory", "It was deleted, or it is not for you to see.")
    return found


def _memory_to_change(user: Anyone, public_id: str) -> Memory:
    """One's own always; another only with the right over its team."""
    memory = _memory_for(user, public_id)
    if team := memory.place():
        demand(rights_in(user, team), "manage_memories")
    return memory
