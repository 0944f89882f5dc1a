"""The hashline cases of the case file; a missing file fails whoever asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parents[3] / "cases/hashline-cases.json"


def hashline(part: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(_FILE.read_text())[part]
    assert found, f"{part} is empty"
    return found
