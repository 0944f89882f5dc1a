"""What a command is given besides its arguments: a small clean environment, limits, and where tools of the machine lie."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from agents.sandboxes.sandbox import Limits

SYSTEM_PATH = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")

SYSTEM_FILES = ("ld.so.cache", "alternatives", "localtime", "mime.types", "services")
NETWORK_FILES = ("resolv.conf", "ssl/certs", "ssl/openssl.cnf", "ca-certificates", "pki/tls/certs", "pki/ca-trust")
"""What commands may know of /etc, the second only with the network."""

LIMITED = (
    'ulimit -c 0; ulimit -t "$1"; ulimit -f "$2"; ulimit -d "$3"; { ulimit -u "$4" || ulimit -p "$4"; } 2>/dev/null; shift 4; exec "$@"'
)
"""Shell that sets the limits and becomes the command: cpu seconds, file size in 512-byte blocks, memory in KiB, processes.

Memory is RLIMIT_DATA: unlike RLIMIT_AS it leaves room for the address space that node and others only reserve.
"""


def clean_environment(home: str, temporary: str, extra: Mapping[str, str] | None = None, first: Sequence[str] = ()) -> dict[str, str]:
    """The whole environment of a command; `first` are folders put before the system's own in PATH."""
    return {
        "PATH": ":".join([*first, *toolchain_path(), *SYSTEM_PATH]),
        "HOME": home,
        "TMPDIR": temporary,
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "GIT_CONFIG_NOSYSTEM": "1",
        **(extra or {}),
    }


def limited(argv: Sequence[str], limits: Limits, beside: int = 0) -> list[str]:
    """The argv that runs `argv` under its resource limits; a command that is not found exits with 127 and says so.

    The limit of processes counts all of the user's in the same user namespace; `beside` are those that were there before.
    """
    numbers = (limits.cpu_seconds, limits.file_size // 512, limits.memory // 1024, limits.processes + beside)
    return ["/bin/sh", "-c", LIMITED, "sh", *map(str, numbers), *argv]


@cache
def toolchain_path() -> tuple[str, ...]:
    """Folders of interpreters that lie outside /usr and are wanted before (python) the system's own."""
    folders = []
    if not _below_usr(sys.base_prefix) and _system_python() < sys.version_info[:2]:
        folders.append(str(Path(sys.base_prefix, "bin")))
    node = node_prefix()
    return (*folders, *([str(Path(node, "bin"))] if node else []))


@cache
def toolchain_roots() -> tuple[str, ...]:
    """Folders and files outside /usr that commands need to read: Python's and Node's homes and the ripgrep binary."""
    homes = [home for home in (sys.base_prefix, node_prefix()) if home and not _below_usr(home)]
    search = ripgrep()
    return (*homes, *([search] if search and not _below_usr(search) else []))


@cache
def ripgrep() -> str | None:
    """The `rg` beside our interpreter, else on PATH."""
    return shutil.which("rg", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]))


@cache
def node_prefix() -> str | None:
    """Node's home where it is installed outside /usr."""
    found = shutil.which("node")
    real = Path(found).resolve() if found else None
    return str(real.parent.parent) if real and real.parent.name == "bin" and not _below_usr(str(real)) else None


def _below_usr(path: str) -> bool:
    return path == "/usr" or path.startswith(("/usr/", "/bin/", "/lib/"))


def _system_python() -> tuple[int, int]:
    named = re.search(r"python(\d+)\.(\d+)$", os.path.realpath("/usr/bin/python3"))
    return (int(named[1]), int(named[2])) if named else (0, 0)
