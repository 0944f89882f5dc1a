"""Reading an uploaded archive (zip, or tar in any compression), and unpacking one into a new workspace."""

from __future__ import annotations

import stat
import tarfile
import zipfile
import zlib
from lzma import LZMAError
from pathlib import Path
from typing import IO, Protocol

from workspace.errors import Invalid
from workspace.projects.filling import BYTES_LIMIT, FILES_LIMIT, Filling

ARCHIVE_LIMIT = 256 * 2**20
RATIO_LIMIT = 200
RATIO_COUNTS_FROM = 16 * 2**20
"""Bytes. A small archive may hold this much however well it is packed."""
LINK_LIMIT = 4096
BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, LZMAError, NotImplementedError, RuntimeError, UnicodeError, OSError,
    KeyError,  # a hard link to what the archive does not hold
)  # fmt: skip


class Receiver(Protocol):
    """What takes an archive's members, in their order. Each may raise Invalid, which ends the reading."""

    def folder(self, name: str) -> None: ...

    def file(self, name: str, source: IO[bytes], executable: bool = False) -> None: ...

    def link(self, name: str, target: str) -> None: ...


def unpack(archive: IO[bytes], size: int, root: Path, *, bytes_limit: int = BYTES_LIMIT, files_limit: int = FILES_LIMIT) -> None:
    """`size` in bytes of the archive itself. Raises Invalid; what was unpacked until then is the caller's to remove."""
    if size > ARCHIVE_LIMIT:
        raise Invalid("This archive is too large", f"At most {ARCHIVE_LIMIT // 2**20} MiB can be uploaded.")
    allowed = min(bytes_limit, max(size * RATIO_LIMIT, RATIO_COUNTS_FROM))
    filling = Filling(root, allowed, files_limit)
    pour(archive, filling)
    try:
        filling.unwrap()
        filling.finish()
    except OSError as wrong:
        raise unreadable() from wrong


def pour(archive: IO[bytes], into: Receiver) -> None:
    """Hand over every member. Raises Invalid where the archive is broken, and what the receiver raises."""
    try:
        if zipfile.is_zipfile(archive):
            _unzip(archive, into)
        else:
            archive.seek(0)
            _untar(archive, into)
    except BROKEN as wrong:
        raise unreadable() from wrong


def unreadable() -> Invalid:
    return Invalid("This archive cannot be read", "It should be a whole zip or tar file without a password.")


def _unzip(archive: IO[bytes], into: Receiver) -> None:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            mode = member.external_attr >> 16
            if member.is_dir():
                into.folder(member.filename)
                continue
            with opened.open(member) as source:
                if stat.S_ISLNK(mode):
                    into.link(member.filename, source.read(LINK_LIMIT).decode())
                elif not stat.S_IFMT(mode) or stat.S_ISREG(mode):
                    into.file(member.filename, source, bool(mode & 0o100))


def _untar(archive: IO[bytes], into: Receiver) -> None:
    """Devices and pipes are left out; a hard link becomes a copy."""
    with tarfile.open(fileobj=archive, mode="r:*") as opened:
        for member in opened:
            if member.isdir():
                into.folder(member.name)
            elif member.issym():
                into.link(member.name, member.linkname)
            elif (member.isreg() or member.islnk()) and (source := opened.extractfile(member)):
                into.file(member.name, source, bool(member.mode & 0o100))
