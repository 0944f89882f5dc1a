"""The archive side of `read`, `write` and `search`; each gives None where the path means no archive."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from typing import Any

from agents.edits.hashline.body import Body
from agents.edits.source import encoded
from agents.errors import NotText, PathRefused, ToolError
from agents.events import FileChange
from agents.reading.apart import Work, apart
from agents.reading.archives import MOST_ENTRIES, kind_of
from agents.reading.documents import suffix_of
from agents.reading.members import LARGEST_TAR
from agents.reading.rows import Page, page
from agents.reading.selectors import Selector, split
from agents.reading.texts import Text
from agents.reading.tree import size_of
from agents.sandboxes.sandbox import Files, Limits
from agents.tools.atomic.documents import converted
from agents.tools.atomic.seen import display
from agents.tools.places import errors_told
from agents.tools.tool import ToolContext, ToolResult

LIMITS = Limits(seconds=60, cpu_seconds=60, memory=2**30, output=LARGEST_TAR + 2**20, file_size=2 * LARGEST_TAR)
ATTEMPTS = 3


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
    told, data = await _asked(spot, context, "read")
    selector = _selector(spot, told.get("member", told.get("folder", "")))
    shown = _listing(told, selector, spot) if "folder" in told else await _member(told["member"], data, selector, spot, context)
    meta: dict[str, Any] = {"source": "archive", "sourcePath": spot.archive}
    if told.get("total", 0) > MOST_ENTRIES:
        meta["limits"] = {"resultLimit": MOST_ENTRIES}
    output = shown.plain if "folder" in told or (selector and selector.raw) else shown.numbered
    metadata = {"kind": "archive", "path": spot.shown, **shown.details, "meta": meta}
    return ToolResult(f"Read: {spot.shown}", output, metadata)


async def write_archive(path: str, content: str, context: ToolContext) -> ToolResult | None:
    """Put one member into an archive, which is made where there is none. Raises ToolError, and then nothing was changed."""
    spot = await asyncio.to_thread(located, path, context)
    if spot is None or spot.bare:
        return None
    data = encoded(content)
    for _ in range(ATTEMPTS):
        told, after = await _asked(spot, context, "write", data)
        size = await asyncio.to_thread(_put, context.sandbox.files, spot, told["before"], after)
        if size is not None:
            return _written(spot, told["replaced"], len(data), size, len(after))
    raise ToolError(f"{spot.archive} is being changed by somebody else all the time; nothing was written. Try again.")


async def searchable_archive(path: str, context: ToolContext) -> list[Text] | None:
    """The members that are text, of the whole archive, a folder of it, or the one that is named. Raises ToolError."""
    spot = await asyncio.to_thread(located, path, context)
    if spot is None or spot.new:
        return None
    told, _ = await _asked(spot, context, "search")
    return [Text(f"{spot.archive}:{name}", text) for name, text in told["texts"]]


def located(path: str, context: ToolContext) -> Spot | None:
    """The archive that a path goes into. A file that really has this name is meant itself. Raises PathRefused for one outside."""
    files = context.sandbox.files
    if "://" in path:
        return None
    if _kind(files, path, quiet=True) == "file":
        return Spot(display(context, path), "", bare=True) if kind_of(path) else None
    cuts = [at for at, sign in enumerate(path) if sign == ":" and kind_of(path[:at])]
    for at in cuts:
        if _kind(files, path[:at]) == "file":
            return Spot(display(context, path[:at]), path[at + 1 :])
    first = path[: cuts[0]] if cuts else ""
    return Spot(display(context, first), path[cuts[0] + 1 :], new=True) if first and _kind(files, first) is None else None


def _kind(files: Files, path: str, *, quiet: bool = False) -> str | None:
    try:
        return files.stat(path).kind
    except OSError:
        return None
    except PathRefused:
        if quiet:
            return None
        raise


async def _asked(spot: Spot, context: ToolContext, do: str, data: bytes = b"") -> tuple[dict[str, Any], bytes]:
    order = {"do": do, "path": spot.archive, "member": spot.inner, "new": spot.new}
    return await apart(context.sandbox, Work("archives", f"The archive {spot.archive}", LIMITS), order, data)


def _selector(spot: Spot, name: str) -> Selector | None:
    """What stood behind the name of the member or folder that was found."""

    def exists(whole: str) -> bool:
        return whole.removeprefix(f"{spot.archive}:").removeprefix("./").rstrip("/") in (name, spot.archive)

    return split(spot.shown, exists)[1]


def _listing(told: dict[str, Any], selector: Selector | None, spot: Spot) -> Page:
    lines = [name if size is None else f"{name}  {size_of(size)}" for name, size in told["entries"]]
    if told["total"] > len(lines):
        lines.append(f"[{len(lines)} of {told['total']} entries shown. Read a folder in it, such as {spot.archive}:folder/, for the rest.]")
    if told["unsafe"]:
        lines.append(f"[{told['unsafe']} members with names that lead outside the archive are left out.]")
    return page("\n".join(lines) or "(empty archive)", selector, spot.shown, "listing")


async def _member(name: str, data: bytes, selector: Selector | None, spot: Spot, context: ToolContext) -> Page:
    if selector and selector.conflicts:
        raise ToolError("Conflict markers are looked for in files of the workspace only, not in archives.")
    if (suffix := suffix_of(name)) and not (selector and selector.raw):
        return page(await converted(data, suffix, context), selector, spot.shown, "document")
    try:
        text = (await asyncio.to_thread(Body.of, data)).text
    except NotText:
        raise ToolError(f"The member {name} is no text ({len(data)} bytes); unpack it with bash.") from None
    return page(text, selector, f"{spot.archive}:{name}", "member")


def _put(files: Files, spot: Spot, before: str, after: bytes) -> int | None:
    """Replace the archive if it still is what the new one was made from: its size before; None: somebody was quicker."""

    def replaced(now: bytes) -> bytes:
        return after if hashlib.sha256(now).hexdigest() == before else now

    with errors_told(spot.archive), files.locked(spot.archive):
        if spot.new:
            if _kind(files, spot.archive) is not None:
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
