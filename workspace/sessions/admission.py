"""Who may keep a session open: checked when a socket opens, with every command, and before anything is sent to it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.utils.crypto import constant_time_compare

from agents import events as e
from workspace.accounts.models import ApiToken, Membership, User
from workspace.accounts.rights import RIGHTS, Right
from workspace.accounts.secrets import token_hash
from workspace.sessions import access, actions, log
from workspace.sessions import protocol as p
from workspace.sessions.models import Session


@dataclass(frozen=True)
class Ticket:
    """How a socket proves who it is: by a browser's sign-in, or by an API token. Both can end while it is open."""

    user_id: int
    request_session: str = ""
    token: int | None = None

    def proves(self, person: User) -> bool:
        """Whether it still counts: not signed out, password and sign-in round unchanged, token not deleted."""
        if self.token is not None:
            return ApiToken.objects.filter(pk=self.token, user=person).exists()
        signed_in = _request_session(self.request_session)
        return constant_time_compare(signed_in.get(HASH_SESSION_KEY, ""), person.get_session_auth_hash())


def _request_session(key: str) -> Any:
    return import_module(settings.SESSION_ENGINE).SessionStore(key)


def by_token(token: str) -> Ticket | None:
    found = ApiToken.objects.filter(hash=token_hash(token), user__is_active=True).first()
    return Ticket(found.user_id, token=found.pk) if found else None


class SignedOut(Exception):
    """The ticket no longer counts."""


class NoRights(Exception):
    """The person is still there, and may not see this session any more."""


@dataclass(frozen=True)
class Seat:
    """A ticket for one session."""

    ticket: Ticket
    person: User
    session: Session

    def rights(self) -> frozenset[Right]:
        """What the person may do here now. Raises SignedOut or NoRights."""
        here = Membership.objects.filter(team=self.session.project.team_id, user=self.person, user__is_active=True)
        member = here.select_related("user").first()
        if not self.ticket.proves(member.user if member else self.person):
            raise SignedOut
        if member is None:
            raise NoRights if User.objects.filter(pk=self.person.pk, is_active=True).exists() else SignedOut
        return RIGHTS[member.role]  # type: ignore[index]  # choices are the roles

    def next_page(self, since: int, limit: int) -> tuple[frozenset[Right], list[tuple[int, str]]]:
        """The rights and the entries behind `since`, read together: nobody is sent what he may not see."""
        return self.rights(), log.read_wire(self.session.pk, since, limit)

    def perform(self, command: p.AnyCommand) -> int:
        """Do what was commanded; the log's end as far as that reaches. Raises AppError, SignedOut or NoRights."""
        self.rights()
        entry: e.Entry | None = actions.perform(self.session, self.person, command)
        return entry.seq if entry else head(self.session)


def head(session: Session) -> int:
    return Session.objects.values_list("head", flat=True).get(pk=session.pk)


def seat(ticket: Ticket, session_id: str) -> Seat:
    """Raises SignedOut, or Missing where this person sees no such session."""
    person = User.objects.filter(pk=ticket.user_id, is_active=True).first()
    if person is None or not ticket.proves(person):
        raise SignedOut
    return Seat(ticket, person, access.find(session_id, person))
