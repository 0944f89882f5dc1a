"""Every disguise of a private address, and the plain addresses that must go through."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

import pytest

from agents.errors import AddressRefused, FetchFailed
from agents.web.addresses import ANYWHERE, MODELS, PUBLIC, parse, resolved, resolved_now
from agents.web.networks import is_perilous, is_public

PRIVATE = [
    # IPv4: this network, private, shared, loopback, link-local, special, documentation, benchmarks, multicast, reserved, broadcast
    "0.0.0.1", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "100.100.100.200", "127.0.0.1", "127.1.2.3",
    "169.254.169.254", "169.254.0.1", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1",
    "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1",
    "255.255.255.255", "168.63.129.16",
    # IPv6: unspecified, loopback, link-local, site-local, unique local, multicast, discard, documentation, benchmarks, segment routing
    "::", "::1", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "feff::1", "fc00::1", "fd00:ec2::254", "fdff::1", "ff02::1", "ff0e::1",
    "100::1", "2001:db8::1", "3fff::1", "2001:2::1", "2001:10::1", "5f00::1", "4000::1", "64:ff9b:1::1",
    # IPv4 within IPv6: mapped, compatible, NAT64, 6to4, Teredo, ISATAP
    "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::127.0.0.1", "::7f00:1", "::8.8.8.8",
    "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b::10.1.2.3", "64:ff9b:1::8.8.8.8", "2002:7f00:1::", "2002:a9fe:a9fe::1",
    "2002:c0a8:101::1", "2001:0:4136:e378:8000:63bf:80ff:fffe", "2001:0:808:808::f7f7:f7f7", "2606:4700::5efe:127.0.0.1",
    "2606:4700::200:5efe:10.0.0.1",
]  # fmt: skip
OPEN = [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1", "169.253.1.1",
    "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.1.1", "192.169.0.1", "198.17.1.1", "198.20.0.1", "223.255.255.255",
    "2606:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888", "::ffff:1.1.1.1", "64:ff9b::8.8.8.8", "2002:808:808::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_on_the_public_web_is_known_in_every_form(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", OPEN)
def test_an_address_on_the_public_web_is_taken_for_one(address: str) -> None:
    assert is_public(address)
    assert not is_perilous(address)


@pytest.mark.parametrize(
    "address",
    ["169.254.169.254", "fe80::1", "fd00:ec2::254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "168.63.129.16",
     "100.100.100.200", "224.0.0.1", "ff02::1"],
)  # fmt: skip
def test_where_clouds_tell_their_secrets_not_even_a_model_is_asked(address: str) -> None:
    assert is_perilous(address)
    assert not is_perilous("127.0.0.1")
    assert not is_perilous("10.0.0.1")


REFUSED = [
    # other schemes, and none
    "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "data:text/html,x", "javascript:alert(1)", "example.org", "",
    "//x", "unix:///run/docker.sock", "jar:https://example.org!/", "view-source:https://example.org/",
    # no host, or more than one way to read it
    "https://", "https:///path", "http://[::1", "http://::1/", "http://[::1]@example.org/", "http://[::1].example.org/", "http://a:b:c/",
    "http://example.org:99999/", "http://example.org:0/", "http://example.org:-1/", "http://exa mple.org/", "http://1.1.1.1 &@2.2.2.2/",
    "http://example.org\\@127.0.0.1/", "http://127.0.0.1\\.example.org/", "http://example.org\t.evil/", "http://exam\nple.org/",
    "http://example.org\x00.evil/", "http://%31%32%37.0.0.1/", "http://example.org%2f@evil/", "http://exa<mple.org/", "http://-a.org/",
    "http://a..org/", "http://.a.org/", "http://example.org../", f"http://{'a' * 64}.org/", f"http://{'a.' * 130}org/",
    # who is asking
    "http://user@example.org/", "http://user:password@example.org/", "http://example.org@127.0.0.1/", "http://@example.org/",
    # IPv4 otherwise than as four decimal numbers
    "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0x7f.0x0.0x0.0x1/", "http://017700000001/", "http://0177.0.0.1/",
    "http://127.1/", "http://127.0.1/", "http://127.0.0.01/", "http://010.8.8.8/", "http://0/", "http://1.2.3.4.5/", "http://256.1.1.1/",
    "http://4294967296/", "http://8.8.8.010/", "http://0x/", "http://127.0.0.0x1/", "http://1.1/",
    # letters that only look like digits and dots
    "http://１２７.０.０.１/", "http://①②⑦.0.0.1/", "http://127。0。0。1/", "http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/", "http://127.0.0.1\u200b/",
    # IPv6 with a zone, or none
    "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[v1.x]/", "http://[1.1.1.1]/x]/", "http://[:::1]/",
]  # fmt: skip


@pytest.mark.parametrize("url", REFUSED)
def test_what_could_be_read_in_two_ways_is_no_address(url: str) -> None:
    with pytest.raises(AddressRefused):
        parse(url)


@pytest.mark.parametrize(
    ("url", "host", "port", "asked"),
    [
        ("https://example.org", "example.org", 443, "https://example.org/"),
        ("HTTPS://Example.ORG./a b?q=ü#part", "example.org", 443, "https://example.org/a%20b?q=%C3%BC"),
        ("http://example.org:8080/x%20y?a=1&b=%26", "example.org", 8080, "http://example.org:8080/x%20y?a=1&b=%26"),
        ("http://example.org:/", "example.org", 80, "http://example.org/"),
        ("https://bücher.example/", "xn--bcher-kva.example", 443, "https://xn--bcher-kva.example/"),
        ("https://ＥＸＡＭＰＬＥ。org/", "example.org", 443, "https://example.org/"),
        ("http://127.0.0.1.:80/", "127.0.0.1", 80, "http://127.0.0.1/"),
        ("http://[::FFFF:127.0.0.1]/", "::ffff:7f00:1", 80, "http://[::ffff:7f00:1]/"),
        ("https://[2606:4700::1111]:8443/", "2606:4700::1111", 8443, "https://[2606:4700::1111]:8443/"),
        ("https://under_score.example/?x", "under_score.example", 443, "https://under_score.example/?x"),
    ],
)
def test_a_plain_address_has_one_reading(url: str, host: str, port: int, asked: str) -> None:
    place = parse(url)
    assert (place.host, place.port, place.url) == (host, port, asked)
    assert parse(place.url) == place


def test_a_disguise_is_told_with_what_it_stands_for() -> None:
    with pytest.raises(AddressRefused, match=r"'2130706433' is a disguised spelling of 127\.0\.0\.1"):
        parse("http://2130706433/")


def test_who_asks_can_be_welcome_in_an_address() -> None:
    place = parse("https://token:x@example.org/a.git", user_info=True)
    assert (place.user_info, place.url) == ("token:x", "https://example.org/a.git")
    assert place.url_with_user == "https://token:x@example.org/a.git"


@pytest.mark.parametrize(
    "url",
    ["http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://metadata.google.internal/", "http://db.internal/",
     "http://printer.local/", "http://127.0.0.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://169.254.169.254/latest/"],
)  # fmt: skip
async def test_a_host_within_the_network_is_refused_without_looking_it_up(url: str) -> None:
    with pytest.raises(AddressRefused, match="is private"):
        await resolved(parse(url), PUBLIC, _never)


async def _never(host: str, port: int) -> Sequence[str]:
    raise AssertionError(f"{host} was looked up")


async def test_every_address_of_a_host_must_be_public() -> None:
    async def both(host: str, port: int) -> Sequence[str]:
        return ["1.1.1.1", "10.0.0.7"]

    with pytest.raises(AddressRefused, match=r"two\.example leads to 10\.0\.0\.7"):
        await resolved(parse("https://two.example/"), PUBLIC, both)
    assert await resolved(parse("https://two.example/"), ANYWHERE, both) == ("1.1.1.1", "10.0.0.7")


async def test_a_name_that_is_not_found_is_told() -> None:
    async def nobody(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror("not known")

    with pytest.raises(FetchFailed, match=r"No server is called nobody\.example"):
        await resolved(parse("https://nobody.example/"), PUBLIC, nobody)


def test_policies_differ_in_what_is_private() -> None:
    home, metadata = parse("http://127.0.0.1:11434/v1"), parse("http://169.254.169.254/v1")
    assert resolved_now(home, MODELS) == resolved_now(home, ANYWHERE) == ("127.0.0.1",)
    for place, policy in ((home, PUBLIC), (metadata, PUBLIC), (metadata, MODELS)):
        with pytest.raises(AddressRefused):
            resolved_now(place, policy)
    assert "127.0.0.1" in resolved_now(parse("http://localhost/"), MODELS) or "::1" in resolved_now(parse("http://localhost/"), MODELS)


async def test_a_look_up_that_takes_too_long_is_given_up() -> None:
    async def never(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    with pytest.raises(FetchFailed, match=r"slow\.example could not be looked up within 0\.01 seconds"):
        await resolved(parse("https://slow.example/"), PUBLIC, never, 0.01)
