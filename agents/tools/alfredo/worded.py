"""What all of Alfredo's tools have in common: each is told to a model in the words of its family."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from agents.providers.provider import ToolDefinition
from agents.tools.alfredo.families import ModelFamily, family_of
from agents.tools.alfredo.specs import ToolParameter, ToolSpec, strictly, worded
from agents.tools.tool import Tool


class Worded(Tool):
    """Base of those tools. What the class itself says is for every model; `variants` are other words for single families.

    OpenAI's models are given the strict form of the schema, in which they leave nothing out by mistake.
    """

    always_load: ClassVar[bool] = True
    variants: ClassVar[tuple[ToolSpec, ...]] = ()

    @classmethod
    def parse(cls, arguments: dict[str, Any]) -> Self:
        """As every tool; but where a number or a switch may be left out, an empty text leaves it out."""
        schema = cls.parameters()
        may_be_empty = {*schema.get("required", ()), *(name for name, rule in schema["properties"].items() if rule.get("type") == "string")}
        return super().parse({name: value for name, value in arguments.items() if value != "" or name in may_be_empty})

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """What may be left out is told by its kind alone."""
        schema = super().parameters()
        return {**schema, "properties": {name: _plain(rule) for name, rule in schema["properties"].items()}}

    @classmethod
    def spec(cls, family: ModelFamily = ModelFamily.GENERIC) -> ToolSpec:
        """What this family is told; a family without a variant, what every model is."""
        generic = cls._generic()
        return next((variant.over(generic) for variant in cls.variants if variant.variant is family), generic)

    @classmethod
    def definition(cls, model: str = "") -> ToolDefinition:
        family = family_of(model)
        spec = cls.spec(family)
        schema, strict = worded(cls.parameters(), spec), family is ModelFamily.OPENAI
        return ToolDefinition(cls.name, spec.told, strictly(schema) if strict else schema, strict)

    @classmethod
    def _generic(cls) -> ToolSpec:
        schema = cls.parameters()
        required = schema.get("required", ())
        parameters = (
            ToolParameter(name, name in required, rule.get("description", ""), type=rule["type"])
            for name, rule in schema["properties"].items()
        )
        return ToolSpec(cls.name, cls.name, cls.description, parameters=tuple(parameters))


def _plain(rule: dict[str, Any]) -> dict[str, Any]:
    """A rule without the null that stands for nothing."""
    kinds = [kind for kind in rule.get("anyOf", ()) if kind.get("type") != "null"]
    if len(kinds) != 1:
        return rule
    rest = {key: value for key, value in rule.items() if key not in ("anyOf", "default") or (key == "default" and value is not None)}
    return {**kinds[0], **rest}
