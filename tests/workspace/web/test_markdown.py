from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.web.markdown import to_html

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](vbscript:msgbox(1))",
    "<javascript:alert(1)>",
    "![x](https://example.org/pixel.png)",
    '![x" onerror="alert(1)](x)',
    "[x](https://example.org 'a\" onmouseover=\"alert(1)')",
    "<svg><script>alert(1)</script></svg>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<iframe src=https://example.org></iframe>",
    '<a href="https://example.org" onclick="alert(1)">x</a>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '```"><script>alert(1)</script>\nx\n```',
    "<!-- --><script>alert(1)</script>-->",
    "<form action=https://example.org><input name=x></form>",
    "<base href=https://example.org>",
    "<meta http-equiv=refresh content=0;url=https://example.org>",
]


class Reader(HTMLParser):
    """Collects the tags and attributes a browser would see."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_in_a_text_becomes_active(attack: str) -> None:
    seen = Reader(to_html(attack))
    assert seen.tags <= {"p", "a", "pre", "code", "br"}
    for name, value in seen.attributes:
        assert name in {"href", "title", "rel", "class"}
        assert name != "href" or value.startswith(("https://", "http://", "x"))


def test_markdown_becomes_html() -> None:
    html = to_html("# Plan\n\n1. **do** `this`\n2. ~~not~~ that\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx < 1\n```\n")
    for piece in (
        "<h1>Plan</h1>",
        "<strong>do</strong>",
        "<code>this</code>",
        "<s>not</s>",
        "<td>1</td>",
        '<code class="language-py">x &lt; 1',
    ):
        assert piece in html


def test_links_keep_where_they_lead_and_tell_nobody() -> None:
    assert to_html("[x](https://example.org/a?b=1&c=2)") == (
        '<p><a href="https://example.org/a?b=1&amp;c=2" rel="nofollow noopener noreferrer">x</a></p>\n'
    )


def test_an_address_in_the_text_stays_text() -> None:
    assert to_html("see example.org and https://example.org") == "<p>see example.org and https://example.org</p>\n"


@given(st.text(alphabet=st.sampled_from("<>\"'`&;:/ ()[]!=#\\\nabjscriptonx"), max_size=60))
def test_whatever_is_written_no_script_comes_out(text: str) -> None:
    html = to_html(text).lower()
    assert "<script" not in html
    assert 'href="javascript' not in html
