"""What the engine and the socket cost, measured from outside: `make bench`."""

from __future__ import annotations
