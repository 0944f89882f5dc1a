"""Code intelligence for one workspace: which server knows, what it is asked, and its answer for a model to read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from agents.code import answers
from agents.code.finding import Choices, Launch, find
from agents.code.languages import ANY, LANGUAGES, Language, choice_missing, how_to_get, language_of, not_served
from agents.code.places import Position, lines_of, to_position
from agents.code.pool import Pool
from agents.code.server import LanguageServer, read_text
from agents.errors import ToolError
from agents.ports import Diagnostic
from agents.sandboxes.sandbox import Sandbox

AFTER_EDIT = 1.4
"""Seconds that a look at diagnostics after an edit may take."""
MOST_LOOKED_AT = 2000
"""Entries of a workspace that are looked at to see which language it is written in."""
SKIPPED = {"node_modules", "__pycache__", "target", "dist", "build", "venv"}

Answer = tuple[str, Mapping[str, Any]]
MISSHAPEN = (KeyError, TypeError, ValueError, AttributeError, RecursionError)


@dataclass(frozen=True)
class Place:
    """What is asked about: a file as it is on disk now, and a position in it."""

    path: str
    text: str
    position: Position


class WorkspaceCode:
    """A `CodeServers` whose servers run in this sandbox and are kept by the pool. If `eager`, an edit starts the one for its file."""

    def __init__(self, sandbox: Sandbox, pool: Pool, choices: Choices = Choices(), *, eager: bool = True) -> None:  # noqa: B008
        self._sandbox, self._pool, self._choices, self._eager = sandbox, pool, choices, eager

    async def query(
        self, operation: str, *, path: str = "", line: int = 1, column: int = 1, query: str = "", include_declaration: bool = False
    ) -> Answer:
        if operation == "workspace_symbols":
            return await self._workspace_symbols(path, query)
        if operation not in self._operations(False):
            raise ToolError(f"There is no operation {operation!r}; there are workspace_symbols, {', '.join(self._operations(False))}.")
        text = await asyncio.to_thread(read_text, self._sandbox.files, path)
        path, lines = self._sandbox.files.relative(path), lines_of(text)
        if line > len(lines):
            raise ToolError(f"{path} has {len(lines)} lines, so there is no line {line}.")
        language = language_of(path)
        if not language:
            return not_served(path), {"missing": path}
        place = Place(path, text, to_position(lines, line, column))
        return await self._asked(language, lambda server: self._operations(include_declaration)[operation](server, place))

    def _operations(self, include_declaration: bool) -> Mapping[str, Callable[[LanguageServer, Place], Awaitable[Answer]]]:
        return {
            "definition": partial(self._places, "textDocument/definition", {}),
            "references": partial(self._places, "textDocument/references", {"context": {"includeDeclaration": include_declaration}}),
            "hover": self._hover,
            "diagnostics": self._diagnostics,
            "document_symbols": self._document_symbols,
        }

    async def diagnostics(self, path: str) -> Sequence[Diagnostic] | None:
        """None also where the server is only being started, or takes too long: an edit does not wait for it."""
        language = language_of(path)
        launch = await self._launch(language) if language else None
        try:
            if not launch or not await self._pool.is_ready(self._sandbox, launch, start=self._eager):
                return None
            text = await asyncio.to_thread(read_text, self._sandbox.files, path)
            async with asyncio.timeout(AFTER_EDIT), self._pool.using(self._sandbox, launch) as server:
                found = await server.complaints(self._sandbox.files.relative(path), text, AFTER_EDIT)
                return None if found is None else answers.diagnostics(found, lines_of(text))
        except (ToolError, OSError, *MISSHAPEN):  # a timeout is an OSError
            return None

    async def _launch(self, language: Language) -> Launch | None:
        return await asyncio.to_thread(find, language, self._sandbox, self._choices)

    async def _asked(self, language: Language, question: Callable[[LanguageServer], Awaitable[Answer]]) -> Answer:
        launch = await self._launch(language)
        if not launch:
            chosen = self._choices.servers.get(language.name)
            return choice_missing(language, chosen[0]) if chosen else how_to_get(language), {"missing": language.name}
        async with self._pool.using(self._sandbox, launch) as server:
            await server.refresh()
            try:
                text, found = await question(server)
            except MISSHAPEN as wrong:
                raise ToolError(f"{server.connection.name} gave an answer that does not fit the protocol: {wrong!r}.") from wrong
            return text, {"server": server.connection.name, **found}

    async def _places(self, method: str, more: Mapping[str, Any], server: LanguageServer, place: Place) -> Answer:
        answer = await server.ask(method, {**await _shown(server, place), **more})
        found = await asyncio.to_thread(answers.locations, answer, server.mount, self._lines_of())
        return _listed(found, answers.MOST_PLACES, "No locations found."), {"count": len(found)}

    async def _hover(self, server: LanguageServer, place: Place) -> Answer:
        said = answers.hover(await server.ask("textDocument/hover", await _shown(server, place)))
        return said[: answers.MOST_TEXT] or "No result.", {"count": int(bool(said))}

    async def _diagnostics(self, server: LanguageServer, place: Place) -> Answer:
        found = answers.diagnostics(await server.diagnostics(place.path, place.text), lines_of(place.text))
        return answers.told(place.path, found) or "No diagnostics.", {"count": len(found)}

    async def _document_symbols(self, server: LanguageServer, place: Place) -> Answer:
        document = (await _shown(server, place))["textDocument"]
        found = answers.symbol_tree(await server.ask("textDocument/documentSymbol", {"textDocument": document}))
        return _listed(found, answers.MOST_SYMBOLS, "No result."), {"count": len(found)}

    async def _workspace_symbols(self, path: str, query: str) -> Answer:
        """By the server of the file's language; else the one the operator named for this; else of the language most files are in."""
        named = self._choices.servers.get(ANY.name)
        paths = [path] if path else await asyncio.to_thread(lambda: list(_paths(self._sandbox)))
        language = language_of(path) if path else ANY if named else _usual_language(paths)
        if not language:
            return not_served(path) if path else "No result.", {"missing": path or "."}
        shown = next((one for one in paths if language_of(one) and language in (ANY, language_of(one))), "")

        async def question(server: LanguageServer) -> Answer:
            if shown:  # some servers know a project only by a file of it
                server.show(self._sandbox.files.relative(shown), await asyncio.to_thread(read_text, self._sandbox.files, shown))
            await server.settled()
            answer = await server.ask("workspace/symbol", {"query": query})
            found = await asyncio.to_thread(answers.workspace_symbols, answer, server.mount, self._lines_of())
            return _listed(found, answers.MOST_WORKSPACE_SYMBOLS, "No result."), {"count": len(found)}

        return await self._asked(language, question)

    def _lines_of(self) -> answers.LinesOf:
        known: dict[str, list[str]] = {}

        def lines(path: str) -> list[str]:
            if path not in known:
                known[path] = []
                with suppress(ToolError, OSError):
                    known[path] = lines_of(read_text(self._sandbox.files, path))
            return known[path]

        return lines


async def _shown(server: LanguageServer, place: Place) -> dict[str, Any]:
    """The place as a request names it, once the server has been shown the file and is done with reading the project."""
    uri = server.show(place.path, place.text)
    await server.settled()
    return {"textDocument": {"uri": uri}, "position": place.position}


def _listed(lines: Sequence[str], most: int, none: str) -> str:
    return "\n".join([*(line[: answers.MOST_LINE] for line in lines[:most]), *answers.rest(len(lines), most)]) or none


def _paths(sandbox: Sandbox) -> Iterator[str]:
    """The workspace's files, those near its root first, as far as they are worth looking at."""
    ahead, looked_at = ["."], 0
    while ahead and looked_at < MOST_LOOKED_AT:
        with suppress(OSError, ToolError):
            for entry in sandbox.files.entries(ahead.pop(0)):
                looked_at += 1
                name = entry.path.rpartition("/")[2]
                if entry.kind == "file":
                    yield entry.path
                elif entry.kind == "folder" and name not in SKIPPED and not name.startswith("."):
                    ahead.append(entry.path)


def _usual_language(paths: Sequence[str]) -> Language | None:
    counts = {language.name: sum(language_of(path) is language for path in paths) for language in LANGUAGES}
    usual = max(LANGUAGES, key=lambda language: counts[language.name])
    return usual if counts[usual.name] else None
