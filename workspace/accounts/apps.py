"""The app of people: users, teams, tokens and keys."""

from __future__ import annotations

from django.apps import AppConfig


class Accounts(AppConfig):
    name = "workspace.accounts"
