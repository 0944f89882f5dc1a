"""The smallest documents of the old binary Office formats: compound files with the streams their readers look for."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from tests.agents.reading.samples import WORDS

SECTOR, LEAST_STREAM = 512, 4096
NONE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")


def compound(streams: Mapping[str, bytes]) -> bytes:
    """A compound file of at most 128 sectors; no stream is so short that it would have to share a sector."""
    ordered = sorted(streams.items(), key=lambda stream: (len(stream[0]), stream[0]))
    blocks = [_full(data, LEAST_STREAM) for _, data in ordered]
    chains: list[int] = []
    places = [(_chained(chains, block), len(block)) for block in blocks]
    entries = [_entry("Root Entry", 5, END, 0, child=1)]
    for index, ((name, _), (start, size)) in enumerate(zip(ordered, places, strict=True), 1):
        entries.append(_entry(name, 2, start, size, right=index + 1 if index < len(ordered) else NONE))
    directory = _full(b"".join(entries), SECTOR)
    first = _chained(chains, directory)
    chains.append(FAT)
    table = struct.pack("<128I", *chains, *[NONE] * (128 - len(chains)))
    sizes = struct.pack("<8s16s6H10I", MAGIC, b"", 0x3E, 3, 0xFFFE, 9, 6, 0, 0, 0, 1, first, 0, LEAST_STREAM, END, 0, END, 0)[:76]
    header = sizes + struct.pack("<109I", len(chains) - 1, *[NONE] * 108)
    return header + b"".join(blocks) + directory + table


def _full(data: bytes, least: int) -> bytes:
    return data.ljust(max(least, -(-len(data) // SECTOR) * SECTOR), b"\0")


def _chained(chains: list[int], block: bytes) -> int:
    """Add the chain of a block's sectors; its first."""
    first = len(chains)
    chains += [*range(first + 1, first + len(block) // SECTOR), END]
    return first


def _entry(name: str, kind: int, start: int, size: int, *, right: int = NONE, child: int = NONE) -> bytes:
    raw = name.encode("utf-16-le") + b"\0\0"
    return struct.pack("<64sHBBIII16sIQQIQ", raw, len(raw), kind, 1, NONE, right, child, b"", 0, 0, 0, start, size)


def xls() -> bytes:
    """A workbook with one sheet, a text and a number."""

    def record(kind: int, data: bytes) -> bytes:
        return struct.pack("<HH", kind, len(data)) + data

    def begin(kind: int) -> bytes:
        return record(0x809, struct.pack("<HHHHII", 0x600, kind, 0x0DBB, 0x07CC, 0, 6))

    def book(at: int) -> bytes:
        return begin(5) + record(0x42, struct.pack("<H", 1200)) + record(0x85, struct.pack("<IBBBB", at, 0, 0, 6, 0) + b"Ledger") + end

    end = record(0x0A, b"")
    text = record(0x204, struct.pack("<HHHHB", 0, 0, 0, len(WORDS), 0) + WORDS.encode())
    number = record(0x203, struct.pack("<HHHd", 0, 1, 0, 42.0))
    size = record(0x200, struct.pack("<IIHHH", 0, 1, 0, 2, 0))
    return compound({"Workbook": book(len(book(0))) + begin(0x10) + size + text + number + end})


def ppt() -> bytes:
    """One slide with a title."""

    def atom(kind: int, data: bytes, version: int = 0) -> bytes:
        return struct.pack("<HHI", version, kind, len(data)) + data

    text = atom(0x0F9F, struct.pack("<I", 0)) + atom(0x0FA8, WORDS.encode())
    outline = atom(1000, atom(0x0FF0, atom(0x03F3, bytes(20)) + text, 0xF), 0xF)
    return compound({"PowerPoint Document": outline + atom(1006, text, 0xF), "Current User": bytes(20)})


def doc() -> bytes:
    """One paragraph, in one piece."""
    text, at = f"{WORDS}\r".encode("cp1252"), 0x400
    head = bytearray(at)
    for place, form, values in (
        (0x00, "<6H", (0xA5EC, 0xC1, 0, 0x409, 0, 0x0200)),
        (0x18, "<2I", (at, at + len(text))),
        (0x20, "<H", (14,)),
        (0x3E, "<H", (22,)),
        (0x4C, "<I", (len(text),)),
        (0x98, "<H", (93,)),
        (0x1A2, "<2I", (0, 21)),
    ):
        struct.pack_into(form, head, place, *values)
    pieces = struct.pack("<BIIIHIH", 2, 16, 0, len(text), 0, at * 2 | 0x40000000, 0)
    return compound({"WordDocument": bytes(head) + text, "1Table": pieces})


LEGACY = {".doc": doc, ".ppt": ppt, ".xls": xls}
