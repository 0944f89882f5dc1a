"""Reading issues and pull requests from real servers that answer as GitHub and Gitea do, and from some that do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from agents.errors import AddressRefused, ToolError
from agents.forges.place import ForgePlace, complaints
from agents.forges.rest import RestForge
from agents.web.addresses import ANYWHERE
from tests.peers.forges import DIFF, TOKEN, as_json, gitea, github
from tests.peers.site import Page, Site, moved

REPO = "/api/v3/repos/owner/shelf"


@pytest.fixture
def hub() -> Iterator[Site]:
    with github() as site:
        yield site


@pytest.fixture
def tea() -> Iterator[Site]:
    with gitea() as site:
        yield site


def at(site: Site, kind: str = "github", token: str = TOKEN) -> RestForge:
    place = ForgePlace("github" if kind == "github" else "gitea", "owner/shelf", site.url, token, "FORGE_TOKEN")
    return RestForge(place, ANYWHERE)


async def test_issues_are_listed_without_the_pull_requests_github_mixes_in(hub: Site) -> None:
    items = await at(hub).items("issue", "all")
    assert [(one.number, one.title, one.state, one.author) for one in items] == [
        (1, "Issue 1", "open", "bob"),
        (2, "Issue 2", "open", "bob"),
    ]
    assert hub.seen[0].query == {"state": "all", "sort": "updated", "direction": "desc", "per_page": "100", "page": "1"}
    assert [seen.query["page"] for seen in hub.seen] == ["1", "2"]
    assert hub.seen[0].headers["x-github-api-version"] == "2022-11-28"


async def test_pull_requests_are_listed_with_what_they_are(hub: Site, tea: Site) -> None:
    assert [(one.number, one.state) for one in await at(hub).items("pr")] == [(3, "open"), (4, "draft")]
    assert [(one.number, one.state) for one in await at(tea, "gitea").items("pr", "closed")] == [(3, "merged")]
    assert tea.seen[0].query["state"] == "closed"


async def test_an_issue_is_told_with_every_page_of_its_comments(hub: Site) -> None:
    thread = await at(hub).thread("issue", 1)
    assert thread.text.startswith("# Issue 1 (#1)\nissue, open; by bob, opened 2026-11-20T10:00:00Z")
    assert "Labels: bug\nAssigned to: alice\n\nIt **breaks**.\nOften." in thread.text
    places = [thread.text.index(f"Comment {number}") for number in range(1, 5)]
    assert places == sorted(places)
    assert (thread.diff, thread.item.number) == ("", 1)


async def test_a_pull_request_of_github_is_told_with_reviews_remarks_and_changes(hub: Site) -> None:
    thread = await at(hub).thread("pr", 3)
    assert "From fix into main; 1 files, +1 -1" in thread.text
    said = ["carl, 2026", "dana asked for changes", "dana on shelf.py:1"]
    places = [thread.text.index(one) for one in said]
    assert places == sorted(places)
    assert "carl reviewed" not in thread.text
    assert thread.diff == DIFF


async def test_a_pull_request_of_gitea_is_told_with_reviews_remarks_and_changes(tea: Site) -> None:
    thread = await at(tea, "gitea").thread("pr", 3)
    assert "pull request, merged" in thread.text
    assert "dana approved" in thread.text
    assert "dana on shelf.py:4" in thread.text or "dana on shelf.py:5" in thread.text
    assert "carl" not in thread.text
    assert thread.diff == DIFF
    assert tea.seen[0].headers["authorization"] == f"token {TOKEN}"


async def test_an_issue_that_is_a_pull_request_is_pointed_at_as_one(hub: Site) -> None:
    with pytest.raises(ToolError, match=r"Read pr://3"):
        await at(hub).thread("issue", 3)


async def test_the_repository_says_what_it_is(hub: Site, tea: Site) -> None:
    assert await at(hub).title() == "owner/shelf: Where things stand"
    assert await at(tea, "gitea").title() == "owner/shelf"


async def test_a_wrong_token_is_told_with_the_name_of_its_secret_and_not_itself(hub: Site) -> None:
    with pytest.raises(ToolError, match="does not accept the secret FORGE_TOKEN") as refused:
        await at(hub, token="wrong-token-1234").items("issue")
    assert "Bad credentials" in str(refused.value)
    assert "wrong-token" not in str(refused.value)


async def test_no_token_at_all_is_told_too(hub: Site) -> None:
    forge = RestForge(ForgePlace("github", "owner/shelf", hub.url), ANYWHERE)
    with pytest.raises(ToolError, match="no key"):
        await forge.items("issue")
    assert "authorization" not in hub.seen[0].headers


async def test_what_is_not_there_is_a_sentence(hub: Site) -> None:
    hub.pages[f"{REPO}/issues/99"] = replace(as_json({"message": "Not Found"}), status=404)
    with pytest.raises(ToolError, match=r"no such thing in owner/shelf \(Not Found\)"):
        await at(hub).thread("issue", 99)


@pytest.mark.parametrize(
    ("status", "headers", "said"),
    [
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795341600"}, r"no more requests .* after 2026-11-22 \d\d:00 UTC"),
        (429, {"Retry-After": "30"}, "in 30 seconds"),
        (403, {"Retry-After": "soon"}, "Try again later"),
        (403, {}, "right to read issues"),
        (500, {}, "in trouble itself"),
        (418, {}, "refused .HTTP 418"),
    ],
)
async def test_every_refusal_says_what_to_do(hub: Site, status: int, headers: dict[str, str], said: str) -> None:
    hub.pages[f"{REPO}/issues"] = replace(as_json({"message": "no"}), status=status, headers=headers)
    with pytest.raises(ToolError, match=said):
        await at(hub).items("issue")


@pytest.mark.parametrize(
    "body", [b"<html>", b"[1, 2", b'"text"', b"{}", b"\xff\xfe", b"[" * 5000], ids=["html", "cut", "text", "object", "bytes", "deep"]
)
async def test_an_answer_that_is_no_list_is_told_as_a_wrong_server(hub: Site, body: bytes) -> None:
    hub.pages[f"{REPO}/issues"] = Page(body, "application/json")
    with pytest.raises(ToolError, match="does not answer as a github server"):
        await at(hub).items("issue")


async def test_rows_of_odd_shapes_cost_nothing(hub: Site) -> None:
    odd = {"number": "x", "title": {"a": 1}, "user": "bob", "labels": "bug", "body": 7, "pull_request": None, "updated_at": "a\nb"}
    hub.pages[f"{REPO}/issues"] = as_json([odd, "text", None])
    (item,) = await at(hub).items("issue")
    assert (item.number, item.title, item.author, item.updated) == (0, "", "somebody", "a b")
    hub.pages[f"{REPO}/issues/1"] = as_json(odd)
    assert "(no description)" in (await at(hub).thread("issue", 1)).text


async def test_pages_without_end_are_left_after_three(hub: Site) -> None:
    hub.pages[f"{REPO}/issues/1/comments"] = Page(
        b'[{"body": "again"}]', "application/json", headers={"Link": '<http://elsewhere.example/>; rel="next"'}
    )
    thread = await at(hub).thread("issue", 1)
    assert thread.text.endswith("[only the first 3 comments are shown]")


async def test_long_bodies_and_threads_are_cut_and_say_so(hub: Site) -> None:
    hub.pages[f"{REPO}/issues/1/comments"] = as_json([{"body": "x" * 50_000, "created_at": f"{number}"} for number in range(30)])
    thread = await at(hub).thread("issue", 1)
    assert "[cut: 50000 characters]" in thread.text
    assert "its end is not shown" in thread.text
    assert len(thread.text) < 401_000


async def test_changes_too_large_for_the_forge_do_not_hide_the_rest(tea: Site) -> None:
    tea.pages["/api/v1/repos/owner/shelf/pulls/3.diff"] = replace(as_json({"message": "too large"}), status=406)
    thread = await at(tea, "gitea").thread("pr", 3)
    assert thread.diff == ""
    assert "the changes could not be read" in thread.text


async def test_the_token_goes_to_no_other_server(hub: Site) -> None:
    with Site({"/elsewhere": as_json([])}) as other:
        hub.pages[f"{REPO}/issues"] = moved(f"{other.url}/elsewhere")
        with pytest.raises(ToolError, match="sends on to another server"):
            await at(hub).items("issue")
        assert other.seen == []


async def test_a_server_that_repeats_the_token_is_not_repeated(hub: Site) -> None:
    hub.pages[f"{REPO}/issues/1"] = as_json({"title": f"key {TOKEN}", "number": 1})
    thread = await at(hub).thread("issue", 1)
    assert TOKEN not in thread.text
    assert "key [redacted]" in thread.text


async def test_private_addresses_are_asked_only_where_the_operator_lets_us(hub: Site) -> None:
    with pytest.raises(AddressRefused):
        await RestForge(ForgePlace("github", "owner/shelf", hub.url)).items("issue")
    assert hub.seen == []


@pytest.mark.parametrize(
    ("kind", "base_url", "api"),
    [
        ("github", "", "https://api.github.com"),
        ("github", "https://github.com", "https://api.github.com"),
        ("github", "https://api.github.com/", "https://api.github.com"),
        ("github", "https://hub.example.org", "https://hub.example.org/api/v3"),
        ("github", "https://hub.example.org/api/v3/", "https://hub.example.org/api/v3"),
        ("gitea", "https://tea.example.org/git/", "https://tea.example.org/git/api/v1"),
        ("gitea", "http://tea.example.org:3000/api/v1", "http://tea.example.org:3000/api/v1"),
    ],
)
def test_the_api_is_found_from_the_address_people_know(kind: str, base_url: str, api: str) -> None:
    assert ForgePlace("github" if kind == "github" else "gitea", "owner/shelf", base_url).api == api


@pytest.mark.parametrize(
    ("kind", "base_url", "repository", "fields"),
    [
        ("github", "", "owner/shelf", set()),
        ("gitea", "", "owner/shelf", {"base_url"}),
        ("gitea", "ftp://x.example", "owner/shelf", {"base_url"}),
        ("gitea", "https://user:key@x.example", "owner/shelf", {"base_url"}),
        ("gitea", "https://x.example/?token=1", "owner/shelf", {"base_url"}),
        ("github", "", "shelf", {"repository"}),
        ("github", "", "owner/shelf/more", {"repository"}),
        ("github", "", "../shelf", {"repository"}),
        ("github", "", "owner/..", {"repository"}),
        ("github", "", "owner/a b", {"repository"}),
        ("github", "", "owner/shelf\n", {"repository"}),
    ],
)
def test_descriptions_that_make_no_sense_are_told_by_field(kind: str, base_url: str, repository: str, fields: set[str]) -> None:
    assert set(complaints(kind, base_url, repository)) == fields
