"""Unpacking an uploaded archive (zip, or tar in any compression) into a new workspace."""

from __future__ import annotations

import stat
import tarfile
import zipfile
import zlib
from lzma import LZMAError
from pathlib import Path
from typing import IO

from workspace.errors import Invalid
from workspace.projects.filling import BYTES_LIMIT, FILES_LIMIT, Filling

ARCHIVE_LIMIT = 256 * 2**20
RATIO_LIMIT = 200
RATIO_COUNTS_FROM = 16 * 2**20
"""Bytes. A small archive may hold this much however well it is packed."""
LINK_LIMIT = 4096
BROKEN = (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, LZMAError, NotImplementedError, RuntimeError, UnicodeError, OSError)


def unpack(archive: IO[bytes], size: int, root: Path, *, bytes_limit: int = BYTES_LIMIT, files_limit: int = FILES_LIMIT) -> None:
    """`size` in bytes of the archive itself. Raises Invalid; what was unpacked until then is the caller's to remove."""
    if size > ARCHIVE_LIMIT:
        raise Invalid("This archive is too large", f"At most {ARCHIVE_LIMIT // 2**20} MiB can be uploaded.")
    allowed = min(bytes_limit, max(size * RATIO_LIMIT, RATIO_COUNTS_FROM))
    filling = Filling(root, allowed, files_limit)
    try:
        if zipfile.is_zipfile(archive):
            _unzip(archive, filling)
        else:
            archive.seek(0)
            _untar(archive, filling)
        filling.unwrap()
        filling.finish()
    except BROKEN as wrong:
        raise Invalid("This archive cannot be read", "It should be a whole zip or tar file without a password.") from wrong


def _unzip(archive: IO[bytes], filling: Filling) -> None:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            mode = member.external_attr >> 16
            if member.is_dir():
                filling.folder(member.filename)
                continue
            with opened.open(member) as source:
                if stat.S_ISLNK(mode):
                    filling.link(member.filename, source.read(LINK_LIMIT).decode())
                elif not stat.S_IFMT(mode) or stat.S_ISREG(mode):
                    filling.file(member.filename, source, bool(mode & 0o100))


def _untar(archive: IO[bytes], filling: Filling) -> None:
    """Devices and pipes are left out; a hard link becomes a copy."""
    with tarfile.open(fileobj=archive, mode="r:*") as opened:
        for member in opened:
            if member.isdir():
                filling.folder(member.name)
            elif member.issym():
                filling.link(member.name, member.linkname)
            elif (member.isreg() or member.islnk()) and (source := opened.extractfile(member)):
                filling.file(member.name, source, bool(member.mode & 0o100))
