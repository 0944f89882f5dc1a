"""What one session has seen of its workspace's files, kept in the database: `agents.ports.Snapshots` for the host."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import F, Max

from agents.edits.hashline.store import Room
from agents.edits.hashline.tags import normal, tag_of
from agents.ports import Snapshot
from workspace.sessions.models import KeptJotting, KeptSnapshot
from workspace.sessions.threads import with_connection

ROOM = Room()
LONGEST_PATH = 500
"""Characters of a path that are kept as they are; databases index no text of any length."""


class DatabaseSnapshots:
    """Those of one session. Two that record at once may share an order; then neither is the older one."""

    def __init__(self, session_pk: int, room: Room = ROOM) -> None:
        self._session, self._room = session_pk, room

    def versions(self, path: str) -> Sequence[Snapshot]:
        return with_connection(self._versions, path)

    def record(self, path: str, text: str) -> Snapshot:
        text = normal(text)
        snapshot = Snapshot(path, tag_of(text), text)
        with_connection(self._record, snapshot)
        return snapshot

    def noted(self, key: str) -> Any:
        return with_connection(self._noted, key)

    def note(self, key: str, value: Any) -> None:
        with_connection(self._note, key, value)

    def _versions(self, path: str) -> Sequence[Snapshot]:
        mine = KeptSnapshot.objects.filter(session=self._session, path=_key(path))
        found = list(mine.order_by("-order", "-pk"))
        if found and (behind := self._head() - found[0].order):
            mine.update(order=F("order") + behind + 1)  # used just now, so others go first
        return tuple(Snapshot(path, row.tag, _unpacked(bytes(row.text))) for row in found)

    def _record(self, snapshot: Snapshot) -> None:
        data = snapshot.text.encode("utf-8", "surrogatepass")
        row = KeptSnapshot(
            session_id=self._session, path=_key(snapshot.path), tag=snapshot.tag, digest=hashlib.sha256(data).hexdigest(),
            text=zlib.compress(data), size=len(snapshot.text),
        )  # fmt: skip
        with transaction.atomic():
            row.order = self._head() + 1
            KeptSnapshot.objects.bulk_create(
                [row], update_conflicts=True, unique_fields=["session", "path", "digest"], update_fields=["order"]
            )
            KeptSnapshot.objects.filter(pk__in=self._too_many()).delete()

    def _head(self) -> int:
        newest: int | None = KeptSnapshot.objects.filter(session=self._session).aggregate(newest=Max("order"))["newest"]
        return newest or 0

    def _too_many(self) -> list[int]:
        """What there is no room for: versions behind the newest few, then the paths that were not used for longest."""
        rows = KeptSnapshot.objects.filter(session=self._session).order_by("-order", "-pk").values_list("pk", "path", "size")
        by_path: dict[str, list[tuple[int, int]]] = {}
        for pk, path, size in rows:
            by_path.setdefault(path, []).append((pk, size))
        gone: list[int] = []
        total = 0
        for at, versions in enumerate(by_path.values()):
            kept = versions[: self._room.versions]
            total += sum(size for _, size in kept)
            full = at > 0 and (at >= self._room.paths or total > self._room.characters)
            gone += [pk for pk, _ in (versions if full else versions[self._room.versions :])]
        return gone

    def _noted(self, key: str) -> Any:
        return KeptJotting.objects.filter(session=self._session, key=key).values_list("value", flat=True).first()

    def _note(self, key: str, value: Any) -> None:
        if value is None:
            KeptJotting.objects.filter(session=self._session, key=key).delete()
            return
        row = KeptJotting(session_id=self._session, key=key, value=value)
        KeptJotting.objects.bulk_create([row], update_conflicts=True, unique_fields=["session", "key"], update_fields=["value"])


def _key(path: str) -> str:
    """The path as text of bounded length that any database takes."""
    text = path.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= LONGEST_PATH else f"{text[:400]}…{hashlib.sha256(text.encode()).hexdigest()}"


def _unpacked(text: bytes) -> str:
    return zlib.decompress(text).decode("utf-8", "surrogatepass")
