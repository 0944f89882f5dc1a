"""What an agent is told of a project before it begins: what kind it is, its files, and where the task's words stand in it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from agents.agent import Agent
from agents.errors import AgentError
from agents.permissions import barring
from agents.pieces import in_line, well_formed
from agents.sandboxes.sandbox import Files, Sandbox
from agents.search.globbing import Terms, glob
from agents.search.grep import BETWEEN, Query, grep
from agents.shell.secrets import redact
from agents.words import counted
from agents.workflows.checking import Check, Place, check_of

MOST_KEYWORDS, MOST_SNIPPETS, MOST_BYTES, MOST_PATHS = 10, 12, 80_000, 200
LINES_PER_KEYWORD = 60
LONGEST_SNIPPET = 4000
SECONDS = 20.0
"""For searching; what is found until then is told."""
WORD = re.compile(r"[A-Za-z_][\w.\-/]*\w")
CODE = re.compile(r"[_./]|[a-z][A-Z]")
"""What a name in code has and an English word has not."""
COMMON = frozenset(
    WORD.findall(
        "about above after again also another because been before being below between both cannot change changes code could does done "
        "down each else error every file files find fine fixed from function give good have here into just know like line lines look make "
        "makes more most must need needs never only other over please project read remove right same should show some something such sure "
        "task test tests than that their them then there these they thing this those through under until update use used using want well "
        "were what when where which while will with without work works would write wrong your"
    )
)


@dataclass
class Pack:
    """What was found. `snippets` are stretches of lines as `path:line:text`; `left_out` says what is missing and why."""

    check: Check | None = None
    keywords: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    files: int = 0
    snippets: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def told(self) -> str:
        """The whole for a model: at most MOST_BYTES of UTF-8, without secrets. Takes a moment."""
        more = f"\n[{counted(self.files - len(self.paths), 'more file')}]" if self.files > len(self.paths) else ""
        parts = [
            f"Kind of project: {self.check.profile}\nIts tests: {self.check.command}" if self.check else "Kind of project: not recognized",
            "Files:\n" + ("\n".join(map(in_line, self.paths)) + more if self.paths else "(none)"),
            *([f"Where words of the task stand ({', '.join(self.keywords)}):", *self.snippets] if self.snippets else []),
            *(f"[{line}]" for line in self.left_out),
        ]
        return _cut(redact(well_formed("\n\n".join(parts)))[0], MOST_BYTES)

    @property
    def in_short(self) -> str:
        """A line for people."""
        kind = f"{self.check.profile}, tests: {self.check.command}" if self.check else "no test command is known"
        return f"{kind} · {counted(self.files, 'file')} · {counted(len(self.snippets), 'snippet')}"


async def discover(agent: Agent, task: str) -> Pack:
    """Look through the workspace for what belongs to the task; passes over what a rule denies to read. Never fails."""
    barred = barred_for(agent)
    pack = Pack(check=await known_check(agent), keywords=keywords(task))
    try:
        async with asyncio.timeout(SECONDS):
            await _list(agent.sandbox, pack, barred)
            await _search(agent.sandbox, pack, barred)
    except TimeoutError:
        pack.left_out.append(f"The search was ended after {SECONDS:g} seconds.")
    except (AgentError, OSError) as wrong:
        pack.left_out.append(f"The project could not be searched: {wrong}")
    return pack


async def known_check(agent: Agent) -> Check | None:
    """The project's tests as they can be found now."""
    place = Place(agent.sandbox.files, barred_for(agent) or _nothing)
    return await asyncio.to_thread(check_of, place)


def barred_for(agent: Agent) -> Callable[[str], bool] | None:
    """Whether a rule denies any of this agent's reading tools a path, or what the path leads to. None where no rule denies anything."""
    denies = barring(agent.rules)
    if denies is None:
        return None
    readers = {"read", *(name for name, tool in agent.tools.items() if tool.read_only)}
    return lambda path: any(denies(reader, subject) for subject in {path, _resolved(agent.sandbox.files, path)} for reader in readers)


def _resolved(files: Files, path: str) -> str:
    try:
        return files.relative(path)
    except (AgentError, OSError):
        return path


def _nothing(path: str) -> bool:
    return False


def keywords(task: str) -> list[str]:
    """The words by which to look for a task in code: those that look like code first, then the longest."""
    words = dict.fromkeys(word for word in WORD.findall(task) if len(word) > 3 and word.lower() not in COMMON)
    ranked = sorted(words, key=lambda word: (CODE.search(word) is None, -len(word)))
    return ranked[:MOST_KEYWORDS]


async def _list(sandbox: Sandbox, pack: Pack, barred: Callable[[str], bool] | None) -> None:
    listing = await glob(sandbox, "**/*", terms=Terms(MOST_PATHS, by_path=True, barred=barred))
    if not listing.ignored:
        pack.paths, pack.files = listing.paths, listing.total


async def _search(sandbox: Sandbox, pack: Pack, barred: Callable[[str], bool] | None) -> None:
    """One stretch of each keyword after the other, until there are enough."""
    found: list[list[str]] = []
    for word in pack.keywords:
        query = Query(re.escape(word), ignore_case=True, around=2, mode="content", most=LINES_PER_KEYWORD, barred=barred)
        found.append(list(_stretches((await grep(sandbox, query)).lines)))
    in_turn = (snippet for row in zip_longest(*found) for snippet in row if snippet is not None)
    pack.snippets = list(dict.fromkeys(in_turn))[:MOST_SNIPPETS]


def _stretches(lines: list[str]) -> Iterator[str]:
    stretch: list[str] = []
    for line in [*lines, BETWEEN]:
        if line != BETWEEN:
            stretch.append(line)
        elif stretch:
            yield _cut("\n".join(stretch), LONGEST_SNIPPET)
            stretch = []


def _cut(text: str, most: int) -> str:
    data = text.encode()
    return text if len(data) <= most else f"{data[: most - 20].decode(errors='ignore')}\n[cut]"
