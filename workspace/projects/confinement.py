"""How a project's commands are confined, in words for people."""

from __future__ import annotations

from dataclasses import dataclass

from agents.sandboxes.choose import strongest
from agents.sandboxes.sandbox import Level
from workspace.projects.models import Project

NOTES: dict[Level, str] = {
    "bubblewrap": "Commands see this workspace and a read-only system, nothing else of the server.",
    "landlock": "Commands can change nothing outside this workspace and reach no network.",
    "local": "Commands run as the server's own user and are not confined.",
}
WARNING = (
    "No sandbox works on this server: commands that agents run can read and change whatever the server's user can. "
    "Approve them with care, or install bubblewrap."
)


@dataclass(frozen=True)
class Confinement:
    """`warning` is "" where commands are really confined."""

    level: Level
    note: str
    warning: str


def confinement_of(project: Project) -> Confinement:
    level = project.wished_level or strongest()
    if level != "local":
        note = NOTES[level].replace("reach no network", "reach the network") if project.network else NOTES[level]
        return Confinement(level, note, "")
    chosen = strongest() != "local"
    return Confinement(level, NOTES[level], "The sandbox is switched off here: commands run unconfined." if chosen else WARNING)
