from __future__ import annotations

import pytest
from pytest_django import Settings

from agents.errors import SandboxError
from agents.sandboxes.choose import strongest
from workspace.accounts.models import User
from workspace.errors import Forbidden
from workspace.projects.actions import change_project
from workspace.projects.confinement import NOTES, confinement_of
from workspace.projects.models import Project


def test_a_project_takes_the_strongest_that_works(project: Project) -> None:
    found = confinement_of(project)
    assert found.level == strongest()
    assert bool(found.warning) == (found.level == "local")


def test_local_always_carries_a_warning(project: Project, settings: Settings) -> None:
    settings.SANDBOX = "local"
    assert "unconfined" in confinement_of(project).warning or "No sandbox" in confinement_of(project).warning


@pytest.mark.skipif(strongest() == "local", reason="nothing stronger works here")
def test_no_project_talks_itself_out_of_the_sandbox(project: Project, alice: User) -> None:
    with pytest.raises(Forbidden, match="cannot have less"):
        change_project(project, sandbox_level="local")
    Project.objects.filter(pk=project.pk).update(sandbox_level="local")
    project.refresh_from_db()
    assert project.open_sandbox().level == confinement_of(project).level == strongest()


def test_the_operators_word_counts_before_the_projects(project: Project, settings: Settings) -> None:
    settings.SANDBOX = "local"
    project.sandbox_level = "bubblewrap"
    assert confinement_of(project).level == "local"
    assert project.open_sandbox().level == "local"


def test_a_sandbox_opens_on_the_workspace(project: Project) -> None:
    sandbox = project.open_sandbox()
    (project.root / "a.txt").write_text("one")
    assert sandbox.files.read("a.txt") == b"one"
    assert sandbox.network is False


def test_a_workspace_that_is_gone_opens_no_sandbox(project: Project) -> None:
    project.root.rmdir()
    with pytest.raises(SandboxError, match="gone"):
        project.open_sandbox()


def test_every_level_is_said_in_words() -> None:
    assert set(NOTES) == {"bubblewrap", "landlock", "local"}
