"""The fetcher against real servers. Here 127.0.0.1 counts as public, and every other address of this machine as private."""

from __future__ import annotations

import gzip
import ssl
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from agents.errors import AddressRefused, FetchFailed
from agents.web.addresses import PUBLIC, Policy
from agents.web.fetcher import MOST_BYTES, Fetcher, Request
from tests.peers.site import Page, Seen, Site, certificate_for, moved

HERE = Policy(lambda address: address == "127.0.0.1")


@dataclass
class Names:
    """A DNS whose answers change: each look-up of a name takes the next, and the last one stays."""

    answers: dict[str, list[Sequence[str]]]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        left = self.answers[host]
        return left.pop(0) if len(left) > 1 else left[0]


@pytest.fixture
def names() -> Names:
    return Names({"site.example": [["127.0.0.1"]], "inside.example": [["10.0.0.7"]], "both.example": [["127.0.0.1", "127.0.0.2"]]})


@pytest.fixture
def fetcher(names: Names) -> Fetcher:
    return Fetcher(HERE, seconds=20, resolve=names)


async def test_a_page_is_fetched_by_its_name_at_the_address_that_was_checked(fetcher: Fetcher, names: Names) -> None:
    with Site({"/a b": Page(b"x"), "/page": Page(b"<p>hi</p>")}) as site:
        answer = await fetcher.fetch(site.at("site.example") + "/page?q=1&r=%20#part")
        assert (answer.status, answer.body, answer.whole, answer.redirects) == (200, b"<p>hi</p>", True, 0)
        assert (answer.media_type, answer.charset) == ("text/html", "utf-8")
        assert answer.url == site.at("site.example") + "/page?q=1&r=%20"
    (seen,) = site.seen
    assert seen.path == "/page?q=1&r=%20"
    assert seen.headers["host"] == f"site.example:{site.port}"
    assert names.asked == ["site.example"]


async def test_nothing_of_ours_goes_along(fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    cookies = Page(b"x", headers={"Set-Cookie": "who=me; Path=/"})
    with Site({"/": cookies, "/again": moved("/")}) as site:
        assert (await fetcher.fetch(site.at("site.example") + "/again")).status == 200
        assert (await fetcher.fetch(site.at("site.example"))).status == 200
    assert all("cookie" not in seen.headers and "authorization" not in seen.headers for seen in site.seen)


async def test_a_name_that_changes_its_answer_after_the_check_gains_nothing(fetcher: Fetcher, names: Names) -> None:
    names.answers["rebinding.example"] = [["127.0.0.1"], ["127.0.0.2"]]
    with Site({"/": Page(b"public")}) as site:
        assert (await fetcher.fetch(site.at("rebinding.example"))).body == b"public"
        assert names.asked == ["rebinding.example"]
        with pytest.raises(AddressRefused, match=r"127\.0\.0\.2"):
            await fetcher.fetch(site.at("rebinding.example"))
    assert len(site.seen) == 1


async def test_a_name_is_judged_anew_at_each_redirect(fetcher: Fetcher, names: Names) -> None:
    names.answers["rebinding.example"] = [["127.0.0.1"], ["127.0.0.2"]]
    leads = r"rebinding\.example leads to 127\.0\.0\.2"
    with Site({"/": moved("/secret"), "/secret": Page(b"x")}) as site, pytest.raises(AddressRefused, match=leads):
        await fetcher.fetch(site.at("rebinding.example"))
    assert [seen.path for seen in site.seen] == ["/"]


@pytest.mark.parametrize(
    "host", ["inside.example", "both.example", "localhost", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254"]
)
async def test_a_private_address_is_not_asked(fetcher: Fetcher, host: str) -> None:
    with Site({"/": Page(b"secret")}) as site:
        with pytest.raises(AddressRefused, match="private"):
            await fetcher.fetch(site.at(host))
        with pytest.raises(AddressRefused, match="private"):
            await Fetcher(PUBLIC).fetch(site.url)
    assert not site.seen


@pytest.mark.parametrize(
    ("location", "why"),
    [
        ("http://127.0.0.2:{port}/secret", "private"),
        ("http://localhost:{port}/secret", "private"),
        ("http://inside.example:{port}/secret", "private"),
        ("//169.254.169.254/latest/meta-data/", "private"),
        ("http://[::1]:{port}/secret", "private"),
        ("http://2130706433:{port}/secret", "disguised"),
        ("http://0x7f.1:{port}/secret", "disguised"),
        ("http://me:pw@site.example:{port}/secret", "user or password"),
        ("file:///etc/passwd", "http and https"),
        ("gopher://site.example/", "http and https"),
    ],
)
@pytest.mark.parametrize("hops", [1, 3])
async def test_a_redirect_leads_to_nothing_private(fetcher: Fetcher, location: str, why: str, hops: int) -> None:
    pages: dict[str, Page] = {f"/{hop}": moved(f"/{hop + 1}", 307) for hop in range(hops)}
    with Site({**pages, "/secret": Page(b"secret")}) as site:
        site.pages[f"/{hops}"] = moved(location.format(port=site.port))
        with pytest.raises(AddressRefused, match=why):
            await fetcher.fetch(site.at("site.example") + "/0")
    assert len(site.seen) == hops + 1
    assert "/secret" not in {seen.path for seen in site.seen}


async def test_who_stays_with_a_server_is_told_where_another_would_be(fetcher: Fetcher, names: Names) -> None:
    names.answers |= {"www.site.example": [["127.0.0.1"]], "other.example": [["127.0.0.1"]]}
    staying = replace(fetcher, stays=True)
    pages = {"/here": moved("/end"), "/end": Page(b"there")}
    with Site(pages) as site:
        site.pages["/www"] = moved(site.at("www.site.example") + "/end")
        site.pages["/away"] = moved(site.at("other.example") + "/end?secret=1")
        for path in ("/here", "/www"):
            assert (await staying.fetch(site.at("site.example") + path)).body == b"there"
        with pytest.raises(FetchFailed, match=r"another server, http://other\.example:\d+/end\?secret=1"):
            await staying.fetch(site.at("site.example") + "/away")
        assert "other.example" not in names.asked
        assert (await fetcher.fetch(site.at("site.example") + "/away")).body == b"there"


async def test_redirects_are_followed_five_times_and_counted(fetcher: Fetcher) -> None:
    pages: dict[str, Page] = {f"/{hop}": moved(f"{hop + 1}?from={hop}", 301 + hop % 3) for hop in range(6)}
    with Site({**pages, "/6": Page(b"there")}) as site:
        answer = await fetcher.fetch(site.at("site.example") + "/1")
        assert (answer.body, answer.redirects) == (b"there", 5)
        assert answer.url == site.at("site.example") + "/6?from=5"
        with pytest.raises(FetchFailed, match="more than 5 redirects"):
            await fetcher.fetch(site.at("site.example") + "/0")


async def test_what_was_sent_to_one_host_is_not_told_to_another(fetcher: Fetcher, names: Names) -> None:
    names.answers["other.example"] = [["127.0.0.1"]]
    with Site({"/there": Page(b"x")}) as site:
        site.pages["/"] = moved(site.at("other.example") + "/there")
        await fetcher.fetch(Request(site.at("site.example"), headers={"X-Key": "secret"}))
        with pytest.raises(FetchFailed, match=r"other\.example, which is not told"):
            await fetcher.fetch(Request(site.at("site.example"), "POST", {"X-Key": "secret"}, b"secret"))
    assert ["x-key" in seen.headers for seen in site.seen] == [True, False, True]


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "deflate", "raw deflate", ""])
async def test_a_compressed_body_is_read(fetcher: Fetcher, encoding: str) -> None:
    text = b"words and more words " * 1000
    raw = zlib.compressobj(wbits=-15)
    bodies = {"deflate": zlib.compress(text), "raw deflate": raw.compress(text) + raw.flush(), "": text}
    body = bodies.get(encoding) or gzip.compress(text[:50]) + gzip.compress(text[50:])
    with Site({"/": Page(body, headers={"Content-Encoding": encoding.split()[-1]} if encoding else {})}) as site:
        assert (await fetcher.fetch(site.at("site.example"))).body == text


def bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(2**20)) for _ in range(megabytes)) + packer.flush()


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_a_bomb_does_not_go_off(fetcher: Fetcher, encoding: str) -> None:
    body = bomb(60) if encoding == "gzip" else zlib.compress(bytes(60 * 2**20), 9)
    with Site({"/": Page(body, headers={"Content-Encoding": encoding})}) as site:
        answer = await fetcher.fetch(site.at("site.example"))
    assert (len(answer.body), answer.whole) == (MOST_BYTES, False)


async def test_a_bomb_within_a_bomb_and_a_broken_body_are_refused(fetcher: Fetcher) -> None:
    twice = Page(gzip.compress(bomb(5)), headers={"Content-Encoding": "gzip, gzip"})
    broken = Page(b"\x1f\x8bnonsense", headers={"Content-Encoding": "gzip"})
    with Site({"/twice": twice, "/broken": broken, "/br": Page(b"x", headers={"Content-Encoding": "br"})}) as site:
        for path, why in (("/twice", "not asked for"), ("/br", "not asked for"), ("/broken", "broken")):
            with pytest.raises(FetchFailed, match=why):
                await fetcher.fetch(site.at("site.example") + path)


async def test_a_body_without_end_is_cut(fetcher: Fetcher) -> None:
    def endless(seen: Seen) -> Page:
        return Page(iter(lambda: b"x" * 65536, None), "text/plain")

    with Site({"/": endless}) as site:
        answer = await fetcher.fetch(site.at("site.example"))
    assert (len(answer.body), answer.whole) == (MOST_BYTES, False)


async def test_a_server_that_drips_or_stays_silent_is_left_in_time(names: Names) -> None:
    def drip() -> Iterator[bytes]:
        while not site.leaving.wait(0.02):
            yield b"x"

    with Site({"/drip": lambda seen: Page(drip())}) as site:
        site.pages["/silent"] = site.never
        for path in ("/drip", "/silent"):
            began = time.monotonic()
            with pytest.raises(FetchFailed, match=r"whole answer within 0\.4 seconds"):
                await Fetcher(HERE, seconds=0.4, resolve=names).fetch(site.at("site.example") + path)
            assert time.monotonic() - began < 10


async def test_a_server_that_is_not_there_or_breaks_off_is_told(fetcher: Fetcher) -> None:
    with Site({"/": Page(b"x", headers={"Content-Length": "100"})}) as site:
        site.pages["/short"] = Page(iter([b"half"]), headers={"Content-Length": "100"})
        with pytest.raises(FetchFailed, match=r"site\.example could not be asked"):
            await fetcher.fetch(site.at("site.example") + "/short")
    with pytest.raises(FetchFailed, match=r"site\.example could not be asked: .*connect"):
        await fetcher.fetch(site.at("site.example"))


@pytest.mark.parametrize("key", ["clé-secret", "two\nlines-secret", "null\0-secret"])
async def test_a_key_that_cannot_be_sent_is_not_told(fetcher: Fetcher, key: str) -> None:
    with Site({"/": Page(b"x")}) as site, pytest.raises(FetchFailed, match="letters that HTTP does not allow") as failed:
        await fetcher.fetch(Request(site.at("site.example"), headers={"X-Key": key}))
    assert "secret" not in str(failed.value)
    assert not site.seen


async def test_an_address_that_grows_too_long_is_an_error_in_words(fetcher: Fetcher) -> None:
    with Site({}) as site:
        assert (await fetcher.fetch(site.at("site.example") + "/" + "x" * 7000)).status == 404
        with pytest.raises(FetchFailed, match="does not allow"):
            await fetcher.fetch(site.at("site.example") + "/" + "😀" * 7000)
        with pytest.raises(FetchFailed, match="more than 8000 characters"):
            await fetcher.fetch(site.at("site.example") + "/" + "x" * 8001)


async def test_the_next_address_is_tried_where_one_lets_nobody_connect(names: Names) -> None:
    names.answers["two.example"] = [["127.0.0.2", "127.0.0.1"]]
    with Site({"/": Page(b"x")}) as site:
        both = Policy(lambda address: address.startswith("127."))
        assert (await Fetcher(both, resolve=names).fetch(site.at("two.example"))).body == b"x"


async def test_a_certificate_is_checked_by_the_name_and_not_by_the_address(tmp_path: Path, names: Names) -> None:
    names.answers["evil.example"] = [["127.0.0.1"]]
    certificate = certificate_for("site.example", tmp_path)
    trusting = Fetcher(HERE, resolve=names, tls=ssl.create_default_context(cafile=str(certificate)))
    with Site({"/": Page(b"safe")}, certificate) as site:
        answer = await trusting.fetch(site.at("site.example"))
        assert (answer.body, answer.url) == (b"safe", site.at("site.example") + "/")
        for host in ("evil.example", "127.0.0.1"):
            with pytest.raises(FetchFailed, match="certificate"):
                await trusting.fetch(site.at(host))
        with pytest.raises(FetchFailed, match="certificate"):
            await Fetcher(HERE, resolve=names).fetch(site.at("site.example"))
    assert [seen.headers["host"] for seen in site.seen] == [f"site.example:{site.port}"]


async def test_an_encrypted_page_can_be_asked_by_its_address(tmp_path: Path) -> None:
    certificate = certificate_for("127.0.0.1", tmp_path)
    with Site({"/": Page(b"safe")}, certificate) as site:
        tls = ssl.create_default_context(cafile=str(certificate))
        assert (await Fetcher(HERE, tls=tls).fetch(site.at("127.0.0.1"))).body == b"safe"
