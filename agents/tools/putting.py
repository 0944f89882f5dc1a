"""Putting several files at once: all of them, or, when one cannot be written, every file as it was."""

from __future__ import annotations

from collections.abc import Sequence

from agents.edits.patching import Outcome
from agents.errors import ToolError
from agents.sandboxes.sandbox import Files
from agents.tools.places import errors_told


def put_all(files: Files, outcomes: Sequence[Outcome]) -> None:
    """Write, then delete; if one fails, put back what was done. Call it with the files locked. Raises ToolError naming the one."""
    done: list[Outcome] = []
    try:
        for outcome in sorted(outcomes, key=lambda outcome: outcome.after is None):
            with errors_told(outcome.path):
                _put(files, outcome.path, outcome.after, outcome.mode)
            done.append(outcome)
    except ToolError as wrong:
        if lost := [outcome.path for outcome in reversed(done) if not _put_back(files, outcome)]:
            raise ToolError(f"{wrong} These were changed and could not be put back: {', '.join(lost)}.") from wrong
        raise ToolError(f"{wrong} No file was changed.") from wrong


def _put(files: Files, path: str, data: bytes | None, mode: int | None) -> None:
    if data is not None:
        files.write(path, data, mode)
    else:
        files.delete(path)


def _put_back(files: Files, outcome: Outcome) -> bool:
    try:
        _put(files, outcome.path, outcome.before, None)
    except (ToolError, OSError):
        return False
    return True
