"""People, teams and what they prove themselves with, as the API takes and gives them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from workspace.accounts.models import ApiToken, Membership, ProviderKey, Secret, Team, User
from workspace.accounts.rights import ALL_RIGHTS, RIGHTS, ROLES


class PersonOut(serializers.Serializer[User]):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField(source="shown_name")


class TeamOut(serializers.Serializer[Membership]):
    """A team as one of its members sees it."""

    id = serializers.CharField(source="team.public_id")
    name = serializers.CharField(source="team.name")
    slug = serializers.CharField(source="team.slug")
    role = serializers.ChoiceField(choices=ROLES)
    rights = serializers.SerializerMethodField()

    def get_rights(self, membership: Membership) -> list[str]:
        return [right for right in ALL_RIGHTS if right in RIGHTS[membership.role]]  # type: ignore[index]  # choices are the roles


class TeamIn(serializers.ModelSerializer[Team]):
    class Meta:
        model = Team
        fields = ["name"]


class MeOut(PersonOut):
    username = serializers.CharField()
    email = serializers.CharField()
    teams = serializers.SerializerMethodField()

    def get_teams(self, user: User) -> list[dict[str, Any]]:
        memberships = user.memberships.select_related("team").order_by("team__name", "pk")
        return list(TeamOut(list(memberships), many=True).data)  # type: ignore[arg-type]  # `many` takes a list


class MeIn(serializers.ModelSerializer[User]):
    class Meta:
        model = User
        fields = ["name", "email"]


class MemberOut(serializers.Serializer[Membership]):
    id = serializers.CharField(source="user.public_id")
    name = serializers.CharField(source="user.shown_name")
    username = serializers.CharField(source="user.username")
    email = serializers.CharField(source="user.email")
    role = serializers.ChoiceField(choices=ROLES)


class RoleIn(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=ROLES)


class MemberIn(RoleIn):
    username = serializers.CharField(required=False, max_length=150)
    email = serializers.EmailField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if bool(attrs.get("username")) == bool(attrs.get("email")):
            raise serializers.ValidationError({"username": "Give either a user name or an e-mail address."})
        return attrs


class InviteIn(RoleIn):
    email = serializers.EmailField(required=False, allow_blank=True, default="")


class InviteOut(serializers.Serializer[Any]):
    url = serializers.CharField()


class TokenIn(serializers.ModelSerializer[ApiToken]):
    class Meta:
        model = ApiToken
        fields = ["name"]


class TokenOut(serializers.ModelSerializer[ApiToken]):
    id = serializers.CharField(source="public_id")

    class Meta:
        model = ApiToken
        fields = ["id", "name", "prefix", "created", "last_used"]


class NewTokenOut(TokenOut):
    """The only answer in which the token itself can be read."""

    token = serializers.CharField()

    class Meta(TokenOut.Meta):
        fields = [*TokenOut.Meta.fields, "token"]


class ProviderKeyIn(serializers.Serializer[Any]):
    provider = serializers.CharField(max_length=40)
    base_url = serializers.CharField(required=False, allow_blank=True, default="", max_length=500)
    model = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    key = serializers.CharField(required=False, allow_blank=True, default="", max_length=4000, write_only=True)


class ProviderKeyOut(serializers.ModelSerializer[ProviderKey]):
    id = serializers.CharField(source="public_id")

    class Meta:
        model = ProviderKey
        fields = ["id", "provider", "base_url", "model", "hint"]


class SecretIn(serializers.Serializer[Any]):
    name = serializers.RegexField(
        r"^[A-Z][A-Z0-9_]{0,99}$", error_messages={"invalid": "A name is made of capital letters, digits and _, like GITHUB_TOKEN."}
    )
    value = serializers.CharField(max_length=20_000, write_only=True)


class SecretOut(serializers.ModelSerializer[Secret]):
    id = serializers.CharField(source="public_id")

    class Meta:
        model = Secret
        fields = ["id", "name", "hint", "created"]


class ProviderOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field called as the base class calls something else
    models = serializers.ListField(child=serializers.CharField())
    default_model = serializers.CharField()
    ready = serializers.BooleanField()
    note = serializers.CharField(allow_blank=True)
