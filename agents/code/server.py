"""One running language server: it is introduced to the workspace, shown files as they are on disk, and asked."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from agents.code.connection import UNKNOWN, Connection, Listener
from agents.code.finding import Launch
from agents.code.languages import kind_of
from agents.code.places import to_uri
from agents.errors import ToolError
from agents.sandboxes.sandbox import Files, Sandbox

MOST_OPEN = 64
"""Files a server is shown at once; the one longest not asked about is closed for another."""
FIRST_QUIET = 0.5
"""Seconds of silence after which a server that was just started counts as done with reading the project."""
MOST_BUSY = 2.0
"""Seconds for which a server that says it is busy is not asked."""
QUIET, SHORT_QUIET = 0.8, 0.3
"""Seconds without news after which a server that publishes diagnostics bit by bit counts as done; the shorter one after an edit."""
CALM, SHORT_CALM = 3.0, 0.8
"""Seconds without any news after which a file that was without fault still is: some servers do not repeat that."""
MOST_TEXT = 2 * 2**20
"""Bytes of a file that a server is shown."""
MOST_SILENCES = 2
"""Requests in a row that may go unanswered before a server is taken for hung."""

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True},
    "workspace": {"configuration": True, "workspaceFolders": True, "symbol": {}},
    "textDocument": {
        "synchronization": {},
        "definition": {"linkSupport": True},
        "references": {},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "publishDiagnostics": {"versionSupport": True},
        "diagnostic": {"relatedDocumentSupport": False},
    },
}

OPTIONS = {"disableAutomaticTypingAcquisition": True, "hostInfo": "countersign", "tsserver": {"useSyntaxServer": "never"}}
"""Nothing is fetched from the network, and no answer is made up from one file alone; servers pass over options that are not theirs."""

SETTINGS: dict[str, Any] = {"python.analysis": {"diagnosticMode": "openFilesOnly", "autoSearchPaths": True, "useLibraryCodeForTypes": True}}


@dataclass(frozen=True)
class Patience:
    """Seconds that a server may take for its start and its first answer, and for any other answer.

    One younger than `young` that finds nothing may only not have read the project yet, and is asked again.
    """

    start: float = 30.0
    answer: float = 10.0
    young: float = 5.0


class Ears(Listener):
    """What the server says unasked: diagnostics by URI, and what it is busy with."""

    def __init__(self, folder: dict[str, str], python: str) -> None:
        self.published: dict[str, tuple[int | None, list[Any]]] = {}
        self.busy: set[Any] = set()
        self.news = asyncio.Event()
        self.heard_at = time.monotonic()
        self._folder = folder
        self._settings = {**SETTINGS, "python": {"pythonPath": python} if python else {}}

    def notice(self, method: str, params: Any) -> None:
        self.heard_at = time.monotonic()
        if method == "textDocument/publishDiagnostics":
            self.published[params["uri"]] = params.get("version"), list(params["diagnostics"])
        elif method == "$/progress":
            kind, token = params["value"].get("kind"), params["token"]
            self.busy.add(token) if kind == "begin" else self.busy.discard(token) if kind == "end" else None
        else:
            return
        self.news.set()

    def answer(self, method: str, params: Any) -> Any:
        if method == "workspace/configuration":
            return [self._settings.get(item.get("section")) for item in params["items"]]
        known = {"workspace/workspaceFolders": [self._folder], "workspace/applyEdit": {"applied": False}}
        silent = ("window/workDoneProgress/create", "client/registerCapability", "client/unregisterCapability", "window/showMessageRequest")
        return None if method in silent else known.get(method, UNKNOWN)

    async def heard(self, seconds: float) -> bool:
        """Whether there is news within that time."""
        self.news.clear()
        try:
            async with asyncio.timeout(seconds):
                return await self.news.wait()
        except TimeoutError:
            return False


class LanguageServer:
    """Opened by `opened`, ended by whoever opened it. Paths are relative to the workspace; every failure is a ToolError."""

    def __init__(self, sandbox: Sandbox, connection: Connection, ears: Ears, patience: Patience) -> None:
        self.connection, self.ears, self.mount = connection, ears, sandbox.mount
        self._patience = patience
        self._files = sandbox.files
        self._open: OrderedDict[str, tuple[int, str]] = OrderedDict()
        self._abilities: dict[str, Any] = {}
        self._answered = False
        self._since = time.monotonic()

    @classmethod
    async def opened(cls, sandbox: Sandbox, launch: Launch, patience: Patience) -> LanguageServer:
        """Start one and wait until it is ready."""
        folder = {"uri": to_uri(sandbox.mount, "."), "name": "workspace"}
        ears = Ears(folder, await asyncio.to_thread(_own_python, sandbox))
        program = await sandbox.start(launch.command, tools=launch.tools)
        server = cls(sandbox, Connection(program, launch.name, ears), ears, patience)
        try:
            await server._introduce(folder)
        except BaseException:
            await server.connection.end()
            raise
        return server

    async def _introduce(self, folder: dict[str, str]) -> None:
        hello = {
            "processId": None, "clientInfo": {"name": "countersign"}, "rootUri": folder["uri"], "workspaceFolders": [folder],
            "capabilities": CAPABILITIES, "initializationOptions": OPTIONS,
        }  # fmt: skip
        result = await self.connection.request("initialize", hello, self._patience.start)
        self._abilities = result.get("capabilities") or {} if isinstance(result, dict) else {}
        self.connection.notify("initialized", {})
        self.connection.notify("workspace/didChangeConfiguration", {"settings": {}})

    async def settled(self) -> None:
        """Wait until it is busy with nothing, such as reading the project; at first also until it has been silent for a moment."""
        deadline = time.monotonic() + MOST_BUSY if self._answered else self._since + self._patience.start
        while not self.connection.gone and (left := deadline - time.monotonic()) > 0:
            moment = 0.0 if self._answered else self.ears.heard_at + FIRST_QUIET - time.monotonic()
            if not self.ears.busy and moment <= 0:
                return
            await self.ears.heard(min(left, max(moment, 0.1)))

    @property
    def seconds(self) -> float:
        """How long an answer may take: the first one waits until the project is read."""
        return self._patience.answer if self._answered else self._patience.start

    async def ask(self, method: str, params: Any) -> Any:
        answer = await self.connection.request(method, params, self.seconds)
        while not answer and time.monotonic() < self._since + self._patience.young:
            await asyncio.sleep(FIRST_QUIET)
            answer = await self.connection.request(method, params, self.seconds)
        self._answered = True
        return answer

    @property
    def hung(self) -> bool:
        return self.connection.silences >= MOST_SILENCES

    async def refresh(self) -> None:
        """Show every file it has been shown again where it has changed on disk since."""
        for path in list(self._open):
            try:
                text = await asyncio.to_thread(read_text, self._files, path)
            except (OSError, ToolError):
                self._close(path)
            else:
                self.show(path, text)

    def show(self, path: str, text: str, *, again: bool = False) -> str:
        """Open the file or tell what it is now, `again` even if that is the same. Gives its URI."""
        uri, (version, before) = to_uri(self.mount, path), self._open.pop(path, (0, ""))
        changed = not version or again or text != before
        self._open[path] = (version + changed, text)
        document = {"uri": uri, "version": version + changed}
        if not version:
            self.connection.notify("textDocument/didOpen", {"textDocument": {**document, "languageId": kind_of(path), "text": text}})
        elif changed:
            self.connection.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
            self.connection.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        if len(self._open) > MOST_OPEN:
            self._close(next(iter(self._open)))
        return uri

    def _close(self, path: str) -> None:
        uri = to_uri(self.mount, path)
        if not self._open.pop(path, None):
            return  # somebody else was quicker
        self.ears.published.pop(uri, None)
        self.connection.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    async def diagnostics(self, path: str, text: str) -> list[Any]:
        """What it complains of in the file, as the protocol has it."""
        if self._abilities.get("diagnosticProvider"):
            report = await self.ask("textDocument/diagnostic", {"textDocument": {"uri": self.show(path, text)}})
            return list(report.get("items") or [])
        clean = self._was_clean(path)
        uri = self.show(path, text, again=True)
        found = await self._published(path, self.seconds, QUIET, CALM if clean else self.seconds)
        if clean and not found:  # silence means that nothing is wrong only if it lives
            await self.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        if found is None:
            self.connection.silences += 1
            raise ToolError(f"{self.connection.name} said nothing about {path} in time. Try again, or run the project's own checks.")
        self._answered = True
        return found

    async def complaints(self, path: str, text: str, seconds: float) -> list[Any] | None:
        """The same sooner: what it has said of this text before, else what it says within that time; None: nothing."""
        if self._abilities.get("diagnosticProvider"):
            async with asyncio.timeout(seconds):
                return await self.diagnostics(path, text)
        changed = self._open.get(path, (0, None))[1] != text
        calm = SHORT_CALM if changed and self._was_clean(path) else seconds
        self.show(path, text)
        known = self._said(path)
        return known if known is not None else await self._published(path, seconds, SHORT_QUIET, calm)

    def _was_clean(self, path: str) -> bool:
        """Forget what was published about the file; whether that was, for whatever version of it, that nothing is wrong."""
        return self.ears.published.pop(to_uri(self.mount, path), (0, [0])) == (None, [])

    async def _published(self, path: str, seconds: float, quiet: float, calm: float) -> list[Any] | None:
        began = time.monotonic()
        while (left := began + seconds - time.monotonic()) > 0:
            known = self._said(path) is not None
            if not await self.ears.heard(min(left, quiet)) and (known or time.monotonic() >= began + min(calm, seconds)):
                break
            if self.connection.gone:
                raise ToolError(self.connection.gone)
        return [] if calm < seconds and self._said(path) is None else self._said(path)

    def _said(self, path: str) -> list[Any] | None:
        """What it has published about the file as it is shown now."""
        version, found = self.ears.published.get(to_uri(self.mount, path), (-1, []))
        return found if version is None or version >= self._open.get(path, (0, ""))[0] else None


def read_text(files: Files, path: str) -> str:
    """The file as the server is shown it. Raises ToolError when it is too large, OSError where there is none."""
    data = files.read(path, MOST_TEXT + 1)
    if len(data) > MOST_TEXT:
        raise ToolError(f"{path} has more than {MOST_TEXT // 2**20} MB, which is too much for code intelligence; use grep.")
    return data.decode(errors="replace")


def _own_python(sandbox: Sandbox) -> str:
    """The project's own interpreter, "" where it has none."""
    try:
        sandbox.files.stat(".venv/bin")
    except (OSError, ToolError):
        return ""
    return f"{sandbox.mount}/.venv/bin/python"
