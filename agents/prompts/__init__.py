"""The texts the model is given, one file each; no prompt stands in code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agents.pieces import AgentOrigin

HERE = Path(__file__).parent


def system_prompt(mount: str, network: bool, searched: Sequence[str] = (), origin: AgentOrigin | None = None) -> str:
    """What every request begins with. It depends on nothing that changes within a session.

    `searched` are the tools that are only named, until tool_search looks them up; `origin` says whose sub-agent this is.
    """
    sandbox = "Commands run there in a sandbox, with network access." if network else "Commands run there in a sandbox, without network."
    parts = [text("system").format(mount=mount, sandbox=sandbox)]
    if origin is not None:
        parts.append(text("sub_agent").format(task=text(f"sub_agent_{origin.agent_type}").strip()))
    if origin is not None and origin.working_dir:
        parts.append(text("working_dir").format(working_dir=origin.working_dir))
    if searched:
        parts.append(text("searched").format(names=", ".join(searched)))
    return "\n".join(parts)


def text(name: str) -> str:
    return (HERE / f"{name}.md").read_text()
