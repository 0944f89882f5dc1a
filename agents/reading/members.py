"""What archives of all kinds hold, the limits on it, and which names a member may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Literal, Protocol

from agents.errors import ToolError

LARGEST_MEMBER = 64 * 2**20
LARGEST_TAR = 256 * 2**20
"""Bytes of a tar archive as it is uncompressed, and of any archive that is rewritten."""
MOST_MEMBERS = 200_000
CHUNK = 2**20


@dataclass(frozen=True)
class Member:
    """`size` in bytes as the archive claims it, None where it says nothing; `target` is where a link leads."""

    name: str
    size: int | None
    kind: Literal["file", "folder", "link", "other"] = "file"
    target: str = ""


class Archive(Protocol):
    def walk(self, wanted: Callable[[Member], bool]) -> Iterator[tuple[Member, bytes | None]]:
        """Every member in order, with its bytes where it is a wanted file. Raises ToolError for what cannot be read."""

    def rewritten(self, member: str, data: bytes, out: BinaryIO) -> bool:
        """Write a copy to `out` that differs in this one member; whether it was there before. Raises ToolError."""


def read_up_to(read: Callable[[int], bytes], most: int, what: str) -> bytes:
    """All that `read` gives, piece by piece. Raises ToolError when it is more than `most` bytes, whatever was claimed."""
    pieces: list[bytes] = []
    room = most
    while piece := read(CHUNK):
        pieces.append(piece)
        room -= len(piece)
        if room < 0:
            raise too_large(what, most)
    return b"".join(pieces)


def too_large(what: str, most: int) -> ToolError:
    return ToolError(f"{what} is too large: more than {most // 2**20} MB. Unpack it with bash and read parts of it.")


def counted(members: Iterable[Member]) -> Iterator[Member]:
    for number, member in enumerate(members):
        if number >= MOST_MEMBERS:
            raise ToolError(f"The archive has more than {MOST_MEMBERS} members; unpack it with bash.")
        yield member


def demand_plain(member: Member) -> None:
    """Raises ToolError for what is no file."""
    if member.kind == "link":
        raise ToolError(f"The member {member.name} is a link to {member.target!r}; links in archives are not followed. Read that member.")
    if member.kind != "file":
        raise ToolError(f"The member {member.name} is a {'folder' if member.kind == 'folder' else 'device or pipe'}, not a file.")


def is_safe(name: str) -> bool:
    """Whether a member of this name would stay below the folder it is unpacked in."""
    parts = name.replace("\\", "/").split("/")
    return bool(name) and not name.startswith(("/", "\\")) and ".." not in parts and "\0" not in name and name[1:2] != ":"


def demand_new_name(name: str, members: Iterable[Member]) -> None:
    """Raises ToolError for a name that nothing may be written under."""
    if not name:
        raise ToolError("The member's name is empty. Write to archive.zip:path/in/archive.")
    if name.startswith("/") or name.endswith("/"):
        raise ToolError(f"The member's name {name!r} begins or ends with a slash; a member is a file, named from the archive's root.")
    if not is_safe(name) or any(part in ("", ".") for part in name.split("/")) or not name.isprintable() or len(name.encode()) > 1000:
        raise ToolError(f"The member's name {name!r} is not one that can be written: no '..', no empty parts, no control characters.")
    for member in members:
        there = member.name.rstrip("/")
        if there.startswith(f"{name}/") or (there == name and member.kind == "folder"):
            raise ToolError(f"{name} is a folder in the archive; name a file in it.")
        if name.startswith(f"{there}/") and member.kind != "folder":
            raise ToolError(f"{there} is a file in the archive, so nothing can lie below it.")
