"""What `write` does at conflict://N and conflict://*: puts a side, or other text, in the place of the regions a merge left."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.edits.conflicts import regions, resolved
from agents.edits.diff import file_change
from agents.edits.hashline.body import Body
from agents.edits.hashline.rows import header
from agents.edits.source import Source
from agents.errors import ToolError
from agents.events import FileChange
from agents.ports import Snapshot
from agents.tools.atomic.conflicts import Standing, forget, standing
from agents.tools.atomic.seen import display, saw
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import errors_told, full_path
from agents.tools.tool import ToolContext, ToolResult

SCHEME = "conflict://"
_TARGET = re.compile(r"conflict://(?:(?P<number>[1-9]\d{0,8})|(?P<all>\*))(?:/(?P<side>ours|theirs|base))?", re.IGNORECASE)


@dataclass(frozen=True)
class Rewritten:
    """A file and what it holds before and after its conflicts were resolved."""

    path: str
    before: bytes
    after: bytes

    @property
    def change(self) -> FileChange:
        return file_change(self.path, self.before, self.after)


def is_conflict(path: str) -> bool:
    return path.strip().lower().startswith(SCHEME)


def meant(context: ToolContext, url: str) -> list[Standing]:
    """The conflicts that the URL names, as they stand now. Blocking. Raises ToolError where there is none, or it names none."""
    return _chosen(url, standing(context))


def paths_of(chosen: Sequence[Standing]) -> list[str]:
    return list(dict.fromkeys(one.path for one in chosen))


def permit(context: ToolContext, chosen: Sequence[Standing]) -> None:
    """Keep in mind what this call was judged for: rules and people speak of files, and its URL names none. Blocking."""
    context.reach.snapshots.note(_permit_key(context), paths_of(chosen))


def preview(context: ToolContext, chosen: Sequence[Standing], content: str) -> str:
    """What resolving would change, as one unified diff. Blocking. Raises ToolError."""
    return "".join(one.change.diff for one in _rewritten(context, chosen, content))


async def resolve(context: ToolContext, url: str, content: str) -> ToolResult:
    """Resolve what the URL names, in all files or (before anything is written) in none. Raises ToolError."""
    there = await asyncio.to_thread(standing, context)
    chosen = _chosen(url, there)
    paths = paths_of(chosen)
    await asyncio.to_thread(_require_permitted, context, paths)
    known = await complaints(context, *paths)
    with errors_told(", ".join(paths)):
        done = await asyncio.to_thread(_resolve, context, chosen, content)
    await asyncio.to_thread(forget, context, chosen, there)
    return await with_complaints(_told(context, url, chosen, done), known, context)


def _chosen(url: str, there: Sequence[Standing]) -> list[Standing]:
    target = _TARGET.fullmatch(url.strip())
    if target is None:
        raise ToolError(
            f"{url.strip()[:100]!r} names no conflict. Write to conflict://1 for one by its number, or to conflict://* for all."
        )
    if target["side"]:
        raise ToolError(
            f"{url.strip()} is read-only. Write @{target['side'].lower()} to {SCHEME}{target['number'] or '*'} to take that side."
        )
    if not there:
        raise ToolError("No conflict markers found in the workspace, so there is nothing to resolve.")
    chosen = [one for one in there if target["all"] or one.number == int(target["number"])]
    if not chosen:
        raise ToolError(
            f"Conflict {target['number']} was not found. There {_are(there)}. Read FILE:conflicts to see those of a file by number."
        )
    return chosen


def _are(there: Sequence[Standing]) -> str:
    first, last = there[0].number, there[-1].number
    return f"is only number {first}" if len(there) == 1 else f"are {len(there)} with numbers from {first} to {last}"


def _permit_key(context: ToolContext) -> str:
    return f"permitted {context.call_id}"[:300]


def _require_permitted(context: ToolContext, paths: Sequence[str]) -> None:
    permitted = context.reach.snapshots.noted(_permit_key(context))
    if permitted is None:
        return
    context.reach.snapshots.note(_permit_key(context), None)
    if new := [path for path in paths if path not in permitted]:
        raise ToolError(f"Nothing was written: conflicts in {', '.join(new)} came up after this call was judged. Make it again.")


def _rewritten(context: ToolContext, chosen: Sequence[Standing], content: str) -> list[Rewritten]:
    """Every file with its conflicts resolved, nothing written yet. Raises ToolError where one is no more what it was just now."""
    done = []
    for path in paths_of(chosen):
        mine = [one.region for one in chosen if one.path == path]
        before = context.sandbox.files.read(path)
        if not set(mine) <= set(regions(Source(before).text)):
            raise ToolError(f"Nothing was written: {path} was changed meanwhile. Read {path}:conflicts and try again.")
        done.append(Rewritten(path, before, resolved(before, mine, content)))
    return done


def _resolve(context: ToolContext, chosen: Sequence[Standing], content: str) -> list[tuple[Rewritten, Snapshot]]:
    files = context.sandbox.files
    done: list[tuple[Rewritten, Snapshot]] = []
    with files.locked(*paths_of(chosen)):
        for one in _rewritten(context, chosen, content):
            try:
                files.write(one.path, one.after)
            except (ToolError, OSError) as wrong:
                told = f" {', '.join(each.path for each, _ in done)} is written already." if done else " Nothing was written."
                raise ToolError(f"{one.path} could not be written: {wrong}.{told}") from wrong
            done.append((one, saw(context, one.path, Body.of(one.after).text)))
    return done


def _told(context: ToolContext, url: str, chosen: Sequence[Standing], done: Sequence[tuple[Rewritten, Snapshot]]) -> ToolResult:
    headers = [header(display(context, one.path), snapshot.tag) for one, snapshot in done]
    if url.strip().endswith("*"):
        lines = [f"Resolved {len(chosen)} conflict{'s' * (len(chosen) != 1)}", "Snapshots:", *headers]
    else:
        lines = [f"Resolved conflict {chosen[0].number}", *headers]
    first, snapshot = done[0]
    metadata = {
        "kind": "conflict", "resolvedPath": full_path(context, first.path), "tag": snapshot.tag, "bytes": len(first.after),
        "resolved": [one.number for one in chosen], "files": [{"path": one.path, "tag": seen.tag} for one, seen in done],
    }  # fmt: skip
    title = f"Resolve: {', '.join(one.path for one, _ in done)}"
    return ToolResult(title, "\n".join(lines), metadata, changes=tuple(one.change for one, _ in done if one.before != one.after))
