"""Whether what a JSON reply says is a reply in the protocol's form. What is not is refused with a reason that a model can act on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sized
from typing import Any

from agents.protocols.reader import StopReason, Unreadable
from agents.protocols.sections import Section, marker

STOP_REASONS: tuple[StopReason, ...] = ("continue", "done", "fail")
_AROUND = 30
MOST_NAMED = 10
"""Times that one section can be named: each time its whole content becomes an argument."""


def parsed(text: str) -> dict[str, Any]:
    """The reply's object. Raises Unreadable."""
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as wrong:
        near = text[max(0, wrong.pos - _AROUND) : wrong.pos + _AROUND]
        raise Unreadable(f"The JSON object is not valid: {_reason(wrong)}, near `{near}`.") from wrong
    except (ValueError, RecursionError) as wrong:
        raise Unreadable(f"The JSON object cannot be read: {wrong}.") from wrong
    if not isinstance(value, dict):
        raise Unreadable("The reply must be a JSON object.")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
    if twice:
        raise Unreadable(f'The key "{twice[0]}" is given twice in one object.')
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise Unreadable(f"{name} is no JSON number.")


def _reason(wrong: json.JSONDecodeError) -> str:
    if "escape" in wrong.msg:
        return "a backslash in a string begins no escape; write it as \\\\"
    return wrong.msg[:1].lower() + wrong.msg[1:]


def judged(value: Mapping[str, Any]) -> StopReason:
    """Whether the object has the form; what it says of the task. Raises Unreadable."""
    if "actions" not in value and ("tool" in value or "args" in value):
        raise Unreadable('An action stands alone: put it into the list "actions".')
    actions = value.get("actions", [])
    if not isinstance(actions, list):
        raise Unreadable('"actions" must be a list.')
    for number, action in enumerate(actions, 1):
        _judge(number, action)
    for key in ("thought_summary", "result_message"):
        if not isinstance(value.get(key, ""), str):
            raise Unreadable(f'"{key}" must be text.')
    plan = value.get("plan", [])
    if not isinstance(plan, str) and not (isinstance(plan, list) and all(isinstance(item, str) for item in plan)):
        raise Unreadable('"plan" must be a list of texts.')
    return _stop_reason(value.get("stop_reason"), bool(actions))


def _judge(number: int, action: Any) -> None:
    if not isinstance(action, dict):
        raise Unreadable(f'Action {number} must be an object with "tool" and "args".')
    tool = action.get("tool")
    if not isinstance(tool, str) or not tool.strip():
        raise Unreadable(f'Action {number} must name its tool: "tool": "…".')
    if not isinstance(action.get("args", {}), dict):
        raise Unreadable(f'"args" of action {number} ({tool}) must be an object.')
    others = sorted(set(action) - {"tool", "args"})
    if others and "args" not in action:
        raise Unreadable(f'Action {number} ({tool}) has no "args", but "{others[0]}": its arguments go into "args".')


def _stop_reason(given: Any, acts: bool) -> StopReason:
    if given is None and acts:
        return "continue"
    if given is None:
        raise Unreadable('The reply has no actions and no "stop_reason". Say "continue", "done" or "fail".')
    reason = next((known for known in STOP_REASONS if known == given), None)
    if reason is None:
        raise Unreadable(f'"stop_reason" must be one of "continue", "done" and "fail"; it is {json.dumps(given, ensure_ascii=False)[:80]}.')
    if reason == "continue" and not acts:
        raise Unreadable('"stop_reason": "continue" goes with at least one action. If there is nothing to call now, say "done".')
    return reason


def judge_sections(named: Mapping[int, Sized], sections: Iterable[Section], stray: str) -> None:
    """Whether every section that actions name is there once, whole, and no other. Raises Unreadable."""
    bodies: dict[int, str] = {}
    for section in sections:
        number, body = section.number, section.body
        if number not in named:
            raise Unreadable(f'No action names the section {marker(number)}: an argument must be exactly "FILE_CONTENT_#{number}".')
        if bodies.get(number, body) != body:
            raise Unreadable(f"The section {marker(number)} is there twice, with different contents. No line of a content can be a marker.")
        bodies[number] = body
    missing = sorted(set(named) - set(bodies))
    if missing:
        raise Unreadable(f"The section {marker(missing[0])}, which an action names, is missing behind the JSON object.")
    often = [number for number, by in named.items() if len(by) > MOST_NAMED]
    if often:
        raise Unreadable(f"The section {marker(often[0])} is named {len(named[often[0]])} times; one can be named {MOST_NAMED} times.")
    empty = [number for number, body in bodies.items() if not body]
    if empty:
        raise Unreadable(f'The section {marker(empty[0])} is empty. Where a content is really to be empty, write "" in the JSON.')
    if bodies and stray:
        raise Unreadable(f"There is text behind a section that was closed: `{stray[:_AROUND]}`. A content stands between its markers.")
