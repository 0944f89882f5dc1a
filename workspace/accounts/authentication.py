"""How a request to the API proves who sends it: a token, or the browser's session."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from workspace.accounts.models import ApiToken, User
from workspace.accounts.secrets import token_hash

NOTE_USE_EVERY = timedelta(minutes=1)


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`. A wrong token is refused even when the browser's session would do."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _, token = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        found = ApiToken.objects.select_related("user").filter(hash=token_hash(token.strip()), user__is_active=True).first()
        if found is None:
            raise AuthenticationFailed("This token is not valid (any more).")
        _note_use(found)
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class BrowserAuthentication(SessionAuthentication):
    """The session cookie, with the anti-forgery token on everything that changes something."""


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library's hook is untyped
    """How the schema describes the token."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class BrowserScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library's hook is untyped
    """How the schema describes the session cookie."""

    target_class = BrowserAuthentication
    name = "browser"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": "countersign_session"}


def _note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used is None or now - token.last_used > NOTE_USE_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used=now)
