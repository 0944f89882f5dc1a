"""Which web addresses the host itself may be sent to: public ones, looked up once and then held to."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings

from workspace.errors import Forbidden, Invalid


def pinned_address(url: str) -> str:
    """The IP address to connect to for this http(s) URL. Raises Invalid, or Forbidden where any of its addresses is private.

    Every address the name has is judged, and the caller connects to the one given: the name is not looked up again.
    """
    parts = urlsplit(url)
    if not parts.hostname:
        said = "It should look like https://example.org/team/project.git."
        raise Invalid("That is no web address", said, fields={"url": ["No host in it."]})
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError) as wrong:
        said = f"No server is called {parts.hostname}."
        raise Invalid("That address cannot be found", said, fields={"url": ["Cannot be found."]}) from wrong
    addresses = [str(entry[4][0]) for entry in found]
    if not settings.ALLOW_PRIVATE_URLS and not all(is_public(address) for address in addresses):
        raise Forbidden("This address is private", f"{parts.hostname} is within the server's own network, where it does not fetch from.")
    return addresses[0]


def is_public(address: str) -> bool:
    """Mapped and translated IPv6 forms count as the IPv4 address they carry."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        carried = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None) or _translated(ip)
        if carried:
            return is_public(str(carried))
    return ip.is_global and not ip.is_multicast


def _translated(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in ipaddress.IPv6Network("64:ff9b::/96") else None
