from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from workspace.accounts.models import User


def test_the_schema_is_whole_and_without_warnings(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yaml"))
    text = (tmp_path / "schema.yaml").read_text()
    for path in ("/api/me/", "/api/projects/{project_id}/rules/", "/api/memories/{memory_id}/"):
        assert f"  {path}:" in text


def test_whoever_is_signed_in_reads_the_schema(bob: User) -> None:
    client = APIClient()
    assert client.get("/api/schema/").status_code == 401
    client.force_login(bob)
    assert client.get("/api/schema/").status_code == 200


@pytest.mark.parametrize("body", ["{", '"text"', "[]"])
def test_a_body_that_is_no_object_is_refused_in_the_shape_of_all_errors(bob: User, body: str) -> None:
    client = APIClient()
    client.force_login(bob)
    answer = client.post("/api/teams/", body, content_type="application/json")
    assert answer.status_code == 400
    assert {"kind", "title", "detail", "by"} <= answer.json().keys()
    assert answer.json()["kind"] == "invalid"


def test_a_verb_that_is_not_offered_is_refused_in_the_same_shape(bob: User) -> None:
    client = APIClient()
    client.force_login(bob)
    answer = client.delete("/api/me/")
    assert (answer.status_code, answer.json()["kind"]) == (405, "invalid")


@pytest.mark.parametrize(
    "body", ['{"name": "\\ud800"}', '{"name": ' + "[" * 100_000, '{"name": "a\\u0000b"}'], ids=["half a character", "deep", "NUL"]
)
def test_a_body_that_cannot_be_kept_is_refused_too(bob: User, body: str) -> None:
    client = APIClient()
    client.force_login(bob)
    answer = client.post("/api/teams/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["kind"]) == (400, "invalid")


@pytest.mark.parametrize("path", ["/api/projects/%00/", "/api/sessions/?person=%00", "/api/memories/?q=a%00b"])
def test_an_address_with_a_nul_is_refused(bob: User, path: str) -> None:
    client = APIClient()
    client.force_login(bob)
    answer = client.get(path)
    assert (answer.status_code, answer.json()["kind"]) == (400, "invalid")
