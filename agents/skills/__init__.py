"""Skills: folders that say how something is done, in the order in which one outdoes another of the same name."""

from __future__ import annotations
