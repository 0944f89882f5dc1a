"""The web tools as `manage.py tool` offers them: the operator's environment says what may be asked, and with which keys."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.peers.site import Page, Site, told

ROOT = Path(__file__).resolve().parents[3]


def by_hand(root: Path, *lines: dict[str, Any], toolset: str = "oats", **environment: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "manage.py", "tool", "--toolset", toolset, "--root", str(root), "--home", f"{root}-home", "--sandbox", "local"],
        cwd=ROOT, env={**os.environ, **environment}, input="\n".join(map(json.dumps, lines)), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_private_address_is_asked_only_by_the_operators_word(tmp_path: Path) -> None:
    with Site({"/": Page(b"<title>Inside</title><p>hello")}) as site:
        call = {"name": "webfetch", "args": {"url": site.url}}
        (refused,) = by_hand(tmp_path, call)
        (allowed,) = by_hand(tmp_path, call, COUNTERSIGN_ALLOW_PRIVATE_URLS="1")
    assert "127.0.0.1 is private" in refused["error"]
    assert (allowed["error"], allowed["metadata"]["title"], allowed["metadata"]["status_code"]) == (None, "Inside", 200)
    assert len(site.seen) == 1


def test_reading_private_pages_is_a_word_of_its_own(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("ATOMIC_ALLOW_PRIVATE_URL_READS=1\n")
    with Site({"/": Page(b"hello inside", "text/plain")}) as site:
        fetch, read = {"name": "webfetch", "args": {"url": site.url}}, {"name": "read", "args": {"path": site.url}}
        (refused,) = by_hand(tmp_path, read, toolset="atomic")
        (allowed,) = by_hand(tmp_path, read, toolset="atomic", ATOMIC_ALLOW_PRIVATE_URL_READS="1")
        (other,) = by_hand(tmp_path, fetch, ATOMIC_ALLOW_PRIVATE_URL_READS="1")
        (both,) = by_hand(tmp_path, read, toolset="atomic", COUNTERSIGN_ALLOW_PRIVATE_URLS="1")
    assert "127.0.0.1 is private" in refused["error"]
    assert "127.0.0.1 is private" in other["error"]
    assert "hello inside" in allowed["output"]
    assert "hello inside" in both["output"]


def test_a_search_uses_the_keys_and_addresses_of_the_environment(tmp_path: Path) -> None:
    results = {"web": {"results": [{"title": "One", "url": "https://one.example/", "description": "First"}]}}
    with Site({"/search.json": Page(status=500), "/res/v1/web/search": told(results)}) as site:
        keys = {"SERPAPI_API_KEY": "s", "SERPAPI_BASE_URL": site.url, "BRAVE_SEARCH_API_KEY": "b", "BRAVE_SEARCH_BASE_URL": site.url + "/"}
        (line,) = by_hand(tmp_path, {"name": "websearch", "args": {"query": "one"}}, **keys)
    assert line["ok"]
    assert "1. **One**\n   URL: https://one.example/\n   First" in line["output"]
    assert line["metadata"]["source"] == "brave"
    assert [seen.headers.get("x-subscription-token") for seen in site.seen] == [None, "b"]
