"""Text that was copied with the headers and line numbers under which it was shown, turned back into the text itself.

Only what a kept snapshot proves to be such a copy is touched: anything else may well be what its writer means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Versions = Callable[[str, str], Sequence[str]]
"""The texts that were shown under a path and a tag."""

_HEADING = re.compile(r"#+ \S.*/\s*")
_HEADER = re.compile(r"\[(.+)#([0-9A-Fa-f]{4})\]\s*")
_ROW = re.compile(r"[* ]?([1-9][0-9]*):(.*)")
_FOOTER = re.compile(
    r"\s*|Successfully wrote .*|Resolved (?:conflict \d+|\d+ conflicts?)|Note: .*"
    r"|\[(?:\d+ more lines?|\d+ matching files|Showing|Only the first|There are more matches|Stopped collecting|Skipped missing paths:"
    r"|Not searched|Timed out|50\.0KB) .*\]"
)


def unpasted(content: str, versions: Versions) -> str | None:
    """The text behind the copy; None where the content is to be taken as it is.

    A header alone stands for all of its snapshot. A copy of the file's last line ends as it does in the copy, where that line ends at all;
    a part that ends before it is a part, without the newline behind it.
    """
    lines = content.replace("\r\n", "\n").split("\n")
    start = next((at for at, line in enumerate(lines) if line.strip() and not _HEADING.fullmatch(line)), len(lines))
    header = _HEADER.fullmatch(lines[start]) if start < len(lines) else None
    if header is None:
        return None
    rows, rest = _parted(lines[start + 1 :])
    if not _is_tail(rest):
        return None
    found = (_text(rows, text, bool(rest)) for text in versions(header[1], header[2].upper()))
    return next((text for text in found if text is not None), None)


def _parted(lines: list[str]) -> tuple[list[tuple[int, str]], list[str]]:
    """The numbered rows the copy begins with, and everything behind them."""
    rows = []
    for line in lines:
        row = _ROW.fullmatch(line)
        if row is None or len(row[1]) > 9:
            break
        rows.append((int(row[1]), row[2]))
    return rows, lines[len(rows) :]


def _is_tail(lines: list[str]) -> bool:
    """Whether nothing stands here but what tools say below a text, and other files that were shown behind it."""
    told = iter(lines)
    for line in told:
        if _HEADER.fullmatch(line) or _HEADING.fullmatch(line):
            return all(_is_shown(line) for line in told)
        if not _FOOTER.fullmatch(line):
            return False
    return True


def _is_shown(line: str) -> bool:
    return any(form.fullmatch(line) for form in (_ROW, _HEADER, _HEADING, _FOOTER))


def _text(rows: list[tuple[int, str]], snapshot: str, ended: bool) -> str | None:
    if not rows:
        return snapshot
    lines = snapshot.split("\n")
    if any(number > len(lines) or lines[number - 1] != text for number, text in rows):
        return None
    newline = "\n" if ended and rows[-1][0] == len(lines) - 1 and not lines[-1] else ""
    return "\n".join(text for _, text in rows) + newline
