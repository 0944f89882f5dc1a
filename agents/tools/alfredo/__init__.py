"""The Alfredo toolset: few tools in plain words, each told to a model as its family understands it best."""

from __future__ import annotations
