"""Secrets at rest: random tokens are kept as hashes, provider keys and named secrets encrypted."""

from __future__ import annotations

import hashlib
from secrets import token_urlsafe

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from workspace.errors import Unavailable


def new_token(prefix: str) -> str:
    """A token nobody can guess (256 bits). The prefix tells people, and leak scanners, what it is."""
    return f"{prefix}_{token_urlsafe(32)}"


def token_hash(token: str) -> str:
    """What is stored of a token. A plain hash is enough: it has too much entropy to be searched."""
    return hashlib.sha256(token.encode()).hexdigest()


def seal(secret: str) -> str:
    return Fernet(settings.ENCRYPTION_KEY).encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """Raises Unavailable when it was sealed with a key this installation no longer has."""
    try:
        return Fernet(settings.ENCRYPTION_KEY).decrypt(sealed.encode()).decode()
    except InvalidToken as wrong:
        raise Unavailable("A stored key cannot be read", "The encryption key has changed. Store the key again.") from wrong
