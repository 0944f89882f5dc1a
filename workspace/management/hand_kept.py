"""What tools worked by hand keep beside the facts, in files of the session's home: file texts they have shown, and artifacts."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Base64Bytes, BaseModel

from agents.edits.hashline.store import MemorySnapshots
from agents.errors import AgentError
from agents.host import InMemoryArtifacts
from agents.ports import Artifact

Form = TypeVar("Form", bound=BaseModel)


class Seen(BaseModel):
    """A session's snapshots and notes as they are on the disk."""

    texts: list[tuple[str, list[str]]] = []
    notes: dict[str, Any] = {}


class Made(BaseModel):
    """A session's artifacts as they are on the disk, by number: name, media type and bytes."""

    artifacts: list[tuple[str, str, Base64Bytes]] = []


class HandSnapshots(MemorySnapshots):
    """Snapshots that outlast the process where they are given a file."""

    def __init__(self, path: Path | None) -> None:
        super().__init__()
        self._path, self._saved = path, _read(Seen, path)
        for name, texts in self._saved.texts:
            for text in texts:
                self.record(name, text)
        for key, value in self._saved.notes.items():
            self.note(key, value)

    def save(self) -> None:
        now = Seen(texts=self.texts(), notes=self.notes())
        if self._path is not None and now != self._saved:
            _put(self._path, now)
            self._saved = now


class HandArtifacts(InMemoryArtifacts):
    """Artifacts that outlast the process where they are given a file."""

    def __init__(self, path: Path | None) -> None:
        super().__init__()
        self._path = path
        for number, (name, media_type, data) in enumerate(_read(Made, path).artifacts, start=1):
            self.kept.append((Artifact(number, name, media_type, len(data)), data))
        self._saved = len(self.kept)

    def save(self) -> None:
        if self._path is not None and len(self.kept) > self._saved:
            _put(self._path, Made(artifacts=[(one.name, one.media_type, b64encode(data)) for one, data in self.kept]))
            self._saved = len(self.kept)


def _read(form: type[Form], path: Path | None) -> Form:
    """What the file holds, nothing where there is none. Raises AgentError where it is not right."""
    if path is None or not path.exists():
        return form()
    try:
        return form.model_validate(json.loads(path.read_bytes()))
    except ValueError as wrong:
        raise AgentError(f"{path} is not as this command writes it. Mend it, or move it away.") from wrong


def _put(path: Path, state: BaseModel) -> None:
    """As a whole or not at all. Plain JSON takes half characters too, which some files' names have."""
    draft = path.with_name(f".{path.name}-{os.getpid()}")
    draft.write_text(json.dumps(state.model_dump(mode="json")))
    draft.replace(path)
