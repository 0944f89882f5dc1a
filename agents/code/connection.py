"""Talking with one language server: requests and their answers, notices both ways, and how its end is told."""

from __future__ import annotations

import asyncio
from typing import Any

from agents.code.wire import Message, Unpacking, packed
from agents.errors import SandboxError, ToolError
from agents.sandboxes.sandbox import Program

UNKNOWN_METHOD = -32601
LAST_WORDS = 0.05
"""Seconds for what a server that ended has written on its other pipe."""
UNKNOWN = object()
"""What `Listener.answer` gives for a question it does not know."""


class Listener:
    """Whoever hears what the server says unasked. What it asks gets no answer here but that it is not known."""

    def notice(self, method: str, params: Any) -> None: ...

    def answer(self, method: str, params: Any) -> Any:
        return UNKNOWN


class Connection:
    """One running server. Everything that goes wrong with it is a ToolError that names it and says what to do."""

    def __init__(self, program: Program, name: str, listener: Listener) -> None:
        self.name = name
        self.gone = ""
        """Why it can no longer be asked, "" while it can."""
        self.silences = 0
        """How often in a row somebody waited in vain, without a word from it meanwhile."""
        self._program, self._listener = program, listener
        self._count = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._outgoing: asyncio.Queue[Message] = asyncio.Queue()
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._read())]

    async def request(self, method: str, params: Any, seconds: float) -> Any:
        """The server's answer. Being cancelled, and the end of the time, tell the server that nobody waits any more."""
        if self.gone:
            raise ToolError(self.gone)
        self._count += 1
        number, answered = self._count, asyncio.get_running_loop().create_future()
        self._waiting[number] = answered
        self._outgoing.put_nowait({"id": number, "method": method, "params": params})
        try:
            async with asyncio.timeout(seconds):
                return await answered
        except TimeoutError:
            self.silences += 1
            raise ToolError(f"{self.name} did not answer {method} within {seconds:g} s. Try again, or use grep and read.") from None
        finally:
            del self._waiting[number]
            if answered.cancelled():
                self.notify("$/cancelRequest", {"id": number})

    def notify(self, method: str, params: Any) -> None:
        """Tell it something; it is sent in the order of all that is said."""
        self._outgoing.put_nowait({"method": method, "params": params})

    async def end(self, why: str = "") -> None:
        self._close(why or f"{self.name} was ended.")
        for task in self._tasks:
            task.cancel()
        await self._program.end()

    async def _write(self) -> None:
        try:
            while True:
                await self._program.send(packed(await self._outgoing.get()))
        except SandboxError:
            return  # whoever reads hears the same

    async def _read(self) -> None:
        unpacking, why = Unpacking(), "ended"
        try:
            while data := await self._program.receive():
                for message in unpacking.fed(data):
                    self.silences = 0
                    self._take(message)
            await asyncio.sleep(LAST_WORDS)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as wrong:
            why = f"does not speak the protocol ({wrong})"
        finally:
            said = self._program.complaints.strip()[-1000:]
            self._close(f"{self.name} {why}; the next call starts it anew." + (f" Its last words: {said}" if said else ""))

    def _take(self, message: Message) -> None:
        number, method = message.get("id"), message.get("method")
        if method is None:
            self._settle(number, message)
        elif number is None:
            self._listener.notice(str(method), message.get("params"))
        else:
            self._reply(number, str(method), message.get("params"))

    def _settle(self, number: Any, message: Message) -> None:
        waiting = self._waiting.get(number) if isinstance(number, int) else None
        if waiting is None or waiting.done():
            return
        if error := message.get("error"):
            said = error.get("message") if isinstance(error, dict) else error
            waiting.set_exception(ToolError(f"{self.name} refused: {str(said)[:1000]}"))
        else:
            waiting.set_result(message.get("result"))

    def _reply(self, number: Any, method: str, params: Any) -> None:
        answer = self._listener.answer(method, params)
        unknown = {"error": {"code": UNKNOWN_METHOD, "message": f"{method} is not known here"}}
        self._outgoing.put_nowait({"id": number, **(unknown if answer is UNKNOWN else {"result": answer})})

    def _close(self, why: str) -> None:
        self.gone = self.gone or why
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ToolError(self.gone))
