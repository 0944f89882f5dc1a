"""What a session remembers when it begins: the memories its first message brings back, kept as a fact before that message."""

from __future__ import annotations

from collections.abc import Collection

from agents.events import MemoryRecalled
from workspace.accounts.models import User
from workspace.memories import recall
from workspace.sessions.models import LoggedFact, Session


def recalled(session: Session, person: User, message: str, without: Collection[str] = ()) -> list[MemoryRecalled]:
    """The fact to keep before the message; none behind the first message, in sub-agents, and where nothing is relevant.

    Call it in the transaction that keeps the fact: being recalled is counted.
    """
    if session.parent_id is not None or LoggedFact.objects.filter(session=session, type="user.spoke").exists():
        return []
    memories = recall.told(recall.relevant(session.project, person, message, without))
    if not memories:
        return []
    ids = tuple(memory.memory_id for memory in memories)
    recall.count_use(ids)
    return [MemoryRecalled(memory_ids=ids, titles=tuple(memory.title for memory in memories), memories=memories)]
