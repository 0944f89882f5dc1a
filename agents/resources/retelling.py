"""A session's log as text that another session can read: who said what, what was done, what was decided. Bounded, whatever its length."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable

from agents import events as e

BEGINNING, END = 50_000, 150_000
"""Characters kept of what happened first and last."""
SPEECH = 20_000
OUTPUT = 1_500
ARGUMENTS = 300
NameOf = Callable[[str | None], str]
"""Gives the name of the person with this id; for None, which is the engine, what stands for it."""


def retold(entries: Iterable[e.Entry], name_of: NameOf) -> str:
    """The middle of a long one is left out, and the text says so."""
    first: list[str] = []
    last: deque[str] = deque()
    room, kept, dropped = BEGINNING, 0, 0
    for piece in filter(None, (_told(entry, name_of) for entry in entries)):
        if room > 0:
            first.append(piece)
            room -= len(piece)
            continue
        last.append(piece)
        kept += len(piece)
        while kept > END and len(last) > 1:
            kept -= len(last.popleft())
            dropped += 1
    gap = [f"[… {dropped} entries left out here …]"] if dropped else []
    return "\n\n".join([*first, *gap, *last]) or "Nothing was said in this session."


def _told(entry: e.Entry, name_of: NameOf) -> str:
    """ "" for what only the machinery is interested in, and for what is among people."""
    who, fact = name_of(entry.by), entry.fact
    match fact:
        case e.UserSpoke():
            return f"## {who}, {entry.at:%Y-%m-%d %H:%M} UTC\n\n{_cut(fact.text, SPEECH)}"
        case e.AgentSpoke():
            said = "\n\n".join(part.text.strip() for part in fact.parts if isinstance(part, e.Text) and part.text.strip())
            return f"## Agent\n\n{_cut(said, SPEECH)}" if said else ""
        case e.ToolStarted():
            return f"→ {fact.tool} {_cut(json.dumps(fact.args, ensure_ascii=False), ARGUMENTS)}"
        case e.ToolFinished():
            return _ended(fact)
        case e.RunFinished() if fact.outcome != "done":
            return f"(the run ended: {fact.outcome}. {fact.detail})"
    return _decided(fact, who)


def _ended(fact: e.ToolFinished) -> str:
    lines = [f"← {fact.title}", *([f"Error: {fact.error}"] if fact.error is not None else [])]
    lines += [f"{change.change} {change.path} (+{change.added} -{change.removed})" for change in fact.changes]
    return "\n".join([*lines, *([_cut(fact.output, OUTPUT)] if fact.output else [])])


def _decided(fact: e.AnyFact, who: str) -> str:
    match fact:
        case e.ApprovalDecided():
            return f"({who} {'allowed' if fact.verdict == 'allow' else 'declined'} the call{f': {fact.reason}' if fact.reason else ''})"
        case e.PlanProposed():
            return f"## Plan, revision {fact.revision}\n\n{_cut(fact.text, SPEECH)}"
        case e.PlanReviewed():
            said = [fact.message, *(f"On {comment.quote!r}: {comment.text}" for comment in fact.comments)]
            return "\n".join([f"({who} reviewed revision {fact.revision}: {fact.verdict})", *filter(None, said)])
        case e.QuestionAsked():
            return "\n".join(f"(the agent asked: {item.question})" for item in fact.questions)
        case e.QuestionAnswered():
            return "\n".join(f"({who} answered: {', '.join([*answer.labels, *filter(None, [answer.text])])})" for answer in fact.answers)
        case e.AgentFinished():
            return f"## Sub-agent {fact.agent_id} ended: {fact.outcome}\n\n{_cut(fact.output, SPEECH)}"
    return ""


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}\n[cut: {len(text)} characters]"
