"""What people do to skills: upload them, switch them off and on in a project."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from workspace.accounts.models import Team, User
from workspace.errors import Invalid
from workspace.projects.models import Project
from workspace.skills.bundle import Bundle
from workspace.skills.models import Skill, SkillFile, SkillSwitch

SKILLS_LIMIT = 100
"""Skills of one person, and of one team."""
AT_ONCE = 20
"""Files that are written in one statement."""


@dataclass(frozen=True)
class Belonging:
    """Whose a skill is: exactly one of the two."""

    owner: User | None = None
    team: Team | None = None

    @property
    def scope(self) -> str:
        return "user" if self.owner else "team"

    def lock(self) -> None:
        """Until the transaction ends nobody else uploads to this place: of two uploads of one name each is kept whole or not at all."""
        if self.owner:
            User.objects.select_for_update().get(pk=self.owner.pk)
        elif self.team:
            Team.objects.select_for_update().get(pk=self.team.pk)


@transaction.atomic
def upload_skill(to: Belonging, by: User, bundle: Bundle) -> Skill:
    """The same name in the same place means the same skill, which keeps its id; all its files are replaced. Raises Invalid."""
    to.lock()
    there = Skill.objects.filter(scope=to.scope, owner=to.owner, team=to.team)
    if there.exclude(name=bundle.name).count() >= SKILLS_LIMIT:
        whose = "You have" if to.owner else "The team has"
        raise Invalid("Too many skills", f"{whose} {SKILLS_LIMIT} already. Delete what is no longer used.")
    written = {"description": bundle.description, "uploaded": timezone.now(), "uploaded_by": by}
    skill, _ = there.update_or_create(
        name=bundle.name, defaults=written, create_defaults={**written, "scope": to.scope, "owner": to.owner, "team": to.team}
    )
    skill.files.all().delete()
    rows = [SkillFile(skill=skill, path=path, size=len(data), data=data) for path, data in bundle.files.items()]
    SkillFile.objects.bulk_create(rows, batch_size=AT_ONCE)
    return skill


def switch_skill(project: Project, name: str, by: User, *, on: bool) -> None:
    """Twice the same is once."""
    if on:
        SkillSwitch.objects.filter(project=project, name=name).delete()
    else:
        SkillSwitch.objects.get_or_create(project=project, name=name, defaults={"switched_by": by})
