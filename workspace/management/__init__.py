"""Commands for the shell."""

from __future__ import annotations
