"""Stored facts as the frames' JSON text. What is stored is valid already, so it is pasted, not parsed, unless it must be cut."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, NamedTuple, get_args

from agents.errors import UnknownFact
from agents.events import SCHEMA_VERSION, AnyFact, NoticeGiven, open_fact

SHORT = 4096
LONG = 16384

LIMITS: dict[str, dict[str, int]] = {
    "agent.spoke": {"parts": SHORT},
    "approval.asked": {"args": SHORT, "preview": LONG},
    "tool.started": {"args": SHORT},
    "tool.finished": {"output": SHORT, "metadata": SHORT, "changes": LONG, "attachments": SHORT},
}
"""Fact type → its fields whose strings are pushed at most this many characters long. What people read as prose is never cut."""
SPARED = {"text"}

KNOWN = frozenset(arm.model_fields["type"].default for arm in get_args(get_args(AnyFact)[0]))


class Row(NamedTuple):
    """What a LoggedFact holds, as read without a model object. `by` is the person's public id."""

    seq: int
    at: datetime
    by: str | None
    run_id: str
    type: str
    version: int
    data: str


def entry_json(row: Row, *, whole: bool = False) -> str:
    """One WireEntry. `whole` cuts nothing. A fact this version cannot read becomes a notice that says so."""
    data = row.data if row.version == SCHEMA_VERSION and row.type in KNOWN else _opened(row)
    cut: list[str] = []
    if not whole and len(data) > SHORT and row.type in LIMITS:
        data, cut = _trimmed(row.type, data)
    by, run_id = json.dumps(row.by), json.dumps(row.run_id or None)
    return f'{{"seq":{row.seq},"at":"{row.at.isoformat()}","by":{by},"run_id":{run_id},"fact":{data},"cut":{json.dumps(cut)}}}'


def _opened(row: Row) -> str:
    try:
        return open_fact(row.type, row.version, json.loads(row.data)).model_dump_json()
    except UnknownFact as unknown:
        return NoticeGiven(level="warning", text=f"This entry cannot be shown: {unknown}.").model_dump_json()


def _trimmed(type: str, data: str) -> tuple[str, list[str]]:
    cut: list[str] = []
    fact = json.loads(data)
    for field, limit in LIMITS[type].items():
        if field in fact:
            fact[field] = _shortened(fact[field], limit, field, cut)
    return json.dumps(fact, ensure_ascii=False, separators=(",", ":")) if cut else data, cut


def _shortened(value: Any, limit: int, path: str, cut: list[str]) -> Any:
    """The value with its long strings shortened; their paths are added to `cut`."""
    match value:
        case str() if len(value) > limit:
            cut.append(path)
            return _ends(value, limit)
        case dict():
            return {key: item if key in SPARED else _shortened(item, limit, f"{path}.{key}", cut) for key, item in value.items()}
        case list():
            return [_shortened(item, limit, f"{path}.{place}", cut) for place, item in enumerate(value)]
    return value


def _ends(text: str, limit: int) -> str:
    """The first half of the limit and the last quarter: beginnings say more than ends."""
    head, tail = text[: limit // 2], text[-(limit // 4) :]
    return f"{head}\n… {len(text) - len(head) - len(tail):,} characters left out …\n{tail}"
