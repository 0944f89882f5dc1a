"""The web: which addresses may be asked, how they are asked safely, and what their answers say."""

from __future__ import annotations
