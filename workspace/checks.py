"""System checks: what is wrong with the settings of this installation, and what to do about it."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register  # noqa: A004 — Django's own word

from agents.errors import AddressRefused
from agents.tools.own import furnished, own_tools
from agents.tools.profiles import DEFAULT, GROUPS, PROFILES
from agents.tools.registry import TOOLSETS
from agents.web.addresses import parse

LEVELS = ("", "bubblewrap", "landlock", "local")
LOCAL_NAMES = {"localhost", "127.0.0.1", "[::1]", "::1", "testserver"}


@register
def data_folder(**kwargs: Any) -> Sequence[CheckMessage]:
    home = Path(settings.COUNTERSIGN_HOME)
    if not os.access(home, os.W_OK | os.X_OK):
        hint = "Change its owner, or set COUNTERSIGN_HOME."
        return [Error(f"The data folder {home} cannot be written to.", hint=hint, id="countersign.E001")]
    return []


@register
def secrets_are_private(**kwargs: Any) -> Sequence[CheckMessage]:
    found = [path for path in Path(settings.COUNTERSIGN_HOME).glob("*.key") if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
    return [Error(f"Others can read the secret {path}.", hint=f"chmod 600 {path}", id="countersign.E002") for path in found]


@register
def redis_address(**kwargs: Any) -> Sequence[CheckMessage]:
    parts = urlsplit(settings.REDIS_URL)
    good = parts.path.startswith("/") if parts.scheme == "unix" else parts.scheme in ("redis", "rediss") and parts.hostname
    if not good:
        said = f"REDIS_URL is {settings.REDIS_URL!r}, which is no Redis address."
        return [Error(said, hint="Write redis://host:6379/0 or unix:///path/to/redis.sock?db=0.", id="countersign.E003")]
    return []


@register
def search_addresses(**kwargs: Any) -> Sequence[CheckMessage]:
    hint = "Write https://host (or http://host) in the backend's _BASE_URL or _PAGE_URL variable, or leave it empty."
    return [
        Error(f"The address of the search backend {name} is no web address: {place!r}.", hint=hint, id="countersign.E007")
        for name, place in settings.SEARCH_PLACES.items()
        if place and not _is_web_address(place)
    ]


def _is_web_address(url: str) -> bool:
    try:
        return bool(parse(url))
    except AddressRefused:
        return False


@register
def debugging_is_private(**kwargs: Any) -> Sequence[CheckMessage]:
    public = [host for host in settings.ALLOWED_HOSTS if host not in LOCAL_NAMES]
    if settings.DEBUG and public:
        said = f"DEBUG is on while the server answers to {', '.join(public)}: its error pages show code and settings."
        return [Error(said, hint="Unset DEBUG, or set ALLOWED_HOSTS to localhost.", id="countersign.E004")]
    return []


@register
def any_host(**kwargs: Any) -> Sequence[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        said = "ALLOWED_HOSTS holds *: pages of any other site may then pass for ours."
        return [Error(said, hint="Name the hosts people use.", id="countersign.E005")]
    return []


@register
def sandbox_level(**kwargs: Any) -> Sequence[CheckMessage]:
    if settings.SANDBOX not in LEVELS:
        said = f"COUNTERSIGN_SANDBOX is {settings.SANDBOX!r}."
        return [Error(said, hint="Write bubblewrap, landlock or local, or leave it out.", id="countersign.E006")]
    if settings.SANDBOX == "local":
        return [Warning("COUNTERSIGN_SANDBOX is local: commands of agents are not confined.", hint="Leave it out.", id="countersign.W001")]
    return []


@register
def encryption(**kwargs: Any) -> Sequence[CheckMessage]:
    if settings.OVER_HTTPS or urlsplit(settings.BASE_URL).hostname in LOCAL_NAMES:
        return []
    said = f"People reach this server at {settings.BASE_URL}, unencrypted: passwords and tokens can be read on the way."
    return [Warning(said, hint="Put a proxy with a certificate in front and set BASE_URL to https://…", id="countersign.W002")]


@register
def allowed_paths(**kwargs: Any) -> Sequence[CheckMessage]:
    missing = [path for path in settings.ALLOWED_PATHS if not path.is_dir()]
    hint = "Correct COUNTERSIGN_ALLOWED_PATHS."
    return [Warning(f"Projects may be made from {path}, which is no folder.", hint=hint, id="countersign.W003") for path in missing]


@register
def shared_database(**kwargs: Any) -> Sequence[CheckMessage]:
    sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    if sqlite and urlsplit(settings.REDIS_URL).scheme != "unix":
        said = "The database is a file of this machine while Redis may serve others too: workers elsewhere would see a different one."
        return [Warning(said, hint="Set DATABASE_URL to PostgreSQL when several machines work together.", id="countersign.W004")]
    return []


@register
def tool_profile(**kwargs: Any) -> Sequence[CheckMessage]:
    if settings.TOOL_PROFILE.lower() in ("", *PROFILES):
        return []
    said = f"CODER_PROFILE is {settings.TOOL_PROFILE!r}, which is no profile; {DEFAULT} holds in its place."
    return [Warning(said, hint=f"Write {', '.join(PROFILES)}, or leave it out.", id="countersign.W005")]


@register
def tool_features(**kwargs: Any) -> Sequence[CheckMessage]:
    known = {*GROUPS, "lsp_tools", *(tool.group for name in TOOLSETS for tool in furnished(name).values())}
    hint = f"Feature groups: {', '.join(GROUPS)}."
    unknown = [f"CODER_FEATURE_{name.upper()}" for name in settings.TOOL_FEATURES if name not in known]
    return [Warning(f"{name} is set, and there is no such feature group.", hint=hint, id="countersign.W006") for name in unknown]


@register
def own_tools_load(**kwargs: Any) -> Sequence[CheckMessage]:
    hint = "Correct or uninstall the package; docs/own-tools.md says what a tool needs."
    return [Warning(complaint, hint=hint, id="countersign.W007") for complaint in own_tools().complaints]
