"""Providers that talk to a peer on this machine, opened and closed around a test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from typing import Protocol

import pytest

from agents.providers.catalog import open_provider
from agents.providers.vendors import VendorProvider
from tests.peers.server import WIRES, Format, Peer

KEY = "sk-very-secret-key"
FORMATS = sorted(WIRES)


class Serve(Protocol):
    def __call__(self, format: Format, script: str) -> Peer: ...


class Open(Protocol):
    def __call__(self, format: Format, peer: Peer, timeout: float = 20.0) -> VendorProvider: ...


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a peer that plays this script."""
    with ExitStack() as running:
        yield lambda format, script: running.enter_context(Peer(format, script))


@pytest.fixture
async def connect() -> AsyncIterator[Open]:
    """Open a provider at a peer."""
    opened: list[VendorProvider] = []

    def open_at(format: Format, peer: Peer, timeout: float = 20.0) -> VendorProvider:
        provider = open_provider(format, key=KEY, base_url=peer.base_url, timeout=timeout)
        assert isinstance(provider, VendorProvider)
        opened.append(provider)
        return provider

    yield open_at
    for provider in opened:
        await provider.close()
