"""Who: people, their teams, and what they prove themselves with."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac

from workspace.accounts.rights import RIGHTS, ROLES, Right, roles_with
from workspace.accounts.secrets import seal, unseal
from workspace.ids import new_id

ROLE_CHOICES = [(role, role.title()) for role in ROLES]


class User(AbstractUser):
    """A person. Others see `public_id` and `shown_name`, never the row's number."""

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    name = models.CharField(max_length=100, blank=True)
    sign_in_round = models.PositiveIntegerField(default=0)
    """Part of what a browser session is checked against: raising it signs the person out everywhere."""

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(Lower("username"), name="username_is_unique_in_any_case")]

    @property
    def shown_name(self) -> str:
        return self.name or self.username

    def _get_session_auth_hash(self, secret: Any = None) -> str:
        return salted_hmac("countersign.sign-in", f"{self.password}/{self.sign_in_round}", secret=secret, algorithm="sha256").hexdigest()


Anyone = User | AnonymousUser


def row_of(user: Anyone) -> int:
    """The person's primary key; 0, which nobody has, for whoever is not signed in."""
    return user.pk or 0


class TeamQuerySet(models.QuerySet["Team"]):
    def visible_to(self, user: Anyone) -> TeamQuerySet:
        return self.filter(memberships__user_id=row_of(user))

    def with_right(self, user: Anyone, right: Right) -> TeamQuerySet:
        return self.filter(memberships__in=Membership.objects.filter(user_id=row_of(user), role__in=roles_with(right)))


class Team(models.Model):
    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    name = models.CharField(max_length=100)
    slug = models.SlugField(max_length=60, unique=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
    members = models.ManyToManyField(User, through="Membership", related_name="teams")

    objects = TeamQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    def has_admin_besides(self, user: User) -> bool:
        return self.memberships.filter(role="admin").exclude(user=user).exists()


class Membership(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=ROLE_CHOICES)
    joined = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="one_membership_a_person_and_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team} as {self.role}"


def rights_in(user: Anyone, team: Team | int) -> frozenset[Right]:
    """What this person may do in the team (or the team with this primary key), read afresh; nothing for a stranger."""
    membership = Membership.objects.filter(user_id=row_of(user), user__is_active=True, team=team).first()
    return RIGHTS[membership.role] if membership else frozenset()  # type: ignore[index]  # choices are the roles


class ApiToken(models.Model):
    """A program's way in, as the person who made it. The token itself is shown once and never stored."""

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    hash = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(max_length=16, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    last_used = models.DateTimeField(null=True, editable=False)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class ProviderKeyQuerySet(models.QuerySet["ProviderKey"]):
    def in_team(self, team: Team) -> ProviderKeyQuerySet:
        return self.filter(team=team).order_by("provider", "pk")

    def providers(self) -> set[str]:
        """The providers that any team has a key for."""
        return set(self.values_list("provider", flat=True))


class ProviderKey(models.Model):
    """A team's key for one provider, encrypted at rest. It can be written and used, never read back."""

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="provider_keys")
    provider = models.CharField(max_length=40)
    base_url = models.URLField(max_length=500, blank=True)
    model = models.CharField(max_length=200, blank=True)
    sealed = models.TextField(blank=True, editable=False)
    hint = models.CharField(max_length=8, blank=True, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = ProviderKeyQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "provider"], name="one_key_a_team_and_provider")]

    def __str__(self) -> str:
        return f"{self.provider} {self.hint}"

    @property
    def key(self) -> str:
        """The key in clear, "" where the provider needs none."""
        return unseal(self.sealed) if self.sealed else ""

    def set_key(self, key: str) -> None:
        self.sealed = seal(key) if key else ""
        self.hint = f"…{key[-4:]}" if len(key) >= 12 else ""


class SecretQuerySet(models.QuerySet["Secret"]):
    def visible_to(self, user: Anyone) -> SecretQuerySet:
        return self.filter(team__in=Team.objects.visible_to(user)).select_related("team")

    def values_of(self, team: Team, names: Collection[str]) -> dict[str, str]:
        """The team's secrets of these names in clear; what it does not have is left out."""
        return {row.name: row.value for row in self.filter(team=team, name__in=names)}


class Secret(models.Model):
    """A named secret of a team, encrypted at rest: for search backends and MCP servers. It can be written and used, never read back."""

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="secrets")
    name = models.CharField(max_length=100)
    sealed = models.TextField(editable=False)
    hint = models.CharField(max_length=8, blank=True, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = SecretQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="one_secret_a_name")]

    def __str__(self) -> str:
        return f"{self.name} {self.hint}"

    @property
    def value(self) -> str:
        """The secret in clear."""
        return unseal(self.sealed)

    def set_value(self, value: str) -> None:
        self.sealed = seal(value)
        self.hint = f"…{value[-4:]}" if len(value) >= 12 else ""


class Invitation(models.Model):
    """A link that makes whoever opens it a member, once."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=ROLE_CHOICES)
    email = models.EmailField(blank=True)
    hash = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"invitation to {self.team} as {self.role}"


class SignInLink(models.Model):
    """A link that signs one person in, once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")
    hash = models.CharField(max_length=64, unique=True, editable=False)
    next = models.CharField(max_length=500, blank=True)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"sign-in link of {self.user}"


class SignInFailure(models.Model):
    """A password that was wrong; too many of them close the door for a while."""

    account = models.CharField(max_length=150)
    address = models.CharField(max_length=45)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["account", "at"]), models.Index(fields=["address", "at"])]

    def __str__(self) -> str:
        return f"{self.account} from {self.address}"
