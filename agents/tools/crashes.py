"""Nothing a tool does wrong leaves the loop: what it raises unforeseen, or gives in place of a result, becomes its call's error."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from pydantic_core import PydanticSerializationError, to_json

from agents.errors import ToolError
from agents.events import Attachment, Fact, FileChange
from agents.pieces import well_formed
from agents.tools.tool import Ask, ToolResult

log = logging.getLogger(__name__)
T = TypeVar("T")
LISTS = (("changes", FileChange), ("attachments", Attachment), ("facts", Fact))


@contextmanager
def crashes_told(tool: str) -> Iterator[None]:
    """Turn whatever is raised into a ToolError: what the system says as it stands, anything else as a crash that the log tells too."""
    try:
        yield
    except ToolError:
        raise
    except OSError as wrong:
        raise ToolError(str(wrong) or type(wrong).__name__) from wrong
    except asyncio.CancelledError as crash:
        if (task := asyncio.current_task()) is None or task.cancelling():
            raise
        raise _crashed(tool, crash) from crash  # its own idea: nobody stopped the call
    except (Exception, SystemExit) as crash:
        raise _crashed(tool, crash) from crash


def _crashed(tool: str, crash: BaseException) -> ToolError:
    log.error("tool %s crashed", tool, exc_info=crash)
    return ToolError(f"The tool failed unexpectedly: {type(crash).__name__}: {crash}")


async def in_thread(work: Callable[[], T]) -> T:
    """As `asyncio.to_thread`, for what tools of anybody's do: a StopIteration, which no future can hold, would never come back."""

    def guarded() -> T:
        try:
            return work()
        except (StopIteration, GeneratorExit, KeyboardInterrupt) as wrong:
            raise RuntimeError(type(wrong).__name__) from wrong

    return await asyncio.to_thread(guarded)


def sound(result: Any) -> ToolResult:
    """The result, if it is one that can be kept; names of files that are no text made such. Raises ToolError."""
    if not isinstance(result, ToolResult):
        raise ToolError(f"The tool gave {type(result).__name__} where a ToolResult is due. What it did before that is done.")
    if flaw := _flaw_of(result):
        raise ToolError(f"The tool gave {flaw}. What it did before that is done.")
    changes = tuple(change.model_copy(update={"path": well_formed(change.path)}) for change in result.changes)
    return replace(result, metadata=_kept(result.metadata), changes=changes)


def _flaw_of(result: ToolResult) -> str:
    """What of the result cannot be kept, "" where all can."""
    if any(not isinstance(text, str) for text in (result.title, result.output, result.error or "")):
        return "a title, an output or an error that is no text"
    for name, kind in LISTS:
        given = getattr(result, name)
        if not isinstance(given, tuple | list) or not all(isinstance(one, kind) for one in given):
            return f"{name} that are not all of the class {kind.__name__}"
    waits: Any = result.waits
    if not isinstance(waits, Ask | None) or not isinstance(result.redactions, int):
        return "something to wait for that nobody can answer, or redactions that are no number"
    return _flaw_in(result.metadata)


def _flaw_in(metadata: Any) -> str:
    if not isinstance(metadata, dict) or not all(isinstance(name, str) for name in metadata):
        return "metadata that is no dict with names as its keys"
    try:
        json.loads(to_json(_kept(metadata)))
    except (PydanticSerializationError, ValueError) as wrong:
        return f"metadata that cannot be kept ({wrong})"
    return ""


def _kept(value: Any) -> Any:
    """The same value with every text in it well formed."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {_kept(key): _kept(item) for key, item in value.items()}
    return [_kept(item) for item in value] if isinstance(value, list | tuple) else value
