"""Nothing a tool does wrong leaves the loop: what it raises unforeseen, or gives in place of a result, becomes its call's error."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

from agents.errors import ToolError
from agents.tools.tool import ToolResult

log = logging.getLogger(__name__)


@contextmanager
def crashes_told(tool: str) -> Iterator[None]:
    """Turn whatever is raised into a ToolError: what the system says as it stands, anything else as a crash that the log tells too."""
    try:
        yield
    except ToolError:
        raise
    except OSError as wrong:
        raise ToolError(str(wrong) or type(wrong).__name__) from wrong
    except Exception as crash:
        log.exception("tool %s crashed", tool)
        raise ToolError(f"The tool failed unexpectedly: {type(crash).__name__}: {crash}") from crash


def sound(result: Any) -> ToolResult:
    """The result, if it is one that can be kept. Raises ToolError."""
    if not isinstance(result, ToolResult):
        raise ToolError(f"The tool gave {type(result).__name__} where a ToolResult is due. What it did before that is done.")
    if any(not isinstance(text, str) for text in (result.title, result.output, result.error or "")):
        raise ToolError("The tool gave a title, an output or an error that is no text. What it did before that is done.")
    try:
        to_json(result.metadata)
    except PydanticSerializationError as wrong:
        raise ToolError(f"The tool gave metadata that cannot be kept ({wrong}). What it did before that is done.") from wrong
    return result
