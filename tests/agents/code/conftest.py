"""A workspace with a file for the fake server, and pools that end with their test."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from agents.code.finding import Choices
from agents.code.pool import Pool
from agents.code.server import Patience
from agents.code.workspace import WorkspaceCode
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Sandbox, SandboxWish

FAKE = Path(__file__).with_name("fake_server.py")
QUICK = Patience(start=3.0, answer=2.0, young=0)

Opened = Callable[..., WorkspaceCode]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    shutil.copy(FAKE, root / "server.txt")
    (root / "a.py").write_text("fine\nfine\n")
    return root


@pytest.fixture
def sandbox(workspace: Path) -> Sandbox:
    return open_sandbox(SandboxWish(str(workspace)))


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    pool = Pool(patience=QUICK)
    yield pool
    await pool.close()


@pytest.fixture
def code(sandbox: Sandbox, pool: Pool) -> Opened:
    """Code intelligence by the fake server with these manners."""
    return lambda manner, **options: WorkspaceCode(sandbox, pool, manners(sandbox, manner), **options)


def manners(sandbox: Sandbox, manner: str) -> Choices:
    return Choices({"python": ["python3", f"{sandbox.mount}/server.txt", manner]})
