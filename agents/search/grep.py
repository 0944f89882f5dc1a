"""Searching the text of files by regular expression."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from agents.sandboxes.sandbox import Sandbox
from agents.search.ripgrep import ripgrep

MOST_LINES = 200
MOST_CONTEXT = 5
LONGEST_LINE = 500
TYPES = ("--type-add=tsx:*.tsx", "--type-add=jsx:*.jsx", "--type-add=rs:*.rs")
"""Names for file types that models use and ripgrep does not know."""
BETWEEN = "--"
"""What ripgrep writes between two stretches of lines."""
CONTEXT = re.compile(r"\d+-")
"""How the rest of a line begins that only stands around a match."""
Mode = Literal["content", "files", "count"]


@dataclass(frozen=True)
class Query:
    """What to look for. `path` is a file or folder relative to the workspace, `around` the lines of context on either side (at most 5).

    `before` and `after` are more of them on one side, `most` the lines of the answer; `numbers` says whether they bear their line's.
    Files that are `barred` are passed over: nothing is said of what is in them.
    """

    pattern: str
    path: str = "."
    glob: str = ""
    type: str = ""
    ignore_case: bool = False
    around: int = 0
    mode: Mode = "files"
    barred: Callable[[str], bool] | None = None
    before: int = 0
    after: int = 0
    most: int = MOST_LINES
    numbers: bool = True

    @property
    def parted(self) -> bool:
        """Whether ripgrep has to say where the path ends in a line of its answer."""
        return self.mode != "files" and (self.barred is not None or not self.numbers)


@dataclass
class Found:
    """The lines of the answer, `more` when there would have been others; `complaint` when some files could not be searched.

    `passed` are the files that were passed over.
    """

    lines: list[str] = field(default_factory=list)
    more: bool = False
    complaint: str = ""
    passed: set[str] = field(default_factory=set)
    most: int = MOST_LINES

    def take_allowed(self, line: str, query: Query) -> bool:
        """Take a line of ripgrep's whose path, if another thing follows it, ends in NUL; unless that file is barred."""
        path, nul, rest = line.partition("\0")
        name = path.removeprefix("./")
        if name in self.passed or (query.barred and path != BETWEEN and query.barred(name)):
            self.passed.add(name)
            return True
        sign = "-" if CONTEXT.match(rest) else ":"
        if query.mode == "content" and not query.numbers:
            rest = rest.partition(sign)[2]
        return self.take(f"{path}{sign}{rest}" if nul else line)

    def take(self, line: str) -> bool:
        self.more = len(self.lines) >= self.most
        if not self.more:
            self.lines.append(line)
        return not self.more


async def grep(sandbox: Sandbox, query: Query) -> Found:
    """Search, in the order of paths. Raises ToolError for a pattern, type or glob that ripgrep does not understand."""
    found = Found(most=query.most)
    take = partial(found.take_allowed, query=query) if query.parted or query.barred else found.take
    answer = await ripgrep(sandbox, _arguments(query), take)
    answer.require("The search could not be made")
    if answer.code == 2:
        found.complaint = "Some files could not be read and were not searched."
    return found


def _arguments(query: Query) -> list[str]:
    arguments = ["--sort=path", "--with-filename", "--no-heading", *TYPES]
    match query.mode:
        case "files":
            arguments.append("--files-with-matches")
        case "count":
            arguments.append("--count")
        case "content":
            arguments += ["--line-number", f"--max-columns={LONGEST_LINE}", "--max-columns-preview"]
            around = min(max(query.around, 0), MOST_CONTEXT)
            arguments += [f"--before-context={max(query.before, around)}", f"--after-context={max(query.after, around)}"]
    if query.parted:
        arguments.append("--null")
    if query.ignore_case:
        arguments.append("--ignore-case")
    if query.glob:
        arguments += [f"--glob={query.glob}", "--glob=!.git"]
    if query.type:
        arguments.append(f"--type={query.type}")
    return [*arguments, f"--regexp={query.pattern}", "--", "./" if query.path == "." else f"./{query.path}"]
