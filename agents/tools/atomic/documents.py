"""The document side of `read`: office files, PDF and books as Markdown, converted apart from us."""

from __future__ import annotations

from agents.tools.tool import ToolContext, ToolResult


async def read_document(path: str, context: ToolContext) -> ToolResult | None:
    """The document as Markdown; None where the path names none. Raises ToolError."""
    return None


async def converted(data: bytes, suffix: str, context: ToolContext) -> str:
    """Markdown of a document's bytes; `suffix` such as ".docx" says what it is. Raises ToolError."""
    return ""
