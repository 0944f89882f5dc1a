"""The page that boots the front end, sign-in and other plain forms, and markdown made safe."""

from __future__ import annotations
