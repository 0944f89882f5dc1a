"""Who may keep a session open: checked when a socket opens, with every command, and before anything is sent to it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.utils.crypto import constant_time_compare

from agents import events as e
from workspace.accounts.models import ApiToken, User
from workspace.accounts.rights import RIGHTS, Right
from workspace.accounts.secrets import token_hash
from workspace.sessions import access, actions, log, statements
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
        signed_in = SessionStore(self.request_session)
        return constant_time_compare(signed_in.get(HASH_SESSION_KEY, ""), person.get_session_auth_hash())


def by_token(token: str) -> Ticket | None:
    found = ApiToken.objects.filter(hash=token_hash(token), user__is_active=True).first()
    return Ticket(found.user_id, token=found.pk) if found else None


class SignedOut(Exception):
    """The ticket no longer counts."""


class NoRights(Exception):
    """The person is still there, and may not see this session any more."""


class Seat:
    """A ticket for one session."""

    def __init__(self, ticket: Ticket, person: User, session: Session) -> None:
        self.ticket, self.person, self.session = ticket, person, session
        self._proof: tuple[object, ...] = ()

    def rights(self) -> frozenset[Right]:
        """What the person may do here now, by one query. Raises SignedOut or NoRights."""
        ticket = self.ticket
        standing = statements.standing(ticket.user_id, self.session.project.team_id, ticket.request_session, ticket.token)
        if standing is None or not standing.active:
            raise SignedOut
        if standing.proof != self._proof:
            self._prove(standing.proof)
        if standing.role is None:
            raise NoRights
        return RIGHTS[standing.role]  # type: ignore[index]  # choices are the roles

    def _prove(self, proof: tuple[object, ...]) -> None:
        self.person.refresh_from_db()
        if not self.ticket.proves(self.person):
            raise SignedOut
        self._proof = proof

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
