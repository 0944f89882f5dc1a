"""Tools made of a spec and a class, as teams write them for Alfredo."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import pytest

from agents.errors import InvalidArguments, ToolError, ToolUnfit
from agents.tools.alfredo.custom import BaseToolHandler, SpecRegistry
from agents.tools.alfredo.families import ModelFamily
from agents.tools.alfredo.specs import ToolParameter, ToolSpec
from agents.tools.tool import Tool, ToolResult
from tests.agents.tools.hands import Hands

PATH = ToolParameter("path", instruction="Which file.", usage="a.txt")
TIMES = ToolParameter("times", required=False, instruction="How often.", description="At most ten.", type="integer")
NAME = ToolParameter("name", required=False, instruction="Words that Python and pydantic have taken are no trouble.")
SPEC = ToolSpec("shout", "shout", "Say a file loudly.", parameters=(PATH, TIMES, NAME), instruction="Mind the neighbours.")


class Shout(BaseToolHandler):
    """Says a file loudly."""

    read_only: ClassVar[bool] = True
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    @property
    def tool_id(self) -> str:
        return "shout"

    def execute(self, params: dict[str, Any]) -> ToolResult:
        self.validate_required_param(params, "path")
        path = self.get_relative_path(params["path"])
        if params.get("name") == "nobody":
            return ToolResult.err("There is nobody. Name somebody.")
        return ToolResult.ok(f"{path}: {self.files.read(path).decode().upper() * params.get('times', 1)}")


class Whisper(BaseToolHandler):
    """Does what it does without blocking, and as it comes people are asked."""

    tool_id = "whisper"

    async def execute(self, params: dict[str, Any]) -> ToolResult:
        return ToolResult.ok(params["words"].lower(), "Whispered")


class Mute(Whisper):
    """Gives nothing."""

    def execute(self, params: dict[str, Any]) -> Any:
        return None


def made(handler: type[BaseToolHandler], *specs: ToolSpec) -> type[Tool]:
    registry = SpecRegistry()
    for spec in specs:
        registry.register_spec(spec)
    registry.register_handler(specs[0].id, handler)
    return registry.tool(handler)


WORDS = ToolSpec("whisper", "whisper", "Say softly.", parameters=(ToolParameter("words", instruction="What to say."),))


async def test_a_handler_is_called_with_the_arguments_that_were_given(hands: Hands) -> None:
    hands.put({"a.txt": "hey"})
    shout = made(Shout, SPEC)
    assert (await shout.parse({"path": "./a.txt", "times": "2"}).run(hands.context())).output == "a.txt: HEYHEY"
    assert (await shout.parse({"path": "a.txt"}).run(hands.context())).title == "shout"
    refused = await shout.parse({"path": "a.txt", "name": "nobody"}).run(hands.context())
    assert refused.error == "There is nobody. Name somebody."


async def test_a_handler_may_be_asynchronous_and_gives_a_result_in_any_case(hands: Hands) -> None:
    result = await made(Whisper, WORDS).parse({"words": "HEY"}).run(hands.context())
    assert (result.title, result.output) == ("Whispered", "hey")
    with pytest.raises(ToolError, match="gave no ToolResult"):
        await made(Mute, WORDS).parse({"words": "HEY"}).run(hands.context())


def test_what_a_model_is_told_is_the_spec() -> None:
    definition = made(Shout, SPEC).definition("llama")
    assert (definition.name, definition.description) == ("shout", "Say a file loudly.\n\nMind the neighbours.")
    assert definition.parameters["required"] == ["path"]
    assert definition.parameters["properties"] == {
        "path": {"type": "string", "description": "Which file.", "examples": ["a.txt"]},
        "times": {"type": "integer", "description": "How often.\nAt most ten."},
        "name": {"type": "string", "description": NAME.instruction},
    }


def test_a_variant_is_for_its_family_and_the_others_fall_back_tool_by_tool() -> None:
    registry = SpecRegistry()
    short = ToolSpec("shout", "shout", "Shout.", ModelFamily.OPENAI, (ToolParameter("times", False, "Count."),))
    for spec in (SPEC, short, WORDS):
        registry.register_spec(spec)
    registry.register_handler("shout", Shout)
    assert [spec.description for spec in registry.specs(ModelFamily.OPENAI)] == ["Shout.", "Say softly."]
    assert [spec.description for spec in registry.specs(ModelFamily.GEMINI)] == ["Say a file loudly.", "Say softly."]
    assert registry.spec("sing") is None
    told = registry.tool(Shout).definition("gpt-4.1")
    assert told.description == "Shout."
    assert told.parameters["properties"]["times"]["description"] == "Count."
    assert list(told.parameters["properties"]) == ["path", "times", "name"]


def test_as_it_comes_people_are_asked_and_rules_see_its_path(hands: Hands) -> None:
    whisper, shout = made(Whisper, WORDS), made(Shout, SPEC)
    assert (whisper.read_only, whisper.mutates, whisper.asks, whisper.toolsets) == (False, True, "ask", ("alfredo",))
    assert (shout.read_only, shout.mutates, shout.asks) == (True, False, "allow")
    assert shout.parse({"path": "./b/../a.txt"}).subject(hands.context()) == "a.txt"
    assert whisper.parse({"words": "x"}).subject(hands.context()) == ""


@pytest.mark.parametrize(
    ("given", "said"), [({}, "path: field required"), ({"path": "a", "times": "often"}, "times"), ({"path": "a", "x": 1}, "x")]
)
def test_wrong_arguments_are_named(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArguments, match=said):
        made(Shout, SPEC).parse(given)


async def test_a_missing_parameter_is_named_by_the_handler_too(hands: Hands) -> None:
    handler = Shout(hands.context())
    for params in ({}, {"path": ""}, {"path": None}):
        with pytest.raises(ToolError, match="Missing required parameter: path"):
            handler.validate_required_param(params, "path")
    handler.validate_required_param({"content": ""}, "content", may_be_empty=True)


def test_a_handler_without_a_spec_or_an_id_is_unfit() -> None:
    registry = SpecRegistry()
    with pytest.raises(ToolUnfit, match="register_handler"):
        registry.tool(Shout)
    registry.register_handler("shout", Shout)
    with pytest.raises(ToolUnfit, match="register_spec"):
        registry.tool(Shout)


def test_a_tool_has_one_name_for_all_models() -> None:
    with pytest.raises(ToolUnfit, match="have other names \\(yell\\)"):
        made(Shout, SPEC, ToolSpec("shout", "yell", "Yell.", ModelFamily.GEMINI))
