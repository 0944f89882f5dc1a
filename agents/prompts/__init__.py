"""The texts the model is given, one file each; no prompt stands in code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agents.ports import SkillEntry
from agents.prompts.skills import listed

HERE = Path(__file__).parent


def system_prompt(mount: str, network: bool, searched: Sequence[str] = (), toolset: str = "", skills: Sequence[SkillEntry] = ()) -> str:
    """What every request begins with. It depends on nothing that changes within a session, unless people choose another toolset.

    `searched` are the tools that are only named, until tool_search looks them up. A toolset may have a part of its own.
    `skills` are those that the agent can read; none for an agent without the tool `skill`.
    """
    sandbox = "Commands run there in a sandbox, with network access." if network else "Commands run there in a sandbox, without network."
    parts = [(HERE / "system.md").read_text().format(mount=mount, sandbox=sandbox)]
    own = HERE / "toolsets" / f"{toolset}.md"
    if toolset and own.is_file():
        parts.append(own.read_text())
    if skills:
        parts.append((HERE / "skills.md").read_text().format(skills=listed(skills)))
    if searched:
        parts.append((HERE / "searched.md").read_text().format(names=", ".join(searched)))
    return "\n".join(parts)
