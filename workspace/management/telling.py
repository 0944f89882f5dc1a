"""How a fact reads in a terminal: a line or a few; "" for facts that only machines want."""

from __future__ import annotations

import re

from agents import events as e

SHOWN = 12
"""Lines of a tool's output."""
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal obeys rather than shows, so that a stranger's text could make an approval read as another."""


def told(entry: e.Entry) -> str:
    return CONTROLS.sub("\ufffd", _told(entry))


def _told(entry: e.Entry) -> str:
    match entry.fact:
        case e.UserSpoke(text=text):
            return f"> {text}"
        case e.AgentSpoke() as reply:
            return _reply(reply)
        case e.ToolFinished() as call:
            return _call(call)
        case e.ProviderFailed() as failed:
            again = "" if failed.retry_in is None else f" Trying again in {failed.retry_in:g} s."
            return f"! {failed.message}{again}"
        case e.NoticeGiven(text=text):
            return f"! {text}"
        case e.RunLost():
            return "! The worker was lost; the run goes on."
        case e.RunFinished(outcome=outcome, detail=detail):
            return f"= {outcome}{f': {detail}' if detail else ''}"
        case _:
            return _decision(entry.fact)


def _decision(fact: e.AnyFact) -> str:
    match fact:
        case e.ApprovalAsked(prompt=prompt, preview=preview):
            return f"? May it? {prompt}" + (f"\n{_indented(preview)}" if preview else "")
        case e.ApprovalDecided(verdict=verdict, reason=reason):
            return f"  {verdict}{f': {reason}' if reason else ''}"
        case e.PlanProposed(revision=revision, text=text):
            return f"? Plan, revision {revision}:\n{_indented(text)}"
        case e.PlanReviewed(verdict=verdict, message=message):
            return f"  plan {verdict}{f': {message}' if message else ''}"
        case e.QuestionAsked(questions=questions):
            return "\n".join(_question(question) for question in questions)
        case e.QuestionAnswered(answers=answers):
            return "\n".join(f"  {', '.join(answer.labels) or answer.text}" for answer in answers)
    return _agent(fact)


def _agent(fact: e.AnyFact) -> str:
    match fact:
        case e.AgentStarted(agent_id=agent_id, agent_type=agent_type, title=title):
            return f"+ Sub-agent {agent_id} ({agent_type}): {title}"
        case e.AgentFinished(agent_id=agent_id, outcome=outcome, background=True):
            return f"- Sub-agent {agent_id}: {outcome}"
    return _phase(fact)


def _phase(fact: e.AnyFact) -> str:
    match fact:
        case e.PhaseEntered(phase=phase, cycle=cycle, detail=detail):
            return f"~ {phase}, round {cycle}{f': {detail}' if detail else ''}"
        case e.VerdictGiven(verified=verified, text=text):
            return f"~ {'verified' if verified else 'not verified'}: {text}"
        case e.ReplyRefused(reason=reason):
            return f"! The reply could not be read: {reason}"
    return ""


def _reply(reply: e.AgentSpoke) -> str:
    words = "\n".join(part.text.strip() for part in reply.parts if isinstance(part, e.Text))
    return words if reply.finish in ("stop", "calls") else f"{words}\n! The reply ended early ({reply.finish}).".strip()


def _call(call: e.ToolFinished) -> str:
    lines = (call.error or call.output).strip("\n").splitlines()
    more = [f"… {len(lines) - SHOWN} more lines"] if len(lines) > SHOWN else []
    mark = "x" if call.error is not None else "*"
    return "\n".join([f"{mark} {call.title}", *(f"    {line}" for line in (*lines[:SHOWN], *more))])


def _question(question: e.QuestionItem) -> str:
    options = " / ".join(option.label for option in question.options)
    return f"? {question.question}{f' [{options}]' if options else ''}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines())
