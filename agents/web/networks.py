"""Which IP addresses are servers on the public web, whatever form they are written in."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

SPECIAL_4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
            "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "168.63.129.16/32",  # where Azure machines ask about themselves, within a public range
        ),
    )
)  # fmt: skip
UNICAST_6 = IPv6Network("2000::/3")
SPECIAL_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
"""Protocols (Teredo among them) and documentation, within the range of public addresses."""
MAPPED = IPv6Network("::ffff:0:0/96")
COMPATIBLE = IPv6Network("::/96")
TRANSLATED = tuple(map(IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48")))
SIX_TO_FOUR = IPv6Network("2002::/16")
TEREDO = IPv6Network("2001::/32")
ISATAP = (0x00005EFE, 0x02005EFE)
METADATA = frozenset(
    map(ip_address, ("169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"))
)


def plain(text: str) -> IPv4Address | IPv6Address | None:
    """The address this is in its usual spelling, or None. IPv6 zones are not part of it."""
    try:
        return ip_address(text)
    except ValueError:
        return None


def is_public(address: str) -> bool:
    """Whether this IP address is on the public web. One that carries an IPv4 address within itself is so only if that one is too."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv4Address):
        return _public_4(ip)
    if not all(map(_public_4, carried(ip))):
        return False
    return ip in MAPPED or ip in TRANSLATED[0] or (ip in UNICAST_6 and not any(ip in network for network in SPECIAL_6))


def _public_4(ip: IPv4Address) -> bool:
    return ip.is_global and not any(ip in network for network in SPECIAL_4)


def is_perilous(address: str) -> bool:
    """Link-local, multicast, or where a cloud's machines are told their secrets: nothing of ours is ever sent there."""
    ip = ip_address(address.partition("%")[0])
    faces: list[IPv4Address | IPv6Address] = [ip, *(carried(ip) if isinstance(ip, IPv6Address) else ())]
    return any(face.is_link_local or face.is_multicast or face in METADATA for face in faces)


def carried(ip: IPv6Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses that a way of carrying one over the other finds in this address."""
    low, high = int(ip) & 0xFFFFFFFF, int(ip) >> 80 & 0xFFFFFFFF
    found = []
    if ip in MAPPED or (ip in COMPATIBLE and low > 1) or any(ip in network for network in TRANSLATED):
        found.append(low)
    if int(ip) >> 32 & 0xFFFFFFFF in ISATAP:
        found.append(low)
    if ip in SIX_TO_FOUR:
        found.append(high)
    if ip in TEREDO:
        found.append(low ^ 0xFFFFFFFF)
    return tuple(map(IPv4Address, found))
