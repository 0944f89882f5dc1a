"""Schemas that strangers wrote."""

from __future__ import annotations

from typing import Any

import pytest

from agents.mcp.schemas import SchemaRefused, check_schema, complaints

NUMBERS = {
    "type": "object",
    "properties": {"n": {"type": "array", "items": {"type": "integer"}}},
    "required": ["n"],
    "additionalProperties": False,
}


def test_what_is_wrong_is_said_with_its_place() -> None:
    assert complaints(NUMBERS, {"n": [1, 2]}) == []
    assert complaints(NUMBERS, {"n": [1, "two"]}) == ["n.1: 'two' is not of type 'integer'"]
    assert complaints(NUMBERS, {}) == ["'n' is a required property"]
    assert "Additional properties are not allowed" in complaints(NUMBERS, {"n": [], "m": 1})[0]


@pytest.mark.parametrize(
    "schema",
    [{"type": "nothing"}, {"type": "array"}, {"properties": 7}, {"description": "x" * 200_000}, {"required": "n"}],
)
def test_what_is_no_schema_of_an_object_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaRefused):
        check_schema(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "https://example.org/schema.json"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"$ref": "#/$defs/0", "$defs": {str(n): {"allOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(30)} | {"30": {}}},
    ],
    ids=["itself", "elsewhere", "a circle", "doubling"],
)
def test_a_schema_that_leads_nowhere_is_refused_and_fetches_nothing(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaRefused, match="it refers to"):
        complaints(schema, {"a": 1})


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"pattern": "^(a+)+$"}}},
        {"patternProperties": {"^(a+)+$": {"type": "integer"}}, "additionalProperties": False},
        {"patternProperties": {"^(a+)+$": {"type": "integer"}}, "unevaluatedProperties": False},
    ],
)
def test_a_pattern_that_would_take_for_ever_is_left_to_the_server(schema: dict[str, Any]) -> None:
    assert complaints(schema, {"a": "a" * 60 + "!", "a" * 60 + "!": 1}) == []
