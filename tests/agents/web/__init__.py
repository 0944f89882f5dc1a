"""The web craft, against real local servers."""

from __future__ import annotations
