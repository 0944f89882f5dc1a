"""What people and teams prove themselves with: API tokens, provider keys, named secrets, one-time links."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from agents.errors import AddressRefused, FetchFailed
from agents.web.addresses import MODELS, parse, resolved_now
from workspace.accounts.models import ApiToken, ProviderKey, Secret, SignInLink, Team, User
from workspace.accounts.secrets import new_token, token_hash
from workspace.errors import Forbidden, Invalid, Missing

PREFIX_SHOWN = 12
LINK_LIFETIME = timedelta(hours=24)
SECRETS_LIMIT = 200


def create_token(person: User, name: str) -> tuple[ApiToken, str]:
    """The token's row, and the token itself for the only time it is shown."""
    token = new_token("cs")
    row = ApiToken.objects.create(user=person, name=name, hash=token_hash(token), prefix=token[:PREFIX_SHOWN])
    return row, token


def store_provider_key(team: Team, person: User, *, provider: str, base_url: str, model: str, key: str) -> ProviderKey:
    """A team has one key a provider: storing another replaces it. Raises Invalid."""
    if base_url:
        _check_address(base_url)
    row, _ = ProviderKey.objects.get_or_create(team=team, provider=provider)
    row.base_url, row.model, row.created_by, row.created = base_url, model, person, timezone.now()
    row.set_key(key)
    row.save()
    return row


def _check_address(base_url: str) -> None:
    """Models may live in the server's own network, but not where cloud machines tell their secrets to whoever asks."""
    try:
        place = parse(base_url)
    except AddressRefused as wrong:
        said = f"The base URL begins with https:// (or http://). {wrong}"
        raise Invalid("That is no web address", said, fields={"base_url": [str(wrong)]}) from wrong
    try:
        resolved_now(place, MODELS)
    except AddressRefused as wrong:
        said = f"{place.host} is a link-local address of the server's own machine."
        raise Forbidden("No model is asked at this address", said) from wrong
    except FetchFailed:
        return  # it may be found when it is needed


def store_secret(team: Team, person: User, *, name: str, value: str) -> Secret:
    """A team has one secret a name: storing another replaces it. Raises Invalid where there are too many."""
    others = team.secrets.exclude(name=name).count()
    if others >= SECRETS_LIMIT:
        raise Invalid("Too many secrets", f"A team keeps at most {SECRETS_LIMIT}. Delete what is no longer used.")
    with transaction.atomic():
        row, _ = Secret.objects.get_or_create(team=team, name=name)
        row.created_by, row.created = person, timezone.now()
        row.set_value(value)
        row.save()
    return row


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
