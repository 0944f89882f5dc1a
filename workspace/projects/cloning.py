"""Cloning a git repository into a new workspace: over https, without prompts, hooks or submodules, within bounds."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryFile
from urllib.parse import unquote, urlsplit

from django.conf import settings

from workspace.errors import Forbidden, Invalid, Unavailable
from workspace.projects import git
from workspace.projects.addresses import pinned
from workspace.projects.copying import allowed_folder
from workspace.projects.filling import BYTES_LIMIT

SECONDS = 300
LOOK_EVERY = 0.25


def clone(url: str, root: Path, *, seconds: float = SECONDS, bytes_limit: int = BYTES_LIMIT) -> None:
    """`root` must not exist yet. Raises Invalid or Forbidden for the address, Unavailable when git could not do it."""
    protocol, switches, url = _permitted(url)
    env = {**git.ENVIRONMENT, **settings.PROXIES, "GIT_ALLOW_PROTOCOL": protocol, "GIT_ASKPASS": "/bin/false", "GIT_LFS_SKIP_SMUDGE": "1"}
    safe = {**git.SAFE, "http.followRedirects": "false", "http.lowSpeedLimit": "1000", "http.lowSpeedTime": "30", **switches}
    del safe["protocol.allow"]
    options = [part for name, value in safe.items() for part in ("-c", f"{name}={value}")]
    command = ["git", *options, "clone", "--quiet", "--template=", "--no-hardlinks", "--no-recurse-submodules", "--", url, str(root)]
    with TemporaryFile() as said:
        _within_bounds(command, env, root, said.fileno(), seconds, bytes_limit)
        said.seek(0)
        _explain(said.read().decode(errors="replace"), url, root)
    git.run("remote", "set-url", "origin", _without_secrets(url), env={"GIT_DIR": str(root / ".git")})


def _permitted(url: str) -> tuple[str, dict[str, str], str]:
    """The protocol git may speak for this address, the settings that hold it there, and the address as we understood it."""
    parts = urlsplit(url)
    if parts.scheme == "file":
        folder = allowed_folder(unquote(parts.path))
        return "file", {"safe.directory": str(folder)}, url
    if parts.scheme not in ("https", "http") or url.startswith("-"):
        said = "Use the repository's https:// address."
        raise Invalid("Only https addresses can be cloned", said, fields={"url": ["Not an https address."]})
    if parts.scheme == "http" and not settings.ALLOW_PRIVATE_URLS:
        raise Forbidden("Unencrypted addresses are refused", "Use https:// in place of http://.")
    place, address = pinned(url)
    held = f"{place.host}:{place.port}:{f'[{address}]' if ':' in address else address}"
    return place.scheme, {"http.curloptResolve": held}, place.url_with_user


def _within_bounds(command: list[str], env: dict[str, str], root: Path, said: int, seconds: float, bytes_limit: int) -> None:
    """Run it to its end, or end it: too long, or more on disk than a project may have."""
    running = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True)
    end = time.monotonic() + seconds
    try:
        while running.poll() is None:
            if time.monotonic() > end:
                raise Unavailable("Cloning took too long", f"It was stopped after {seconds:.0f} seconds. Upload an archive instead.")
            _refuse_too_large(root, bytes_limit)
            time.sleep(LOOK_EVERY)
        _refuse_too_large(root, bytes_limit)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def _refuse_too_large(root: Path, bytes_limit: int) -> None:
    """History and files may each fill the bound."""
    if size_of(root) > 2 * bytes_limit:
        raise Invalid("This is too much for one project", f"Cloned it is larger than {bytes_limit / 2**20:,.0f} MiB.")


def size_of(folder: Path) -> int:
    """Bytes of all files below; those that vanish while being counted count as nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue
    return total


def _explain(said: str, url: str, root: Path) -> None:
    if (root / ".git" / "HEAD").exists():
        return
    reason = re.sub(r"://[^/@\s]+@", "://", said.strip())[-400:]
    if "redirect" in reason.lower():
        reason = "The server sends elsewhere; use the address it sends to."
    elif "could not read Username" in reason or "Authentication failed" in reason:
        reason = "It does not exist, or needs a password. Put an access token into the address (https://token@…), or upload an archive."
    raise Unavailable("The repository could not be cloned", reason or "git gave no reason.")


def _without_secrets(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
