"""Jupyter notebooks as text, a marker line above each cell, and that text written back without losing anything else of the notebook."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from agents.errors import ToolError

MARKER = re.compile(r"# %% \[(code|markdown|raw)\](?: cell:(\d+))?[ \t]*")
LOOKS_LIKE_ONE = re.compile(r"# %%+ \[(?:code|markdown|raw)\](?: cell:\d+)?[ \t]*")
KINDS = ("code", "markdown", "raw")
LONGEST = 16 * 2**20
"""Characters of JSON; while more are taken apart everything else would stand still, and what comes of them may fill the memory."""
UNNAMED = ""
"""The id of a new cell until it gets one."""
SEES_RAW = "Read it with :raw behind its path to see its JSON."


@dataclass(frozen=True)
class Cell:
    """One cell of the view. `number` is its place in the notebook as it was, None for a new one."""

    kind: str
    number: int | None
    source: str


def view(json_text: str) -> str:
    """The cells one below the other, numbered from 0. Outputs are not shown. Raises ToolError for what is no notebook."""
    return "\n".join(line for number, cell in enumerate(_cells(_parsed(json_text))) for line in _shown(number, cell))


def written(json_text: str, new_view: str) -> str:
    """The notebook with its cells as this view has them: changed, moved, left out or new ones among them.

    Everything of the notebook and of a cell that the view does not show stays as it is. Raises ToolError where the view, or the
    notebook, cannot be understood.
    """
    notebook = _parsed(json_text)
    cells = _cells(notebook)
    if new_view == view(json_text):
        return json_text
    wanted = list(_read(new_view, len(cells)))
    taken: set[int] = set()
    made = [_made(cell, place, cells, taken) for place, cell in enumerate(wanted)]
    _name(made, notebook)
    return _dumped({**notebook, "cells": made}, json_text)


def _parsed(json_text: str) -> dict[str, Any]:
    if len(json_text) > LONGEST:
        raise ToolError(f"The notebook is larger than {LONGEST // 2**20} MiB, too large to be shown by its cells. {SEES_RAW}")
    try:
        notebook = json.loads(json_text)
    except json.JSONDecodeError as wrong:
        raise ToolError(
            f"The notebook is broken: its JSON does not parse at line {wrong.lineno}, column {wrong.colno} ({wrong.msg}). {SEES_RAW}"
        ) from wrong
    except (ValueError, RecursionError) as wrong:
        raise ToolError(f"The notebook is broken: its JSON cannot be taken apart. {SEES_RAW}") from wrong
    if not isinstance(notebook, dict):
        raise ToolError(f"The notebook is broken: its JSON is no object. {SEES_RAW}")
    return notebook


def _cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    if "worksheets" in notebook and "cells" not in notebook:
        raise ToolError(f"The notebook is of format {notebook.get('nbformat', 3)}; convert it to format 4 first. {SEES_RAW}")
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        raise ToolError(f'The notebook is broken: it has no list of "cells". {SEES_RAW}')
    for number, cell in enumerate(cells):
        if not isinstance(cell, dict) or cell.get("cell_type") not in KINDS or not _is_source(cell.get("source", "")):
            raise ToolError(f"The notebook is broken: cell {number} has no known type, or its source is no text. {SEES_RAW}")
    return cells


def _is_source(source: Any) -> bool:
    return isinstance(source, str) or (isinstance(source, list) and all(isinstance(line, str) for line in source))


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _shown(number: int, cell: dict[str, Any]) -> Iterator[str]:
    yield f"# %% [{cell['cell_type']}] cell:{number}"
    for line in _source(cell).split("\n"):
        yield line.replace("# %", "# %%", 1) if LOOKS_LIKE_ONE.fullmatch(line) else line


def _read(text: str, known: int) -> Iterator[Cell]:
    """The cells of a view; a number that no cell has makes a new one."""
    kind, number, lines = "", None, list[str]()
    for line in text.split("\n"):
        marker = MARKER.fullmatch(line)
        if marker is None:
            lines.append(line.replace("# %%", "# %", 1) if LOOKS_LIKE_ONE.fullmatch(line) else line)
            continue
        yield from _ended(kind, number, lines)
        kind, number, lines = marker[1], int(marker[2]) if marker[2] and int(marker[2]) < known else None, []
    yield from _ended(kind, number, lines)


def _ended(kind: str, number: int | None, lines: list[str]) -> Iterator[Cell]:
    if kind:
        yield Cell(kind, number, "\n".join(lines))
    elif any(line.strip() for line in lines):
        raise ToolError(
            "A notebook's text begins with a cell marker such as `# %% [code] cell:0` (without `cell:…` for a new cell); here other "
            "text stands above the first one."
        )


def _made(cell: Cell, place: int, cells: list[dict[str, Any]], taken: set[int]) -> dict[str, Any]:
    """The cell as it was but for what the view says; the second of the same number is a new one."""
    if cell.number is None or cell.number in taken:
        return _of_kind({"cell_type": cell.kind, "id": UNNAMED, "metadata": {}, "source": _lines(cell.source)}, cell.kind)
    taken.add(cell.number)
    was = cells[cell.number]
    kept = was if _source(was) == cell.source else {**was, "source": _lines(cell.source)}
    return kept if was["cell_type"] == cell.kind else _of_kind(kept, cell.kind)


def _of_kind(cell: dict[str, Any], kind: str) -> dict[str, Any]:
    """Only code has outputs."""
    if kind == "code":
        return {**cell, "cell_type": kind, "execution_count": None, "outputs": []}
    return {name: value for name, value in cell.items() if name not in ("execution_count", "outputs")} | {"cell_type": kind}


def _lines(source: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", source)


def _name(cells: list[dict[str, Any]], notebook: dict[str, Any]) -> None:
    """Give new cells an id of their own, where the notebook's format has ids."""
    version = (notebook.get("nbformat"), notebook.get("nbformat_minor"))
    has_ids = all(isinstance(number, int) for number in version) and version >= (4, 5)
    known = {str(cell["id"]) for cell in cells if "id" in cell}
    for place, cell in enumerate(cells):
        if cell.get("id") != UNNAMED:
            continue
        if not has_ids:
            del cell["id"]
            continue
        cell["id"] = next(name for attempt in count() if (name := _digest(f"{place}:{attempt}:{_source(cell)}")) not in known)
        known.add(cell["id"])


def _digest(text: str) -> str:
    """The same in a dry run and in earnest."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _dumped(notebook: dict[str, Any], before: str) -> str:
    """As Jupyter writes it: one space a level, and a newline at the end where there was one."""
    text = json.dumps(notebook, indent=1, ensure_ascii=bool(re.search(r"\\u[dD][89abAB]", before)))
    return text + ("\n" if before.endswith("\n") else "")
