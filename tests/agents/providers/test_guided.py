"""Scenarios that a workflow's guidance chooses."""

from __future__ import annotations

from agents.events import Text
from agents.providers.provider import AssistantMessage, Transcript, UserMessage
from agents.providers.script import load_script
from agents.providers.scripted import ScriptedProvider
from tests.agents.providers.replies import ended

SCRIPT = """
scenarios:
  - guide: 'phase: plan'
    turns: [text: first plan, text: second plan]
  - guide: 'phase: check'
    restart: true
    turns: [text: checked, text: checked twice]
  - match: ''
    guide: 'phase: work'
    turns: [text: working, text: working on]
"""


def guided(text: str) -> UserMessage:
    return UserMessage(text, guides=True)


async def answer(provider: ScriptedProvider, transcript: Transcript, *messages: UserMessage) -> str:
    for message in messages:
        transcript.append(message)
    reply = await ended(provider, transcript)
    transcript.append(AssistantMessage(reply.parts))
    (part,) = reply.parts
    assert isinstance(part, Text)
    return part.text


async def test_guidance_goes_over_to_the_scenario_for_it_and_each_goes_on_where_it_stood() -> None:
    provider, transcript = ScriptedProvider(load_script(SCRIPT)), Transcript()
    said = [
        await answer(provider, transcript, UserMessage("Mend it"), guided("phase: plan")),
        await answer(provider, transcript, guided("phase: work")),
        await answer(provider, transcript, guided("phase: check")),
        await answer(provider, transcript),
        await answer(provider, transcript, guided("phase: plan")),
        await answer(provider, transcript, guided("phase: check")),
        await answer(provider, transcript, guided("go on")),
        await answer(provider, transcript, guided("phase: work")),
    ]
    assert said == ["first plan", "working", "checked", "checked twice", "second plan", "checked", "checked twice", "working on"]


async def test_people_never_choose_a_scenario_that_is_for_guidance_only() -> None:
    provider, transcript = ScriptedProvider(load_script(SCRIPT)), Transcript()
    assert await answer(provider, transcript, UserMessage("phase: plan")) == "working"
