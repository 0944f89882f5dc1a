"""Which words about a tool a model is given: by its family, tool by tool."""

from __future__ import annotations

from typing import ClassVar

import pytest
from pydantic import Field

from agents.tools.alfredo.families import ModelFamily, family_of
from agents.tools.alfredo.read_file import ReadFile
from agents.tools.alfredo.replace_in_file import FORM, ReplaceInFile
from agents.tools.alfredo.specs import ToolParameter, ToolSpec
from agents.tools.alfredo.worded import Worded
from agents.tools.registry import ALFREDO
from tests.agents.toys import toy_agent


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-4.1-mini", "openai"), ("openai/gpt-4o", "openai"), ("o3-mini", "openai"), ("gpt-oss-120b", "openai"),
        ("gpt-5", "next_gen"), ("gpt-6.1-sol", "next_gen"), ("gpt-10", "next_gen"),
        ("claude-3-5-sonnet-20241022", "anthropic"), ("anthropic/claude-3.7-sonnet", "anthropic"), ("claude-instant", "anthropic"),
        ("claude-sonnet-4-20250514", "next_gen"), ("claude-4-opus", "next_gen"), ("us.anthropic.claude-haiku-5-5-v1:0", "next_gen"),
        ("gemini-1.5-pro", "gemini"), ("gemini-2.0-flash", "gemini"), ("gemma-3", "gemini"),
        ("gemini-2.5-pro", "next_gen"), ("models/gemini-3.1-pro-preview", "next_gen"),
        ("grok-4", "next_gen"), ("grok-3", "generic"), ("llama-3.3-70b", "generic"), ("qwen3-coder", "generic"), ("", "generic"),
    ],
)  # fmt: skip
def test_the_family_follows_from_the_models_name(model: str, family: str) -> None:
    assert family_of(model) == ModelFamily(family)


class Hammer(Worded):
    """Drives nails."""

    name: ClassVar[str] = "hammer"
    description: ClassVar[str] = "Drive a nail into a wall, straight."
    variants: ClassVar[tuple[ToolSpec, ...]] = (
        ToolSpec("hammer", "hammer", "Drive a nail.", ModelFamily.NEXT_GEN, instruction="Mind your thumb."),
        ToolSpec("hammer", "hammer", "Drive a nail in.", ModelFamily.GEMINI, (ToolParameter("nail", instruction="Which.", usage="long"),)),
    )

    nail: str = Field(description="The nail.")
    blows: int = Field(3, ge=1, description="How often to strike.")
    hard: bool | None = Field(None, description="Whether with might.")


def test_a_variant_has_words_of_its_own_and_the_generic_ones_for_the_rest() -> None:
    gemini = Hammer.definition("gemini-1.5-pro")
    assert gemini.description == "Drive a nail in."
    assert gemini.parameters["properties"]["nail"] == {"type": "string", "description": "Which.", "examples": ["long"]}
    assert gemini.parameters["properties"]["blows"]["description"] == "How often to strike."
    assert Hammer.definition("gpt-5").description == "Drive a nail.\n\nMind your thumb."


def test_a_family_without_a_variant_is_told_what_every_model_is() -> None:
    assert Hammer.definition("claude-3-opus") == Hammer.definition("llama") == Hammer.definition()
    assert Hammer.spec(ModelFamily.ANTHROPIC).variant is ModelFamily.GENERIC


def test_openais_models_are_given_the_strict_form() -> None:
    strict = Hammer.definition("gpt-4.1")
    rules = strict.parameters["properties"]
    assert strict.strict
    assert strict.parameters["required"] == ["nail", "blows", "hard"]
    assert (rules["nail"]["type"], rules["blows"]["type"], rules["hard"]["type"]) == ("string", ["integer", "null"], ["boolean", "null"])
    assert "default" not in rules["blows"]
    assert Hammer.parse({"nail": "a", "blows": None, "hard": None}) == Hammer.parse({"nail": "a"})


def test_a_number_may_come_as_text_and_an_empty_text_leaves_it_out() -> None:
    assert Hammer.parse({"nail": "a", "blows": "5", "hard": "true"}).arguments() == {"nail": "a", "blows": 5, "hard": True}
    assert Hammer.parse({"nail": "", "blows": "", "hard": ""}).arguments() == {"nail": "", "blows": 3, "hard": None}


def test_what_an_agent_offers_depends_on_its_model() -> None:
    def offered(model: str) -> str:
        agent = toy_agent("/tmp", "- text: x\n")
        agent.model, agent.tools = model, {"replace_in_file": ReplaceInFile}
        return agent.offers(())[0].description

    assert len(offered("gpt-5")) < len(offered("llama-3"))


@pytest.mark.parametrize("family", ModelFamily)
def test_every_family_is_told_how_blocks_look_and_of_every_argument(family: ModelFamily) -> None:
    words = {parameter.name: parameter.told for parameter in ReplaceInFile.spec(family).parameters}
    assert FORM in words["diff"]
    for tool in ALFREDO.list():
        if issubclass(tool, Worded):
            assert [each.name for each in tool.spec(family).parameters] == list(tool.parameters()["properties"])
            assert all(each.told for each in tool.spec(family).parameters)


def test_the_newest_models_are_told_in_fewer_words() -> None:
    def length(model: str) -> int:
        return sum(len(tool.definition(model).description) for tool in ALFREDO.list())

    assert length("claude-sonnet-5-5") < length("llama-3")
    assert ReadFile.definition("gpt-5").parameters["properties"].keys() == ReadFile.definition("").parameters["properties"].keys()
