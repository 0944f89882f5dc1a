"""WHAT HAPPENS: the log and its folds, runs, approvals, plans, questions, and the doors to them."""

from __future__ import annotations
