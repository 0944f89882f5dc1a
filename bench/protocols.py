"""What reading a reply in a text protocol costs: one call with a long file in it, a character at a time."""

from __future__ import annotations

import statistics
import time

from agents.events import Call
from agents.protocols import PROTOCOLS
from agents.protocols.drafts import inside
from agents.protocols.listening import Listening
from agents.protocols.reader import Speech
from agents.providers.provider import ToolDefinition

SIZES = (25_000, 50_000, 100_000)
"""Characters of the file; each is twice the one before."""
ROUNDS = 5
WRITE = ToolDefinition("write", "", {"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}})
LINE = '    total = compute(value)  # <b> {it} `is` "so"\n'


def protocol_results() -> dict[str, list[float]]:
    """Median milliseconds at each size, by protocol."""
    speeches = {name: protocol.speech for name, protocol in PROTOCOLS.items() if protocol.speech is not None}
    return {name: [_median(speech, size) for size in SIZES] for name, speech in speeches.items()}


def _median(speech: Speech, size: int) -> float:
    content = (LINE * (size // len(LINE) + 1))[:size]
    arguments = f'{{"path": "part.py", "content": "{inside(content)}"}}'
    reply = speech.reply("I write it.", [Call(call_id="c", tool="write", arguments=arguments)], "continue")
    return round(statistics.median(_once(speech, reply) for _ in range(ROUNDS)), 2)


def _once(speech: Speech, reply: str) -> float:
    listening, began = Listening(speech.reader([WRITE]), "bench"), time.perf_counter()
    shown = sum(1 for letter in reply for _ in listening.text(letter)) + sum(1 for _ in listening.rest(whole=True))
    assert shown > len(reply) / 2
    return (time.perf_counter() - began) * 1000


def report_protocols(results: dict[str, list[float]]) -> None:
    print("\n" + "milliseconds (median)".ljust(34) + "".join(f"{f'{size:,} char':>15}" for size in SIZES) + f"{'growth':>9}")
    for name, row in results.items():
        print(f"{f'a reply in {name}':<34}" + "".join(f"{value:>15}" for value in row) + f"{row[-1] / row[0]:>8.2f}×")
