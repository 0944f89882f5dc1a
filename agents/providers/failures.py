"""What went wrong with a request, in our words: a kind, and a sentence that says what to do."""

from __future__ import annotations

import importlib
import json
import random
import re
from typing import Any

from agents.providers.provider import Failed

ATTEMPTS = 5
LONGEST_WAIT = 60.0
DETAIL = 300
"""Characters of the vendor's own words that are passed on."""

ADVICE = {
    "ModelAuthenticationError": ("auth", "The provider refused the key. Check it in the team's settings, and that it may use this model."),
    "ModelQuotaExceededError": ("rate_limit", "The account's quota or credit is used up. Raise it at the provider, or choose another."),
    "ModelRateLimitError": ("rate_limit", "The provider's rate limit is reached. Wait a little, or choose another model."),
    "ModelUnavailableError": ("overloaded", "The provider is overloaded. Try again later, or choose another model."),
    "ModelServerError": ("other", "The provider failed by itself. Try again later."),
    "ModelTimeoutError": ("timeout", "The provider said nothing for too long. Try again, or choose another model."),
    "ModelRequestTimeout": ("timeout", "The provider said nothing for too long. Try again, or choose another model."),
    "ModelConnectionError": ("network", "The provider cannot be reached. Check its address and the network."),
    "ModelContextWindowExceededError": ("context", "The conversation is longer than the model can read. Compact it, or begin a new one."),
    "ModelNotFoundError": ("bad_request", "The provider does not know this model. Choose another, or check the provider's address."),
    "ModelRequestRejectedError": ("bad_request", "The provider refused the request as it is."),
    "UnexpectedModelBehavior": ("malformed", "The provider's answer cannot be read. Try again, and check the provider's address."),
    "Unreadable": ("malformed", "The model's reply was no reply. It is usually well when asked again."),
    "Endless": ("malformed", "The model's reply did not end and was broken off. Try again, or choose another model."),
    "ValueError": ("malformed", "The provider's answer cannot be read. Try again, and check the provider's address."),
}  # fmt: skip
UNSAID = ("auth", "timeout", "network")
"""Kinds whose own words say no more, or might quote the key."""
AGAIN = ("ModelRateLimitError", "ModelUnavailableError", "ModelServerError", "ModelConnectionError", "Unreadable")
TOO_LONG = re.compile(
    r"context.{0,10}(length|window)|(maximum|max).{0,20}tokens|prompt is too long|input token count.*exceeds", re.IGNORECASE
)


def failure(problem: Exception, attempt: int, secret: str) -> Failed:
    """The failure this exception is, with the wait before the next attempt if there is one. `secret` never shows."""
    names = [kind.__name__ for each in (problem, problem.__cause__) for kind in type(each).__mro__]
    kind, advice = next((ADVICE[name] for name in names if name in ADVICE), ("other", "The request failed."))
    words = "" if kind in UNSAID else said(problem)
    if kind == "timeout" and getattr(problem, "phase", None) == "connect":
        kind, advice = ADVICE["ModelConnectionError"]
    if kind == "bad_request" and TOO_LONG.search(words):
        kind, advice = ADVICE["ModelContextWindowExceededError"]
    message = f"{advice} ({words})" if words else advice
    if secret:
        message = message.replace(secret, "…")
    return Failed(kind, message, getattr(problem, "status_code", None), attempt, _wait(problem, names, kind, attempt))


def said(problem: Exception) -> str:
    """What the vendor said, shortened to one line."""
    words = _words(getattr(problem, "body", None)) or str(problem)
    line = " ".join(words.split())
    return line if len(line) <= DETAIL else f"{line[: DETAIL - 1]}…"


def _words(body: Any) -> str:
    if isinstance(body, str):
        try:
            return _words(json.loads(body)) or body
        except ValueError:
            return body
    if isinstance(body, list) and body:
        return _words(body[0])
    if isinstance(body, dict):
        inner = body.get("error", body)
        return str(inner.get("message", "")) if isinstance(inner, dict) else str(inner)
    return ""


def _wait(problem: Exception, names: list[str], kind: str, attempt: int) -> float | None:
    """Seconds until the next attempt: what the vendor asks for, else twice as long each time, a little apart from others."""
    never = kind == "timeout" or "ModelQuotaExceededError" in names
    if attempt >= ATTEMPTS or never or not any(name in AGAIN for name in names):
        return None
    asked = getattr(problem, "retry_after", None)
    if asked is not None:
        return None if asked > LONGEST_WAIT * 5 else float(asked)
    return float(min(LONGEST_WAIT, 2 ** (attempt - 1)) * random.uniform(0.75, 1.25))  # noqa: S311


def is_break(problem: Exception) -> bool:
    """Whether the connection broke off (and did not just go silent)."""
    errors: Any = importlib.import_module("pydantic_ai.exceptions")
    return isinstance(problem, errors.ModelConnectionError) and not isinstance(problem, errors.ModelTimeoutError)
