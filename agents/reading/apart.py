"""Work on bytes that nobody trusts, done inside the sandbox by a Python of its own that ends with it: bounded in time and memory."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import ToolError
from agents.sandboxes.sandbox import Exit, Limits, Sandbox

PYTHON = str(Path(sys.executable).resolve())
AGENTS = str(Path(__file__).resolve().parents[1])
BEGIN = (
    "import sys, types; ours = types.ModuleType('agents'); ours.__path__ = [sys.argv[1]]; sys.modules['agents'] = ours; "
    "from agents.reading.inside import main; main(sys.argv[2])"
)
"""Makes the package `agents` of its folder alone: what lies beside it need not be readable."""
NO_MEMORY = (b"MemoryError", b"memory allocation", b"bad_alloc", b"Cannot allocate memory")


@dataclass(frozen=True)
class Work:
    """A module of this package that answers (see `inside`), in words what it works on, and what it may use."""

    module: str
    subject: str
    limits: Limits
    tools: Sequence[str] = ()


async def apart(sandbox: Sandbox, work: Work, order: Mapping[str, Any], data: bytes = b"") -> tuple[dict[str, Any], bytes]:
    """Have it answered: what it tells, and the bytes it gives. Raises ToolError, also when it hangs, breaks or asks too much."""
    argv = (PYTHON, "-I", "-B", "-S", "-c", BEGIN, AGENTS, work.module)
    given = await asyncio.to_thread(lambda: json.dumps(order).encode() + b"\n" + data)
    ended = await sandbox.run(argv, stdin=given, limits=work.limits, merge=False, tools=(AGENTS, *work.tools))
    _demand_end(ended, work)
    told, body = await asyncio.to_thread(_answered, ended.output)
    if wrong := told.get("error"):
        raise ToolError(wrong)
    return told, body


def _demand_end(ended: Exit, work: Work) -> None:
    """Whether it ended as it should, told whole."""
    limits = work.limits
    if ended.timed_out:
        raise ToolError(f"{work.subject} took longer than {limits.seconds:g} seconds and was given up.")
    if ended.dropped:
        raise ToolError(f"{work.subject} gives more than {limits.output // 2**20} MB, which is too much to be read.")
    if any(words in ended.errors for words in NO_MEMORY):
        raise ToolError(f"{work.subject} needs more than {limits.memory // 2**20} MB of memory and was given up.")
    if ended.code != 0 or b"\n" not in ended.output:
        how = f"signal {ended.signal}" if ended.signal else f"exit code {ended.code}"
        last = ended.errors.decode(errors="replace").strip().rpartition("\n")[2][:300]
        raise ToolError(f"{work.subject} cannot be read: what reads it broke off ({how}). {last}".strip())


def _answered(output: bytes) -> tuple[dict[str, Any], bytes]:
    header, _, body = output.partition(b"\n")
    return json.loads(header), body
