from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from workspace.accounts.models import Team, User
from workspace.memories.actions import Belonging, write_memory
from workspace.memories.models import Memory
from workspace.projects.models import Project


def signed_in(who: User) -> APIClient:
    client = APIClient()
    client.force_login(who)
    return client


def remember(to: Belonging, title: str, content: str = "…", by: User | None = None, **more: Any) -> Memory:
    return write_memory(to, title=title, content=content, type=more.pop("type", "project"), tags=more.pop("tags", []), by=by, **more)


def titles(client: APIClient, **query: str) -> list[str]:
    return [row["title"] for row in client.get("/api/memories/", query).json()["results"]]


@pytest.fixture
def memories(team: Team, project: Project, alice: User, bob: User) -> None:
    remember(Belonging(owner=alice), "Alice's own", "likes short answers", type="user")
    remember(Belonging(owner=bob), "Bob's own", "likes long answers", type="user")
    remember(Belonging(project=project), "Tests", "run unittest with python", tags=["Python"], by=alice)
    remember(Belonging(team=team), "Style", "short functions, python only", by=alice)


@pytest.mark.usefixtures("memories")
def test_everybody_sees_their_own_and_their_teams(alice: User, bob: User, charlie: User) -> None:
    assert titles(signed_in(alice)) == ["Style", "Tests", "Alice's own"]
    assert titles(signed_in(bob)) == ["Style", "Tests", "Bob's own"]
    assert titles(signed_in(charlie)) == []


@pytest.mark.usefixtures("memories")
def test_memories_are_found_by_words_the_best_first(alice: User) -> None:
    client = signed_in(alice)
    assert titles(client, q="PYTHON unittest") == ["Tests", "Style"]
    assert titles(client, q="short python") == ["Style", "Tests", "Alice's own"]
    assert titles(client, q="zebra") == []
    assert titles(client, q="100%_") == []


@pytest.mark.usefixtures("memories")
def test_memories_are_filtered(alice: User, team: Team, project: Project) -> None:
    client = signed_in(alice)
    assert titles(client, scope="user") == ["Alice's own"]
    assert titles(client, type="project", q="python", project=project.public_id) == ["Tests"]
    assert titles(client, team=team.public_id) == ["Style"]


def test_a_long_list_comes_in_pages_without_gap_or_double(alice: User) -> None:
    for number in range(7):
        remember(Belonging(owner=alice), f"word {number}", "word")
    client, found, address = signed_in(alice), [], "/api/memories/?q=word&limit=3"
    while address:
        page = client.get(address).json()
        found += [row["title"] for row in page["results"]]
        address = page["next"]
    assert found == [f"word {number}" for number in reversed(range(7))]


def test_a_memory_tells_where_it_came_from(project: Project, alice: User) -> None:
    memory = remember(Belonging(project=project), "Tests", by=alice, session="s-1", seq=7)
    shown = signed_in(alice).get(f"/api/memories/{memory.public_id}/").json()
    assert shown["source"] == {"session": "s-1", "seq": 7}
    assert shown["created_by"] == {"id": alice.public_id, "name": "Alice Ames"}
    assert (shown["project"]["name"], shown["team"], shown["owner"], shown["used_count"]) == ("Bookshelf", None, None, 0)


def test_a_written_memory_is_changed_by_writing_its_title_again(project: Project, alice: User, bob: User) -> None:
    written = {"scope": "project", "project": project.public_id, "title": "Tests", "type": "project"}
    first = signed_in(alice).post("/api/memories/", {**written, "content": "one"}, format="json").json()
    second = signed_in(bob).post("/api/memories/", {**written, "content": "two", "tags": ["x"]}, format="json").json()
    assert (first["id"], second["content"], second["tags"]) == (second["id"], "two", ["x"])
    assert (second["created_by"]["name"], second["updated_by"]["name"]) == ("Alice Ames", "Bob Boyd")


def test_a_changed_memory_is_found_by_its_new_words(alice: User) -> None:
    memory = remember(Belonging(owner=alice), "Tests", "old")
    signed_in(alice).patch(f"/api/memories/{memory.public_id}/", {"content": "brandnew"}, format="json")
    assert titles(signed_in(alice), q="brandnew") == ["Tests"]
    assert titles(signed_in(alice), q="old") == []


def test_two_memories_of_a_place_never_get_one_title(alice: User) -> None:
    remember(Belonging(owner=alice), "One")
    other = remember(Belonging(owner=alice), "Two")
    answer = signed_in(alice).patch(f"/api/memories/{other.public_id}/", {"title": "One"}, format="json")
    assert (answer.status_code, answer.json()["kind"]) == (409, "conflict")


@pytest.mark.usefixtures("memories", "team")
def test_nobody_touches_the_own_memories_of_another(alice: User, bob: User) -> None:
    memory = Memory.objects.get(owner=bob)
    client = signed_in(alice)
    path = f"/api/memories/{memory.public_id}/"
    assert [client.get(path).status_code, client.patch(path, {}).status_code, client.delete(path).status_code] == [404, 404, 404]


def test_ones_own_is_ones_own_in_any_role(team: Team, bob: User) -> None:
    team.memberships.filter(user=bob).update(role="viewer")
    client = signed_in(bob)
    made = client.post("/api/memories/", {"scope": "user", "title": "T", "content": "c", "type": "user"}, format="json")
    assert made.status_code == 201
    assert client.delete(f"/api/memories/{made.json()['id']}/").status_code == 204


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"scope": "project"}, "project"), ({"scope": "team"}, "team"), ({"scope": "world"}, "scope"), ({"type": "joke"}, "type"),
        ({"title": ""}, "title"), ({"title": "x" * 201}, "title"), ({"content": ""}, "content"), ({"tags": "x"}, "tags"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named(alice: User, changed: dict[str, str], field: str) -> None:
    good = {"scope": "user", "title": "T", "content": "c", "type": "user"}
    answer = signed_in(alice).post("/api/memories/", {**good, **changed}, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]


def test_nobody_writes_into_a_strangers_project(project: Project, team: Team, charlie: User) -> None:
    for place in ({"scope": "project", "project": project.public_id}, {"scope": "team", "team": team.public_id}):
        answer = signed_in(charlie).post("/api/memories/", {**place, "title": "T", "content": "c", "type": "user"}, format="json")
        assert answer.status_code == 404
