"""Which files the front end was built into, as its build tool wrote it down."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

ENTRY = "src/main.ts"


@dataclass(frozen=True)
class Assets:
    """Paths below the static root. `preload` are the modules that the script will ask for first."""

    script: str
    styles: tuple[str, ...]
    preload: tuple[str, ...]


def built_assets() -> Assets | None:
    """What the boot page loads; None when the front end has not been built."""
    path = Path(settings.FRONT_END) / ".vite" / "manifest.json"
    try:
        return _read(path, path.stat().st_mtime_ns)
    except (FileNotFoundError, KeyError, json.JSONDecodeError):
        return None


@lru_cache(maxsize=1)
def _read(path: Path, changed: int) -> Assets:
    """`changed` makes a new build a new question."""
    chunks: dict[str, Any] = json.loads(path.read_text())
    names = _with_imports(chunks, ENTRY)
    styles = [style for name in names for style in chunks[name].get("css", [])]
    preload = [chunks[name]["file"] for name in names if name != ENTRY]
    return Assets(_static(chunks[ENTRY]["file"]), tuple(map(_static, dict.fromkeys(styles))), tuple(map(_static, preload)))


def _with_imports(chunks: dict[str, Any], name: str, seen: tuple[str, ...] = ()) -> list[str]:
    """The chunk and all that it imports at once, each named once."""
    found = [name]
    for inner in chunks[name].get("imports", []):
        if inner not in (*seen, *found):
            found += _with_imports(chunks, inner, (*seen, *found))
    return found


def _static(file: str) -> str:
    return f"app/{file}"
