"""The first matches of a search with the lines around them, and how many there are in all."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from agents.sandboxes.sandbox import Sandbox
from agents.search.grep import BETWEEN, LONGEST_LINE
from agents.search.ripgrep import Room, ripgrep

ROOM = Room(output=16 * 2**20)
_LINE = re.compile(r"(\d+)([:-])(.*)", re.DOTALL)


@dataclass(frozen=True)
class Search:
    """`path` is a file or folder relative to the workspace, `most` how many matches are shown, `around` the lines on either side."""

    pattern: str
    path: str = "."
    most: int = 20
    around: int = 0
    barred: Callable[[str], bool] | None = None


@dataclass
class Hits:
    """`rows` are (path, `:3: text` of a match or `-3- text` of a line around one), with ("", "--") between stretches.

    `total` counts matching lines, shown or not, `files` where they are; `stopped` says that there may be more. `passed` are files
    that were barred; `complaint` says that some could not be searched.
    """

    rows: list[tuple[str, str]] = field(default_factory=list)
    total: int = 0
    shown: int = 0
    files: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    stopped: bool = False
    complaint: str = ""
    _after: int = 0

    def take(self, line: str, search: Search) -> bool:
        path, nul, rest = line.partition("\0")
        found = _LINE.match(rest)
        if not nul or found is None:
            return self._between(line)
        if path in self.passed or (path not in self.files and search.barred is not None and search.barred(path)):
            self.passed.add(path)
            return True
        number, sign, text = found.groups()
        if sign := self._as(sign == ":", path, search):
            self.rows.append((path, f"{sign}{number}{sign} {text}"))
        return True

    def _as(self, match: bool, path: str, search: Search) -> str:
        """How a line is shown: as a match, as one around a match, or not at all."""
        if match:
            self.files.add(path)
            self.total += 1
            if self.total <= search.most:
                self.shown, self._after = self.total, search.around
                return ":"
        elif self.total < search.most:
            return "-"
        self._after -= 1
        return "-" if self._after >= 0 else ""

    def _between(self, line: str) -> bool:
        self._after = 0
        if line == BETWEEN and self.rows and self.rows[-1][0]:
            self.rows.append(("", BETWEEN))
        return True

    def end(self) -> None:
        """Take off a parting line behind which nothing was shown."""
        if self.rows and not self.rows[-1][0]:
            self.rows.pop()


async def first_hits(sandbox: Sandbox, search: Search) -> Hits:
    """In the order of paths. Raises ToolError for a pattern that ripgrep does not understand."""
    found = Hits()
    answer = await ripgrep(sandbox, _arguments(search), lambda line: found.take(line, search), room=ROOM)
    answer.require("The search could not be made")
    found.stopped = answer.code is None
    found.complaint = "Some files could not be read and were not searched." if answer.code == 2 else ""
    found.end()
    return found


def _arguments(search: Search) -> list[str]:
    return [
        "--sort=path", "--with-filename", "--no-heading", "--line-number", "--null", f"--max-columns={LONGEST_LINE}",
        "--max-columns-preview", f"--context={search.around}", f"--regexp={search.pattern}", "--",
        "./" if search.path == "." else f"./{search.path}",
    ]  # fmt: skip
