"""Tools of a team's own in Alfredo's way: a spec says what a model is told, a class with `execute` does the work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable
from dataclasses import replace
from inspect import isawaitable
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, Field, create_model

from agents.errors import ToolError, ToolUnfit
from agents.sandboxes.sandbox import Files
from agents.tools.alfredo.families import ModelFamily
from agents.tools.alfredo.specs import ToolParameter, ToolSpec
from agents.tools.alfredo.worded import Worded
from agents.tools.crashes import in_thread
from agents.tools.places import subject_path
from agents.tools.tool import ToolContext, ToolResult

KINDS: dict[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}


class BaseToolHandler(ABC):
    """Base of such classes; one is made for each call. Files and commands are reached through `context.sandbox` only.

    As it comes, people are asked about every call. `read_only` says that it changes nothing, `asks` "allow" that nobody is asked.
    """

    read_only: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "ask"
    group: ClassVar[str] = "core_tools"
    toolsets: ClassVar[tuple[str, ...]] = ("alfredo",)

    def __init__(self, context: ToolContext) -> None:
        self.context = context

    @property
    @abstractmethod
    def tool_id(self) -> str:
        """The id of the spec it belongs to."""

    @abstractmethod
    def execute(self, params: dict[str, Any]) -> ToolResult | Awaitable[ToolResult]:
        """Do it, with the arguments that were given. A plain function runs in a thread of its own, and may block."""

    def subject(self, params: dict[str, Any]) -> str:
        """What permission patterns match: the path or the command among the arguments, "" where there is neither."""
        path = params.get("path")
        return subject_path(self.context, path) if isinstance(path, str) and path else str(params.get("command", ""))

    @property
    def files(self) -> Files:
        """The workspace's files."""
        return self.context.sandbox.files

    def validate_required_param(self, params: dict[str, Any], name: str, *, may_be_empty: bool = False) -> None:
        """Raises ToolError where the argument is missing, or empty without that making sense."""
        if params.get(name) is None or (params[name] == "" and not may_be_empty):
            raise ToolError(f"Missing required parameter: {name}")

    def get_relative_path(self, path: str) -> str:
        """The path from the workspace's root. Raises PathRefused for one that leads out of it."""
        return self.files.relative(path)


class Handled(Worded):
    """Base of the tools that are made of a spec and a class."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    handler: ClassVar[type[BaseToolHandler]]

    def subject(self, context: ToolContext) -> str:
        return self.handler(context).subject(self._given())

    async def run(self, context: ToolContext) -> ToolResult:
        done = await in_thread(lambda: self.handler(context).execute(self._given()))
        result = await done if isawaitable(done) else done
        if not isinstance(result, ToolResult):
            raise ToolError(f"{self.name} is broken: its execute gave no ToolResult. Go on without it, and tell the people.")
        return result if result.title else replace(result, title=self.name)

    def _given(self) -> dict[str, Any]:
        return {name: value for name, value in self.arguments().items() if value is not None}


class SpecRegistry:
    """Specs by id and family, and the class that does the work of each id."""

    def __init__(self) -> None:
        self._specs: dict[str, dict[ModelFamily, ToolSpec]] = {}
        self._handlers: dict[str, type[BaseToolHandler]] = {}

    def register_spec(self, spec: ToolSpec) -> None:
        """Say what a family is told of a tool; what was said before of the same tool to the same family no longer holds."""
        self._specs.setdefault(spec.id, {})[spec.variant] = spec

    def register_handler(self, tool_id: str, handler: type[BaseToolHandler]) -> None:
        """Say which class does a tool's work."""
        self._handlers[tool_id] = handler

    def spec(self, tool_id: str, family: ModelFamily = ModelFamily.GENERIC) -> ToolSpec | None:
        """What this family is told of a tool: its own variant over the generic one. None for a tool nobody registered."""
        variants = self._specs.get(tool_id, {})
        generic = variants.get(ModelFamily.GENERIC) or next(iter(variants.values()), None)
        return generic and variants.get(family, generic).over(generic)

    def specs(self, family: ModelFamily = ModelFamily.GENERIC) -> tuple[ToolSpec, ...]:
        """Every tool as this family is told of it; each falls back to GENERIC by itself."""
        return tuple(spec for tool_id in self._specs if (spec := self.spec(tool_id, family)))

    def tool(self, handler: type[BaseToolHandler]) -> type[Handled]:
        """The tool that a class belongs to. Raises ToolUnfit where it was not registered, or has no spec."""
        tool_id = next((name for name, registered in self._handlers.items() if registered is handler), None)
        spec = self.spec(tool_id) if tool_id else None
        if spec is None:
            missing = "register_spec with a ToolSpec of its id" if tool_id else f'register_handler("its id", {handler.__name__})'
            raise ToolUnfit(f"Its module does not call registry.{missing}.")
        return _made(spec, tuple(self._specs[spec.id].values()), handler)


registry = SpecRegistry()
"""Where modules of teams register what they bring."""


def _made(spec: ToolSpec, variants: tuple[ToolSpec, ...], handler: type[BaseToolHandler]) -> type[Handled]:
    """The class of the tool, as if somebody had written it."""
    if others := {each.name for each in variants} - {spec.name}:
        raise ToolUnfit(f"Its variants have other names ({', '.join(sorted(others))}): a tool has one name for all models.")
    fields: dict[str, Any] = {f"argument_{number}": _field(parameter) for number, parameter in enumerate(spec.parameters)}
    made = create_model(handler.__name__, __base__=Handled, __module__=handler.__module__, __doc__=handler.__doc__, **fields)
    made.handler, made.name, made.description = handler, spec.name, spec.told
    made.variants = tuple(each for each in variants if each.variant is not ModelFamily.GENERIC)
    made.read_only, made.mutates, made.asks = handler.read_only, not handler.read_only, handler.asks
    made.group, made.toolsets = handler.group, handler.toolsets
    return made


def _field(parameter: ToolParameter) -> tuple[Any, Any]:
    """An argument under its own name, whatever words Python or pydantic have taken."""
    kind = KINDS[parameter.type]
    examples: dict[str, Any] | None = {"examples": [parameter.usage]} if parameter.usage else None
    if parameter.required:
        return kind, Field(alias=parameter.name, description=parameter.told, json_schema_extra=examples)
    return kind | None, Field(None, alias=parameter.name, description=parameter.told, json_schema_extra=examples)
