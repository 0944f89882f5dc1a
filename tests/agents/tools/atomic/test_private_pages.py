"""`read` keeps away from every private address: asked for, behind a name, or after a redirect. 127.0.0.1 counts as public here only

where `HERE` is the policy; names are looked up at a real DNS server, whose answers change.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agents.errors import AddressRefused, ToolError
from agents.ports import Web
from agents.tools.atomic.webpages import read_page
from agents.tools.tool import ToolResult
from agents.web.addresses import Policy
from agents.web.fetcher import Fetcher
from tests.agents.tools.atomic.online import WebHands
from tests.peers.dns import Names
from tests.peers.site import Page, Site, moved

PRIVATE = [
    # IPv4: this network, private, loopback, link-local, shared, documentation, benchmarks, multicast, reserved
    "0.0.0.2", "0.1.2.3", "10.0.0.1", "10.255.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255",
    "192.168.0.1", "100.64.0.1", "100.127.255.255", "192.0.2.1", "198.18.0.1", "198.19.255.255", "224.0.0.1", "239.255.255.255",
    "255.255.255.255", "240.0.0.1", "203.0.113.1", "198.51.100.7",
    # other spellings of them
    "2130706433", "0x7f000001", "017700000001", "0177.0.0.1", "0x7f.0.0.1", "127.1", "127.0.1", "10.1", "0300.0250.1", "1.2.3.4.5",
    "３２.0.0.1", "127。0。0。1", "①27.0.0.1", "0", "0x0", "127.0.0.1.",
    # names
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "a.b.localhost.", "metadata.google.internal", "Metadata.Google.Internal.",
    "printer.local", "db.internal",
    # IPv6
    "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[fe80::1]", "[febf:ffff::1]", "[fec0::1]", "[feff::1]", "[fc00::1]", "[fd12:3456::1]",
    "[fdff::1]", "[ff02::1]", "[ff0e::1]", "[2001:db8::1]", "[100::1]",
    # IPv4 within IPv6
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "[0:0:0:0:0:ffff:c0a8:0001]",
    "[::127.0.0.1]", "[::a00:1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b::c0a8:101]", "[2002:7f00:1::]",
    "[2002:a00:1::1]", "[2002:a9fe:a9fe::]", "[2002:c0a8:101::1]", "[64:ff9b:1::1]",
]  # fmt: skip
WHY = r"private|disguised|no name of a server|names no host|no IPv6 address"


@pytest.mark.parametrize("host", PRIVATE)
async def test_no_private_address_is_asked(online: WebHands, host: str) -> None:
    online.web = Web()
    with Site({"/": Page(b"secret")}) as site:
        result = await online.read(f"http://{host}:{site.port}/")
        with pytest.raises(AddressRefused, match=WHY):
            await read_page(f"http://{host}:{site.port}/:raw", online.context(), stays=False)
    assert result.error is not None
    assert "secret" not in result.output + result.error
    assert site.seen == []


HERE = Policy(lambda address: address == "127.0.0.1")
"""As if this machine were the public web; every other address is private still."""


@pytest.fixture
def names() -> Iterator[Names]:
    with Names({"public.example": [["127.0.0.1"]]}) as server:
        yield server


async def page_of(names: Names, online: WebHands, url: str) -> ToolResult:
    return await read_page(url, online.context(), stays=False, fetcher=Fetcher(HERE, seconds=10, resolve=names.look_up))


@pytest.mark.parametrize("host", [host for host in PRIVATE if host.isascii() and host.rstrip(".") != "127.0.0.1"])
@pytest.mark.parametrize("status", [301, 307])
async def test_no_redirect_leads_to_a_private_address(online: WebHands, names: Names, host: str, status: int) -> None:
    with Site({"/secret": Page(b"secret")}) as site:
        site.pages["/"] = moved(f"http://{host}:{site.port}/secret", status)
        with pytest.raises(ToolError, match=WHY):
            await page_of(names, online, f"http://public.example:{site.port}/")
    assert [seen.path for seen in site.seen] == ["/"]


async def test_a_page_is_asked_at_the_address_that_dns_gave_once(online: WebHands, names: Names) -> None:
    with Site({"/": Page(b"line 1", "text/plain")}) as site:
        result = await page_of(names, online, f"http://public.example:{site.port}/")
    assert "line 1" in result.output
    assert names.asked == ["public.example"]


async def test_dns_that_changes_its_answer_after_the_check_gains_nothing(online: WebHands, names: Names) -> None:
    names.answers["rebinding.example"] = [["127.0.0.1"], ["127.0.0.2"]]
    with Site({"/": Page(b"public words", "text/plain"), "/again": moved("/")}) as site:
        first = await page_of(names, online, f"http://rebinding.example:{site.port}/")
        assert "public words" in first.output
        assert names.asked == ["rebinding.example"]
        names.answers["rebinding.example"] = [["127.0.0.1"], ["127.0.0.2"]]
        with pytest.raises(AddressRefused, match=r"rebinding\.example leads to 127\.0\.0\.2"):
            await page_of(names, online, f"http://rebinding.example:{site.port}/again")
    assert [seen.path for seen in site.seen] == ["/", "/again"]


@pytest.mark.parametrize(
    "addresses",
    [
        ["10.0.0.7"],
        ["127.0.0.1", "10.0.0.7"],
        ["::1"],
        ["127.0.0.1", "::ffff:a00:7"],
        ["fe80::1"],
        ["64:ff9b::a9fe:a9fe"],
        ["192.0.2.1"],
    ],
)
async def test_every_address_that_a_name_has_must_be_public(online: WebHands, names: Names, addresses: list[str]) -> None:
    names.answers["both.example"] = [addresses]
    with Site({"/": Page(b"secret")}) as site, pytest.raises(AddressRefused, match="private"):
        await page_of(names, online, f"http://both.example:{site.port}/")
    assert site.seen == []


async def test_other_forms_of_a_page_are_no_way_around(online: WebHands, names: Names) -> None:
    names.answers |= {"evil.example": [["127.0.0.1"], ["127.0.0.2"]]}
    words = (
        b"<html><head><link rel=alternate type=text/markdown href='http://127.0.0.2:%d/secret'></head><body>"
        + b"<p>Many words here.</p>" * 20
    )
    with Site({"/secret.md": moved("/secret"), "/secret": Page(b"secret " * 100, "text/markdown")}) as site:
        site.pages["/"] = Page(words % site.port)
        result = await page_of(names, online, f"http://evil.example:{site.port}/")
    assert "Method: html-to-markdown" in result.output
    assert "secret" not in result.output
    assert [seen.path for seen in site.seen] == ["/"]


async def test_what_cannot_be_asked_is_an_error_in_words(online: WebHands, names: Names) -> None:
    pages = {f"/{hop}": moved(f"/{hop + 1}") for hop in range(7)}
    with Site(pages) as site:
        for url, why in (
            ("http://nobody.example/", "No server is called"),
            (f"http://public.example:{site.port}/0", "more than 5 redirects"),
            ("http://user:pw@public.example/", "user or password"),
        ):
            with pytest.raises(ToolError, match=why):
                await page_of(names, online, url)
    online.web = None
    assert "no way to the web" in str((await online.read("https://example.org")).error)
    for path in ("ftp://example.org/x", "file:///etc/passwd", "gopher://x"):
        assert "no session router" in str((await online.read(path)).error)


async def test_a_slow_server_is_left_after_its_time(online: WebHands, names: Names) -> None:
    with Site({}) as site:
        site.pages["/"] = site.never
        with pytest.raises(ToolError, match=r"within 0\.3 seconds"):
            await read_page(
                f"http://public.example:{site.port}/",
                online.context(),
                stays=False,
                fetcher=Fetcher(HERE, seconds=0.3, resolve=names.look_up),
            )
