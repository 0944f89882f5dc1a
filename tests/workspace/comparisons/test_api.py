"""The API of comparisons, as alice, bob and charlie reach it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.workspace.sessions.api import Api
from workspace.accounts.models import Membership, User
from workspace.comparisons.models import Comparison
from workspace.projects import worktrees
from workspace.projects.models import Project
from workspace.sessions.models import Session

BODY = {"prompt": "Fix the shelf.", "left": {"toolset": "oats"}, "right": {"toolset": "atomic"}}


@pytest.fixture
def door(place: Path, project: Project) -> str:
    return f"projects/{project.public_id}/comparisons/"


def test_a_comparison_is_begun_and_found_again(door: str, bob: User) -> None:
    made = Api(bob).post(door, BODY, status=201)
    assert (made["title"], made["outcome"], made["created_by"]["name"]) == ("Fix the shelf.", "", "Bob Boyd")
    assert [made[side]["toolset"] for side in ("left", "right")] == ["oats", "atomic"]
    assert made["left"]["status"] == made["right"]["status"] == "queued"
    assert made["left"]["worktree"] == "open"
    assert made["left"]["figures"] == {
        "replies": 0, "tool_calls": 0, "failed_calls": 0, "refused_replies": 0, "input": 0, "output": 0, "cost": 0.0, "unpriced": 0,
        "seconds": 0.0, "files": 0, "added": 0, "removed": 0,
    }  # fmt: skip
    assert Api(bob).get(f"comparisons/{made['id']}/") == made
    assert [one["id"] for one in Api(bob).get("comparisons/")["results"]] == [made["id"]]
    assert [one["id"] for one in Api(bob).get(door)["results"]] == [made["id"]]
    assert Api(bob).get(f"sessions/{made['left']['session']}/")["title"] == "Fix the shelf. · OATS"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"prompt": ""}, "prompt"),
        ({"prompt": " "}, "prompt"),
        ({"right": {"toolset": "oats"}}, "right"),
        ({"right": {"toolset": "oats", "workflow": "react"}}, "right"),
        ({"right": {"toolset": "nails"}}, "toolset"),
        ({"right": {"workflow": "react"}}, "right.toolset"),
        ({"left": None}, "left"),
        ({"provider": "nobody"}, "provider"),
        ({"model": "m" * 201}, "model"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_what_makes_no_sense_is_refused_at_the_door(door: str, home: Path, alice: User, change: dict[str, Any], field: str) -> None:
    refused = Api(alice).post(door, {**BODY, **change}, status=400)
    assert field in refused["fields"]
    assert not list((home / "worktrees").glob("*"))


def test_what_cannot_be_compared_says_why(door: str, project: Project, alice: User) -> None:
    Project.objects.update(archived=True)
    assert "archived" in Api(alice).post(door, BODY, status=409)["title"]
    Project.objects.update(archived=False)
    (project.root / ".git").rename(project.root / "git")
    assert "git init" in Api(alice).post(door, BODY, status=503)["detail"]


def test_one_is_kept_and_the_other_goes(ended: Comparison, place: Path, alice: User) -> None:
    (worktrees.place_of(ended.right.public_id) / "new.py").write_text("new\n")
    at = f"comparisons/{ended.public_id}/"
    files = Api(alice).get(at)["right"]["figures"]
    assert (files["files"], files["added"]) == (1, 1)
    seen = Api(alice).get(f"sessions/{ended.right.public_id}/diff/")["hash"]
    assert Api(alice).post(at + "keep/", {"side": "both", "hash": seen}, status=400)["fields"]["side"]
    assert "changed since" in Api(alice).post(at + "keep/", {"side": "right", "hash": "another"}, status=409)["title"]
    kept = Api(alice).post(at + "keep/", {"side": "right", "hash": seen})
    assert (kept["outcome"], kept["left"]["worktree"], kept["right"]["worktree"]) == ("right", "dropped", "landed")
    assert (place / "new.py").read_text() == "new\n"
    assert Api(alice).post(at + "drop/", status=409)["by"]["name"] == "Alice Ames"


def test_both_are_dropped(ended: Comparison, alice: User) -> None:
    assert Api(alice).post(f"comparisons/{ended.public_id}/drop/", {"reason": "No."})["outcome"] == "none"


def test_a_stranger_finds_no_comparison(ended: Comparison, door: str, charlie: User) -> None:
    at = f"comparisons/{ended.public_id}/"
    for path in (at, door):
        Api(charlie).get(path, 404)
        assert Client().get(f"/api/{path}").status_code == 401
    assert Api(charlie).get("comparisons/")["results"] == []
    assert Api(charlie).get("comparisons/", project=ended.project.public_id)["results"] == []
    Api(charlie).post(door, BODY, status=404)
    Api(charlie).post(at + "keep/", {"side": "left", "hash": "h"}, status=404)
    Api(charlie).post(at + "drop/", status=404)
    assert Comparison.objects.count() == 1


def test_a_session_leads_to_the_comparison_it_is_a_side_of(ended: Comparison, alice: User, bob: User, charlie: User) -> None:
    alone = Session.objects.create(project=ended.project, created_by=alice)

    def found(who: User, side: str) -> list[str]:
        return [one["id"] for one in Api(who).get("comparisons/", session=side)["results"]]

    for who in (alice, bob):
        assert found(who, ended.left.public_id) == found(who, ended.right.public_id) == [ended.public_id]
        assert found(who, alone.public_id) == found(who, "nobody's") == []
        assert Api(who).get("comparisons/", session=ended.left.public_id, project="another")["results"] == []
    assert found(charlie, ended.left.public_id) == []


def test_a_member_looks_and_compares_and_a_viewer_only_looks(ended: Comparison, door: str, bob: User) -> None:
    at = f"comparisons/{ended.public_id}/"
    Api(bob).post(at + "keep/", {"side": "left", "hash": "h"}, status=403)
    Api(bob).post(at + "drop/", status=403)
    Membership.objects.filter(user=bob).update(role="viewer")
    assert Api(bob).get(at)["id"] == ended.public_id
    assert [one["id"] for one in Api(bob).get(door)["results"]] == [ended.public_id]
    Api(bob).post(door, BODY, status=403)
    Membership.objects.filter(user=bob).delete()
    Api(bob).get(at, 404)
    assert Api(bob).get("comparisons/")["results"] == []
