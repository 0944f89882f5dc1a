"""What `manage.py tool --home DIR` keeps from one process to the next: memories, and of each session its facts as JSON lines,

the file texts it was shown, and its artifacts.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from agents.errors import AgentError
from agents.events import facts
from agents.host import InMemoryMemories
from agents.ports import Memory
from workspace.management.by_hand import HandSession
from workspace.management.hand_jobs import HandJobs
from workspace.management.hand_kept import HandArtifacts, HandSnapshots

MEMORIES: TypeAdapter[dict[str, Memory]] = TypeAdapter(dict[str, Memory])


class HandHome:
    """A folder, or nothing at all where `folder` is None."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._saved: dict[str, int] = {}
        self._kept: dict[str, tuple[HandSnapshots, HandArtifacts]] = {}
        if folder is not None:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def fill(self, memories: InMemoryMemories) -> None:
        if self.folder is None or not (path := self.folder / "memories.json").exists():
            return
        try:
            memories.by_id.update(MEMORIES.validate_json(path.read_bytes()))
        except ValidationError as wrong:
            raise AgentError(f"{path} does not hold memories as this command writes them. Mend it, or move it away.") from wrong

    def resume(self, session: HandSession) -> None:
        """Give a new session what an earlier process kept for its id, and places for what it will keep."""
        snapshots = HandSnapshots(self._file(session, "seen.json"))
        artifacts = HandArtifacts(self._file(session, "artifacts.json"))
        self._kept[session.session_id] = (snapshots, artifacts)
        jobs = HandJobs(session.sandbox, artifacts)
        session.reach = replace(session.reach, snapshots=snapshots, artifacts=artifacts, jobs=jobs)
        path = self._file(session, "jsonl")
        if path is not None and path.exists():
            try:
                kept = [facts.validate_json(line) for line in path.read_bytes().splitlines()]
            except ValidationError as wrong:
                raise AgentError(f"{path} does not hold facts as this command writes them. Mend it, or move it away.") from wrong
            for fact in kept:
                session.recorder.add(fact)
        self._saved[session.session_id] = len(session.recorder.entries)

    def save(self, session: HandSession) -> None:
        path = self._file(session, "jsonl")
        if self.folder is None or path is None:
            return
        fresh = session.recorder.entries[self._saved[session.session_id] :]
        with path.open("ab") as file:
            file.writelines(facts.dump_json(entry.fact) + b"\n" for entry in fresh)
        self._saved[session.session_id] = len(session.recorder.entries)
        draft = self.folder / f".memories-{os.getpid()}"
        draft.write_bytes(MEMORIES.dump_json(session.memories.by_id, indent=2))
        draft.replace(self.folder / "memories.json")
        for kept in self._kept[session.session_id]:
            kept.save()

    def _file(self, session: HandSession, ending: str) -> Path | None:
        return None if self.folder is None else self.folder / f"{session.session_id}.{ending}"
