"""Zip archives: read by the standard library, rewritten record by record so that what is not changed stays as it is."""

from __future__ import annotations

import io
import stat
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, TypeVar

from agents.errors import ToolError
from agents.reading.members import LARGEST_MEMBER, Member, counted, demand_new_name, demand_plain, read_up_to, too_large

ENCRYPTED, DESCRIPTOR, UTF8 = 1, 8, 0x800
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, ValueError, OverflowError, UnicodeError, NotImplementedError, OSError)
LOCAL_SIZE = 30
RECORD = struct.Struct("<4s6H3I5H2I")
END = struct.Struct("<4s4H2IH")
RECORD_MARK, END_MARK, OFFSET_AT = b"PK\1\2", b"PK\5\6", 42
Entry = TypeVar("Entry")
MOST_RECORDS, LARGEST_OFFSET = 0xFFFE, 0xFFFFFFFE


class ZipArchive:
    """Raises ToolError when the file is no zip archive, or one whose members overlap."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file, self._name = file, name
        try:
            self._zip = zipfile.ZipFile(file)
        except DAMAGE as wrong:
            raise ToolError(f"{name} is not a valid zip archive: {wrong}.") from wrong
        self._demand_order()

    def _demand_order(self) -> None:
        """Members that share bytes are how a small archive claims to be a huge one."""
        infos = sorted(self._zip.infolist(), key=lambda info: info.header_offset)
        for info, end in with_ends(infos, [info.header_offset for info in infos], self._zip.start_dir):
            if info.header_offset < 0 or info.header_offset + LOCAL_SIZE + info.compress_size > end:
                raise ToolError(
                    f"{self._name} is not a valid zip archive: {info.filename!r} reaches outside its bounds or overlaps another."
                )

    def walk(self, wanted: Callable[[Member], bool]) -> Iterator[tuple[Member, bytes | None]]:
        infos = self._zip.infolist()
        for info, member in zip(infos, counted(map(_member, infos)), strict=True):
            yield member, self._content(info, member) if wanted(member) else None

    def _content(self, info: zipfile.ZipInfo, member: Member) -> bytes:
        demand_plain(member)
        what = f"The member {member.name}"
        if info.flag_bits & ENCRYPTED:
            raise ToolError(f"{what} is encrypted and cannot be read.")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ToolError(f"{what} has an unsupported compression method ({info.compress_type}); unpack it with bash.")
        if info.file_size > LARGEST_MEMBER:
            raise too_large(what, LARGEST_MEMBER)
        try:
            with self._zip.open(info) as content:
                return read_up_to(content.read, LARGEST_MEMBER, what)
        except DAMAGE as wrong:
            raise ToolError(f"{what} of {self._name} is damaged: {wrong}.") from wrong

    def rewritten(self, member: str, data: bytes, out: BinaryIO) -> bool:
        demand_new_name(member, map(_member, self._zip.infolist()))
        self._file.seek(0)
        return rewritten(self._file.read(), member, data, out)


def with_ends(entries: Sequence[Entry], offsets: Sequence[int], end: int) -> Iterator[tuple[Entry, int]]:
    """Every entry with the place where the next one begins, or `end`; they come in the order of their offsets."""
    return zip(entries, [*offsets[1:], end], strict=bool(entries))


def _member(info: zipfile.ZipInfo) -> Member:
    if info.is_dir():
        return Member(info.filename, None, "folder")
    link = stat.S_ISLNK(info.external_attr >> 16)
    return Member(info.filename, info.file_size, "link" if link else "file", "another member" if link else "")


@dataclass(frozen=True)
class Record:
    """One entry of the directory at the end, as it stands there."""

    raw: bytes
    name: str
    flags: int
    attributes: int
    offset: int

    def moved(self, offset: int) -> bytes:
        return self.raw[:OFFSET_AT] + struct.pack("<I", offset) + self.raw[OFFSET_AT + 4 :]


def rewritten(before: bytes, member: str, data: bytes, out: BinaryIO) -> bool:
    """Copy every other member's bytes to `out` as they are, then the new one, then the directory with its places put right."""
    begin, records, comment = _directory(before)
    ordered = sorted(records, key=lambda record: record.offset)
    old = [record for record in records if record.name == member]
    out.write(before[: ordered[0].offset if ordered else begin])
    moved: list[bytes] = []
    for record, end in with_ends(ordered, [record.offset for record in ordered], begin):
        if record.name != member:
            moved.append(record.moved(out.tell()))
            out.write(before[record.offset : end])
    local, entry = _one(member, data, old)
    moved.append(entry.moved(out.tell()))
    out.write(local)
    _close(out, moved, comment)
    return bool(old)


def _directory(data: bytes) -> tuple[int, list[Record], bytes]:
    """(where it begins, its records, the archive's comment). Raises ToolError for what cannot be rewritten safely."""
    at = data.rfind(END_MARK, max(0, len(data) - END.size - 0xFFFF))
    if at < 0 or len(data) < at + END.size:
        raise ToolError("The archive is not a valid zip archive: the end of its central directory is missing.")
    _, disk, first_disk, here, total, size, begin, comment_size = END.unpack_from(data, at)
    comment = data[at + END.size :]
    if disk or first_disk or here != total or begin + size != at or len(comment) != comment_size:
        raise ToolError(
            "The archive is not a plain zip archive (in parts, zip64, or with bytes around it), so it is not rewritten. Use bash."
        )
    records = list(_records(data, begin, at))
    if len(records) != total:
        raise ToolError("The archive is not a valid zip archive: its central directory does not hold what it claims.")
    for record in records:
        if record.flags & DESCRIPTOR:
            raise ToolError(f"{record.name} was written with a data descriptor; such archives are not rewritten. Use bash.")
    return begin, records, comment


def _records(data: bytes, at: int, end: int) -> Iterator[Record]:
    while at < end:
        if end - at < RECORD.size:
            raise ToolError("The archive is not a valid zip archive: its central directory is cut off.")
        mark, _, _, flags, *_, name, extra, comment, _, _, attributes, offset = RECORD.unpack_from(data, at)
        after = at + RECORD.size + name + extra + comment
        if mark != RECORD_MARK or after > end or offset >= LARGEST_OFFSET:
            raise ToolError("The archive is not a valid zip archive: a record of its central directory is wrong.")
        written = data[at + RECORD.size : at + RECORD.size + name]
        yield Record(data[at:after], written.decode("utf-8" if flags & UTF8 else "cp437", "replace"), flags, attributes, offset)
        at = after


def _one(member: str, data: bytes, old: Sequence[Record]) -> tuple[bytes, Record]:
    """(the bytes of a member, its record), as the standard library writes them."""
    info = zipfile.ZipInfo(member, max(time.localtime()[:6], (1980, 1, 1, 0, 0, 0)))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = old[-1].attributes if old else (stat.S_IFREG | 0o644) << 16
    alone = io.BytesIO()
    with zipfile.ZipFile(alone, "w") as archive:
        archive.writestr(info, data)
    begin, records, _ = _directory(alone.getvalue())
    return alone.getvalue()[:begin], records[0]


def _close(out: BinaryIO, records: Sequence[bytes], comment: bytes) -> None:
    begin = out.tell()
    directory = b"".join(records)
    if len(records) > MOST_RECORDS or begin + len(directory) > LARGEST_OFFSET:
        raise ToolError("The archive would need zip64, which is not written. Use bash.")
    out.write(directory + END.pack(END_MARK, 0, 0, len(records), len(records), len(directory), begin, len(comment)) + comment)
