"""What people do to projects: make them from something, set them up, put them away."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify

from agents.permissions import Action
from agents.sandboxes.choose import is_weaker
from agents.sandboxes.sandbox import Level
from workspace.accounts.models import Team, User
from workspace.errors import Forbidden
from workspace.ids import new_id
from workspace.projects import git
from workspace.projects.archives import unpack
from workspace.projects.cloning import clone
from workspace.projects.copying import allowed_folder, copy_folder
from workspace.projects.models import Project, Rule
from workspace.projects.rules import default_rules


@dataclass(frozen=True)
class Empty:
    """A project that starts with no files."""


@dataclass(frozen=True)
class Archive:
    """An uploaded zip or tar file of `size` bytes."""

    file: IO[bytes]
    size: int


@dataclass(frozen=True)
class GitUrl:
    """A repository to clone, its history included."""

    url: str


@dataclass(frozen=True)
class AllowedPath:
    """A folder of this machine to copy as it stands."""

    path: str


@dataclass(frozen=True)
class Folder:
    """A folder that comes with Countersign, as the demo's project does."""

    path: Path


Source = Empty | Archive | GitUrl | AllowedPath | Folder


def create_project(person: User | None, team: Team, name: str, source: Source, description: str = "", **choices: str) -> Project:
    """Fill the workspace, commit it, then make the project; when anything fails nothing is left behind.

    `choices` are provider, model and toolset. Raises Invalid, Forbidden or Unavailable.
    """
    public_id = new_id()
    with _new_workspace(public_id) as root:
        _fill(root, source)
        git.begin(root)
        with transaction.atomic():
            project = Project.objects.create(
                public_id=public_id, team=team, name=name, slug=_free_slug(team, name), description=description,
                created_by=person, **choices,
            )  # fmt: skip
            write_rules(project, default_rules(project.toolset), None)
    return project


@contextmanager
def _new_workspace(public_id: str) -> Iterator[Path]:
    root = Path(settings.COUNTERSIGN_HOME) / "workspaces" / public_id
    root.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        yield root
    except BaseException:
        for leftover in (root, root.with_name(f"{root.name}.wrapper")):
            shutil.rmtree(leftover, ignore_errors=True)
        raise


def _fill(root: Path, source: Source) -> None:
    if isinstance(source, GitUrl):
        clone(source.url, root)
        return
    folder = allowed_folder(source.path) if isinstance(source, AllowedPath) else getattr(source, "path", None)
    root.mkdir()
    if isinstance(source, Archive):
        unpack(source.file, source.size, root)
    elif folder is not None:
        copy_folder(folder, root)


def _free_slug(team: Team, name: str) -> str:
    start = slugify(name)[:50] or "project"
    taken = set(team.projects.filter(slug__startswith=start).values_list("slug", flat=True))
    return next(slug for slug in (start, *(f"{start}-{number}" for number in range(2, len(taken) + 3))) if slug not in taken)


def change_project(project: Project, **changes: str | bool | dict[str, bool]) -> Project:
    """Set any of name, description, network, sandbox_level, provider, model, toolset, profile, features, bash_interceptor, archived.

    Raises Forbidden for a weaker sandbox.
    """
    level = changes.get("sandbox_level")
    if level and is_weaker(cast("Level", level)):
        raise Forbidden("A project cannot have less than this server's sandbox", "Its operator can: with COUNTERSIGN_SANDBOX.")
    for name, value in changes.items():
        setattr(project, name, value)
    project.save(update_fields=list(changes))
    return project


RuleRow = tuple[str, str, Action]


def write_rules(project: Project, rules: list[RuleRow], person: User | None) -> None:
    """Replace all rules. A rule that was there before keeps whoever made it."""
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        makers = {(rule.tool, rule.pattern, rule.action): rule.made_by_id for rule in project.rules.all()}
        project.rules.all().delete()
        by = person.pk if person else None
        Rule.objects.bulk_create(
            Rule(project=project, order=order, tool=row[0], pattern=row[1], action=row[2], made_by_id=makers.get(row, by))
            for order, row in enumerate(rules, 1)
        )
