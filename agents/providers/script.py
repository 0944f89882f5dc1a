"""What a script may say, and how its YAML is read. The format is described in docs/scripts.md.

Mistakes are ScriptError naming the script, the line and what was expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from uuid import uuid4

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from agents.errors import ScriptError
from agents.events import Call, Part, Reasoning, Text, Usage

FailureKind = Literal["auth", "rate_limit", "overloaded", "bad_request", "context", "timeout", "network", "malformed", "script", "other"]
Finish = Literal["stop", "calls", "length", "refused"]

ENDED = (
    "**The demo script has ended.** No model is behind this session: its replies are read from a script. "
    "For real work, add a provider key in the team's settings and choose that provider for the session."
)


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as wrong:
        raise ValueError(f"{text!r} is not a regular expression: {wrong}") from wrong
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]
"""A regular expression, searched without regard to case; its named groups become variables."""


class Line(BaseModel):
    """Base of everything here: immutable and closed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ScriptedCall(Line):
    """A tool call: `args`, or its raw JSON text, which may be malformed."""

    tool: str
    args: dict[str, Any] = {}
    raw: str | None = None
    id: str = ""

    def written(self, variables: Mapping[str, str]) -> Call:
        """The call as the model would write it; an `id` of its own where the script gives none."""
        raw = json.dumps(filled(self.args, variables), ensure_ascii=False) if self.raw is None else filled(self.raw, variables)
        return Call(call_id=filled(self.id, variables) or f"call_{uuid4().hex[:20]}", tool=self.tool, arguments=raw)


class ScriptedError(Line):
    """A failed request. With `retry_in` the turn goes on after so many seconds, else it ends here."""

    kind: FailureKind = "other"
    message: str = "The script says that this request fails."
    status: int | None = None
    retry_in: float | None = Field(default=None, ge=0)


class ScriptedPart(Line):
    """Exactly one of these happens. `cut` breaks the stream off; `hang` says nothing more until the reader gives up."""

    text: str | None = None
    reasoning: str | None = None
    call: ScriptedCall | None = None
    delay: float | None = Field(default=None, ge=0)
    error: ScriptedError | None = None
    cut: Literal[True] | None = None
    hang: Literal[True] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError(f"a part is exactly one of {', '.join(sorted(PARTS))}")
        return self

    def written(self, variables: Mapping[str, str]) -> Part:
        """What the model says here; only for a text, a reasoning or a call."""
        if self.call is not None:
            return self.call.written(variables)
        if self.reasoning is not None:
            return Reasoning(text=filled(self.reasoning, variables))
        return Text(text=filled(self.text or "", variables))


PARTS = frozenset(ScriptedPart.model_fields)


class When(Line):
    """All that is given must fit. `turn` counts the replies since the last user message, `messages` the user messages (from 1)."""

    user: Pattern | None = None
    last: Literal["user", "tool"] | None = None
    tool: Pattern | None = None
    output: Pattern | None = None
    failed: bool | None = None
    turn: int | None = None
    messages: int | None = None


class Take(Line):
    """Variables for a turn without a condition: named groups found in the last user message or the last tool output."""

    user: Pattern | None = None
    output: Pattern | None = None


class Turn(Line):
    """One reply of the model."""

    parts: tuple[ScriptedPart, ...] = Field(min_length=1)
    when: When = When()
    take: Take = Take()
    speed: float | None = Field(default=None, ge=0)
    usage: Usage | None = None
    finish: Finish | None = None
    repeat: int = Field(default=1, ge=1, le=100_000)


def _turn(value: Any) -> Any:
    if isinstance(value, list):
        return {"parts": value}
    if isinstance(value, dict) and PARTS.intersection(value):
        return {"parts": [value]}
    return value


AnyTurn = Annotated[Turn, BeforeValidator(_turn)]


class Scenario(Line):
    """What is played after a user message that `match` fits. `asides` are tried first and take no place in the order of `turns`.

    `guide` is held against what a workflow says of how to go on; a scenario with that and without `match` is played only then.
    """

    name: str = ""
    match: Pattern = ""
    guide: Pattern | None = None
    restart: bool = False
    loop: bool = False
    turns: tuple[AnyTurn, ...] = Field(min_length=1)
    asides: tuple[AnyTurn, ...] = ()

    @property
    def is_for_people(self) -> bool:
        """Whether a user message may choose it."""
        return self.guide is None or "match" in self.model_fields_set

    @cached_property
    def written_out(self) -> tuple[Turn, ...]:
        """The turns with every `repeat` counted."""
        return tuple(turn for turn in self.turns for _ in range(turn.repeat))


class Script(Line):
    """A whole script. `speed` in characters a second, 0 for all at once; `end` is said when a scenario has no turn left."""

    speed: float = Field(default=0, ge=0)
    scenarios: tuple[Scenario, ...] = Field(min_length=1)
    end: AnyTurn = Turn(parts=(ScriptedPart(text=ENDED),))


def filled(value: Any, variables: Mapping[str, str]) -> Any:
    """`{{name}}` replaced in every string; a name nobody set stays as it is, so that the mistake is seen."""
    match value:
        case str():
            return re.sub(r"\{\{(\w+)\}\}", lambda found: variables.get(found[1], found[0]), value)
        case dict():
            return {key: filled(item, variables) for key, item in value.items()}
        case list():
            return [filled(item, variables) for item in value]
    return value


def load_script(source: str) -> Script:
    """The script in this text, or in the file of this name (one line ending in .yaml or .yml). Raises ScriptError."""
    if "\n" not in source and source.endswith((".yaml", ".yml")):
        try:
            return parse_script(Path(source).read_text(encoding="utf-8"), Path(source).name)
        except (OSError, UnicodeDecodeError) as wrong:
            raise ScriptError(f"The script {source} cannot be read: {wrong}") from wrong
    return parse_script(source)


def parse_script(text: str, name: str = "script") -> Script:
    """Read YAML. A list is one scenario's turns; a mapping may have `turns` in place of `scenarios`. Raises ScriptError."""
    try:
        value, node = yaml.safe_load(text), yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as wrong:
        line = wrong.problem_mark.line + 1 if wrong.problem_mark else 1
        raise ScriptError(f"{name}, line {line}: not valid YAML: {wrong.problem}") from wrong
    except yaml.YAMLError as wrong:
        raise ScriptError(f"{name}: not valid YAML: {wrong}") from wrong
    try:
        return Script.model_validate(_whole(value))
    except ValidationError as wrong:
        raise ScriptError(_explain(wrong, node, name)) from wrong


def _whole(value: Any) -> Any:
    if isinstance(value, list):
        return {"scenarios": [{"turns": value}]}
    if isinstance(value, dict) and "scenarios" not in value:
        own = {key: value[key] for key in Scenario.model_fields if key in value}
        rest = {key: item for key, item in value.items() if key not in own}
        return {**rest, "scenarios": [own]}
    return value


def _explain(wrong: ValidationError, node: yaml.Node | None, name: str) -> str:
    errors = wrong.errors(include_url=False)
    error = next((each for each in errors if each["type"] == "extra_forbidden"), errors[0])
    steps = error["loc"][3:] if isinstance(node, yaml.SequenceNode) else error["loc"]
    message = "there is no such key here" if error["type"] == "extra_forbidden" else error["msg"].removeprefix("Value error, ")
    place = f" at `{steps[-1]}`" if steps and isinstance(steps[-1], str) else ""
    return f"{name}, line {_line(node, steps)}{place}: {message[:1].lower()}{message[1:]}"


def _line(node: yaml.Node | None, steps: Sequence[int | str]) -> int:
    """The line of the deepest node on the way; steps that only exist in our normalised form are passed over."""
    line = node.start_mark.line if node else 0
    for step in steps:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == step:
                    node, line = value, key.start_mark.line
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line
    return line + 1
