"""Addresses of the API of sessions, below /api/."""

from __future__ import annotations

from django.urls import include, path

from workspace.sessions import api, asks_api, kept_api, tools_api
from workspace.sessions import protocol as p
from workspace.sessions.commands_api import EveryCommand, SendMessage, door

of_one_session = [
    path("", api.OneSession.as_view()),
    path("snapshot/", api.Snapshot.as_view()),
    path("events/", api.Events.as_view()),
    path("events/<int:seq>/", api.OneEvent.as_view()),
    path("diff/", api.Changes.as_view()),
    path("commands/", EveryCommand.as_view()),
    path("messages/", door(p.SendMessage, SendMessage)),
    path("stop/", door(p.StopRun)),
    path("comments/", door(p.AddComment)),
    path("approvals/", asks_api.Approvals.as_view()),
    path("approvals/<str:approval_id>/rules/", asks_api.ApprovalRules.as_view()),
    path("approvals/<str:approval_id>/decide/", door(p.DecideApproval)),
    path("questions/", asks_api.Questions.as_view()),
    path("questions/<str:question_id>/answer/", door(p.AnswerQuestion)),
    path("plan/", asks_api.Plan.as_view()),
    path("plan/review/", door(p.ReviewPlan)),
    path("plan/comments/", door(p.CommentPlan)),
    path("plan/revise/", door(p.RevisePlan)),
    path("plan/leave/", door(p.LeavePlan)),
    path("memories/<str:memory_id>/leave-out/", door(p.LeaveOutMemory)),
    path("worktree/land/", door(p.LandWorktree)),
    path("worktree/drop/", door(p.DropWorktree)),
    path("todos/", asks_api.Todos.as_view()),
    path("artifacts/", kept_api.Artifacts.as_view()),
    path("artifacts/<int:artifact>/", kept_api.OneArtifact.as_view()),
    path("jobs/", kept_api.SessionJobs.as_view()),
    path("jobs/<str:job_id>/", kept_api.OneJob.as_view()),
    path("jobs/<str:job_id>/cancel/", kept_api.CancelJob.as_view()),
]
urlpatterns = [
    path("sessions/", api.Sessions.as_view()),
    path("sessions/<str:session_id>/", include(of_one_session)),
    path("inbox/", asks_api.Inbox.as_view()),
    path("toolsets/", tools_api.Toolsets.as_view()),
    path("toolsets/brief/", tools_api.BriefToolsets.as_view()),
    path("toolsets/<str:name>/descriptions/", tools_api.Descriptions.as_view()),
    path("workflows/", tools_api.Workflows.as_view()),
    path("protocols/", tools_api.Protocols.as_view()),
    path("projects/<str:project_id>/tools/", tools_api.ProjectTools.as_view()),
]
