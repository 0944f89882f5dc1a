"""What people and teams prove themselves with: API tokens, provider keys, one-time links."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from workspace.accounts.models import ApiToken, ProviderKey, SignInLink, Team, User
from workspace.accounts.secrets import new_token, token_hash
from workspace.errors import Forbidden, Invalid, Missing

PREFIX_SHOWN = 12
AWS_METADATA = ipaddress.ip_address("fd00:ec2::254")
LINK_LIFETIME = timedelta(hours=24)


def create_token(person: User, name: str) -> tuple[ApiToken, str]:
    """The token's row, and the token itself for the only time it is shown."""
    token = new_token("cs")
    row = ApiToken.objects.create(user=person, name=name, hash=token_hash(token), prefix=token[:PREFIX_SHOWN])
    return row, token


def store_provider_key(team: Team, person: User, *, provider: str, base_url: str, model: str, key: str) -> ProviderKey:
    """A team has one key a provider: storing another replaces it. Raises Invalid."""
    if base_url and urlsplit(base_url).scheme not in ("http", "https"):
        fields = {"base_url": ["Not a web address."]}
        raise Invalid("That is no web address", "The base URL begins with https:// (or http://).", fields=fields)
    if base_url:
        _refuse_link_local(base_url)
    row, _ = ProviderKey.objects.get_or_create(team=team, provider=provider)
    row.base_url, row.model, row.created_by, row.created = base_url, model, person, timezone.now()
    row.set_key(key)
    row.save()
    return row


def _refuse_link_local(base_url: str) -> None:
    """Models may live in the server's own network; at link-local addresses cloud machines tell their secrets to whoever asks."""
    host = urlsplit(base_url).hostname or ""
    with suppress(OSError, UnicodeError):
        found = {ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in socket.getaddrinfo(host, None)}
        plain = {getattr(ip, "ipv4_mapped", None) or ip for ip in found}
        if any(ip.is_link_local or ip.is_multicast or ip == AWS_METADATA for ip in plain):
            raise Forbidden("No model is asked at this address", f"{host} is a link-local address of the server's own machine.")


def sign_in_address(person: User, then: str = "", lifetime: timedelta = LINK_LIFETIME) -> str:
    """An address that signs the person in, once; made by whoever may run commands on the server."""
    token = new_token("link")
    SignInLink.objects.create(user=person, hash=token_hash(token), next=then, expires=timezone.now() + lifetime)
    return settings.BASE_URL + reverse("sign_in_link", args=[token])


def find_sign_in_link(token: str) -> SignInLink:
    """Raises Missing for one that is used, expired or was never made."""
    found = SignInLink.objects.filter(hash=token_hash(token), used=None, expires__gt=timezone.now(), user__is_active=True)
    link = found.select_related("user").first()
    if link is None:
        raise Missing("This link no longer works", "It was used or is too old. Sign in with your password, or ask for a new link.")
    return link


def use_sign_in_link(token: str) -> SignInLink:
    """The link, used up by this very call; of two calls at once one gets it and the other raises Missing."""
    link = find_sign_in_link(token)
    if not SignInLink.objects.filter(pk=link.pk, used=None).update(used=timezone.now()):
        raise Missing("This link no longer works", "It has just been used.")
    return link


def sign_out_everywhere(person: User) -> None:
    """End every browser session of the person. API tokens are deleted one by one, by name."""
    User.objects.filter(pk=person.pk).update(sign_in_round=F("sign_in_round") + 1)
