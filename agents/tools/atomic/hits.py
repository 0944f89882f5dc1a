"""What a search shows of a file or a text in which it found something: a header to edit by, and rows."""

from __future__ import annotations

import asyncio
import codecs
from dataclasses import dataclass, field, replace
from typing import Any

from agents.edits.hashline.body import Body
from agents.edits.hashline.rows import header
from agents.errors import NotText, ToolError
from agents.pieces import in_line
from agents.reading import notebooks
from agents.reading.texts import Text
from agents.search.matching import LARGEST, Hits, Match, Regex, in_texts, shown_lines
from agents.search.rows import CUT, Around, Row, renumbered, rows
from agents.tools.atomic.seen import display, saw
from agents.tools.tool import ToolContext

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass
class Block:
    """`label` names the file or text, `tag` its version where it is one that can be edited; `lines` are ready to be shown."""

    label: str
    header: str = ""
    tag: str = ""
    rows: list[Row] = field(default_factory=list)
    virtual: bool = False

    @property
    def lines(self) -> list[str]:
        if self.virtual:
            return [f"{self.label}:{row.number}: {row.text}" if row.hit else f"{self.label}-{row.number}- {row.text}" for row in self.rows]
        return [self.header, *(f"{'*' if row.hit else ' '}{row.number}:{row.text}" for row in self.rows)]

    def keep(self, count: int) -> None:
        """Show the first rows only."""
        del self.rows[count:]

    @property
    def cut(self) -> bool:
        return any(row.text.endswith(CUT) for row in self.rows)

    def as_data(self) -> dict[str, Any]:
        """What a page shows it by: everything but the words."""
        return {"path": self.label, "tag": self.tag or None, "virtual": self.virtual, "rows": [[row.number, row.hit] for row in self.rows]}


def of_text(text: Text, hits: Hits, around: Around) -> Block:
    return Block(in_line(text.label), rows=rows(shown_lines(text.text), hits.matches, around), virtual=True)


def of_file(context: ToolContext, hits: Hits, around: Around) -> Block | None:
    """The file as it is now, noted as seen by this session; None where it has gone or is no text. Blocking."""
    try:
        data = context.sandbox.files.read(hits.path, LARGEST)
    except (OSError, ToolError):
        return None
    path = display(context, hits.path)
    text, matches, whole = _as_shown(path, data, hits.matches)
    if text is None:
        return None
    tag = saw(context, path, text).tag if whole else ""
    return Block(path, header(in_line(path), tag) if tag else f"[{in_line(path)}]", tag, rows(shown_lines(text), matches, around))


def _as_shown(path: str, data: bytes, matches: list[Match]) -> tuple[str | None, list[Match], bool]:
    """(text, matches in it, whether an edit of it could be held against that text)."""
    try:
        body = Body.of(data)
    except NotText:
        return _somehow(data), matches, False
    if path.endswith(".ipynb") and (view := notebook_view(body.text)) is not None:
        return view, matches, True
    return body.text, renumbered(data.decode("utf-8-sig"), matches), True


def _somehow(data: bytes) -> str | None:
    if data.startswith(UTF16):
        return data.decode("utf-16", "replace").replace("\r\n", "\n")
    return None if b"\0" in data else data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def notebook_view(text: str) -> str | None:
    """The notebook as `read` shows and `edit` takes it; None where the file is no notebook after all."""
    try:
        return notebooks.view(text)
    except ToolError:
        return None


async def in_notebook(context: ToolContext, regex: Regex, hits: Hits) -> Hits:
    """The hits in a notebook's cells, in place of those in its JSON."""
    try:
        text = Body.of(await asyncio.to_thread(context.sandbox.files.read, hits.path, LARGEST)).text
    except (NotText, OSError, ToolError):
        return hits
    view = await asyncio.to_thread(notebook_view, text)
    if view is None:
        return hits
    (found,) = await in_texts(context.sandbox, regex, [Text(hits.path, view)])
    return replace(found, text=None)
