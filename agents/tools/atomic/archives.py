"""The archive side of `read`, `write` and `search`; each gives None where the path means no archive."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, replace
from typing import Any

from agents.edits.hashline.body import Body
from agents.edits.source import encoded
from agents.errors import NotText, ToolError
from agents.events import FileChange
from agents.reading.apart import Work, apart
from agents.reading.archives import MOST_ENTRIES, kind_of
from agents.reading.documents import suffix_of
from agents.reading.images import media_type_of, shrunk
from agents.reading.members import LARGEST_TAR
from agents.reading.notebooks import view
from agents.reading.rows import Page, page
from agents.reading.selectors import Selector, split
from agents.reading.texts import Text
from agents.reading.tree import size_of
from agents.sandboxes.sandbox import Files, Limits
from agents.tools.atomic.documents import converted
from agents.tools.atomic.holders import beginnings, opened_file
from agents.tools.atomic.seen import display
from agents.tools.atomic.showing import told
from agents.tools.places import errors_told
from agents.tools.tool import ToolContext, ToolResult

LIMITS = Limits(seconds=60, cpu_seconds=60, memory=2**30, output=LARGEST_TAR + 2**20, file_size=2 * LARGEST_TAR)
ATTEMPTS = 8


@dataclass(frozen=True)
class Spot:
    """`archive` from the workspace's root, `inner` what stood behind its colon; `bare` when there was no colon."""

    archive: str
    inner: str
    bare: bool = False
    new: bool = False

    @property
    def shown(self) -> str:
        return f"{self.archive}:{self.inner}"


async def read_archive(path: str, context: ToolContext) -> ToolResult | None:
    """A folder's listing, or a member's lines. Raises ToolError."""
    spot = await asyncio.to_thread(located, path, context)
    if spot is None or spot.new:
        return None
    found, data = await _asked(spot, context, "read")
    selector = _selector(spot, found.get("member", found.get("folder", "")))
    if "folder" in found:
        return _folder(found, selector, spot)
    return await _member(found["member"], data, selector, spot, context)


async def write_archive(path: str, content: str, context: ToolContext) -> ToolResult | None:
    """Put one member into an archive, which is made where there is none. Raises ToolError, and then nothing was changed."""
    spot = await asyncio.to_thread(located, path, context)
    if spot is None or spot.bare:
        return None
    data = encoded(content)
    for _ in range(ATTEMPTS):
        done, after = await _asked(spot, context, "write", data)
        size = await asyncio.to_thread(_put, context.sandbox.files, spot, done["before"], after)
        if size is not None:
            return _written(spot, done["replaced"], len(data), size, len(after))
    raise ToolError(f"{spot.archive} is being changed by somebody else all the time; nothing was written. Try again.")


async def searchable_archive(path: str, context: ToolContext) -> list[Text] | None:
    """The members that are text, of the whole archive, a folder of it, or the one that is named. Raises ToolError."""
    spot = await asyncio.to_thread(located, path, context)
    if spot is None or spot.new:
        return None
    found, _ = await _asked(spot, context, "search")
    return [Text(f"{spot.archive}:{name}", text) for name, text in found["texts"]]


def located(path: str, context: ToolContext) -> Spot | None:
    """The archive that a path goes into. A file that really has this name is meant itself. Raises PathRefused for one outside."""
    if held := opened_file(path, context, kind_of):
        name, rest = held
        is_inside = kind_of(name) and rest[:1] in ("", ":")
        return Spot(display(context, name), rest[1:], bare=not rest) if is_inside else None
    first = next((begun for begun in beginnings(path) if kind_of(begun[0]) and begun[1].startswith(":")), None)
    if first is None or "://" in path or _is_there(context.sandbox.files, first[0]):
        return None
    return Spot(display(context, first[0]), first[1][1:], new=True)


def _is_there(files: Files, path: str) -> bool:
    try:
        files.stat(path)
    except OSError:
        return False
    return True


async def _asked(spot: Spot, context: ToolContext, do: str, data: bytes = b"") -> tuple[dict[str, Any], bytes]:
    order = {"do": do, "path": spot.archive, "member": spot.inner, "new": spot.new}
    return await apart(context.sandbox, Work("archives", f"The archive {spot.archive}", LIMITS), order, data)


def _selector(spot: Spot, name: str) -> Selector | None:
    """What stood behind the name of the member or folder that was found."""

    def exists(whole: str) -> bool:
        return whole.removeprefix(f"{spot.archive}:").removeprefix("./").rstrip("/") in (name, spot.archive)

    return split(spot.shown, exists)[1]


def _folder(found: dict[str, Any], selector: Selector | None, spot: Spot) -> ToolResult:
    lines = [_on_one_line(name) + ("" if size is None else f"  {size_of(size)}") for name, size in found["entries"]]
    cut = found["total"] > len(lines)
    if cut:
        lines.append(f"[{len(lines)} of {found['total']} entries shown. For the rest read a folder in it: {spot.archive}:folder/.]")
    if found["unsafe"]:
        lines.append(f"[{found['unsafe']} members with names that lead outside the archive are left out.]")
    shown = page("\n".join(lines) or "(empty archive)", selector, spot.shown, "listing")
    return _read(spot, shown.plain, shown, {"limits": {"resultLimit": MOST_ENTRIES}} if cut else {})


def _on_one_line(name: str) -> str:
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in name)


async def _member(name: str, data: bytes, selector: Selector | None, spot: Spot, context: ToolContext) -> ToolResult:
    if selector and selector.conflicts:
        raise ToolError("Conflict markers are looked for in files of the workspace only, not in archives.")
    raw = bool(selector and selector.raw)
    if media_type_of(data) and not raw:
        picture = await shrunk(data, name, context.sandbox)
        return replace(_read(spot, picture.in_words), attachments=(picture.attachment,))
    if (suffix := suffix_of(name)) and not raw:
        text = await converted(data, suffix, context)
    else:
        text = await asyncio.to_thread(_text, name, data, raw)
    shown = await asyncio.to_thread(page, text, selector, f"{spot.archive}:{name}", "member")
    return _read(spot, shown.plain if raw else shown.numbered, shown)


def _text(name: str, data: bytes, raw: bool) -> str:
    try:
        text = Body.of(data).text
    except NotText:
        raise ToolError(f"The member {name} is no text ({len(data)} bytes); unpack it with bash.") from None
    return view(text) if name.endswith(".ipynb") and not raw else text


def _read(spot: Spot, output: str, shown: Page | None = None, meta: dict[str, Any] | None = None) -> ToolResult:
    metadata = told("archive", spot.shown, shown, {"meta": {**(meta or {}), "sourcePath": spot.archive}})
    return ToolResult(f"Read: {spot.shown}", output, metadata)


def _put(files: Files, spot: Spot, before: str, after: bytes) -> int | None:
    """Replace the archive if it still is what the new one was made from: its size before; None: somebody was quicker."""

    def replaced(now: bytes) -> bytes:
        return after if hashlib.sha256(now).hexdigest() == before else now

    with errors_told(spot.archive), files.locked(spot.archive):
        if spot.new:
            if _is_there(files, spot.archive):
                raise ToolError(f"{spot.archive} was made by somebody else meanwhile; nothing was written. Try again.")
            files.write(spot.archive, after)
            return 0
        now, then = files.change(spot.archive, replaced)
        return len(now) if then == after else None


def _written(spot: Spot, replaced: bool, size: int, before: int, after: int) -> ToolResult:
    did = "Replaced" if replaced and not spot.new else "Added"
    output = f"{did} {spot.inner} ({size} bytes) in {spot.archive}"
    metadata = {"kind": "archive", "resolvedPath": spot.archive, "path": spot.shown, "bytes": size, "archiveBytes": after}
    change = FileChange(
        path=spot.archive,
        change="created" if spot.new else "modified",
        diff=f"Archive {spot.archive}: {did.lower()} {spot.inner}; {before} bytes before, {after} after\n",
    )
    return ToolResult(f"Write: {spot.shown}", output, metadata, changes=(change,))
