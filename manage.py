#!/usr/bin/env python
"""The command-line door: `python manage.py help`."""

from __future__ import annotations

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line, load_command_class


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
    try:
        if sys.argv[1:2] == ["tool"]:  # it needs no app and no database, and without them is ready at once
            load_command_class("workspace", "tool").run_from_argv(sys.argv)
        else:
            execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:
        sys.exit(f"Countersign cannot start: {wrong}")


if __name__ == "__main__":
    main()
