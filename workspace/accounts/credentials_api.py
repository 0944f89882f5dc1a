"""The API of API tokens, provider keys, named secrets, and the providers that keys open."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts import credentials
from workspace.accounts import serializers as shapes
from workspace.accounts.access import demand, person, team_for
from workspace.accounts.models import ApiToken, ProviderKey, Secret, rights_in
from workspace.accounts.providers import KNOWN, describe_providers
from workspace.errors import Forbidden, Invalid, Missing
from workspace.pagination import CursorPages


class NewestFirst(CursorPages):
    ordering = ("-created", "-pk")


class Tokens(generics.ListAPIView[ApiToken]):
    serializer_class = shapes.TokenOut
    pagination_class = NewestFirst

    def get_queryset(self) -> QuerySet[ApiToken]:
        return ApiToken.objects.filter(user=person(self.request))

    @extend_schema(request=shapes.TokenIn, responses={201: shapes.NewTokenOut})
    def post(self, request: Request) -> Response:
        if isinstance(request.auth, ApiToken):
            raise Forbidden("A token cannot make tokens", "Make it in the browser, signed in as yourself.")
        wanted = shapes.TokenIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        row, token = credentials.create_token(person(request), wanted.validated_data["name"])
        return Response({**shapes.TokenOut(row).data, "token": token}, status.HTTP_201_CREATED)


class OneToken(APIView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, token_id: str) -> Response:
        gone, _ = ApiToken.objects.filter(user=person(request), public_id=token_id).delete()
        if not gone:
            raise Missing("No such token")
        return Response(status=status.HTTP_204_NO_CONTENT)


class ProviderKeys(generics.ListAPIView[ProviderKey]):
    serializer_class = shapes.ProviderKeyOut
    pagination_class = NewestFirst

    def get_queryset(self) -> QuerySet[ProviderKey]:
        return team_for(self.request.user, self.kwargs["team_id"], "manage_members").provider_keys.all()

    @extend_schema(request=shapes.ProviderKeyIn, responses={201: shapes.ProviderKeyOut})
    def post(self, request: Request, team_id: str) -> Response:
        team = team_for(request.user, team_id, "manage_members")
        wanted = shapes.ProviderKeyIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        asked = wanted.validated_data
        if asked["provider"] not in KNOWN:
            raise Invalid("No such provider", f"Known are {', '.join(sorted(KNOWN))}.", fields={"provider": ["Not known."]})
        row = credentials.store_provider_key(team, person(request), **asked)
        return Response(shapes.ProviderKeyOut(row).data, status.HTTP_201_CREATED)


class OneProviderKey(APIView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, team_id: str, key_id: str) -> Response:
        team = team_for(request.user, team_id, "manage_members")
        gone, _ = team.provider_keys.filter(public_id=key_id).delete()
        if not gone:
            raise Missing("No such key")
        return Response(status=status.HTTP_204_NO_CONTENT)


class Secrets(APIView):
    @extend_schema(responses=shapes.SecretOut(many=True))
    def get(self, request: Request, team_id: str) -> Response:
        kept = team_for(request.user, team_id, "manage_members").secrets.order_by("name")
        return Response(shapes.SecretOut(kept, many=True).data)

    @extend_schema(
        request=shapes.SecretIn, responses={201: shapes.SecretOut}, description="A name the team already has gets the new value."
    )
    def post(self, request: Request, team_id: str) -> Response:
        team = team_for(request.user, team_id, "manage_members")
        wanted = shapes.SecretIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        row = credentials.store_secret(team, person(request), **wanted.validated_data)
        return Response(shapes.SecretOut(row).data, status.HTTP_201_CREATED)


class OneSecret(APIView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, secret_id: str) -> Response:
        found = Secret.objects.visible_to(request.user).filter(public_id=secret_id).first()
        if found is None:
            raise Missing("No such secret")
        demand(rights_in(request.user, found.team), "manage_members")
        found.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class Providers(APIView):
    @extend_schema(
        parameters=[OpenApiParameter("team", OpenApiTypes.STR, required=True)],
        responses=shapes.ProviderOut(many=True),
    )
    def get(self, request: Request) -> Response:
        team = team_for(request.user, request.query_params.get("team", ""))
        return Response(shapes.ProviderOut(describe_providers(team), many=True).data)
