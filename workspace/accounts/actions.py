"""What people do to teams: make them, fill them, leave them."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify

from workspace.accounts.models import Invitation, Membership, Team, User
from workspace.accounts.rights import Role
from workspace.accounts.secrets import new_token, token_hash
from workspace.errors import Conflict, Invalid, Missing

INVITATION_LIFETIME = timedelta(days=7)


def create_team(person: User, name: str) -> Team:
    """A new team whose only admin is the person."""
    with transaction.atomic():
        team = Team.objects.create(name=name, slug=_free_slug(name))
        Membership.objects.create(team=team, user=person, role="admin")
    return team


def _free_slug(name: str) -> str:
    start = slugify(name)[:50] or "team"
    taken = set(Team.objects.filter(slug__startswith=start).values_list("slug", flat=True))
    return next(slug for slug in (start, *(f"{start}-{number}" for number in range(2, len(taken) + 3))) if slug not in taken)


def rename_team(team: Team, name: str) -> Team:
    team.name = name
    team.save(update_fields=["name"])
    return team


def add_member(team: Team, who: str, role: Role) -> Membership:
    """`who` is a user name or an e-mail address. Raises Missing or Conflict."""
    found = list(User.objects.filter(Q(username__iexact=who) | Q(email__iexact=who), is_active=True)[:2])
    if len(found) != 1:
        raise Missing(f"Nobody is known as {who}", "Check the spelling, or send an invitation instead.")
    try:
        with transaction.atomic():
            return Membership.objects.create(team=team, user=found[0], role=role)
    except IntegrityError as wrong:
        raise Conflict(f"{found[0].shown_name} is already in {team.name}", "Change the role instead.") from wrong


def change_role(membership: Membership, role: Role) -> Membership:
    """Raises Conflict when it would leave the team without an admin."""
    with transaction.atomic():
        if role != "admin":
            _keep_an_admin(membership)
        membership.role = role
        membership.save(update_fields=["role"])
    return membership


def remove_member(membership: Membership) -> None:
    """Raises Conflict when it would leave the team without an admin."""
    with transaction.atomic():
        _keep_an_admin(membership)
        membership.delete()


def _keep_an_admin(membership: Membership) -> None:
    team = Team.objects.select_for_update().get(pk=membership.team_id)
    if not team.has_admin_besides(membership.user):
        raise Conflict("A team needs an admin", "Make somebody else admin first.")


def invite(team: Team, role: Role, email: str, by: User) -> str:
    """The address that makes whoever opens it a member, once, within a week."""
    token = new_token("inv")
    expires = timezone.now() + INVITATION_LIFETIME
    Invitation.objects.create(team=team, role=role, email=email, hash=token_hash(token), made_by=by, expires=expires)
    return settings.BASE_URL + reverse("invitation", args=[token])


def open_invitation(token: str) -> Invitation:
    """Raises Missing for one that is used, expired or was never made."""
    good = Invitation.objects.filter(hash=token_hash(token), used=None, expires__gt=timezone.now())
    found = good.select_related("team", "made_by").first()
    if found is None:
        raise Missing("This invitation no longer works", "It was used or is too old. Ask for a new one.")
    return found


def accept_invitation(token: str, person: User) -> Team:
    """Join the team. Whoever is in it already keeps the better role, and the invitation stays good for somebody else."""
    invitation = open_invitation(token)
    if Membership.objects.filter(team=invitation.team, user=person).exists():
        return invitation.team
    with transaction.atomic():
        if not Invitation.objects.filter(pk=invitation.pk, used=None).update(used=timezone.now()):
            raise Missing("This invitation no longer works", "Somebody else has just used it. Ask for a new one.")
        Membership.objects.create(team=invitation.team, user=person, role=invitation.role)
    return invitation.team


def join_as_newcomer(token: str, *, username: str, name: str, password: str) -> User:
    """Make an account and join with it, or do neither. Raises Missing or Invalid."""
    with transaction.atomic():
        invitation = open_invitation(token)
        if User.objects.filter(username__iexact=username).exists():
            raise Invalid("This user name is taken", "Choose another.", fields={"username": ["It is taken."]})
        person = User.objects.create_user(username, invitation.email, password, name=name)
        accept_invitation(token, person)
    return person
