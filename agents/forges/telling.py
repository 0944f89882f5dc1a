"""Issues and pull requests as Markdown, made of JSON that a server sent and that need not be as documented."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agents.forges.asking import Row
from agents.ports import ForgeItem

LONGEST_BODY = 20_000
MOST_TEXT = 400_000
"""Characters of a whole thread."""
VERDICTS = {
    "approved": "approved",
    "changes_requested": "asked for changes",
    "request_changes": "asked for changes",
    "dismissed": "was dismissed",
    "comment": "reviewed",
    "commented": "reviewed",
}


def item_of(row: Row) -> ForgeItem:
    return ForgeItem(number_in(row, "number"), line_in(row, "title"), state_of(row), author_of(row), line_in(row, "updated_at"))


def state_of(row: Row) -> str:
    """open, draft, merged or closed."""
    pull = row.get("pull_request")
    merged = row.get("merged") or row.get("merged_at") or (isinstance(pull, dict) and (pull.get("merged") or pull.get("merged_at")))
    if merged:
        return "merged"
    state = line_in(row, "state") or "unknown"
    return "draft" if row.get("draft") is True and state == "open" else state


def author_of(row: Row) -> str:
    user = row.get("user")
    return line_in(user, "login") if isinstance(user, dict) else "somebody"


def heading(row: Row, kind: str) -> str:
    lines = [
        f"# {line_in(row, 'title')} (#{number_in(row, 'number')})",
        f"{kind}, {state_of(row)}; by {author_of(row)}, opened {line_in(row, 'created_at')}, last changed {line_in(row, 'updated_at')}",
    ]
    if labels := names_in(row, "labels", "name"):
        lines.append(f"Labels: {labels}")
    if assignees := names_in(row, "assignees", "login"):
        lines.append(f"Assigned to: {assignees}")
    if kind == "pull request":
        lines.append(_branches(row))
    return "\n".join(lines) + f"\n\n{body_of(row) or '(no description)'}"


def _branches(row: Row) -> str:
    head, base = row.get("head"), row.get("base")
    named = [line_in(one, "ref") if isinstance(one, dict) else "?" for one in (head, base)]
    changed = f"; {number_in(row, 'changed_files')} files, +{number_in(row, 'additions')} -{number_in(row, 'deletions')}"
    return f"From {named[0]} into {named[1]}{changed if row.get('changed_files') is not None else ''}"


def comment(row: Row) -> tuple[str, str]:
    """(when, as Markdown)."""
    when = line_in(row, "created_at")
    return when, f"## {author_of(row)}, {when}\n\n{body_of(row)}"


def review(row: Row) -> tuple[str, str] | None:
    """None for one that has not been given, or says nothing."""
    verdict, said = VERDICTS.get(line_in(row, "state").lower(), ""), body_of(row)
    when = line_in(row, "submitted_at")
    if not verdict or (verdict == "reviewed" and not said):
        return None
    return when, f"## {author_of(row)} {verdict}, {when}\n\n{said}".rstrip()


def remark(row: Row) -> tuple[str, str]:
    """A comment on a line of the change."""
    when = line_in(row, "created_at")
    line = next((number for name in ("line", "original_line", "position", "original_position") if (number := number_in(row, name))), 0)
    place = f"{line_in(row, 'path')}{f':{line}' if line else ''}"
    return when, f"## {author_of(row)} on {place}, {when}\n\n{body_of(row)}"


def thread_text(head: str, said: Iterable[tuple[str, str]], notes: Sequence[str]) -> str:
    """Everything in the order of time, cut where it is too long; `notes` say what is missing."""
    parts = [head, *(text for _, text in sorted(said, key=lambda one: one[0]))]
    text = "\n\n".join(parts)
    if len(text) > MOST_TEXT:
        text, notes = text[:MOST_TEXT], [*notes, "the thread is too long: its end is not shown"]
    return text + "".join(f"\n\n[{note}]" for note in notes)


def body_of(row: Row) -> str:
    body = row.get("body")
    said = body.replace("\r\n", "\n").strip() if isinstance(body, str) else ""
    return said if len(said) <= LONGEST_BODY else f"{said[:LONGEST_BODY]}\n[cut: {len(said)} characters]"


def line_in(row: Row, name: str) -> str:
    value: Any = row.get(name)
    return " ".join(value.split())[:500] if isinstance(value, str) else ""


def number_in(row: Row, name: str) -> int:
    value: Any = row.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def names_in(row: Row, name: str, key: str) -> str:
    value: Any = row.get(name)
    found = [line_in(one, key) for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return ", ".join(one for one in found if one)
