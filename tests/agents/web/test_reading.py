"""How the text of a web address is come by: documents, a site's own Markdown, the page itself, a guide for models."""

from __future__ import annotations

import pytest

from agents.errors import FetchFailed, ToolError
from agents.web.addresses import Policy
from agents.web.fetcher import MOST_BYTES, Fetcher
from agents.web.reading import WebText, guides, is_poor, read, twins
from tests.peers.site import Page, Seen, Site, moved

HERE = Fetcher(Policy(lambda address: address == "127.0.0.1"), seconds=20)
WORDS = "These are words enough to be worth reading, again and again, until there are more than a hundred letters of them.\n"
HTML = ("<html><head><title>Page</title></head><body><h1>Page</h1>" + f"<p>{WORDS}</p>" * 5 + "</body></html>").encode()
MARKDOWN = Page(("# As markdown\n\n" + WORDS).encode(), "text/markdown")


async def convert(data: bytes, suffix: str) -> str:
    if data == b"broken":
        raise ToolError(f"[Cannot read {suffix} file: broken]")
    return f"converted {suffix} {len(data)}"


async def got(site: Site, path: str = "/", *, raw: bool = False, fetcher: Fetcher = HERE) -> WebText:
    return await read(site.url + path, fetcher, convert, raw=raw)


async def test_a_page_becomes_markdown() -> None:
    with Site({"/": Page(HTML)}) as site:
        found = await got(site)
    assert (found.method, found.url, found.markdown) == ("html-to-markdown", f"{site.url}/", True)
    assert "# Page" in found.text
    assert WORDS.strip() in found.text


async def test_raw_is_what_was_sent() -> None:
    with Site({"/": Page(HTML)}) as site:
        found = await got(site, raw=True)
    assert (found.method, found.text.encode()) == ("raw", HTML)
    assert [seen.path for seen in site.seen] == ["/"]


@pytest.mark.parametrize(
    "link",
    ['<link rel="alternate" type="text/markdown" href="/other.md">', "<LINK href=other.md rel='x alternate'>",
     '<link type="text/markdown" rel=alternate href="../other.md">'],
)  # fmt: skip
async def test_the_markdown_that_a_page_names_goes_first(link: str) -> None:
    with Site(
        {"/page": Page(HTML.replace(b"<title>", link.encode() + b"<title>")), "/other.md": MARKDOWN, "/page.md": Page(b"x" * 200)}
    ) as site:
        found = await got(site, "/page")
    assert (found.method, found.url, found.content_type) == ("alternate-markdown", f"{site.url}/other.md", "text/markdown")
    assert found.text.startswith("# As markdown")


@pytest.mark.parametrize("other", [Page(status=404), Page(HTML), Page(b"too little", "text/markdown"), moved("http://10.0.0.7/x.md")])
async def test_a_link_that_leads_nowhere_is_noted_and_the_page_is_read(other: Page) -> None:
    head = b'<link rel="alternate" type="text/markdown" href="/other"><title>'
    with Site({"/page": Page(HTML.replace(b"<title>", head)), "/other": other}) as site:
        found = await got(site, "/page")
    assert (found.method, found.notes) == ("html-to-markdown", ("its alternate markdown link cannot be used",))


async def test_who_stays_with_a_server_does_not_ask_another_for_markdown() -> None:
    with Site({"/x.md": MARKDOWN}) as other, Site({}) as site:
        site.pages["/page"] = Page(HTML.replace(b"<title>", f'<link rel=alternate href="{other.url}/x.md"><title>'.encode()))
        found = await got(site, "/page", fetcher=Fetcher(HERE.policy, stays=True))
        assert (found.method, other.seen) == ("html-to-markdown", [])
        assert (await got(site, "/page")).method == "alternate-markdown"


@pytest.mark.parametrize(
    ("path", "twin"),
    [("/page", "/page.md"), ("/page", "/page/index.html.md"), ("/docs/", "/docs/index.html.md"), ("/a.html", "/a.html.md")],
)
async def test_a_twin_of_the_page_is_found(path: str, twin: str) -> None:
    with Site({path: Page(HTML), twin: MARKDOWN}) as site:
        found = await got(site, f"{path}?q=1")
    assert (found.method, found.content_type) == ("md-suffix", "text/markdown")


async def test_a_site_that_negotiates_gives_markdown() -> None:
    def page(seen: Seen) -> Page:
        return MARKDOWN if seen.headers["accept"].startswith("text/markdown") else Page(HTML)

    with Site({"/page": page}) as site:
        found = await got(site, "/page")
    assert (found.method, found.text[:13]) == ("content-negotiation", "# As markdown")


@pytest.mark.parametrize("guide", ["/llms.txt", "/.well-known/llms.txt"])
async def test_a_poor_page_is_replaced_by_the_sites_guide(guide: str) -> None:
    with Site({"/": Page(b"<html><body>Please enable JavaScript</body></html>"), guide: Page(WORDS.encode() * 2, "text/plain")}) as site:
        found = await got(site)
    assert (found.method, found.text) == (f"llms-txt ({site.url}{guide})", WORDS * 2)


async def test_a_poor_page_without_a_guide_is_shown_and_says_so() -> None:
    with Site({"/a/b": Page(b"<html><body>Please enable JavaScript</body></html>")}) as site:
        found = await got(site, "/a/b")
    assert "enable JavaScript" in found.text
    assert "no other form" in found.notes[0]
    assert "/a/llms.txt" in {seen.path for seen in site.seen}


@pytest.mark.parametrize(
    ("path", "kind", "suffix"),
    [
        ("/x", "application/pdf", ".pdf"), ("/x.docx", "application/octet-stream", ".docx"), ("/x.epub", "application/epub+zip", ".epub"),
        ("/x", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet; charset=binary", ".xlsx"), ("/x.pptx", "", ".pptx"),
        ("/x.DOC", "application/msword", ".doc"), ("/x.rtf", "text/rtf", ".rtf"),
    ],
)  # fmt: skip
async def test_a_document_is_known_by_its_type_or_its_name(path: str, kind: str, suffix: str) -> None:
    with Site({path: Page(b"12345", kind)}) as site:
        found = await got(site, path)
        site.pages[path] = Page(b"broken", kind)
        broken = await got(site, path)
    assert (found.method, found.text) == ("document", f"converted {suffix} 5")
    assert (broken.method, broken.text) == ("document-error", f"[Cannot read {suffix} file: broken]")


async def test_text_stays_as_it_is_and_other_files_are_refused() -> None:
    with Site({"/a": Page(b'{"a":1}', "application/json"), "/b": Page(b"MZ\0\0", "application/x-msdownload")}) as site:
        found = await got(site, "/a")
        assert (found.method, found.text, found.markdown) == ("text", '{"a":1}', False)
        for raw in (True, False):
            with pytest.raises(FetchFailed, match="only web pages and text"):
                await got(site, "/b", raw=raw)


async def test_an_answer_that_is_no_success_is_marked_and_shown() -> None:
    with Site({"/gone": Page(b"<p>It moved to the attic.</p>", status=410), "/bare": Page(b"", "", 503)}) as site:
        gone, bare = await got(site, "/gone"), await got(site, "/bare")
    assert (gone.method, gone.ok, gone.text) == ("failed", False, "It moved to the attic.")
    assert bare.text == "(The request failed with status 503 Service Unavailable)"


async def test_a_body_beyond_the_limit_is_refused() -> None:
    endless = Site({"/": lambda seen: Page(iter(lambda: b"x" * 65536, None), "text/plain")})
    with endless as site, pytest.raises(FetchFailed, match="exceeds the limit of 10 MiB"):
        await got(site)
    assert MOST_BYTES == 10 * 2**20


async def test_an_image_is_handed_on_as_bytes() -> None:
    with Site({"/a.png": Page(b"\x89PNG", "image/png")}) as site:
        assert ((await got(site, "/a.png")).method, (await got(site, "/a.png")).data) == ("image", b"\x89PNG")


def test_where_other_forms_are_looked_for() -> None:
    assert list(twins("https://x.test/a/b")) == ["https://x.test/a/b.md", "https://x.test/a/b/index.html.md"]
    assert list(twins("https://x.test")) == ["https://x.test/index.html.md"]
    assert list(twins("https://x.test/a.md")) == []
    assert list(guides("https://x.test/")) == ["https://x.test/.well-known/llms.txt", "https://x.test/llms.txt"]
    assert list(guides("https://x.test/a/b/c")) == ["https://x.test/a/b/llms.txt", "https://x.test/a/llms.txt", "https://x.test/llms.txt"]


def test_a_page_is_poor_when_it_says_hardly_anything() -> None:
    assert is_poor("short")
    assert is_poor("Your browser is not supported. " + "x" * 500)
    assert is_poor("menu entry\n" * 30)
    assert not is_poor(WORDS * 3)
