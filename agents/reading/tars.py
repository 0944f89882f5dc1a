"""Tar archives, plain and compressed, and single files compressed by gzip."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from agents.errors import ToolError
from agents.reading.members import (
    CHUNK,
    LARGEST_MEMBER,
    LARGEST_TAR,
    Member,
    counted,
    demand_new_name,
    demand_plain,
    read_up_to,
    too_large,
)  # fmt: skip

DAMAGE = (tarfile.TarError, zlib.error, EOFError, struct.error, ValueError, OverflowError, IndexError, RecursionError, OSError)
RECORD = 10240


class Capped(io.RawIOBase):
    """A readable file that ends in a ToolError where it would be longer than a tar archive may be."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return int(self._file.tell())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET or offset > LARGEST_TAR:
            raise too_large("The tar archive", LARGEST_TAR)
        return int(self._file.seek(offset))

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= LARGEST_TAR - self._file.tell():
            size = LARGEST_TAR - self._file.tell() + 1
        found: bytes = self._file.read(size)
        if self._file.tell() > LARGEST_TAR:
            raise too_large("The tar archive", LARGEST_TAR)
        return found


class TarArchive:
    """`compressed` by gzip or not. Raises ToolError when the file is no such archive."""

    def __init__(self, file: BinaryIO, name: str, *, compressed: bool) -> None:
        self._file, self._name, self._compressed = file, name, compressed

    def walk(self, wanted: Callable[[Member], bool]) -> Iterator[tuple[Member, bytes | None]]:
        try:
            with tarfile.open(fileobj=self._unpacked(), mode="r:") as tar:
                for member, info in self._pairs(tar):
                    yield member, _content(tar, info, member) if wanted(member) else None
        except DAMAGE as wrong:
            raise ToolError(f"{self._name} is not a valid tar archive: {wrong}.") from wrong

    def _unpacked(self) -> Capped:
        self._file.seek(0)
        return Capped(gzip.GzipFile(fileobj=self._file) if self._compressed else self._file)

    def _pairs(self, tar: Any) -> Iterator[tuple[Member, tarfile.TarInfo]]:
        infos: list[tarfile.TarInfo] = []

        def members() -> Iterator[Member]:
            while info := tar.next():
                tar.members = []  # it would keep them all
                infos[:] = [info]
                yield _member(info)

        for member in counted(members()):
            yield member, infos[0]
        _demand_end(tar)

    def rewritten(self, member: str, data: bytes, out: BinaryIO) -> bool:
        demand_new_name(member, (found for found, _ in self.walk(lambda _: False)))
        with tempfile.TemporaryFile() as plain:
            source = self._unpacked()
            while piece := source.read(CHUNK):
                plain.write(piece)
            plain.seek(0)
            if not self._compressed:
                return _spliced(plain, member, data, out)
            with gzip.GzipFile(filename="", fileobj=out, mode="wb") as packed:
                return _spliced(plain, member, data, packed)


def _member(info: tarfile.TarInfo) -> Member:
    name = info.name.removeprefix("./")
    if info.isdir():
        return Member(f"{name.rstrip('/')}/", None, "folder")
    if info.issym() or info.islnk():
        return Member(name, 0, "link", info.linkname)
    return Member(name, info.size, "file" if info.isreg() else "other")


def _content(tar: tarfile.TarFile, info: tarfile.TarInfo, member: Member) -> bytes:
    demand_plain(member)
    if not 0 <= info.size <= LARGEST_MEMBER:
        raise too_large(f"The member {member.name}", LARGEST_MEMBER)
    content = tar.extractfile(info)
    return read_up_to(content.read, LARGEST_MEMBER, f"The member {member.name}") if content else b""


def _demand_end(tar: Any) -> None:
    """The library takes damage behind the first member for the end."""
    tar.fileobj.seek(tar.offset)
    block = tar.fileobj.read(tarfile.BLOCKSIZE)
    if block.strip(b"\0") or 0 < len(block) < tarfile.BLOCKSIZE:
        raise tarfile.ReadError("it is cut off or damaged in the middle")


def _spliced(plain: BinaryIO, member: str, data: bytes, out: Any) -> bool:
    """Copy the blocks of every other member as they are; the new one stands where the old one stood, else at the end."""
    placed, begin = False, 0
    with tarfile.open(fileobj=plain, mode="r:") as tar:
        while info := tar.next():
            found = _member(info)
            end = tar.offset
            if found.name != member:
                _copy(plain, begin, end, out)
            else:
                demand_plain(found)
                out.write(b"" if placed else _blocks(member, data, info))
                placed = True
            begin = end
            plain.seek(end)
    if not placed:
        out.write(_blocks(member, data, None))
    size = out.tell() + 2 * tarfile.BLOCKSIZE
    out.write(b"\0" * (2 * tarfile.BLOCKSIZE + -size % RECORD))
    return placed


def _copy(plain: BinaryIO, begin: int, end: int, out: Any) -> None:
    plain.seek(begin)
    while begin < end and (piece := plain.read(min(CHUNK, end - begin))):
        out.write(piece)
        begin += len(piece)


def _blocks(member: str, data: bytes, old: tarfile.TarInfo | None) -> bytes:
    info = tarfile.TarInfo(old.name if old else member)
    info.size, info.mtime = len(data), int(time.time())
    if old:
        info.mode, info.uid, info.gid, info.uname, info.gname = old.mode, old.uid, old.gid, old.uname, old.gname
    return info.tobuf() + data + b"\0" * (-len(data) % tarfile.BLOCKSIZE)


class GzipFile:
    """One compressed file, shown as an archive with one member: its own name without the ending."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file, self._name = file, name
        self.only = name.rpartition("/")[2].removesuffix(".gz")

    def walk(self, wanted: Callable[[Member], bool]) -> Iterator[tuple[Member, bytes | None]]:
        member = Member(self.only, None)
        yield member, self._content() if wanted(member) else None

    def _content(self) -> bytes:
        self._file.seek(0)
        try:
            return read_up_to(gzip.GzipFile(fileobj=self._file).read, LARGEST_MEMBER, f"The member {self.only}")
        except DAMAGE as wrong:
            raise ToolError(f"{self._name} is not a valid gzip file: {wrong}.") from wrong

    def rewritten(self, member: str, data: bytes, out: BinaryIO) -> bool:
        demand_new_name(member, ())
        if member != self.only:
            raise ToolError(f"{self._name} holds one file, {self.only}; no other can be written into it.")
        with gzip.GzipFile(filename="", fileobj=out, mode="wb") as packed:
            packed.write(data)
        return True
