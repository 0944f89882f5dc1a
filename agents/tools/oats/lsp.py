"""The tool `lsp`."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.tools.places import errors_told, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult

Operation = Literal["definition", "references", "hover", "diagnostics", "document_symbols", "workspace_symbols"]


class Lsp(Tool):
    """One question to the language server of a file, which is started in the sandbox where it is not running yet."""

    name: ClassVar[str] = "lsp"
    description: ClassVar[str] = (
        "Ask a language server what the code means: definition, references or hover of the name at file_path:line:column (from 1), "
        "diagnostics or document_symbols of a file, workspace_symbols whose name fits query. Knows scopes, types and imports, which grep "
        "does not. Places come as path:line:column."
    )
    aliases: ClassVar[tuple[str, ...]] = ("code_intel", "language_server")
    keywords: ClassVar[tuple[str, ...]] = (
        "definition",
        "references",
        "hover",
        "diagnostics",
        "symbols",
        "types",
        "errors",
        "rename",
        "callers",
    )
    strict: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    group: ClassVar[str] = "lsp"

    operation: Operation = Field(description="What to ask.")
    file_path: str = Field("", description="The file; needed for all but workspace_symbols.")
    line: int = Field(1, ge=1, description="Line, from 1.")
    column: int = Field(1, ge=1, description="Character in the line, from 1: one inside the name that is asked about.")
    query: str = Field("", max_length=500, description="What names should fit, for workspace_symbols.")
    include_declaration: bool = Field(False, description="Let references list the declaration too.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.file_path) if self.file_path else ""

    async def run(self, context: ToolContext) -> ToolResult:
        if not self.file_path and self.operation != "workspace_symbols":
            raise ToolError(f"file_path is required for {self.operation}: name the file to ask about.")
        if context.reach.code is None:
            raise ToolError("There is no code intelligence here. Use grep and read instead.")
        with errors_told(self.file_path):
            if self.file_path:
                context.sandbox.files.read(self.file_path, 0)
            text, metadata = await context.reach.code.query(
                self.operation, path=self.file_path, line=self.line, column=self.column, query=self.query,
                include_declaration=self.include_declaration,
            )  # fmt: skip
        about = f"{self.operation} {self.subject(context) or self.query}".strip()
        return ToolResult(f"LSP: {about}", text, {"operation": self.operation, "file_path": self.subject(context), **metadata})
