"""The side of `read` that shows conflicts by their addresses: conflict:// all of them, conflict://1 one, conflict://1/ours its side."""

from __future__ import annotations

import asyncio
import re

from agents.errors import ToolError
from agents.reading.rows import page, page_of
from agents.reading.selectors import split
from agents.tools.atomic.conflicts import Standing, standing
from agents.tools.atomic.resolving import meant
from agents.tools.atomic.showing import NO_CONFLICTS, told
from agents.tools.tool import ToolContext, ToolResult

ADDRESS = re.compile(r"(?P<one>conflict://\d{1,9})(?:/(?P<side>ours|theirs|base))?", re.IGNORECASE)
ALL = re.compile(r"conflict://\*?", re.IGNORECASE)


def files_behind(url: str, context: ToolContext) -> list[str]:
    """The files whose lines this address shows. Blocking. Raises ToolError for a conflict that there is not."""
    address, _ = split(url.strip(), lambda name: False)
    found = ADDRESS.fullmatch(address)
    return [one.path for one in meant(context, found["one"])] if found else []


async def read_conflict(url: str, context: ToolContext) -> ToolResult:
    """A list, a conflict, or one side of it. Raises ToolError."""
    address, selector = split(url.strip(), lambda name: False)
    if ALL.fullmatch(address):
        lines = [_line(one) for one in await asyncio.to_thread(standing, context)]
        shown = page("\n".join(lines) or NO_CONFLICTS, selector, address, "resource")
        return ToolResult(f"Read: {address}", shown.plain, told("conflicts", address, shown))
    found = ADDRESS.fullmatch(address)
    if found is None:
        raise ToolError(
            f"{address[:100]!r} names no conflict. Read conflict:// for all, conflict://1 for one, conflict://1/ours for a side."
        )
    (one,) = await asyncio.to_thread(meant, context, found["one"])
    if side := found["side"]:
        text = "\n".join(one.region.side(getattr(one.region, side.lower())))
        shown = page(text, selector, address, "resource")
        return ToolResult(f"Read: {address}", shown.plain, told("conflicts", one.path, shown))
    rows = list(enumerate(one.region.rows, start=one.region.lines.start))
    shown = page_of(rows, one.region.lines[-1], selector, address, "resource")
    output = shown.plain if selector and selector.raw else shown.numbered
    return ToolResult(f"Read: {address}", f"{_line(one)}\n{output}", told("conflicts", one.path, shown, {"conflicts": [found["one"]]}))


def _line(one: Standing) -> str:
    return f"conflict://{one.number}  {one.path}:{one.region.lines[0]}-{one.region.lines[-1]}"
