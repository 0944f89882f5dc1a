"""Skills that a person or a team uploaded, with their files, and the names of those a project has switched off."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Count, Q, Sum
from django.utils import timezone

from workspace.accounts.models import Anyone, Team, User, row_of
from workspace.ids import new_id
from workspace.projects.models import Project

SCOPES = ["user", "team"]


class SkillQuerySet(models.QuerySet["Skill"]):
    def visible_to(self, user: Anyone) -> SkillQuerySet:
        """A person's own, and those of the teams the person is in."""
        return self.filter(Q(scope="user", owner_id=row_of(user)) | Q(scope="team", team__in=Team.objects.visible_to(user)))

    def of_session(self, team: int, acting_for: User | None) -> SkillQuerySet:
        """What agents have in a project of the team with this primary key: the team's, and those of the person they act for."""
        own = Q(scope="user", owner=acting_for) if acting_for else Q()
        return self.filter(own | Q(scope="team", team=team))

    def measured(self) -> SkillQuerySet:
        """With the number of its files (`file_count`), their bytes together (`size`), and the people and the team at hand."""
        found: Any = self.select_related("team", "owner", "uploaded_by")
        counted: SkillQuerySet = found.annotate(file_count=Count("files"), size=Sum("files__size", default=0))
        return counted


class Skill(models.Model):
    """`owner` or `team` is set: the one its scope names. Uploading one of the same name takes its place and keeps its id."""

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    scope = models.CharField(max_length=4, choices=[(scope, scope) for scope in SCOPES])
    owner = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="skills")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="skills")
    name = models.CharField(max_length=64)
    description = models.CharField(max_length=1024)
    uploaded = models.DateTimeField(default=timezone.now)
    uploaded_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = SkillQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="a_skill_belongs_to_what_its_scope_names",
                condition=Q(scope="user", owner__isnull=False, team__isnull=True) | Q(scope="team", owner__isnull=True, team__isnull=False),
            ),
            models.UniqueConstraint(fields=["owner", "name"], condition=Q(scope="user"), name="one_skill_a_name_and_person"),
            models.UniqueConstraint(fields=["team", "name"], condition=Q(scope="team"), name="one_skill_a_name_and_team"),
        ]

    def __str__(self) -> str:
        return self.name


class SkillFile(models.Model):
    """`path` is relative to the skill's folder, with "/" between its steps; `size` in bytes."""

    skill = models.ForeignKey(Skill, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=500)
    size = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["path"]
        constraints = [models.UniqueConstraint(fields=["skill", "path"], name="one_file_a_path_in_a_skill")]

    def __str__(self) -> str:
        return self.path


class SkillSwitchQuerySet(models.QuerySet["SkillSwitch"]):
    def off_in(self, project: Project) -> set[str]:
        return set(self.filter(project=project).values_list("name", flat=True))


class SkillSwitch(models.Model):
    """A name that no agent finds a skill by in the project, wherever the skill lies. What has no row is on."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="skill_switches")
    name = models.CharField(max_length=200)
    switched_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    switched = models.DateTimeField(default=timezone.now, editable=False)

    objects = SkillSwitchQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="one_switch_a_skill_and_project")]

    def __str__(self) -> str:
        return f"{self.name} is off"
