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
from workspace.memories import actions
from workspace.memories import serializers as shapes
from workspace.memories.models import SCOPES, TYPES, Memory, MemoryQuerySet
from workspace.pagination import CursorPages
from workspace.projects.access import project_for

FILTERS = {"scope": "scope", "type": "type", "project": "project__public_id", "team": "team__public_id"}


class BestFirst(CursorPages):
    ordering = ("-hits", "-updated", "-pk")


class Memories(generics.ListAPIView[Memory]):
    serializer_class = shapes.MemoryOut
    pagination_class = BestFirst

    def get_queryset(self) -> QuerySet[Memory]:
        asked = self.request.query_params
        wanted = {column: asked[name] for name, column in FILTERS.items() if asked.get(name)}
        return _with_names(Memory.objects.visible_to(self.request.user)).filter(**wanted).matching(asked.get("q", ""))

    @extend_schema(
        parameters=[
            OpenApiParameter("q", OpenApiTypes.STR, description="Words; the memories with most of them come first."),
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
