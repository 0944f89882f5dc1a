"""When a conversation nears the model's context limit: a summary takes the place of its older part.

The summary is a fact and the log keeps everything; only what the model is sent grows shorter. It is also the one time that
a request is not the prefix of the next.
"""

from __future__ import annotations

import uuid
from contextlib import aclosing
from pathlib import Path

from agents import events as e
from agents.agent import Agent
from agents.history import History
from agents.ports import Recorder
from agents.providers.provider import Ended, Failed, Prompt, Transcript, UserMessage

FULL = 0.8
"""The share of the context window that may be used before a summary is made."""
KEEP = 8
"""How many of the newest messages stay as they are."""
INSTRUCTIONS = (Path(__file__).parent / "prompts" / "compaction.md").read_text()


def is_full(agent: Agent, history: History) -> bool:
    return history.context_tokens > agent.provider.context_window * FULL


async def compact(agent: Agent, history: History, recorder: Recorder) -> bool:
    """Summarize all but the newest messages. False, and nothing kept but the failure, when there is nothing to gain or the model fails."""
    cut = _cut(history)
    if cut is None:
        return False
    upto, count = cut
    tokens = history.context_tokens
    transcript = Transcript([*history.transcript.messages[:count], UserMessage(INSTRUCTIONS)])
    end = await _summarize(agent, Prompt(agent.model, agent.system, transcript, agent.offers(history.loaded)))
    if isinstance(end, Failed):
        await recorder.keep(e.NoticeGiven(level="warning", text=f"The conversation could not be summarized: {end.message}"))
        return False
    summary = "\n".join(part.text for part in end.parts if isinstance(part, e.Text)).strip()
    if not summary:
        return False
    await recorder.keep(e.HistoryCompacted(summary=summary, upto=upto, tokens_before=tokens, usage=end.usage))
    return True


def _cut(history: History) -> tuple[int, int] | None:
    total = len(history.transcript.messages)
    fitting = [(seq, count) for seq, count in history.cuts if 1 < count <= max(total - KEEP, total // 2)]
    return fitting[-1] if fitting else None


async def _summarize(agent: Agent, prompt: Prompt) -> Ended | Failed:
    last: Ended | Failed = Failed("other", f"the model gave no answer ({uuid.uuid4().hex[:8]})")
    async with aclosing(agent.provider.ask(prompt)) as deltas:
        async for delta in deltas:
            if isinstance(delta, Ended | Failed):
                last = delta
    return last
