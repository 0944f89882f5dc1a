"""What `read` shows of a file of the workspace, by what the file is: text, a notebook, conflicts, an image, a folder."""

from __future__ import annotations

import asyncio
import codecs
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from agents.edits.conflicts import Region, regions
from agents.edits.hashline.rows import header
from agents.edits.hashline.tags import normal
from agents.errors import NotText, ToolError
from agents.reading.images import LOOKED_AT, media_type_of, shrunk
from agents.reading.notebooks import view
from agents.reading.rows import Page, Row, all_rows, below, page, page_of
from agents.reading.selectors import Selector
from agents.reading.tree import MOST_ENTRIES, tree
from agents.reading.window import LARGEST
from agents.tools.atomic.conflicts import register
from agents.tools.atomic.seen import LARGEST_TAGGED, display, saw
from agents.tools.places import errors_told
from agents.tools.tool import ToolContext, ToolResult

EMPTY = "[The file is empty.]"
NO_CONFLICTS = "No conflict markers found"
MOST_LINES = 2_000_000
"""Of a file that is looked at: each takes a hundred bytes of memory and more."""
MOST_CONFLICTS = 1000
"""Of one file that get a number."""


async def show(path: str, selector: Selector | None, context: ToolContext) -> ToolResult:
    """A file or folder of the workspace. Raises ToolError."""
    files = context.sandbox.files
    with missing_told(path):
        found = await asyncio.to_thread(files.stat, path)
        if found.kind == "folder":
            return await _folder(path, selector, context)
        data = await asyncio.to_thread(lambda: _lines_of(files.read(path, LARGEST)))
    if media_type_of(data[:LOOKED_AT]):
        return await _image(path, data, context)
    left_out = max(0, found.size - len(data))
    if selector and selector.raw and not selector.conflicts:
        shown = await asyncio.to_thread(_raw, path, data, selector, context)
    else:
        shown = await asyncio.to_thread(_text, path, data, selector, context, found.size)
    if left_out:
        return _with_note(shown, f"[Only the first {len(data)} bytes were looked at; {left_out} more lie behind them. Use bash for those.]")
    return shown


def _lines_of(data: bytes) -> bytes:
    """As much of it as has no more lines than may be."""
    if media_type_of(data[:LOOKED_AT]):
        return data
    for end in (b"\n", b"\r"):
        if data.count(end) > MOST_LINES:
            data = data[: len(data) - len(data.split(end, MOST_LINES)[-1])]
    return data


@contextmanager
def missing_told(path: str) -> Iterator[None]:
    try:
        with errors_told(path):
            yield
    except ToolError as wrong:
        raise ToolError(str(wrong).replace("with glob.", "with find.")) from wrong


def told(kind: str, path: str, page: Page | None = None, more: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """The metadata of a result: what was read, from where, and what of it is not shown. `more` may have a "meta" too."""
    found = page.details if page else {}
    meta = {"source": path, "sourcePath": path, **({"truncation": found["truncation"]} if "truncation" in found else {})}
    if page and page.oversized:
        meta["limits"] = {"maxChars": page.oversized["maxChars"]}
    return {"kind": kind, "path": path, **found, **more, "meta": {**meta, **more.get("meta", {})}}


async def _folder(path: str, selector: Selector | None, context: ToolContext) -> ToolResult:
    found = await asyncio.to_thread(tree, context.sandbox.files, path, time.time())
    name = display(context, path)
    shown = page("\n".join(found.lines), selector, path, "directory")
    limits = {"limits": {"perDirLimit": MOST_ENTRIES, "totalLines": len(found.lines)}} if found.cut else {}
    return ToolResult(f"Read: {name}", shown.plain, told("folder", name, shown, {"isDirectory": True, "meta": limits}))


async def _image(path: str, data: bytes, context: ToolContext) -> ToolResult:
    name = display(context, path)
    picture = await shrunk(data, name, context.sandbox)
    size = {"width": picture.was[0], "height": picture.was[1]}
    return ToolResult(f"Read: {name}", picture.in_words, told("image", name, more=size), attachments=(picture.attachment,))


def _raw(path: str, data: bytes, selector: Selector, context: ToolContext) -> ToolResult:
    """As it is on disk, line ends and all; the whole of it, where it fits, to its last byte."""
    text, _ = _decoded(data)
    lines = text.split("\n")
    rows = list(enumerate(lines if lines[-1] else lines[:-1], start=1))
    shown = page_of(rows, len(rows), selector, path)
    everything = not selector.spans and not shown.truncation
    name = display(context, path)
    return ToolResult(f"Read: {name}", text if everything else shown.plain, told("text", name, shown))


def _decoded(data: bytes) -> tuple[str, bool]:
    """The text, and whether it is what UTF-8 says; binary files raise NotText."""
    if b"\0" in data:
        raise NotText(f"The file is binary (it holds NUL bytes, {len(data)} bytes in all) and cannot be shown as text. Use bash for it.")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode(), True
    except UnicodeDecodeError:
        return data.decode(errors="replace"), False


def _text(path: str, data: bytes, selector: Selector | None, context: ToolContext, size: int) -> ToolResult:
    """`size` is how large the whole file is."""
    raw, sound = _decoded(data)
    text = normal(raw)
    if selector and selector.conflicts:
        if size > len(data):
            raise ToolError(f"{path} is too large to look everywhere in it for conflicts. Use bash, such as grep -n '^<<<<<<<'.")
        return _conflicts(path, text, selector, context)
    name, kind = display(context, path), "text"
    if path.endswith(".ipynb"):
        text, kind = view(text), "notebook"
    shown = page(text, selector, path)
    if not shown.rows and shown.message:
        return ToolResult(f"Read: {name}", shown.message, told(kind, name, shown))
    if note := _untagged(max(size, len(data)), sound) or _unfinished(size > len(data)):
        return ToolResult(f"Read: {name}", below(shown.numbered, note), told(kind, name, shown))
    tag = saw(context, path, text).tag
    return ToolResult(f"Read: {name}", _headed(name, tag, shown, "" if text else EMPTY), told(kind, name, shown, {"tag": tag}))


def _untagged(size: int, sound: bool) -> str:
    """Why the file cannot be edited by line numbers, "" where it can."""
    if not sound:
        return "[The file is not UTF-8: what does not fit is shown as U+FFFD. It has no tag and cannot be edited line by line.]"
    if size > LARGEST_TAGGED:
        return f"[The file has more than {LARGEST_TAGGED // 2**20} MiB. It has no tag and cannot be edited line by line.]"
    return ""


def _unfinished(cut: bool) -> str:
    return "[It has no tag and cannot be edited line by line: it has too many lines.]" if cut else ""


def _headed(name: str, tag: str, shown: Page, note: str = "") -> str:
    head = header(name, tag)
    return below(f"{head}\n{shown.numbered}" if shown.rows else head, note)


def _conflicts(path: str, text: str, selector: Selector, context: ToolContext) -> ToolResult:
    """The regions alone, by the numbers their lines have in the file, and the names by which `write` settles them."""
    everything, name = regions(text), display(context, path)
    found, rows = everything[:MOST_CONFLICTS], all_rows(text)
    inside = [rows[number - 1] for one in found for number in one.lines]
    shown = page_of(inside, len(rows), selector, path)
    if not shown.rows:
        return ToolResult(f"Read: {name}", shown.message or NO_CONFLICTS, told("conflicts", name, shown))
    numbers = register(context, name, found)
    names = [f"conflict://{number}" for number, one in zip(numbers, found, strict=True) if _is_shown(one, shown.rows)]
    if selector.raw:
        return ToolResult(f"Read: {name}", shown.plain, told("conflicts", name, shown, {"conflicts": names}))
    tag = saw(context, path, text).tag
    left = f" {len(everything) - len(found)} more have no number yet." if len(everything) > len(found) else ""
    output = _headed(name, tag, shown, _ways(names, found, numbers) + left)
    return ToolResult(f"Read: {name}", output, told("conflicts", name, shown, {"tag": tag, "conflicts": names}))


def _is_shown(region: Region, rows: Sequence[Row]) -> bool:
    return any(number in region.lines for number, _ in rows)


def _ways(names: Sequence[str], found: Sequence[Region], numbers: Sequence[int]) -> str:
    places = {f"conflict://{number}": f"{one.lines[0]}-{one.lines[-1]}" for number, one in zip(numbers, found, strict=True)}
    listed = ", ".join(f"{name} (lines {places[name]})" for name in names)
    return f"[{listed}. Settle one by writing its text, or @ours, @theirs or @base, to its address; conflict://* means all.]"


def _with_note(result: ToolResult, note: str) -> ToolResult:
    return ToolResult(result.title, below(result.output, note), result.metadata)
