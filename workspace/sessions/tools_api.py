"""The API of tools: what a session can be given (toolsets, workflows, protocols), and which tools agents have in a project."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from agents.protocols import PROTOCOLS
from agents.tools.descriptions import page
from agents.tools.own import furnished
from agents.tools.registry import TOOLSETS
from agents.workflows import WORKFLOWS
from workspace.errors import Missing
from workspace.projects.access import project_for
from workspace.sessions import tool_shapes as shapes
from workspace.sessions.api import parameter
from workspace.sessions.toolbox import brief_toolsets, project_tools, toolsets


class Toolsets(APIView):
    @extend_schema(responses=shapes.ToolsetOut(many=True))
    def get(self, request: Request) -> Response:
        return Response(toolsets())


class BriefToolsets(APIView):
    @extend_schema(responses=shapes.BriefToolsetOut(many=True))
    def get(self, request: Request) -> Response:
        return Response(brief_toolsets())


class Descriptions(APIView):
    @extend_schema(
        parameters=[parameter("model", "a model's name: its tools are described as it is told of them")],
        responses={(200, "text/markdown"): OpenApiResponse(OpenApiTypes.STR, description="a page on the toolset's tools, to keep")},
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        """As a file."""
        if name not in TOOLSETS:
            raise Missing(f"There is no toolset {name!r}. Toolsets: {', '.join(TOOLSETS)}.")
        text = page(TOOLSETS[name], furnished(name), request.query_params.get("model", ""))
        return HttpResponse(
            text, content_type="text/markdown; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}-tools.md"'}
        )


class Workflows(APIView):
    @extend_schema(responses=shapes.WorkflowOut(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.WorkflowOut(WORKFLOWS.values(), many=True).data)


class Protocols(APIView):
    @extend_schema(responses=shapes.ProtocolOut(many=True))
    def get(self, request: Request) -> Response:
        return Response(shapes.ProtocolOut(PROTOCOLS.values(), many=True).data)


class ProjectTools(APIView):
    @extend_schema(responses=shapes.ProjectToolsOut)
    def get(self, request: Request, project_id: str) -> Response:
        told: dict[str, Any] = project_tools(project_for(request.user, project_id))
        return Response(told)
