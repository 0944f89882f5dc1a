"""What a hashline edit costs without files and people: from the script to the new text, in files of growing size."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from agents.edits.hashline.blocks import finder
from agents.edits.hashline.recovery import outcome
from agents.edits.hashline.script import parse
from agents.edits.hashline.store import MemorySnapshots
from agents.edits.hashline.tags import tag_of

SIZES = ((10_000, 50), (20_000, 100), (40_000, 200))
"""Lines of the file and hunks of the script; each is twice the one before."""
ROUNDS = 15
LIMIT = 50.0
"""Milliseconds for the first size."""

PART = "def part_{n}(value):\n    total = value + {n}\n    if total > 10:\n        total -= 1\n    return total\n"


def edit_results() -> dict[str, list[float]]:
    """Median milliseconds at each size: hunks by number, hunks that name blocks (and so parse the file), a file that has moved on."""
    kinds = {"hashline by number": (False, ""), "hashline by block": (True, ""), "hashline over drift": (False, "# new\n")}
    return {kind: [_median(_one_edit(*size, blocks, above)) for size in SIZES] for kind, (blocks, above) in kinds.items()}


def _one_edit(lines: int, hunks: int, blocks: bool, above: str) -> Callable[[], object]:
    text = "".join(PART.format(n=n) for n in range(lines // 5))
    snapshots = MemorySnapshots()
    tag = snapshots.record("part.py", text).tag
    assert tag == tag_of(text)
    script = "\n".join([f"[part.py#{tag}]", *(_hunk(n, n * (lines // hunks), blocks) for n in range(hunks))])

    def edit() -> object:
        (section,) = parse(script).sections
        return outcome(section, above + text, snapshots.versions("part.py"), finder("part.py"))

    return edit


def _hunk(number: int, before: int, blocks: bool) -> str:
    """One of four kinds, in the part that follows line `before`."""
    if blocks and number % 4 == 0:
        return f"replace block {before + 1}:\n+def other_{number}(value):\n+    return value"
    if number % 4 < 2:
        return f"replace {before + 2}..{before + 3}:\n+    total = value * {number}\n+    if total > 20:"
    return f"delete {before + 4}" if number % 4 == 2 else f"insert after {before + 2}:\n+    # note {number}"


def _median(run: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        run()
        times.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(times), 2)


def report_edits(results: dict[str, list[float]]) -> None:
    print("\n" + "milliseconds (median)".ljust(34) + "".join(f"{f'{lines:,} lines':>15}" for lines, _ in SIZES) + f"{'growth':>9}")
    for kind, row in results.items():
        print(f"{kind:<34}" + "".join(f"{value:>15}" for value in row) + f"{row[-1] / row[0]:>8.2f}×")
    first = results["hashline by number"][0]
    lines, hunks = SIZES[0]
    print(f"{lines:,} lines and {hunks} hunks in under {LIMIT:.0f} ms: {'yes' if first < LIMIT else 'NO'}")
