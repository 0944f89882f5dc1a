"""Tools of our office."""

from __future__ import annotations

import re
from collections import Counter
from typing import ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.tools.tool import Tool, ToolContext, ToolResult


class CountWords(Tool):
    """How long a text is, and which words it repeats."""

    name: ClassVar[str] = "count_words"
    description: ClassVar[str] = "Count the words of a text file in the workspace, and list those it uses most."
    keywords: ClassVar[tuple[str, ...]] = ("length", "words", "statistics")
    group: ClassVar[str] = "office"
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    file_path: str = Field(min_length=1, description="The text file, relative to the workspace.")
    most: int = Field(5, ge=0, le=50, description="How many of its most frequent words to list.")

    def subject(self, context: ToolContext) -> str:
        return self.file_path

    async def run(self, context: ToolContext) -> ToolResult:
        try:
            text = context.sandbox.files.read(self.file_path).decode()
        except (OSError, UnicodeDecodeError) as wrong:
            raise ToolError(f"{self.file_path} cannot be read as text: {wrong}.") from wrong
        words = Counter(re.findall(r"\w+", text.lower()))
        counted = f"{self.file_path}: {words.total()} words, {len(words)} different."
        frequent = [f"{count}  {word}" for word, count in words.most_common(self.most)]
        return ToolResult(f"Words: {self.file_path}", "\n".join([counted, *frequent]), {"words": words.total(), "different": len(words)})
