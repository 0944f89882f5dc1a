"""The lines of a section: which are hunk headers, which look like one but belong to other formats, and what is said of those."""

from __future__ import annotations

import re
from typing import cast

from agents.edits.hashline.headers import shown
from agents.edits.hashline.hunks import Act, Hunk
from agents.errors import ToolError

LARGEST = 2**53 - 1
"""The highest line number that can be said."""

_NUMBER = "[1-9][0-9]*"
_BETWEEN = r"(?:[ \t]|\.\.|-|…)+"
_HUNK = re.compile(
    rf"""[ \t]*(?:
        (?P<act>replace|delete)[ \t]+(?:(?P<block>block)[ \t]+)?(?P<first>{_NUMBER})(?:{_BETWEEN}(?P<last>{_NUMBER}))?
      | insert[ \t]+(?P<side>before|after)[ \t]+(?P<side_block>block[ \t]+)?(?P<anchor>{_NUMBER})
      | insert[ \t]+(?P<end>head|tail)
    )[ \t]*(?P<colon>:?)""",
    re.VERBOSE,
)
_NEARLY = re.compile(
    r"\s*(?:replace|delete|insert)\s+(?:(?:after\s+)?block\s+|before\s+|after\s+)?(?:\d[\d\s.…:=-]*|(?:head|tail)\s*[:=].*)", re.IGNORECASE
)
_BARE = re.compile(rf"[ \t]*({_NUMBER})(?:{_BETWEEN}({_NUMBER}))?[ \t]*(:?)")
_SENTINEL = re.compile(r"\*\*\* (?:(?:Update|Add|Delete) File|Move to):")
_UNIFIED = re.compile(r"@@ -\d")
_VERBS = "Use `replace N..M:`, `delete N..M` or `insert before|after|head|tail:`"


def hunk_header(line: str, number: int) -> Hunk | None:
    """The hunk, still without rows, that this line opens. Raises ToolError for a header that can mean nothing."""
    found = _HUNK.fullmatch(line.rstrip())
    if found is None or (found["block"] and found["last"]) or (found["side"] == "before" and found["side_block"]):
        return None
    if found["act"] == "delete" and found["colon"]:
        raise _colon_after_delete(found, number)
    first = _line_number(found["first"] or found["anchor"] or "0", number)
    last = _line_number(found["last"], number) if found["last"] else first
    if last < first:
        raise wrong(number, f"the range {first}..{last} ends before it starts.")
    act = found["act"] or found["side"] or found["end"]
    return Hunk(cast(Act, act), number, first, last, bool(found["block"] or found["side_block"]))


def _colon_after_delete(found: re.Match[str], number: int) -> ToolError:
    if found["block"]:
        return wrong(number, f"payload line has no preceding hunk header: `delete block {found['first']}` is written without a colon.")
    return wrong(number, "`delete N..M` has no colon and no body; take the colon (and any body rows) away.")


def _line_number(digits: str, number: int) -> int:
    if len(digits) > len(str(LARGEST)) or int(digits) > LARGEST:
        raise wrong(number, f"the line number {shown(digits)} is too large; no file has more than {LARGEST} lines.")
    return int(digits)


def refuse_foreign(line: str, number: int) -> None:
    """Raise ToolError for a row of another patch format, wherever it stands and however it is indented."""
    line = line.lstrip()
    if _SENTINEL.match(line):
        raise wrong(
            number, f"the apply_patch sentinel {shown(line)} has no meaning here; a file begins with its [path#TAG] header. {_VERBS}."
        )
    if _UNIFIED.match(line):
        raise wrong(number, f"this is a unified-diff hunk header (`@@ -a,b +c,d @@`), which has no meaning here. {_VERBS}.")
    if line.startswith("@@"):
        raise wrong(number, f"the bracketed hunk header {shown(line)} is not valid. Leave out the `@@` and name a verb: {_VERBS}.")
    if line.startswith("-"):
        raise wrong(number, "`-` rows are not valid: the hunk's range says what goes. For a row that begins with -, write `+-…`.")


def refuse_nearly_header(line: str, number: int) -> None:
    """Raise ToolError for an unprefixed row that was meant as a hunk header and is none."""
    if _NEARLY.fullmatch(line):
        raise orphan(line, number)


def refuse_bare_number(line: str, number: int, *, but_shown: bool = False) -> None:
    """Raise ToolError for a line that is only a number or a range; with `but_shown` not for `N:`, an empty line as it was shown."""
    bare = _BARE.fullmatch(line.rstrip())
    if bare is None or (but_shown and bare[3] and not bare[2]):
        return
    first, last = bare[1][:20], (bare[2] or bare[1])[:20]
    verbs = f"`replace {first}..{last}:` or `delete {first}..{last}`; a literal row begins with +"
    if bare[2]:
        raise wrong(number, f"a bare range, {shown(line)}, is no hunk header. Hunk headers need a verb: {verbs}.")
    raise wrong(number, f"hunk headers need a verb: {verbs}.")


def orphan(line: str, number: int) -> ToolError:
    return wrong(
        number, f"payload line has no preceding hunk header: {shown(line)}. {_VERBS} above body rows; a literal row begins with +."
    )


def wrong(number: int, what: str) -> ToolError:
    return ToolError(f"line {number}: {what}")
