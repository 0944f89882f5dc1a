"""The document side of `read`: office files, PDF and books as Markdown, converted apart from us."""

from __future__ import annotations

import asyncio
import importlib.util
from functools import cache
from pathlib import Path

from agents.errors import PathRefused, ToolError
from agents.reading.apart import Work, apart
from agents.reading.documents import suffix_of
from agents.reading.rows import whole
from agents.reading.selectors import Selector, split
from agents.sandboxes.sandbox import Limits
from agents.tools.atomic.seen import display
from agents.tools.atomic.showing import told
from agents.tools.places import errors_told
from agents.tools.tool import ToolContext, ToolResult

LARGEST_DOCUMENT = 64 * 2**20
LARGEST_TEXT = 8 * 2**20
"""Bytes of a document, and of the Markdown made of it; what is longer is cut."""
LIMITS = Limits(seconds=60, cpu_seconds=60, memory=1536 * 2**20, output=LARGEST_TEXT + 2**20, file_size=2**28)


async def read_document(path: str, context: ToolContext) -> ToolResult | None:
    """The document as Markdown, or the lines of it that are asked for; None where the path names none. Raises ToolError."""
    found = await asyncio.to_thread(_found, path, context)
    if found is None:
        return None
    file, selector = found
    with errors_told(file):
        data = await asyncio.to_thread(context.sandbox.files.read, file, LARGEST_DOCUMENT + 1)
    text = await converted(data, suffix_of(file) or "", context)
    shown, part = await asyncio.to_thread(whole, text, selector, file, "document"), bool(selector and selector.spans and not selector.raw)
    rendered = not part and not (selector and selector.raw) and not shown.message
    metadata = told("document", file, shown, {"markdown": True} if rendered else {})
    return ToolResult(f"Read: {file}", shown.numbered if part else shown.plain, metadata)


async def converted(data: bytes, suffix: str, context: ToolContext) -> str:
    """Markdown of a document's bytes; `suffix` such as ".docx" says what it is. Raises ToolError."""
    library = converter_folder()
    if not library or suffix_of(suffix) is None:
        raise _unsupported(suffix)
    if len(data) > LARGEST_DOCUMENT:
        raise ToolError(f"The {suffix} file is larger than {LARGEST_DOCUMENT // 2**20} MB, which is too much to convert.")
    work = Work("documents", f"The {suffix} file", LIMITS, (library, f"{library}.libs"))
    order = {"suffix": suffix, "library": library, "most": LARGEST_TEXT}
    try:
        answered, text = await apart(context.sandbox, work, order, data)
    except ToolError as wrong:
        raise ToolError(f"[Cannot read {suffix} file: {wrong}]") from wrong
    cut = f"\n\n[Cut off: the document has {answered['total']} characters.]" if answered["total"] > LARGEST_TEXT else ""
    return text.decode(errors="ignore").rstrip("\n") + cut


@cache
def converter_folder() -> str | None:
    """The converter's folder, None where it is not installed."""
    spec = importlib.util.find_spec("kreuzberg")
    return str(Path(spec.origin).resolve().parent) if spec and spec.origin else None


def _unsupported(suffix: str) -> ToolError:
    return ToolError(f"[Cannot read {suffix} file: Unsupported format: {suffix}]")


def _found(path: str, context: ToolContext) -> tuple[str, Selector | None] | None:
    """A document that is there, and what of it is asked for."""

    def exists(name: str) -> bool:
        try:
            return context.sandbox.files.stat(name).kind == "file"
        except (OSError, PathRefused):
            return False

    file, selector = split(path, exists)
    if "://" in path or suffix_of(file) is None or not exists(file):
        return None
    return display(context, file), selector
