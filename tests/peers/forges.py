"""A GitHub and a Gitea on this machine, answering in their documented formats. Both have owner/shelf with two issues and two pulls."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tests.peers.site import Page, Seen, Site

TOKEN = "t0ken-0123456789"
DIFF = "diff --git a/shelf.py b/shelf.py\n--- a/shelf.py\n+++ b/shelf.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
WHEN = "2026-11-20T10:00:00Z"


def github(token: str = TOKEN) -> Site:
    """Its API begins at /api/v3, as on a server of one's own."""
    pulls = [_pull(3), {**_pull(4), "draft": True}]
    issues = [_issue(1), _issue(2), {**_issue(3), "pull_request": {"url": "https://github.example/pulls/3"}}]
    remark = _said("dana", "Why two?", "2026-11-20T12:30:00Z", path="shelf.py", line=1, diff_hunk="@@ -1 +1 @@")
    reviews = [
        {"id": 7, "user": {"login": "dana"}, "state": "CHANGES_REQUESTED", "body": "Not yet.", "submitted_at": "2026-11-20T12:00:00Z"},
        {"id": 8, "user": {"login": "carl"}, "state": "COMMENTED", "body": "", "submitted_at": "2026-11-20T12:10:00Z"},
    ]
    return _site("/api/v3", f"Bearer {token}", {
        "": {"full_name": "owner/shelf", "description": "Where things stand"},
        "/issues": issues, "/issues/1": issues[0], "/issues/3": issues[2], "/pulls": pulls, "/pulls/3": pulls[0],
        "/issues/1/comments": [_said("carl", f"Comment {number}", f"2026-11-20T11:{number:02}:00Z") for number in range(1, 5)],
        "/issues/3/comments": [_said("carl", "Nice.", "2026-11-20T11:00:00Z")],
        "/pulls/3/reviews": reviews, "/pulls/3/comments": [remark],
    }, diff="application/vnd.github.diff")  # fmt: skip


def gitea(token: str = TOKEN) -> Site:
    issues = [_issue(1), _issue(2)]
    pull = {**_pull(3), "merged": True, "state": "closed"}
    reviews = [
        {**_said("dana", "Good.", WHEN), "id": 7, "state": "APPROVED", "submitted_at": "2026-11-20T12:00:00Z", "comments_count": 1},
        {**_said("carl", "?", WHEN), "id": 8, "state": "PENDING", "submitted_at": "2026-11-20T12:10:00Z", "comments_count": 0},
    ]  # fmt: skip
    remark = _said("dana", "Why two?", "2026-11-20T12:30:00Z", path="shelf.py", position=5, original_position=4)
    site = _site("/api/v1", f"token {token}", {
        "": {"full_name": "owner/shelf", "description": ""},
        "/issues": issues, "/issues/1": issues[0], "/pulls": [pull], "/pulls/3": pull,
        "/issues/1/comments": [_said("carl", "Me too", "2026-11-20T11:00:00Z")], "/issues/3/comments": [],
        "/pulls/3/reviews": reviews, "/pulls/3/reviews/7/comments": [remark],
    })  # fmt: skip
    site.pages["/api/v1/repos/owner/shelf/pulls/3.diff"] = Page(DIFF.encode(), "text/plain")
    return site


def _issue(number: int) -> dict[str, Any]:
    return {
        "number": number, "title": f"Issue {number}", "state": "open", "user": {"login": "bob"}, "body": "It **breaks**.\r\nOften.",
        "labels": [{"name": "bug"}], "assignees": [{"login": "alice"}], "created_at": WHEN, "updated_at": WHEN,
    }  # fmt: skip


def _pull(number: int) -> dict[str, Any]:
    return {
        **_issue(number), "title": f"Pull {number}", "head": {"ref": "fix"}, "base": {"ref": "main"}, "changed_files": 1,
        "additions": 1, "deletions": 1,
    }  # fmt: skip


def _said(who: str, body: str, when: str, **more: Any) -> dict[str, Any]:
    return {"user": {"login": who}, "body": body, "created_at": when, "updated_at": when, **more}


def _site(api: str, authorization: str, answers: Mapping[str, Any], diff: str = "") -> Site:
    """With `diff`, whoever accepts that type gets the changes of a pull instead of what is known of it."""
    site = Site({})
    for path, said in answers.items():
        site.pages[f"{api}/repos/owner/shelf{path}"] = _guarded(authorization, _answering(said, diff))
    return site


def _guarded(authorization: str, answer: Callable[[Seen], Page]) -> Callable[[Seen], Page]:
    def guarded(seen: Seen) -> Page:
        if seen.headers.get("authorization") != authorization:
            return replace(as_json({"message": "Bad credentials", "documentation_url": "https://docs.example/rest"}), status=401)
        return answer(seen)

    return guarded


def _answering(said: Any, diff: str) -> Callable[[Seen], Page]:
    def answer(seen: Seen) -> Page:
        if diff and seen.headers.get("accept") == diff:
            return Page(DIFF.encode(), f"{diff}; charset=utf-8")
        return _page_of(said, seen) if isinstance(said, list) else as_json(said)

    return answer


def _page_of(rows: list[Any], seen: Seen) -> Page:
    """Two rows a page, whatever was asked for, as a server may."""
    page = int(seen.query.get("page", "1"))
    shown = rows[2 * (page - 1) : 2 * page]
    more = {"Link": f'<{seen.path}&page={page + 1}>; rel="next", <{seen.path}>; rel="last"'} if 2 * page < len(rows) else {}
    return replace(as_json(shown), headers=more)


def as_json(said: Any) -> Page:
    return Page(json.dumps(said).encode(), "application/json; charset=utf-8")
