"""The socket of one tab on one session: the log from where the tab left off, then whatever happens, and commands back.

A bell only says that there is something to read; what a tab gets is read from the log in order, so that bells may be lost or
rung twice. Where none comes at all the tab is a few seconds late, never wrong.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from pydantic import BaseModel

from workspace.accounts.rights import ALL_RIGHTS, Right
from workspace.errors import AppError, Busy, Invalid, Missing
from workspace.sessions import admission, doors
from workspace.sessions import protocol as p
from workspace.sessions.admission import NoRights, Seat, SignedOut
from workspace.sessions.doorbell import begin_to_watch, session_group, tell
from workspace.sessions.notes import NotePile
from workspace.sessions.presence import Presence
from workspace.sessions.threads import with_connection

log = logging.getLogger(__name__)
T = TypeVar("T")

PAGE = 200
LARGEST = 1_000_000
"""Characters of one inbound message."""
COMMANDS_A_SECOND, BURST = 10.0, 30.0
NOTES_EVERY, RIGHTS_EVERY = 0.05, 0.25
"""Seconds: between two frames of notes, and how long rights that were checked for one count for the next."""
SIGNED_OUT, FORBIDDEN, MISSING, AHEAD, BROKEN = 4401, 4403, 4404, 4409, 1011

threads = ThreadPoolExecutor(16, thread_name_prefix="sockets")


async def in_thread(work: Callable[..., T], *args: Any) -> T:
    """Do database work away from the loop."""
    done: T = await sync_to_async(with_connection, thread_sensitive=False, executor=threads)(work, *args)
    return done


class SessionSocket(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """`tick` is after how many seconds the log is looked at though no bell rang."""

    seat: Seat
    room: Presence

    def __init__(self, tick: float = 5.0) -> None:
        super().__init__()
        self.tick = tick
        self.seq = 0
        self.ended = self.joined = False
        self.rights: frozenset[Right] = frozenset()
        self.rights_at = 0.0
        self.rung = asyncio.Event()
        self.pile = NotePile()
        self.budget, self.budget_at = BURST, monotonic()
        self.reading: asyncio.Task[None] | None = None
        self.showing: asyncio.Task[None] | None = None

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Channels would tidy the database connections of a thread we never use, at every bell.
        await getattr(self, message["type"].replace(".", "_"))(message)

    # --- coming and going ----------------------------------------------------------------------------------------------

    async def connect(self) -> None:
        await self.accept()  # first: a browser sees the code of a close only behind it
        async with self._welcome():
            if self.scope.get("ticket") is None:
                raise SignedOut
            self.seat = await in_thread(admission.seat, self.scope["ticket"], self.scope["url_route"]["kwargs"]["session_id"])
            self.room = Presence(doors.person(self.seat.person), self.channel_name)
            await self._join()  # before the log is read: what is logged from now on rings
            if await self._sit_down():
                self.reading = asyncio.create_task(self._read_on())

    async def _sit_down(self) -> bool:
        head = await in_thread(admission.head, self.seat.session)
        since = parse_qs(self.scope["query_string"].decode("latin-1")).get("since", ["0"])[0]
        if not since.isdecimal() or int(since) > head:
            await self._close(AHEAD)
            return False
        self.seq = int(since)
        await self._greet(await in_thread(self.seat.rights), head)
        await self._send(p.Present(people=self.room.people))
        return True

    async def _greet(self, rights: frozenset[Right], head: int) -> None:
        """Say what the person may do here; once at the start, and again when that has changed."""
        self.rights, self.rights_at = rights, monotonic()
        known = tuple(right for right in ALL_RIGHTS if right in rights)
        await self._send(p.Welcome(me=doors.person(self.seat.person), rights=known, head=head))

    async def _join(self) -> None:
        try:
            await self.channel_layer.group_add(session_group(self.seat.session.public_id), self.channel_name)
        except Exception as down:  # whatever a layer may raise; the tick reads the log meanwhile and tries again
            log.warning("The channel layer does not answer: %s", down)
            return
        self.joined = True
        await self._tell(self.room.hello())

    async def disconnect(self, code: int) -> None:
        self.ended = True
        for task in (self.reading, self.showing):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        if self.joined:
            await self._tell(self.room.bye())
            with suppress(Exception):  # a layer that is down has forgotten us anyway
                await self.channel_layer.group_discard(session_group(self.seat.session.public_id), self.channel_name)

    @asynccontextmanager
    async def _welcome(self) -> AsyncIterator[None]:
        """End the socket, and say why, when the person may not stay."""
        try:
            yield
        except SignedOut:
            await self._close(SIGNED_OUT, "signed_out")
        except NoRights:
            await self._close(FORBIDDEN, "forbidden")
        except Missing:
            await self._close(MISSING)
        except Exception:
            log.exception("A socket broke; the page opens it again")
            await self._close(BROKEN)

    async def _close(self, code: int, reason: Literal["forbidden", "signed_out"] | None = None) -> None:
        if reason is not None:
            await self._send(p.Closed(reason=reason))
        if not self.ended:
            self.ended = True
            await self.close(code)

    # --- the log -------------------------------------------------------------------------------------------------------

    async def _read_on(self) -> None:
        async with self._welcome():
            await self._catch_up()
            await self._send(p.Live(head=self.seq))
            await begin_to_watch(self.seat.session.public_id, self.channel_name)
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self.tick):
                        await self.rung.wait()
                await self._catch_up()
                await self._keep_company()

    async def _catch_up(self) -> None:
        """Send what the log holds behind the last entry sent, page by page, checking the rights before each."""
        page: list[tuple[int, str]] | None = None
        while page is None or len(page) == PAGE:
            self.rung.clear()
            rights, page = await in_thread(self.seat.next_page, self.seq, PAGE)
            if rights != self.rights:
                await self._greet(rights, page[-1][0] if page else self.seq)
            self.rights_at = monotonic()
            if page:
                await self._send_text('{"type":"entries","entries":[' + ",".join(text for _, text in page) + "]}")
                self.seq = page[-1][0]

    async def bell(self, message: dict[str, Any]) -> None:
        if message["head"] > self.seq:
            self.rung.set()

    # --- notes ---------------------------------------------------------------------------------------------------------

    async def notes(self, message: dict[str, Any]) -> None:
        self.pile.add(message["notes"])
        if self.showing is None or self.showing.done():
            self.showing = asyncio.create_task(self._show())

    async def _show(self) -> None:
        async with self._welcome():
            while notes := self.pile.take():
                if monotonic() - self.rights_at > RIGHTS_EVERY:
                    await in_thread(self.seat.rights)
                    self.rights_at = monotonic()
                await self._send_text(json.dumps({"type": "notes", "notes": notes}, ensure_ascii=False))
                await asyncio.sleep(NOTES_EVERY)

    # --- company -------------------------------------------------------------------------------------------------------

    async def presence(self, message: dict[str, Any]) -> None:
        if self.room.heard(message):
            await self._send(p.Present(people=self.room.people))
        if message["answer"] and message["channel"] != self.channel_name:
            with suppress(Exception):  # he hears us at our next beat
                await self.channel_layer.send(message["channel"], self.room.here())

    async def _keep_company(self) -> None:
        if not self.joined:
            await self._join()
        elif self.room.beat_is_due:
            await self._tell(self.room.here())
        if self.room.forget_silent():
            await self._send(p.Present(people=self.room.people))

    async def _tell(self, message: dict[str, Any]) -> None:
        await tell(session_group(self.seat.session.public_id), message)

    # --- commands ------------------------------------------------------------------------------------------------------

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        async with self._welcome():
            if self.reading is not None:
                await self._send(await self._answer(text_data or ""))

    async def _answer(self, text: str) -> p.Done | p.Refused:
        try:
            self._spend()
            if not 0 < len(text) <= LARGEST:
                raise Invalid("This message cannot be read", f"Send JSON text of at most {LARGEST} characters.")
            envelope = doors.read_envelope(text)
            return p.Done(id=envelope.id, head=await in_thread(self.seat.perform, envelope.command))
        except AppError as refused:
            return p.Refused(id=doors.id_in(text), problem=doors.problem(refused))
        except (SignedOut, NoRights):
            raise
        except Exception:
            log.exception("A command failed")
            sorry = p.Problem(kind="error", title="This did not work", detail="The server had a problem; nothing was changed.")
            return p.Refused(id=doors.id_in(text), problem=sorry)

    def _spend(self) -> None:
        """Raises Busy for a tab that commands faster than people do."""
        now = monotonic()
        self.budget = min(BURST, self.budget + (now - self.budget_at) * COMMANDS_A_SECOND) - 1
        self.budget_at = now
        if self.budget < 0:
            self.budget = 0.0
            raise Busy("Too fast", f"Send at most {COMMANDS_A_SECOND:.0f} commands a second.")

    # --- sending -------------------------------------------------------------------------------------------------------

    async def _send(self, frame: BaseModel) -> None:
        await self._send_text(frame.model_dump_json())

    async def _send_text(self, text: str) -> None:
        if not self.ended:
            await self.send(text)
