"""What a search goes through: files of the workspace, and texts behind archives, databases and internal URLs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from agents.errors import ToolError
from agents.events import AnyFact
from agents.reading.selectors import Selector, split
from agents.reading.texts import Text
from agents.sandboxes.sandbox import FileStat
from agents.search.globbing import compiled
from agents.search.walking import PRUNED, Manner, Wanted, below
from agents.tools.atomic.archives import searchable_archive
from agents.tools.atomic.databases import searchable_database
from agents.tools.atomic.places import Target
from agents.tools.atomic.resources import resource
from agents.tools.places import is_barred
from agents.tools.tool import ToolContext

HOLDERS: tuple[Callable[[str, ToolContext], Awaitable[list[Text] | None]], ...] = (searchable_archive, searchable_database)


@dataclass(frozen=True)
class Opened:
    """`facts` are to be kept with the end of the call."""

    texts: list[Text]
    facts: tuple[AnyFact, ...] = ()


@dataclass
class Sources:
    """`targets` are files and folders; `alone` when it is one file or one text. `selectors` are by the path of what was named itself."""

    targets: list[Target] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    facts: list[AnyFact] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    selectors: dict[str, list[Selector]] = field(default_factory=dict)
    held_back: int = 0
    """Files that were passed over because a rule denies them."""

    @property
    def alone(self) -> bool:
        return len(self.texts) + len(self.targets) == 1 and all(target.kind == "file" for target in self.targets)

    @property
    def ranged(self) -> bool:
        """Whether only some lines are asked for, of one of them at least."""
        return any(selector.spans for some in self.selectors.values() for selector in some)

    def asks_for(self, path: str, first: int, last: int) -> bool:
        """Whether one of these lines is asked for."""
        asked = self.selectors.get(path)
        return asked is None or any(selector.has(line) for selector in asked for line in range(first, last + 1))

    def select(self, path: str, selector: Selector | None) -> None:
        self.selectors.setdefault(path, []).append(selector or Selector())

    def files(self, context: ToolContext, gitignore: bool, going: Callable[[], bool]) -> Iterator[FileStat]:
        """Every file, each once, first those that were named themselves, those of a folder in the order of paths. Blocking."""
        files = context.sandbox.files
        named = (files.stat(target.path) for target in self.targets if target.kind == "file")
        wanted = [_wanted(target, gitignore) for target in self.targets if target.kind == "folder"]
        seen: set[str] = set()
        for found in chain(named, below(files, wanted, going)):
            if found.kind == "file" and found.path not in seen:
                seen.add(found.path)
                if is_barred(context, "search", found.path):
                    self.held_back += 1
                else:
                    yield found


async def sources(targets: Sequence[Target], context: ToolContext) -> Sources:
    """Open what is named. Raises ToolError where nothing of it is there, and for a line range of an archive or a database as a whole."""
    opened = Sources()
    for target in targets:
        behind, selector = await _texts(target, context)
        if behind is not None:
            if selector and len(behind.texts) != 1:
                raise ToolError(f"A line range needs a single file, and {target.named} is {len(behind.texts)} texts. Leave it out.")
            opened.texts += behind.texts
            opened.facts += behind.facts
            for text in behind.texts:
                opened.select(text.label, selector)
        elif target.kind in ("file", "folder"):
            opened.targets.append(target)
            if target.kind == "file":
                opened.select(target.path, target.selector)
        else:
            opened.missing.append(target.named)
    if opened.missing and not (opened.targets or opened.texts):
        raise ToolError(f"ENOENT: path not found: {', '.join(opened.missing)}. Look for it with find.")
    return opened


async def _texts(target: Target, context: ToolContext) -> tuple[Opened | None, Selector | None]:
    """The texts behind a target that is no plain file or folder, and the lines of them that are asked for."""
    if target.kind == "resource":
        url, selector = split(target.named, lambda name: False)
        if url.startswith("vault:"):
            raise ToolError(f"{url} names secrets, and those are not searched.")
        opened = await resource(url, context)
        return Opened([Text(url, opened.text)], opened.facts), selector
    if target.kind not in ("inside", "file"):
        return None, None
    if target.kind == "file":
        texts = await _held(target.path, context) if target.selector is None else None
        return (Opened(texts) if texts is not None else None), None
    texts, selector = await _inside(target, context)
    return (Opened(texts) if texts is not None else None), selector


async def _inside(target: Target, context: ToolContext) -> tuple[list[Text] | None, Selector | None]:
    """A member that really has such a name wins over the same name with a line range behind it."""
    try:
        texts = await _held(target.named, context)
        label = texts[0].label.partition(":")[2] if texts else ""
        selector = split(target.named, lambda name: name.partition(":")[2] == label)[1] if texts and len(texts) == 1 else None
    except ToolError:
        path, selector = split(target.named, lambda name: name == target.path)
        if selector is None:
            raise
        texts = await _held(path, context)
    return texts, selector


async def _held(path: str, context: ToolContext) -> list[Text] | None:
    for texts_of in HOLDERS:
        texts = await texts_of(path, context)
        if texts is not None:
            return texts
    return None


def _wanted(target: Target, gitignore: bool) -> Wanted:
    named = f"{target.path}/{target.pattern}".split("/")
    pruned = frozenset(name for name in PRUNED if name not in named and (gitignore or name != "node_modules"))
    return Wanted(target.path, compiled(target.pattern or "**"), Manner(gitignore=gitignore, pruned=pruned))
