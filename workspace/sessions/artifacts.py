"""The artifacts of a tree of sessions: `agents.ports.Artifacts` for the host, kept in the database under the root."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max, Sum

from agents.errors import ToolError
from agents.pieces import well_formed
from agents.ports import Artifact
from agents.shell.secrets import redact
from workspace.sessions.models import KeptArtifact, Session
from workspace.sessions.threads import with_connection

LARGEST = 16 * 2**20
MOST = 128 * 2**20
"""Bytes of all artifacts of one tree, uncompressed; the oldest make room."""
CUT = "\n[Cut here: an artifact holds 16 MiB at most.]\n"
NAME = 200
"""Characters of a name."""


class DatabaseArtifacts:
    """What the tools of one session keep, and what it and its relatives have kept."""

    def __init__(self, session: Session) -> None:
        self._root = session.root_id or session.pk

    async def keep(self, name: str, data: bytes, media_type: str = "text/plain; charset=utf-8") -> Artifact:
        """Raises ToolError for something other than text that is too large: half a picture helps nobody."""
        is_text = media_type.startswith("text/")
        if len(data) > LARGEST and not is_text:
            raise ToolError(f"{name} is {len(data)} bytes large; an artifact holds {LARGEST} at most.")
        if is_text:
            data = await asyncio.to_thread(_presentable, data)
        packed = await asyncio.to_thread(zlib.compress, data)
        row = KeptArtifact(session_id=self._root, name=well_formed(name)[:NAME], media_type=media_type[:100], size=len(data), data=packed)
        return await asyncio.to_thread(with_connection, _numbered, row)

    async def read(self, number: int) -> tuple[Artifact, bytes] | None:
        return await asyncio.to_thread(with_connection, read, self._root, number)

    async def all(self) -> Sequence[Artifact]:
        return await asyncio.to_thread(with_connection, listed, self._root)


def _presentable(data: bytes) -> bytes:
    """The text without secrets, and no longer than may be."""
    clean = redact(data.decode(errors="replace"))[0].encode()
    return clean if len(clean) <= LARGEST else clean[: LARGEST - len(CUT)].decode(errors="ignore").encode() + CUT.encode()


def _numbered(row: KeptArtifact) -> Artifact:
    with transaction.atomic():
        Session.objects.locked(row.session_id)  # two that keep something at once take different numbers
        kept = KeptArtifact.objects.filter(session_id=row.session_id)
        row.number = (kept.aggregate(last=Max("number"))["last"] or 0) + 1
        row.save()
        _make_room(row)
    return _told(row)


def _make_room(newest: KeptArtifact) -> None:
    kept = KeptArtifact.objects.filter(session_id=newest.session_id)
    too_much = (kept.aggregate(all=Sum("size"))["all"] or 0) - MOST
    for pk, size in list(kept.exclude(pk=newest.pk).values_list("pk", "size")) if too_much > 0 else []:
        if too_much <= 0:
            return
        kept.filter(pk=pk).delete()
        too_much -= size


def read(root_pk: int, number: int) -> tuple[Artifact, bytes] | None:
    """The artifact with this number and what it holds."""
    row = KeptArtifact.objects.filter(session_id=root_pk, number=number).first()
    return (_told(row), zlib.decompress(row.data)) if row else None


def listed(root_pk: int) -> list[Artifact]:
    """All of a tree, by number."""
    return [_told(row) for row in KeptArtifact.objects.filter(session_id=root_pk).defer("data")]


def _told(row: KeptArtifact) -> Artifact:
    return Artifact(row.number, row.name, row.media_type, row.size)
