"""May this section be applied to the file as it is now? The order in which that is decided, from "nobody touched it" to "refused"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.edits.hashline.apply import Applied, applied
from agents.edits.hashline.blocks import Find
from agents.edits.hashline.hunks import Hunk, Section
from agents.edits.hashline.merging import merged
from agents.edits.hashline.resolve import around, resolved
from agents.edits.hashline.tags import tag_of
from agents.errors import ToolError
from agents.ports import Snapshot

EXTERNAL = "Recovered from a stale file hash: the file was changed externally since it was read, away from these lines; that is kept."
EARLIER = (
    "Recovered from a stale file hash, that of an earlier in-session snapshot: what changed since then, away from these lines, is kept."
)
REPLAYED = (
    "Recovered by replaying the hunks on the file as it is now: an earlier edit of this session changed lines next to these. "
    "Verify the diff."
)
ENDS = (
    "Applied the head/tail insert despite a stale tag: the file is not as it was when it was read, but its ends are its ends. "
    "Read it again if that is a surprise."
)


class Stale(ToolError):
    """The file is not what the section was written for. `known`: whether this session ever gave out the tag."""

    def __init__(self, text: str, *, known: bool) -> None:
        super().__init__(text)
        self.known = known


@dataclass(frozen=True)
class Outcome:
    """What a section makes of the file. `recovered`: it was written for another text than the one it was applied to."""

    text: str
    warnings: tuple[str, ...]
    blocks: tuple[str, ...] = ()
    recovered: bool = False


def outcome(section: Section, live: str, versions: Sequence[Snapshot], find: Find) -> Outcome:
    """`versions` of this file, the newest first. Raises Stale, or ToolError where the hunks do not fit the text they name."""
    tagged = [version for version in versions if version.tag == section.tag]
    if any(version.text == live for version in tagged):
        done = applied(live, section.hunks, find)
        return Outcome(done.text, done.warnings, done.blocks)
    if all(hunk.at_end for hunk in section.hunks) and tag_of(live) != section.tag:
        return _recovered(applied(live, section.hunks, find), ENDS)
    if len({version.text for version in tagged}) != 1:
        raise _stale(section, live, known=bool(tagged))
    return _over_drift(section, tagged[0], live, find, newest=tagged[0] == versions[0])


def _over_drift(section: Section, seen: Snapshot, live: str, find: Find, *, newest: bool) -> Outcome:
    done = applied(seen.text, section.hunks, find)
    text = merged(seen.text, done.text, live)
    if text not in (None, live):
        return _recovered(Applied(text, done.warnings), EXTERNAL if newest else EARLIER)
    if not newest and _same_lines(section.hunks, seen.text, live, find):
        done = _replayed(section.hunks, seen.text, live, find)
        if done.text != live:
            return _recovered(done, REPLAYED)
    raise _stale(section, live, known=True)


def _recovered(done: Applied, warning: str) -> Outcome:
    return Outcome(done.text, (warning, *done.warnings), recovered=True)


def _same_lines(hunks: Sequence[Hunk], seen: str, live: str, find: Find) -> bool:
    """Whether both texts have as many lines, and the same one wherever a hunk names one."""
    old, new = seen.split("\n"), live.split("\n")
    changes = resolved(old, seen, hunks, find).changes
    return len(old) == len(new) and all(
        old[change.first - 1 : change.last] == new[change.first - 1 : change.last] for change in changes if change.first
    )


def _replayed(hunks: Sequence[Hunk], seen: str, live: str, find: Find) -> Applied:
    """The hunks on `live`, their blocks being those of the text that was seen."""
    return applied(live, hunks, lambda _, line: find(seen, line))


def _stale(section: Section, live: str, *, known: bool) -> Stale:
    current = tag_of(live)
    if not known:
        return Stale(
            f"Edit rejected for {section.path}: the tag #{section.tag} is not from this session, or too old to be kept. The file's current "
            f"hash is #{current}. Read it again with read and copy the header; never invent the tag.",
            known=False,
        )
    anchors = sorted({number for hunk in section.hunks for number in (hunk.first, hunk.last) if number})
    said = (
        f"Edit rejected for {section.path}: file changed between read and edit. The section is for #{section.tag}, but the current hash "
        f"is #{current}. If an edit of this session changed the file, use the header from its result; otherwise read the file again."
    )
    context = around(live.split("\n"), anchors[:20])
    return Stale(f"{said} Around these lines it now reads:\n\n{context}" if context else said, known=True)
