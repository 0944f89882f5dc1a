"""MCP servers and forges as the API takes and gives them."""

from __future__ import annotations

import re
from typing import Any

from rest_framework import serializers

from agents.forges.place import KINDS
from workspace.accounts.rights import Right
from workspace.connections.models import TRANSPORTS, Forge, McpServer
from workspace.connections.secrets import REFERENCE

HIDDEN = "…"
PLAIN = re.compile(rf"(?:{REFERENCE.pattern}|Bearer |Basic |Token )+")
"""Values in which nothing can be read: only names of secrets, and the words before them."""


class McpServerOut(serializers.ModelSerializer[McpServer]):
    """Whoever may not change a server sees the names of its variables and headers, and of the secrets in them, but no other value."""

    id = serializers.CharField(source="public_id")
    scope = serializers.ChoiceField(choices=["team", "project"])
    command = serializers.ListField(child=serializers.CharField())
    env = serializers.SerializerMethodField()
    headers = serializers.SerializerMethodField()
    tool_count = serializers.SerializerMethodField()

    class Meta:
        model = McpServer
        fields = [
            "id", "name", "description", "scope", "transport", "command", "url", "env", "headers", "enabled", "created", "listed",
            "tool_count",
        ]  # fmt: skip

    def get_env(self, server: McpServer) -> dict[str, str]:
        return self._shown(server, server.env)

    def get_headers(self, server: McpServer) -> dict[str, str]:
        return self._shown(server, server.headers)

    def get_tool_count(self, server: McpServer) -> int:
        return len(server.tools)

    def _shown(self, server: McpServer, values: dict[str, str]) -> dict[str, str]:
        rights: frozenset[Right] = self.context["rights"]
        if server.managed_by in rights:
            return values
        return {name: value if PLAIN.fullmatch(value) else HIDDEN for name, value in values.items()}


class McpServerChange(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100)
    description = serializers.CharField(max_length=500, required=False, allow_blank=True)
    transport = serializers.ChoiceField(choices=[name for name, _ in TRANSPORTS])
    command = serializers.ListField(child=serializers.CharField(max_length=2000, trim_whitespace=False), required=False, max_length=100)
    url = serializers.CharField(max_length=1000, required=False, allow_blank=True)
    env = serializers.DictField(child=serializers.CharField(max_length=8000, allow_blank=True, trim_whitespace=False), required=False)
    headers = serializers.DictField(child=serializers.CharField(max_length=8000, allow_blank=True), required=False)
    enabled = serializers.BooleanField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for field in ("env", "headers"):
            if len(attrs.get(field, {})) > 100:
                raise serializers.ValidationError({field: "At most 100 of them."})
        return attrs


class CheckIn(serializers.Serializer[Any]):
    """In whose sandbox a team's program is tried; an empty folder's when none is named."""

    project = serializers.CharField(required=False)


class ToolOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    description = serializers.CharField()


class ResourceOut(serializers.Serializer[Any]):
    uri = serializers.CharField()
    name = serializers.CharField()


class CheckOut(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    error = serializers.CharField(allow_blank=True)
    tools = ToolOut(many=True)
    resources = ResourceOut(many=True)
    seconds = serializers.FloatField()


class ForgeOut(serializers.ModelSerializer[Forge]):
    """All of it is empty where the project is connected to no forge."""

    kind = serializers.CharField(allow_blank=True)
    repository = serializers.CharField(allow_blank=True)

    class Meta:
        model = Forge
        fields = ["kind", "base_url", "repository", "secret"]


class ForgeIn(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=list(KINDS))
    base_url = serializers.CharField(max_length=1000, required=False, allow_blank=True, default="")
    repository = serializers.CharField(max_length=201)
    secret = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")


class ForgeCheckOut(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    error = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
