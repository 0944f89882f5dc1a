"""What people and agents do to memories: write, change, forget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from agents.events import MemoryScope, MemoryType
from workspace.accounts.models import Team, User
from workspace.errors import Conflict
from workspace.memories.models import Memory
from workspace.projects.models import Project

TITLE_LIMIT = 200


@dataclass(frozen=True)
class Belonging:
    """Whose a memory is: exactly one of the three."""

    owner: User | None = None
    project: Project | None = None
    team: Team | None = None

    @property
    def scope(self) -> MemoryScope:
        return "user" if self.owner else "project" if self.project else "team"


def write_memory(
    to: Belonging, *, title: str, content: str, type: MemoryType, tags: list[str], by: User | None,
    session: str = "", seq: int | None = None,
) -> Memory:  # fmt: skip
    """Write it down; the same title in the same place means the same memory, which keeps its id and where it first came from."""
    written = {"content": content, "type": type, "tags": tags, "updated_by": by, "updated": timezone.now()}
    first = {"created_by": by, "source_session": session, "source_seq": seq}
    memory, _ = Memory.objects.update_or_create(
        title=title[:TITLE_LIMIT], scope=to.scope, owner=to.owner, project=to.project, team=to.team,
        defaults=written, create_defaults={**written, **first},
    )  # fmt: skip
    return memory


def change_memory(memory: Memory, by: User, **changes: Any) -> Memory:
    """Change title, content, type or tags. Raises Conflict when another memory of the same place has the title."""
    for name, value in changes.items():
        setattr(memory, name, value)
    memory.updated_by, memory.updated = by, timezone.now()
    try:
        with transaction.atomic():
            memory.save(update_fields=[*changes, "updated_by", "updated"])
    except IntegrityError as wrong:
        raise Conflict("There is another memory of this title", "Choose a different title, or change that one.") from wrong
    return memory
