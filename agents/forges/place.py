"""Which repository of which forge, and with which key."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, get_args

from agents.errors import AddressRefused
from agents.web.addresses import WebAddress, parse

ForgeKind = Literal["github", "gitea"]
KINDS: tuple[ForgeKind, ...] = get_args(ForgeKind)
REPOSITORY = re.compile(r"(?!\.{1,2}/)[A-Za-z0-9._-]{1,100}/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}")
GITHUB = ("github.com", "www.github.com", "api.github.com")


@dataclass(frozen=True)
class ForgePlace:
    """`repository` is owner/name. `token` may be empty for a public one; `secret` is its name, for sentences. An empty `base_url`

    means github.com.
    """

    kind: ForgeKind
    repository: str
    base_url: str = ""
    token: str = field(default="", repr=False)
    secret: str = ""

    @property
    def api(self) -> str:
        """Where its REST API begins. Raises AddressRefused for a base URL that is no web address."""
        if not self.base_url:
            return "https://api.github.com"
        place = parse(self.base_url)
        if self.kind == "github" and place.host in GITHUB:
            return "https://api.github.com"
        return _below(place, "/api/v3" if self.kind == "github" else "/api/v1")


def _below(place: WebAddress, suffix: str) -> str:
    path = place.target.partition("?")[0].rstrip("/").removesuffix(suffix)
    return f"{place.scheme}://{place.authority}{path}{suffix}"


def complaints(kind: str, base_url: str, repository: str) -> dict[str, list[str]]:
    """What is wrong with a description, by field; empty where nothing is."""
    found = {"base_url": _about_address(kind, base_url), "repository": _about_repository(repository)}
    return {name: [said] for name, said in found.items() if said}


def _about_address(kind: str, base_url: str) -> str:
    if not base_url:
        return "" if kind == "github" else "Give the address of the server, such as https://gitea.example.org."
    try:
        place = parse(base_url)
    except AddressRefused as wrong:
        return str(wrong)
    return "Leave out everything behind the question mark." if "?" in place.target else ""


def _about_repository(repository: str) -> str:
    return "" if REPOSITORY.fullmatch(repository) else "Write the repository as owner/name."
