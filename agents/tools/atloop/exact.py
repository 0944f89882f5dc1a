"""Exact replacements, as `edit_file` and `multi_edit_file` make them: one place or, where that is asked for, all."""

from __future__ import annotations

from dataclasses import dataclass

from agents.edits.replacement import occurrences
from agents.edits.source import Source, Span, plain
from agents.errors import ToolError
from agents.tools.atloop.content import ended


@dataclass(frozen=True)
class Exact:
    """What came of it: the file's bytes, and the line at which each replaced place began, from 1."""

    data: bytes
    lines: tuple[int, ...]


def replace(data: bytes, old: str, new: str, every: bool) -> Exact:
    """Put `new` in place of `old`; whole lines replaced by nothing go with their ends. Raises ToolError, which says how often it stands."""
    if not old:
        raise ToolError("The text to replace is empty. Quote what is to be replaced; write_file creates files.")
    if plain(old) == plain(new):
        raise ToolError("The old and the new text are the same, so there is nothing to change.")
    source = Source(data)
    spans = occurrences(source.text, plain(old))
    if not spans:
        raise ToolError(f"old_string not found. Read the file and quote the lines exactly as they stand, blanks included{_hint(old)}.")
    if len(spans) > 1 and not every:
        raise ToolError(
            f"old_string found {len(spans)} times ({_at(source, spans)}). Quote more of the lines around the one you mean, "
            "or set replace_all."
        )
    lines = tuple(source.line_of(start) for start, _ in spans)
    return Exact(ended(source.spliced([_whole_line(source.text, span) for span in spans] if not new else spans, new)), lines)


def _whole_line(text: str, span: Span) -> Span:
    """With the line end behind it, where the span begins with a line and ends before that."""
    start, end = span
    begins = start == 0 or text[start - 1] == "\n"
    return (start, end + 1) if begins and text[end : end + 1] == "\n" and text[end - 1] != "\n" else span


def _hint(old: str) -> str:
    return "; the line ends next to the tags count too" if old.startswith("\n") or old.endswith("\n") else ""


def _at(source: Source, spans: list[Span]) -> str:
    more = ", …" if len(spans) > 10 else ""
    return f"at lines {', '.join(str(source.line_of(start)) for start, _ in spans[:10])}{more}"
