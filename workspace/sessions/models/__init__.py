"""What happens: sessions, the log that is their truth, the runs that work in them, and what people decide.

The tables of asks and spoken words are folds of the log (`folds.py`) and can be rebuilt from it.
"""

from __future__ import annotations

from workspace.sessions.models.ask import Approval as Approval
from workspace.sessions.models.ask import Ask as Ask
from workspace.sessions.models.ask import AskQuerySet as AskQuerySet
from workspace.sessions.models.ask import PlanComment as PlanComment
from workspace.sessions.models.ask import PlanRemark as PlanRemark
from workspace.sessions.models.ask import PlanReview as PlanReview
from workspace.sessions.models.ask import PlanRevision as PlanRevision
from workspace.sessions.models.ask import Question as Question
from workspace.sessions.models.kept import JOB_LEASE as JOB_LEASE
from workspace.sessions.models.kept import Job as Job
from workspace.sessions.models.kept import JobQuerySet as JobQuerySet
from workspace.sessions.models.kept import KeptArtifact as KeptArtifact
from workspace.sessions.models.kept import KeptJotting as KeptJotting
from workspace.sessions.models.kept import KeptSnapshot as KeptSnapshot
from workspace.sessions.models.run import LEASE as LEASE
from workspace.sessions.models.run import PICKED_UP as PICKED_UP
from workspace.sessions.models.run import Run as Run
from workspace.sessions.models.run import RunQuerySet as RunQuerySet
from workspace.sessions.models.session import LoggedFact as LoggedFact
from workspace.sessions.models.session import Session as Session
from workspace.sessions.models.session import SessionQuerySet as SessionQuerySet
from workspace.sessions.models.spoken import SPOKEN as SPOKEN
from workspace.sessions.models.spoken import TITLE as TITLE
from workspace.sessions.models.spoken import Spoken as Spoken
