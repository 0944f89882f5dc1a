"""Plans as people work on them: which revision is under review, what was said about it, where a comment stands."""

from __future__ import annotations

import re

from agents.events import PlanCommented
from workspace.errors import Conflict, Invalid, Missing
from workspace.sessions.models import PlanRevision, Session


def revision_of(session: Session, number: int) -> PlanRevision:
    """Raises Missing."""
    found: PlanRevision | None = session.planrevisions.select_related("decided_by", "by").filter(revision=number).first()
    if found is None:
        raise Missing(f"There is no revision {number} of the plan", "Reload the session to see the latest.")
    return found


def comments_on(session: Session, number: int) -> tuple[PlanCommented, ...]:
    """Every comment on the revision, as the agent gets them."""
    remarks = session.plancomments.filter(revision=number).values("comment_id", "revision", "text", "quote", "start")
    return tuple(PlanCommented(**remark) for remark in remarks)


def anchor(text: str, quote: str, start: int) -> int:
    """Where the quote stands in the text: at `start`, else nearest to it. Raises Invalid where it does not."""
    places = [found.start() for found in re.finditer(re.escape(quote), text)] if quote else [0]
    if not places:
        raise Invalid("These words are not in this revision", "Mark them in the plan again.")
    return min(places, key=lambda place: abs(place - start))


def under_review(session: Session, base: int) -> PlanRevision:
    """The revision `base`. Raises Conflict unless it is under review, so that nobody writes over what he has not read."""
    plan = session.view.plan
    if plan.stage != "proposed":
        raise Conflict("No plan is up for review", "The agent has to propose one first.")
    if plan.revision != base:
        author = revision_of(session, plan.revision).by
        raise Conflict("There is a newer revision", f"Revision {plan.revision} has replaced revision {base}.", by=author)
    return revision_of(session, base)
