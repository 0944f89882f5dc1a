"""How long servers are waited for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Patience:
    """Seconds: to connect, for a list, for a call; and how long nobody may need a connection until it is ended."""

    connect: float = 15.0
    list: float = 10.0
    call: float = 60.0
    idle: float = 600.0


USUAL = Patience()
