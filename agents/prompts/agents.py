"""What a sub-agent is told of itself, behind what every agent is told."""

from __future__ import annotations

from pathlib import Path

from agents.events import AgentOrigin, AgentType

KINDS: dict[AgentType, str] = {
    "general": "Do the work yourself, to its end.",
    "explore": "You look and report: nothing you run can change the workspace.",
    "plan": "You read and plan; somebody else carries the plan out. Where people shall approve it, give plan_exit its text.",
    "verify": "You check what others did, by reading and by running tests; what you run cannot change the workspace. Say what is wrong.",
}


def agent_prompt(origin: AgentOrigin, worktree: bool = False) -> str:
    """What kind of agent it is, that its last message is its report, and where it works."""
    place = [f"You start in the folder {origin.working_dir}: commands and searches begin there."] if origin.working_dir else []
    if worktree:
        place.append("You work in a git worktree on a branch of your own. What you change there, people review before the project has it.")
    template = (Path(__file__).parent / "agent.md").read_text().strip()
    told = "".join(f"\n\n{sentence}" for sentence in place)
    return template.format(agent_type=origin.agent_type, kind=KINDS[origin.agent_type], place=told)
