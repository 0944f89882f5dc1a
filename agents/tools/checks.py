"""Telling an agent at once what its edit has broken: what a language server newly complains of in the files that changed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.code.answers import new_ones, told
from agents.errors import PathRefused
from agents.ports import CodeServers, Diagnostic
from agents.tools.tool import ToolContext, ToolResult

SECONDS = 1.5
"""How long each of the two looks, before and after an edit, may hold the edit up."""
MOST_FILES = 5
"""Files of one edit that are looked at."""

Known = Mapping[str, Sequence[Diagnostic] | None]


async def complaints(context: ToolContext, *paths: str) -> Known:
    """What is wrong with these files now; None for one of which nobody knows. Never fails, and never takes long."""
    code = context.reach.code
    if code is None:
        return {}
    chosen = list(dict.fromkeys(paths))[:MOST_FILES]
    found = await asyncio.gather(*(_complaints(code, context, path) for path in chosen))
    return dict(zip(chosen, found, strict=True))


async def _complaints(code: CodeServers, context: ToolContext, path: str) -> Sequence[Diagnostic] | None:
    try:
        if not await asyncio.to_thread(_is_there, context, path):
            return ()
        async with asyncio.timeout(SECONDS):
            return await code.diagnostics(path)
    except OSError:  # a timeout too
        return None


def _is_there(context: ToolContext, path: str) -> bool:
    try:
        return context.sandbox.files.stat(path).kind == "file"
    except (FileNotFoundError, NotADirectoryError, PathRefused):
        return False


async def with_complaints(result: ToolResult, before: Known, context: ToolContext) -> ToolResult:
    """The result of an edit, with the errors and warnings that were not there before it."""
    if context.reach.code is None:
        return result
    after = await complaints(context, *before)
    fresh = {path: new_ones(was, now) for path, was in before.items() if was is not None and (now := after[path]) is not None}
    metadata = {
        **result.metadata,
        "lsp_synced": any(now is not None for now in after.values()),
        "lsp_diagnostics": [_line(path, one) for path, found in fresh.items() for one in found],
    }
    return replace(
        result, output="\n\n".join([result.output, *(told(path, found) for path, found in fresh.items() if found)]), metadata=metadata
    )


def _line(path: str, one: Diagnostic) -> str:
    return f"{path}:{one.line}:{one.column}: {one.severity}: {one.message}"
