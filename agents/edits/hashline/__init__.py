"""Edits by line numbers that cannot land on stale text: each names the snapshot of the file that its writer saw."""

from __future__ import annotations
