"""What is said of a tool to one family of models: plain values, from which its schema and its page in the handbook are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from agents.tools.alfredo.families import ModelFamily

Kind = Literal["string", "integer", "number", "boolean"]


@dataclass(frozen=True)
class ToolParameter:
    """One argument. `instruction` says what to put there, `description` more about it, `usage` how a value may look."""

    name: str
    required: bool = True
    instruction: str = ""
    usage: str = ""
    description: str = ""
    type: Kind = "string"

    @property
    def told(self) -> str:
        return "\n".join(part for part in (self.instruction, self.description) if part)


@dataclass(frozen=True)
class ToolSpec:
    """A tool as one family of models is told of it. `instruction` comes behind the description.

    Every family is told of the same arguments: a variant rewords those that it lists, and leaves the others as GENERIC has them.
    """

    id: str
    name: str
    description: str
    variant: ModelFamily = ModelFamily.GENERIC
    parameters: Sequence[ToolParameter] = ()
    instruction: str = ""

    @property
    def told(self) -> str:
        return "\n\n".join(part for part in (self.description, self.instruction) if part)

    def over(self, generic: ToolSpec) -> ToolSpec:
        """This variant with the generic words where it has none of its own."""
        own = {parameter.name: parameter for parameter in self.parameters}
        return replace(self, parameters=tuple(own.get(each.name, each) for each in generic.parameters))


def worded(schema: dict[str, Any], spec: ToolSpec) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments with the spec's words in it."""
    words = {parameter.name: parameter for parameter in spec.parameters}
    rules = {name: _worded(rule, words.get(name)) for name, rule in schema["properties"].items()}
    return {**schema, "properties": rules}


def _worded(rule: dict[str, Any], parameter: ToolParameter | None) -> dict[str, Any]:
    if parameter is None:
        return rule
    return rule | ({"description": parameter.told} if parameter.told else {}) | ({"examples": [parameter.usage]} if parameter.usage else {})


def strictly(schema: dict[str, Any]) -> dict[str, Any]:
    """The form in which every argument has to be given: what may be left out is null instead."""
    required = schema.get("required", [])
    rules = {name: rule if name in required else _nullable(rule) for name, rule in schema["properties"].items()}
    plain = {name: {key: value for key, value in rule.items() if key not in ("default", "examples")} for name, rule in rules.items()}
    return {**schema, "properties": plain, "required": list(plain), "additionalProperties": False}


def _nullable(rule: dict[str, Any]) -> dict[str, Any]:
    choices = {"enum": [*rule["enum"], None]} if "enum" in rule else {}
    return {**rule, "type": [rule["type"], "null"], **choices}
