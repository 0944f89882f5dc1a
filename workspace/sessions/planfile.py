"""The plan's file in the workspace, kept in step with the revisions that people write in the page."""

from __future__ import annotations

import logging

from agents.errors import AgentError
from workspace.sessions.models import Session
from workspace.sessions.places import open_place

log = logging.getLogger(__name__)


def bring_up(session: Session, path: str, before: str, after: str) -> bool:
    """Write the new revision where the file holds the one it replaces. False: it holds something else, or cannot be written.

    Then it stays as it is, and the agent is told so with the review.
    """
    try:
        files = open_place(session).files
        with files.locked(path):
            if files.read(path) != before.encode():
                return False
            files.write(path, after.encode())
    except (AgentError, OSError) as wrong:
        log.info("The plan file of session %s was not written: %s", session.public_id, wrong)
        return False
    return True
