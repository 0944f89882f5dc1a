"""Two people who upload one skill at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from tests.workspace.skills.conftest import text
from workspace.accounts.models import Team, User
from workspace.skills.actions import Belonging, upload_skill
from workspace.skills.bundle import Bundle
from workspace.skills.models import Skill, SkillFile

pytestmark = pytest.mark.django_db(transaction=True)

UPLOADS = 6


def test_of_several_uploads_at_once_one_is_there_whole(team: Team, alice: User, bob: User) -> None:
    barrier = Barrier(UPLOADS)

    def upload(number: int) -> str:
        files = {"SKILL.md": text(description=f"number {number}"), **{f"{number}-{part}.txt": b"x" * number for part in range(30)}}
        barrier.wait()
        try:
            return upload_skill(Belonging(team=team), (alice, bob)[number % 2], Bundle("release", f"number {number}", files)).public_id
        finally:
            connections.close_all()

    with ThreadPoolExecutor(UPLOADS) as threads:
        ids = set(threads.map(upload, range(UPLOADS)))
    skill = Skill.objects.get()
    assert ids == {skill.public_id}
    number = skill.description.removeprefix("number ")
    expected = {"SKILL.md", *(f"{number}-{part}.txt" for part in range(30))}
    assert set(SkillFile.objects.values_list("path", flat=True)) == expected
    assert skill.uploaded_by == (alice, bob)[int(number) % 2]
