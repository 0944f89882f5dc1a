"""The texts the model is given, one file each; no prompt stands in code."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def system_prompt(mount: str, network: bool) -> str:
    """What every request begins with. It depends on nothing that changes within a session."""
    sandbox = "Commands run there in a sandbox, with network access." if network else "Commands run there in a sandbox, without network."
    return (HERE / "system.md").read_text().format(mount=mount, sandbox=sandbox)
