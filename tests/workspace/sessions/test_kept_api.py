"""Artifacts and jobs as the API gives them, and to whom."""

from __future__ import annotations

import zlib
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.workspace.sessions.conftest import OPENED
from workspace.accounts.models import Team, User
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions.models import Job, KeptArtifact, Session

PATHS = ("artifacts/", "artifacts/1/", "jobs/", "jobs/a1/")


@pytest.fixture
def furnished(session: Session) -> Session:
    keep(session, "bash.txt", "text/plain; charset=utf-8", "näme\n<script>alert(1)</script>\n".encode())
    Job.objects.create(
        session=session, job_id="a1", call_id="c1", command="make serve", timeout=300, output="listening", lease="l1",
        lease_until=timezone.now() + timedelta(hours=1),
    )  # fmt: skip
    return session


def keep(session: Session, name: str, media_type: str, data: bytes) -> None:
    number = KeptArtifact.objects.filter(session=session).count() + 1
    KeptArtifact.objects.create(session=session, number=number, name=name, media_type=media_type, size=len(data), data=zlib.compress(data))


def client_of(who: User | None) -> Client:
    client = Client()
    if who:
        client.force_login(who)
    return client


def statuses(who: User | None, session: Session) -> list[int]:
    return [client_of(who).get(f"/api/sessions/{session.public_id}/{path}").status_code for path in PATHS]


def cancels(who: User | None, session: Session) -> int:
    return client_of(who).post(f"/api/sessions/{session.public_id}/jobs/a1/cancel/").status_code


def test_the_owner_and_members_see_all_and_may_cancel(furnished: Session, alice: User, bob: User) -> None:
    for who in (alice, bob):
        assert statuses(who, furnished) == [200] * 4
        assert cancels(who, furnished) == 200
    assert Job.objects.get(job_id="a1").cancel_asked


def test_a_viewer_sees_all_and_may_not_cancel(furnished: Session, bob: User, team: Team) -> None:
    team.memberships.filter(user=bob).update(role="viewer")
    assert statuses(bob, furnished) == [200] * 4
    assert cancels(bob, furnished) == 403
    assert not Job.objects.get(job_id="a1").cancel_asked


def test_a_stranger_finds_nothing(furnished: Session, charlie: User) -> None:
    assert [*statuses(charlie, furnished), cancels(charlie, furnished)] == [404] * 5


def test_nobody_gets_in_without_signing_in(furnished: Session) -> None:
    assert [*statuses(None, furnished), cancels(None, furnished)] == [401] * 5


def test_what_another_session_has_is_missing_here(furnished: Session, project: Project, alice: User) -> None:
    other = Session.objects.create(project=project, created_by=alice)
    log.append(other.pk, [OPENED], by=alice)
    client = client_of(alice)
    assert [client.get(f"/api/sessions/{other.public_id}/{path}").status_code for path in PATHS] == [200, 404, 200, 404]
    assert cancels(alice, other) == 404


def test_an_agents_session_has_the_artifacts_of_the_whole_tree(furnished: Session, project: Project, alice: User) -> None:
    child = Session.objects.create(project=project, created_by=alice, parent=furnished, root=furnished)
    log.append(child.pk, [OPENED])
    assert client_of(alice).get(f"/api/sessions/{child.public_id}/artifacts/").json()[0]["name"] == "bash.txt"


def test_a_job_is_told_with_what_it_said(furnished: Session, alice: User) -> None:
    listed = client_of(alice).get(f"/api/sessions/{furnished.public_id}/jobs/").json()
    told = client_of(alice).get(f"/api/sessions/{furnished.public_id}/jobs/a1/").json()
    assert listed == [{name: value for name, value in told.items() if name != "output"}]
    assert (told["command"], told["state"], told["output"], told["timeout"], told["ended"]) == (
        "make serve",
        "running",
        "listening",
        300,
        None,
    )


def test_text_is_shown_as_text_and_pictures_as_pictures_and_nothing_else_as_itself(furnished: Session, alice: User) -> None:
    keep(furnished, 'a"b\r\nc.html', "text/html", b"<script>")
    keep(furnished, "x.png", "image/png", b"\x89PNG")
    keep(furnished, "x.svg", "image/svg+xml", b"<svg/>")
    answers = [client_of(alice).get(f"/api/sessions/{furnished.public_id}/artifacts/{number}/") for number in (1, 2, 3, 4)]
    kinds = [answer["Content-Type"] for answer in answers]
    assert kinds == ["text/plain; charset=utf-8", "text/plain; charset=utf-8", "image/png", "application/octet-stream"]
    assert [answer["Content-Disposition"].partition(";")[0] for answer in answers] == ["inline", "inline", "inline", "attachment"]
    assert answers[1]["Content-Disposition"] == 'inline; filename="a_b__c.html"'
    for answer in answers:
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Security-Policy"].startswith("sandbox;")


def test_a_part_of_a_text_can_be_asked_for(furnished: Session, alice: User) -> None:
    path = f"/api/sessions/{furnished.public_id}/artifacts/1/"
    assert client_of(alice).get(path, {"offset": 1, "limit": 3}).content.decode() == "äme"
    assert client_of(alice).get(path, {"offset": "x"}).status_code == 400
