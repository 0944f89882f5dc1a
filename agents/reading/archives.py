"""Archives of every kind: a folder's listing, one member, the texts to search, a copy with one member changed. Answers to `apart`."""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, BinaryIO

from agents.errors import ToolError
from agents.reading.inside import opened
from agents.reading.members import CHUNK, LARGEST_TAR, Archive, Member, is_safe, too_large
from agents.reading.selectors import split
from agents.reading.tars import GzipFile, TarArchive
from agents.reading.zips import ZipArchive

MOST_ENTRIES = 500
LARGEST_SEARCHED = 4 * 2**20
MOST_SEARCHED = 32 * 2**20
NO_ZIP, NO_TAR = b"PK\5\6" + bytes(18), bytes(1024)
EMPTY = {".zip": NO_ZIP, ".jar": NO_ZIP, ".tar": NO_TAR, ".tgz": gzip.compress(NO_TAR), ".tar.gz": gzip.compress(NO_TAR), ".gz": b""}
OPENERS: dict[str, Callable[[BinaryIO, str], Archive]] = {
    ".zip": ZipArchive,
    ".jar": ZipArchive,
    ".tar": lambda file, name: TarArchive(file, name, compressed=False),
    ".tgz": lambda file, name: TarArchive(file, name, compressed=True),
    ".tar.gz": lambda file, name: TarArchive(file, name, compressed=True),
    ".gz": GzipFile,
}


def kind_of(path: str) -> str | None:
    """The ending that says which kind of archive a path names."""
    ends = [ending for ending in OPENERS if path.lower().endswith(ending)]
    return max(ends, key=len, default=None)


def answer(order: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """`do` is read, search or write; `path` from the workspace's root, `member` what stood behind its colon, `data` its new bytes."""
    with open_or_new(order) as file:
        archive = OPENERS[kind_of(order["path"]) or ".zip"](file, order["path"])
        if order["do"] == "write":
            return written(archive, file, order["member"], data)
        return (found if order["do"] == "read" else searched)(archive, order["path"], order["member"])


def open_or_new(order: dict[str, Any]) -> BinaryIO:
    if not order.get("new"):
        return opened(order["path"])
    return io.BytesIO(EMPTY[kind_of(order["path"]) or ".zip"])


def found(archive: Archive, path: str, asked: str) -> tuple[dict[str, Any], bytes]:
    """The listing of a folder, or a file's bytes. A real member's name wins over the same name read as a selector."""
    members = [member for member, _ in archive.walk(lambda _: False)]
    names = {member.name for member in members}
    rest, _ = split(f"{path}:{asked}", lambda whole: whole in (path, f"{path}:") or whole[len(path) + 1 :].removeprefix("./") in names)
    name = rest[len(path) + 1 :].removeprefix("./")
    if name in names and not name.endswith("/"):
        return {"member": name}, only(archive, name)
    folder = name.rstrip("/")
    entries = listed(members, folder)
    if folder and not entries and f"{folder}/" not in names:
        raise missing(name, path)
    shown = [[entry, size] for entry, size in entries.items()][:MOST_ENTRIES]
    return {"folder": folder, "entries": shown, "total": len(entries), "unsafe": sum(not is_safe(member.name) for member in members)}, b""


def missing(name: str, path: str) -> ToolError:
    if not is_safe(name):
        return ToolError(f"{name!r} is not a member's name: it would lie outside the archive.")
    return ToolError(f"Member not found: {name} in {path}. Read {path}: for what it holds.")


def only(archive: Archive, name: str) -> bytes:
    """The bytes of the last member of that name: it is the one that stays when all are unpacked."""
    if not is_safe(name):
        raise ToolError(f"The member {name!r} has a name that leads outside the archive, and is not read.")
    content = b""
    for _, data in archive.walk(lambda member: member.name == name):
        content = content if data is None else data
    return content


def listed(members: Iterable[Member], folder: str) -> dict[str, int | None]:
    """What lies directly in the folder, by name: files with their sizes, folders with a slash, also those nobody wrote down."""
    prefix = f"{folder}/" if folder else ""
    entries: dict[str, int | None] = {}
    for member in members:
        if member.name.startswith(prefix) and is_safe(member.name) and (inner := member.name[len(prefix) :]):
            first, slash, _ = inner.partition("/")
            entries[first + slash] = None if slash else member.size
    return dict(sorted(entries.items()))


def searched(archive: Archive, path: str, asked: str) -> tuple[dict[str, Any], bytes]:
    """The members that are text: the one that is asked for, or all below a folder."""
    told, data = found(archive, path, asked)
    if "member" in told:
        return {"texts": list(texts([(told["member"], data)]))}, b""
    prefix = f"{told['folder']}/" if told["folder"] else ""
    room = MOST_SEARCHED

    def wanted(member: Member) -> bool:
        nonlocal room
        fits = member.kind == "file" and is_safe(member.name) and member.name.startswith(prefix) and (member.size or 0) <= LARGEST_SEARCHED
        room -= (member.size or 0) if fits else 0
        return fits and room >= 0

    pairs = ((member.name, content) for member, content in archive.walk(wanted) if content is not None)
    return {"texts": list(texts(pairs)), "cut": room < 0}, b""


def texts(pairs: Iterable[tuple[str, bytes]]) -> Iterable[tuple[str, str]]:
    for name, data in pairs:
        if b"\0" not in data and len(data) <= LARGEST_SEARCHED:
            with suppress(UnicodeDecodeError):
                yield name, data.decode("utf-8-sig")


def written(archive: Archive, file: BinaryIO, member: str, data: bytes) -> tuple[dict[str, Any], bytes]:
    """The new archive, and the SHA-256 of the one it was made from: whoever replaces that makes sure that it still is."""
    size = file.seek(0, io.SEEK_END)
    if size > LARGEST_TAR:
        raise too_large("The archive", LARGEST_TAR)
    file.seek(0)
    before = hashlib.sha256()
    while piece := file.read(CHUNK):
        before.update(piece)
    out = io.BytesIO()
    replaced = archive.rewritten(member, data, out)
    return {"before": before.hexdigest(), "replaced": replaced}, out.getvalue()
