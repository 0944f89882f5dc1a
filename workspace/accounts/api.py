"""The API of people: who I am, my teams, who is in them."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workspace.accounts import actions
from workspace.accounts import serializers as shapes
from workspace.accounts.access import demand, person, team_for
from workspace.accounts.models import Membership, rights_in
from workspace.errors import Missing
from workspace.pagination import CursorPages


class ByName(CursorPages):
    ordering = ("team__name", "pk")


class ByJoining(CursorPages):
    ordering = ("joined", "pk")


class Me(APIView):
    @extend_schema(responses=shapes.MeOut)
    def get(self, request: Request) -> Response:
        return Response(shapes.MeOut(person(request)).data)

    @extend_schema(request=shapes.MeIn, responses=shapes.MeOut)
    def patch(self, request: Request) -> Response:
        wanted = shapes.MeIn(person(request), data=request.data, partial=True)
        wanted.is_valid(raise_exception=True)
        return Response(shapes.MeOut(wanted.save()).data)


class Teams(generics.ListAPIView[Membership]):
    serializer_class = shapes.TeamOut
    pagination_class = ByName

    def get_queryset(self) -> QuerySet[Membership]:
        return Membership.objects.filter(user=person(self.request)).select_related("team")

    @extend_schema(request=shapes.TeamIn, responses={201: shapes.TeamOut})
    def post(self, request: Request) -> Response:
        wanted = shapes.TeamIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        team = actions.create_team(person(request), wanted.validated_data["name"])
        return Response(shapes.TeamOut(team.memberships.get(user=person(request))).data, status.HTTP_201_CREATED)


class OneTeam(APIView):
    @extend_schema(responses=shapes.TeamOut)
    def get(self, request: Request, team_id: str) -> Response:
        team = team_for(request.user, team_id)
        return Response(shapes.TeamOut(team.memberships.get(user=person(request))).data)

    @extend_schema(request=shapes.TeamIn, responses=shapes.TeamOut)
    def patch(self, request: Request, team_id: str) -> Response:
        team = team_for(request.user, team_id, "manage_members")
        wanted = shapes.TeamIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        actions.rename_team(team, wanted.validated_data["name"])
        return Response(shapes.TeamOut(team.memberships.get(user=person(request))).data)


class Members(generics.ListAPIView[Membership]):
    serializer_class = shapes.MemberOut
    pagination_class = ByJoining

    def get_queryset(self) -> QuerySet[Membership]:
        return team_for(self.request.user, self.kwargs["team_id"]).memberships.select_related("user")

    @extend_schema(request=shapes.MemberIn, responses={201: shapes.MemberOut})
    def post(self, request: Request, team_id: str) -> Response:
        team = team_for(request.user, team_id, "manage_members")
        wanted = shapes.MemberIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        asked = wanted.validated_data
        membership = actions.add_member(team, asked.get("username") or asked["email"], asked["role"])
        return Response(shapes.MemberOut(membership).data, status.HTTP_201_CREATED)


class OneMember(APIView):
    @extend_schema(request=shapes.RoleIn, responses=shapes.MemberOut)
    def patch(self, request: Request, team_id: str, user_id: str) -> Response:
        membership = _membership(request, team_id, user_id)
        demand(rights_in(request.user, membership.team), "manage_members")
        wanted = shapes.RoleIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        return Response(shapes.MemberOut(actions.change_role(membership, wanted.validated_data["role"])).data)

    @extend_schema(responses={204: None}, description="Whoever manages members may remove anybody; everybody may leave.")
    def delete(self, request: Request, team_id: str, user_id: str) -> Response:
        membership = _membership(request, team_id, user_id)
        if membership.user_id != person(request).pk:
            demand(rights_in(request.user, membership.team), "manage_members")
        actions.remove_member(membership)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _membership(request: Request, team_id: str, user_id: str) -> Membership:
    team = team_for(request.user, team_id)
    found = team.memberships.filter(user__public_id=user_id).select_related("user", "team").first()
    if found is None:
        raise Missing("Nobody like this is in the team")
    return found


class Invites(APIView):
    @extend_schema(request=shapes.InviteIn, responses={201: shapes.InviteOut})
    def post(self, request: Request, team_id: str) -> Response:
        team = team_for(request.user, team_id, "manage_members")
        wanted = shapes.InviteIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        asked = wanted.validated_data
        url = actions.invite(team, asked["role"], asked["email"], person(request))
        return Response({"url": url}, status.HTTP_201_CREATED)
