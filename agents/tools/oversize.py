"""Results too long for a model's context: the whole is kept as an artifact, and the model reads how it begins and where the rest is."""

from __future__ import annotations

from dataclasses import replace

from agents.tools.tool import ToolContext, ToolResult

LONGEST = {"atomic": 50_000}
"""Characters up to which a result is left whole, by toolset; without a limit in the others."""
PREVIEW = 2000
"""Bytes of such a result that the model still reads at once."""


async def shortened(result: ToolResult, context: ToolContext) -> ToolResult:
    """The result as it is, unless this agent's results have a longest form and artifacts a place."""
    longest, artifacts = context.flags.get("longest_result", 0), context.reach.artifacts
    if not longest or artifacts is None or len(result.output) <= longest:
        return result
    whole = result.output.encode("utf-8", "replace")
    artifact = await artifacts.keep(f"{result.title or 'result'}.txt", whole)
    beginning = whole[:PREVIEW].decode("utf-8", "ignore")
    told = (
        f'<kept-output url="{artifact.url}" bytes="{len(whole)}">\n{beginning}\n</kept-output>\n'
        f"[This result has {len(result.output)} characters; above are its first {len(beginning)}. Read {artifact.url}:1-200, "
        "or other lines of it, for the rest.]"
    )
    return replace(result, output=told, metadata={**result.metadata, "artifact": artifact.number})
