"""What a call of `find` or `search` names: files, folders, patterns and addresses, one in each string or several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agents.errors import PathRefused, ToolError
from agents.reading.selectors import Selector, split
from agents.tools.atomic.resources import file_of, is_resource
from agents.tools.places import begin_in, subject_path
from agents.tools.tool import ToolContext

MOST_TARGETS = 100
LONGEST = 10_000
"""Characters of one string."""
QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»"}
_GLOB = re.compile(r"[*?\[{]")
_INSIDE = re.compile(r"(.+?\.(?:zip|jar|tar|tgz|gz|sqlite3?|db3?))[:?].*", re.IGNORECASE | re.DOTALL)
_WEB = re.compile(r"https?://|www\.", re.IGNORECASE)
_LIST = re.compile(r"[;,](?!\s*[Ll]?\d+(?:(?:-|\.\.|\+)[Ll]?\d*)?\s*(?:[;,]|$))(?![^{}]*\})")
"""What parts the paths of a list; a comma within braces parts alternatives, one before a range parts ranges."""


@dataclass(frozen=True)
class Target:
    """One thing that was named. `path` is from the workspace's root; of what is `inside` an archive or database, that file's.

    With a `pattern` it is what fits below the folder. `selector` says which lines, of a single file.
    """

    named: str
    path: str
    kind: Literal["file", "folder", "inside", "resource", "missing"]
    pattern: str = ""
    selector: Selector | None = None


def targets(context: ToolContext, given: Sequence[str], *, lines: bool = False) -> list[Target]:
    """Everything these strings name, each once; `lines` where a path may end with a line selector.

    What there is not is `missing`. Raises ToolError for paths outside, wrong selectors, too many.
    """
    if long := next((text for text in given if len(text) > LONGEST), ""):
        raise ToolError(f"A path of {len(long)} characters is too long, {LONGEST} are the most: {long[:60]!r}…")
    named = dict.fromkeys(one for text in given[: MOST_TARGETS + 1] for one in _apart(context, cleaned(text), lines))
    if len(named) > MOST_TARGETS:
        raise ToolError(f"More than {MOST_TARGETS} paths are too many for one call. Name a folder or a glob instead.")
    return [_target(context, one, lines) for one in named]


def subjects(context: ToolContext, given: Sequence[str], *, lines: bool = False) -> list[str]:
    """What rules judge: the path of each target, the address of what is no file. Never raises ToolError."""
    try:
        return [one.named if one.kind == "resource" else subject_path(context, one.path) for one in targets(context, given, lines=lines)]
    except (ToolError, OSError):
        return [subject_path(context, cleaned(text) or ".") for text in given]


def cleaned(text: str) -> str:
    """Without blanks and quotes around it, as paths are copied from elsewhere."""
    text = text.strip()
    while len(text) > 1 and QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1] and text[-1] not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def split_glob(text: str) -> tuple[str, str]:
    """(the folders before the first name with a wildcard, the rest); the rest is "" where there is none."""
    names = text.split("/")
    first = next((place for place, name in enumerate(names) if _GLOB.search(name)), None)
    if first is None:
        return text, ""
    pattern = "/".join(names[first:])
    return text[: sum(len(name) + 1 for name in names[:first])], pattern if "/" in text else f"**/{pattern}"


def _apart(context: ToolContext, text: str, lines: bool) -> list[str]:
    """The paths in one string. What exists as a whole stays whole."""
    if _stays_whole(context, text, lines):
        return [text]
    text += "}" * (text.count("{") - text.count("}"))
    parts = [cleaned(part) for part in _LIST.split(text) if cleaned(part)][: MOST_TARGETS + 1]
    pieces = [_apart_at_blanks(context, part, lines) for part in parts]
    if len(parts) > 1 and any(_resolves(context, piece, lines) for some in pieces for piece in some):
        return [piece for some in pieces for piece in some]
    return _apart_at_blanks(context, text, lines)


def _stays_whole(context: ToolContext, text: str, lines: bool) -> bool:
    if _kind(context, text) is None and _several_inside(context, text):
        return False
    base, pattern = split_glob(text)
    if pattern and not re.search(r"[;,\s]", base):
        return _kind(context, text) is not None
    return _resolves(context, text, lines)


def _several_inside(context: ToolContext, text: str) -> bool:
    """Whether each part of a list goes into an archive or database of its own; no member has such a name."""
    parts = re.split(r"[;,\s]+", text, maxsplit=MOST_TARGETS + 1)
    return len(parts) > 1 and all(_is_inside(context, part) for part in parts)


def _apart_at_blanks(context: ToolContext, text: str, lines: bool) -> list[str]:
    parts = [cleaned(part) for part in text.split()][: MOST_TARGETS + 1]
    if len(parts) > 1 and not _stays_whole(context, text, lines) and all(_resolves(context, part, lines) for part in parts):
        return parts
    return [text]


def _resolves(context: ToolContext, text: str, lines: bool) -> bool:
    try:
        return _target(context, text, lines).kind != "missing"
    except ToolError:
        return False


def _target(context: ToolContext, text: str, lines: bool) -> Target:
    """What one path names. Raises ToolError."""
    if is_resource(text):
        return _addressed(context, text, lines)
    if _WEB.match(text):
        raise ToolError(f"{text[:200]} is a page of the web, and only files, folders and internal URLs can be searched. Read it instead.")
    if text in ("", "."):
        return _folder(context, text, begin_in(context, ""), "")
    if kind := _kind(context, text):
        return Target(text, context.sandbox.files.relative(text), kind)
    if lines:
        path, selector = split(text, lambda name: _kind(context, name) is not None)
        if selector is not None and not (_is_inside(context, text)):
            return replace(_of_one_file(context, path), named=text, selector=selector)
    if inside := _is_inside(context, text):
        return Target(text, context.sandbox.files.relative(inside), "inside")
    base, pattern = split_glob(text)
    return _folder(context, text, base or begin_in(context, ""), pattern)


def _addressed(context: ToolContext, text: str, lines: bool) -> Target:
    """Behind an internal URL there may be a file or a folder of the workspace."""
    base, pattern = split_glob(text)
    path = file_of(base, context)
    if path is None:
        return Target(text, text, "resource")
    return replace(_target(context, f"{path}/{pattern}" if pattern else path, lines), named=text)


def _of_one_file(context: ToolContext, path: str) -> Target:
    target = _target(context, path, lines=False)
    if target.kind == "folder":
        raise ToolError(f"A line range needs a single file, and {path} is {'a pattern' if target.pattern else 'a folder'}. Leave it out.")
    return target


def _folder(context: ToolContext, named: str, base: str, pattern: str) -> Target:
    if base.startswith("/") and not base.strip("/"):
        raise ToolError("Refusing to search filesystem root. Name a file, folder or glob of the workspace.")
    path = context.sandbox.files.relative(base)
    return Target(named, path, "folder" if _kind(context, base) == "folder" else "missing", pattern)


def _is_inside(context: ToolContext, text: str) -> str:
    """The archive or database that a path goes into, "" where it goes into none."""
    found = _INSIDE.fullmatch(text)
    return found[1] if found and _kind(context, found[1]) == "file" else ""


def _kind(context: ToolContext, path: str) -> Literal["file", "folder"] | None:
    try:
        kind = context.sandbox.files.stat(path).kind
    except (OSError, PathRefused):
        return None
    return None if kind == "other" else kind
