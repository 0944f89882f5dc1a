"""Reading settings from the environment: each kind of value by a function of its own, which says what is wrong with it."""

from __future__ import annotations

import os
import shlex

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    value = text(name, str(default)).lower()
    if value not in ("1", "true", "yes", "on", "0", "false", "no", "off"):
        raise ImproperlyConfigured(f"{name} is {value!r}. Write 1 or 0.")
    return value in ("1", "true", "yes", "on")


def number(name: str, default: int) -> int:
    value = text(name, str(default))
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} is {value!r}. Write a whole number.")
    return int(value)


def bound(name: str) -> int | None:
    """A whole number above 0; None where the variable is empty, so that there is no such bound."""
    if not text(name):
        return None
    if not number(name, 0):
        raise ImproperlyConfigured(f"{name} is 0, which would let nothing happen. Write a larger number, or leave it empty for no bound.")
    return number(name, 0)


def command(name: str) -> list[str]:
    try:
        return shlex.split(text(name))
    except ValueError as wrong:
        raise ImproperlyConfigured(f"{name} is {text(name)!r}, which is no command line: {wrong}.") from wrong


def words(name: str, separator: str = ",") -> list[str]:
    return [word.strip() for word in text(name).split(separator) if word.strip()]


def features(start: str) -> dict[str, bool]:
    """Every variable that begins so, by the rest of its name in lower case. One that is set, but to no yes, is off."""
    found = {name.removeprefix(start).lower(): value for name, value in os.environ.items() if name.startswith(start)}
    return {name: value.strip().lower() in ("1", "true", "yes", "on", "enabled") for name, value in found.items()}
