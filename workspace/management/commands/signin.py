"""`manage.py signin NAME` prints a link that signs NAME in, once."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workspace.accounts.credentials import sign_in_address
from workspace.accounts.models import User


class Command(BaseCommand):
    help = "Print a link that signs somebody in. It works once, within a day."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--next", default="", metavar="PATH", help="the page to come out on, such as /inbox")

    def handle(self, *args: Any, **options: Any) -> None:
        person = User.objects.filter(username__iexact=options["username"], is_active=True).first()
        if person is None:
            known = ", ".join(User.objects.filter(is_active=True).order_by("pk").values_list("username", flat=True)[:20])
            raise CommandError(f"Nobody is called {options['username']!r}. Known are: {known or 'nobody; run `manage.py demo` first'}.")
        self.stdout.write(sign_in_address(person, options["next"]))
