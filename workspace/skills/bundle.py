"""What is uploaded as a skill: the files of an archive, or single ones, within bounds and without a way out of their folder."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO, Any

from agents.skills.telling import SKILL, told
from workspace.errors import Invalid
from workspace.projects.archives import BROKEN, pour, unreadable
from workspace.projects.filling import steps_of

FILES_LIMIT = 200
FILE_LIMIT = 10 * 2**20
BYTES_LIMIT = 20 * 2**20
TAR_LIMIT = BYTES_LIMIT + 4 * 2**20
"""Bytes of a tar once it is decompressed: the files, their heads, and what is left out."""
PATH_LIMIT = 500
LEFT_OUT = frozenset({".git", "__macosx", ".ds_store", "thumbs.db"})
"""What systems and repositories add by themselves, in small letters."""
TOO_MUCH = "This is too much for one skill"
PACKED: dict[bytes, Callable[[Any], Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
"""How a compressed tar begins, and how it is read."""


@dataclass(frozen=True)
class Bundle:
    """A skill ready to be kept: what its SKILL.md calls it, and its files by their paths in its folder."""

    name: str
    description: str
    files: Mapping[str, bytes]


def of_archive(archive: IO[bytes], size: int) -> Bundle:
    """`size` in bytes of the archive itself. Raises Invalid with a sentence."""
    if size > BYTES_LIMIT:
        raise Invalid(TOO_MUCH, f"The archive is larger than {_mib(BYTES_LIMIT)}.")
    basket = Basket()
    pour(_decompressed(archive), basket)
    return _bundled(basket.files)


def _decompressed(archive: IO[bytes]) -> IO[bytes]:
    """A compressed tar as it is inside, so that nothing it declares of itself can make reading it cost more than its limit."""
    begin = archive.read(6)
    archive.seek(0)
    opened = next((opener for magic, opener in PACKED.items() if begin.startswith(magic)), None)
    if opened is None:
        return archive
    try:
        data: bytes = opened(archive).read(TAR_LIMIT + 1)
    except BROKEN as wrong:
        raise unreadable() from wrong
    if len(data) > TAR_LIMIT:
        raise Invalid(TOO_MUCH, f"Unpacked it is larger than {_mib(BYTES_LIMIT)}.")
    return io.BytesIO(data)


def of_files(files: Iterable[tuple[str, IO[bytes]]]) -> Bundle:
    """Single files with their paths, such as a folder that was dropped on the page. Raises Invalid with a sentence."""
    basket = Basket()
    for path, data in files:
        basket.file(path, data)
    return _bundled(basket.files)


@dataclass
class Basket:
    """The files of one upload, as they come. Bytes are counted as they are read, whatever an archive says its sizes are."""

    files: dict[str, bytes] = field(default_factory=dict)
    size: int = 0

    def folder(self, name: str) -> None:
        """A skill has no empty folders; only a name that leads out is refused."""
        steps_of(name)

    def file(self, name: str, source: IO[bytes], executable: bool = False) -> None:
        path = _path(name)
        if path is None:
            return
        if path in self.files:
            raise Invalid("The files contradict each other", f"{path!r} is there twice.")
        if len(self.files) >= FILES_LIMIT:
            raise Invalid(TOO_MUCH, f"It holds more than {FILES_LIMIT} files.")
        data = source.read(FILE_LIMIT + 1)
        self.size += len(data)
        if len(data) > FILE_LIMIT:
            raise Invalid(TOO_MUCH, f"{path} is larger than {_mib(FILE_LIMIT)}.")
        if self.size > BYTES_LIMIT:
            raise Invalid(TOO_MUCH, f"Its files together are larger than {_mib(BYTES_LIMIT)}.")
        self.files[path] = data

    def link(self, name: str, target: str) -> None:
        raise Invalid("A skill has no links", f"{name[:200]!r} is a link. Put the file itself in its place.")


def _path(name: str) -> str | None:
    """Relative to the upload; None for what is left out. Raises Invalid for a name that no file of a skill can have."""
    steps = steps_of(name)
    if any(step.lower() in LEFT_OUT for step in steps):
        return None
    path = "/".join(steps)
    if not path or len(path) > PATH_LIMIT or not path.isprintable():
        raise Invalid("A file has an odd name", f"{name[:100]!r} is empty, too long, or holds characters that cannot be shown.")
    if steps[0][1:2] == ":":
        raise Invalid("This cannot be unpacked safely", f"It holds a file whose name leads out of the folder: {name[:200]!r}.")
    return path


def _bundled(files: Mapping[str, bytes]) -> Bundle:
    """The folder that the one SKILL.md lies in, however deep, as a skill."""
    top = _top(files)
    outside = [path for path in files if not path.startswith(top)]
    if outside:
        raise Invalid("These files are not one folder", f"{outside[0]} lies outside of {top.rstrip('/')}, where {SKILL} is.")
    inner = {_named(path.removeprefix(top)): data for path, data in files.items()}
    _refuse_double_places(inner)
    name, description = _checked(inner[SKILL])
    return Bundle(name, description, inner)


def _top(files: Mapping[str, bytes]) -> str:
    """The folder of the skill with its slash, "" for the upload itself."""
    tops = sorted((path[: -len(SKILL)] for path in files if _named(path.rpartition("/")[2]) == SKILL), key=lambda top: top.count("/"))
    if not tops:
        raise Invalid(
            f"There is no {SKILL}", f"A skill is a folder with a {SKILL} in it, which says what the skill is called and what for."
        )
    beside = [top for top in tops if top.count("/") == tops[0].count("/")]
    if len(beside) > 1:
        told = ", ".join(top.rstrip("/") or "." for top in beside[:5])
        raise Invalid("This is more than one skill", f"There is a {SKILL} in each of {told}. Upload them one by one.")
    return beside[0]


def _named(path: str) -> str:
    """Some write it skill.md; here it is called SKILL.md."""
    return SKILL if path.lower() == SKILL.lower() else path


def _refuse_double_places(files: Mapping[str, bytes]) -> None:
    folders = {str(folder) for path in files for folder in PurePosixPath(path).parents}
    if both := sorted(folders & files.keys()):
        raise Invalid("The files contradict each other", f"{both[0]!r} is both a file and a folder.")


def _checked(data: bytes) -> tuple[str, str]:
    """Name and description as its head tells them."""
    try:
        said = told(data.decode("utf-8-sig"))
    except UnicodeDecodeError as wrong:
        raise Invalid(f"{SKILL} cannot be read", "It is no UTF-8 text.") from wrong
    if said.complaint or not said.name:
        raise Invalid(f"{SKILL} is not complete", said.complaint)
    return said.name, said.description


def _mib(size: int) -> str:
    return f"{size // 2**20} MiB"
