"""The texts the model is given, one file each; no prompt stands in code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent


def system_prompt(mount: str, network: bool, searched: Sequence[str] = ()) -> str:
    """What every request begins with. It depends on nothing that changes within a session.

    `searched` are the tools that are only named, until tool_search looks them up.
    """
    sandbox = "Commands run there in a sandbox, with network access." if network else "Commands run there in a sandbox, without network."
    told = (HERE / "system.md").read_text().format(mount=mount, sandbox=sandbox)
    return f"{told}\n{(HERE / 'searched.md').read_text().format(names=', '.join(searched))}" if searched else told
