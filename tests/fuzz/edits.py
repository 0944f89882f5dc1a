"""Coverage-guided fuzzing of the hashline engine. Not part of the suite, for it needs the package atheris:

python -m tests.fuzz.edits -max_total_time=300

It ends with the input that broke something, or says how many it tried. What must hold: a script is an error, or its result is what the
naive model says; where something was mended or carried over a drift, no line outside the named ranges is lost and none is made up.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import atheris  # type: ignore[import-untyped]

with atheris.instrument_imports(include=["agents.edits"]):
    from agents.edits.hashline.blocks import finder
    from agents.edits.hashline.body import Body
    from agents.edits.hashline.recovery import EXTERNAL, Outcome, outcome
    from agents.edits.hashline.script import BARE_ROWS, parse
    from agents.edits.hashline.store import MemorySnapshots
    from agents.errors import ToolError
from tests.agents.edits.hashline import model

LINES = (
    "a", "b", "", "  c", "[x#1A2G]", "\td", "}", "  }", "});", "if (x) {", "f(", "def f():", "    pass", "# note", "1:a", "*2:b", "'", '"',
    "/*", "`", "é😀", "a\rb", "[1, 2]", "-", "+", "*** Abort", "@@ -1 +1 @@", "42", "1-2:", "insert", "replace 0", "delete 2:",
)  # fmt: skip
HEADERS = (
    "replace {a}..{b}:", "replace {a}", "delete {a}-{b}", "delete {a}", "insert before {a}:", "insert after {a}", "insert head:",
    "insert tail",
    "replace block {a}:", "delete block {a}", "insert after block {a}:",
)  # fmt: skip
PATHS = ("f.txt", "f.py", "f.ts", "f.json", "f.rb", "f.sh", "f.css", "f.go", "f.rs", "f.java", "f.cpp", "f.scss")


def one(data: bytes) -> None:
    """Make a file, a script and a drift of these bytes, and hold the engine to its word."""
    source = atheris.FuzzedDataProvider(data)
    path = PATHS[source.ConsumeIntInRange(0, len(PATHS) - 1)]
    seen = Body.of("\n".join(_lines(source)).encode()).text
    live = seen if source.ConsumeBool() else Body.of("\n".join(_lines(source)).encode()).text
    snapshots = MemorySnapshots()
    tag = snapshots.record(path, seen).tag
    body = source.ConsumeUnicodeNoSurrogates(400) if source.ConsumeProbability() < 0.2 else "\n".join(_hunks(source))
    try:
        sections = parse(script := f"[{path}#{tag}]\n{body}").sections
        if len(sections) != 1 or sections[0].path != path:
            return
        done = outcome(sections[0], live, snapshots.versions(path), finder(path))
    except ToolError:
        return
    check(seen, live, body, done, parse(script).warnings)


def _lines(source: Any) -> Iterator[str]:
    for _ in range(source.ConsumeIntInRange(0, 14)):
        at = source.ConsumeIntInRange(0, len(LINES))
        yield LINES[at] if at < len(LINES) else source.ConsumeUnicodeNoSurrogates(6).replace("\0", "")


def _hunks(source: Any) -> Iterator[str]:
    for _ in range(source.ConsumeIntInRange(1, 5)):
        first = source.ConsumeIntInRange(1, 16)
        yield HEADERS[source.ConsumeIntInRange(0, len(HEADERS) - 1)].format(a=first, b=first + source.ConsumeIntInRange(0, 4))
        yield from (line if source.ConsumeProbability() < 0.1 else f"+{line}" for line in _lines(source) if source.ConsumeBool())


def check(seen: str, live: str, body: str, done: Outcome, said: tuple[str, ...]) -> None:
    body = body.replace("\r\n", "\n")
    rows = {row for line in body.split("\n") for row in (line, line[1:], line.split(":", 1)[-1])}
    assert set(done.text.split("\n")) <= {*live.split("\n"), *rows, ""}, "a line is made up"
    if "block" in body or any(line[:1] in ("#", "[") for line in body.split("\n")):
        return  # more than the model knows
    wishes = model.read(body)
    if live == seen and not done.warnings and set(said) <= {BARE_ROWS} and not (said and ":" in body):
        assert done.text == model.done(seen, wishes), "not what the model says"
    if live == seen:
        removed = {n for wish in wishes if wish.verb in ("replace", "delete") for n in range(wish.first, wish.last + 1)}
        after = iter(done.text.split("\n"))
        assert all(line in after for n, line in enumerate(live.split("\n"), 1) if line and n not in removed), "a line is lost"
    elif EXTERNAL in done.warnings:
        theirs = [line for line in live.split("\n") if line and line not in seen.split("\n")]
        after = iter(done.text.split("\n"))
        assert all(line in after for line in theirs), "a line that somebody else wrote is lost"


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
