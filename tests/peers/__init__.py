"""Small real servers that speak the vendors' wire formats and play a script, for tests and benches."""

from __future__ import annotations
