"""One command a file."""

from __future__ import annotations
