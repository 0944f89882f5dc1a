"""The API of comparisons."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import ValidationError
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts.access import person
from workspace.comparisons import actions
from workspace.comparisons import serializers as shapes
from workspace.comparisons.figures import figures_of
from workspace.comparisons.models import Comparison
from workspace.errors import Missing
from workspace.pagination import CursorPages
from workspace.projects.access import project_for
from workspace.sessions import doors


def told(comparison: Comparison) -> Any:
    """One comparison with its figures, the files of its worktrees looked at again where that is due."""
    figures = figures_of([comparison.left, comparison.right], compare=True)
    return shapes.ComparisonOut(comparison, context={"figures": figures}).data


class Newest(CursorPages):
    ordering = ("-created", "-pk")
    page_size = 20
    max_page_size = 50


class Comparisons(generics.ListAPIView[Comparison]):
    """Those one may see, the newest first; their figures are as somebody last saw them where telling them anew would read files."""

    serializer_class = shapes.ComparisonOut
    pagination_class = Newest

    def get_queryset(self) -> QuerySet[Comparison]:
        found = Comparison.objects.visible_to(self.request.user).with_names()
        asked = self.request.query_params
        if asked.get("project"):
            found = found.filter(project__public_id=asked["project"])
        return found.with_side(asked["session"]) if asked.get("session") else found

    def paginate_queryset(self, queryset: Any) -> Any:
        page: list[Comparison] = super().paginate_queryset(queryset) or []
        self.figures = figures_of([session for one in page for session in (one.left, one.right)])
        return page

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "figures": getattr(self, "figures", {})}

    @extend_schema(
        parameters=[
            OpenApiParameter("project", OpenApiTypes.STR),
            OpenApiParameter("session", OpenApiTypes.STR, description="The one that this session is a side of."),
        ]
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class ProjectComparisons(Comparisons):
    def get_queryset(self) -> QuerySet[Comparison]:
        project = project_for(self.request.user, self.kwargs["project_id"])
        return Comparison.objects.visible_to(self.request.user).with_names().filter(project=project)

    @extend_schema(operation_id="projects_comparisons_list", parameters=[])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(request=actions.Compare, responses={201: shapes.ComparisonOut})
    def post(self, request: Request, project_id: str) -> Response:
        """Begin one: both sides are at work at once. They must differ in toolset, workflow or protocol."""
        project = project_for(request.user, project_id, "prompt")
        try:
            wish = actions.Compare.model_validate(request.data)
        except ValidationError as wrong:
            raise doors.invalid(wrong) from wrong
        return Response(told(actions.compare(project, person(request), wish)), status.HTTP_201_CREATED)


class ComparisonView(APIView):
    """A view of one comparison that the person may see."""

    def comparison(self) -> Comparison:
        visible = Comparison.objects.visible_to(self.request.user).with_names()
        found = visible.filter(public_id=self.kwargs["comparison_id"]).first()
        if found is None:
            raise Missing("No such comparison", "It does not exist, or it is not for you to see.")
        return found


class OneComparison(ComparisonView):
    @extend_schema(responses=shapes.ComparisonOut)
    def get(self, request: Request, comparison_id: str) -> Response:
        return Response(told(self.comparison()))


class Keep(ComparisonView):
    @extend_schema(request=shapes.KeepIn, responses=shapes.ComparisonOut)
    def post(self, request: Request, comparison_id: str) -> Response:
        """Land the worktree of one side in the project's files, and drop the other's."""
        wanted = shapes.KeepIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        actions.keep(self.comparison(), person(request), wanted.validated_data["side"], wanted.validated_data["hash"])
        return Response(told(self.comparison()))


class Drop(ComparisonView):
    @extend_schema(request=shapes.DropIn, responses=shapes.ComparisonOut)
    def post(self, request: Request, comparison_id: str) -> Response:
        """Drop the worktrees of both sides, or of the one that is still to be decided on."""
        wanted = shapes.DropIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        actions.drop(self.comparison(), person(request), wanted.validated_data["reason"])
        return Response(told(self.comparison()))
