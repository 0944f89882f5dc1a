"""Telling what an answer's body is, whatever stands in it."""

from __future__ import annotations

import re
import time

import pytest

from agents.web.decoding import LOOKED_AT, kind_of
from agents.web.fetcher import Answer


def answer(body: bytes, content_type: str = "application/octet-stream") -> Answer:
    return Answer("https://example.org/", 200, "OK", {"content-type": content_type}, body, whole=True, redirects=0)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<!doctype html><p>x", "html"),
        (b"\xef\xbb\xbf \n<!-- a -->\n<!-- <b> --> <HTML lang=en>", "html"),
        (b"<!----><body>", "html"),
        (b"<!-- <html> -->plain", "text"),
        (b"<htmlx>", "text"),
    ],
)
def test_a_body_of_unknown_kind_is_looked_at(body: bytes, kind: str) -> None:
    assert kind_of(answer(body)) == kind


def test_no_row_of_comments_keeps_us_from_telling() -> None:
    began = time.process_time()
    assert kind_of(answer((b"<!---->" * LOOKED_AT)[:LOOKED_AT], "text/plain")) == "text"
    assert kind_of(answer(re.sub(rb"x", b"<!-- ", b"x" * LOOKED_AT))) == "text"
    assert time.process_time() - began < 1.0
