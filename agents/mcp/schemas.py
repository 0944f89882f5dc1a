"""Judging values by JSON Schemas that strangers wrote: nothing is fetched, no schema keeps the process busy for long."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, SchemaError, ValidationError
from jsonschema.validators import extend, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

SCHEMA_LIMIT = 100_000
"""Characters of one schema as JSON."""
MOST_REFERENCES = 5_000
"""References followed while one value is judged: a short schema could otherwise demand for ever."""
MOST_COMPLAINTS = 5
PATTERNS = ("pattern", "patternProperties", "unevaluatedProperties", "unevaluatedItems")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
Keyword = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]


class SchemaRefused(ValueError):
    """The schema is none, or asks too much; the text says why."""


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raises SchemaRefused where this is no JSON Schema of an object."""
    try:
        if len(json.dumps(schema)) > SCHEMA_LIMIT:
            raise SchemaRefused(f"it is longer than {SCHEMA_LIMIT} characters")
        if schema.get("type", "object") != "object":
            raise SchemaRefused("it does not describe an object")
        _class_for(schema).check_schema(schema)
    except SchemaError as wrong:
        raise SchemaRefused(_place(wrong) + wrong.message[:200]) from wrong
    except (ValueError, TypeError, RecursionError) as wrong:
        raise wrong if isinstance(wrong, SchemaRefused) else SchemaRefused(f"it cannot be read ({type(wrong).__name__})") from wrong


def complaints(schema: Mapping[str, Any], value: object) -> list[str]:
    """What is wrong with the value, a phrase each, the first few. Raises SchemaRefused where the schema itself cannot be followed.

    Patterns are left to the server: a hostile one could keep the process busy for ever.
    """
    try:
        judge = _bounded(_class_for(schema))(schema, registry=Registry())
        found: list[str] = []
        for error in judge.iter_errors(value):
            found.append(_place(error) + error.message[:200])
            if len(found) == MOST_COMPLAINTS:
                break
        return found
    except Unresolvable as lost:
        raise SchemaRefused(f"it refers to something that is not in it ({lost})") from lost
    except RecursionError as endless:
        raise SchemaRefused("it refers to itself without end") from endless


def _class_for(schema: Mapping[str, Any]) -> Any:
    return validator_for(schema, default=Draft202012Validator)


def _bounded(kind: Any) -> Any:
    followed = 0

    def counted(keyword: Keyword) -> Keyword:
        def follow(judge: Any, reference: Any, instance: Any, schema: Any) -> Iterator[ValidationError] | None:
            nonlocal followed
            followed += 1
            if followed > MOST_REFERENCES:
                raise SchemaRefused("it refers to itself too often")
            return keyword(judge, reference, instance, schema)

        return follow

    ours: dict[str, Keyword] = {name: counted(kind.VALIDATORS[name]) for name in REFERENCES if name in kind.VALIDATORS}
    extended: Any = extend  # untyped where it comes from
    ours["additionalProperties"] = _unless_by_pattern(kind.VALIDATORS["additionalProperties"])
    return extended(kind, {**ours, **dict.fromkeys(PATTERNS, _unjudged)})


def _unless_by_pattern(keyword: Keyword) -> Keyword:
    def judged(judge: Any, demand: Any, instance: Any, schema: Any) -> Iterator[ValidationError] | None:
        return None if "patternProperties" in schema else keyword(judge, demand, instance, schema)

    return judged


def _unjudged(judge: Any, demand: Any, instance: Any, schema: Any) -> None:
    return None


def _place(error: SchemaError | ValidationError) -> str:
    path = ".".join(str(step) for step in error.absolute_path)
    return f"{path}: " if path else ""
