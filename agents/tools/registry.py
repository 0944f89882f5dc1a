"""Which tools there are: one registry for each toolset, and which tool a name means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from agents.errors import ToolError, ToolUnfit
from agents.providers.provider import ToolDefinition
from agents.tools.agent_loop.calculate import Calculate
from agents.tools.agent_loop.edit import Edit as SmallEdit
from agents.tools.agent_loop.find import Find as SmallFind
from agents.tools.agent_loop.get_current_time import GetCurrentTime
from agents.tools.agent_loop.grep import Grep as SmallGrep
from agents.tools.agent_loop.ls import Ls
from agents.tools.agent_loop.read import Read as SmallRead
from agents.tools.agent_loop.write import Write as SmallWrite
from agents.tools.alfredo.ask_followup_question import AskFollowupQuestion
from agents.tools.alfredo.attempt_completion import AttemptCompletion
from agents.tools.alfredo.execute_command import ExecuteCommand
from agents.tools.alfredo.list_code_definition_names import ListCodeDefinitionNames
from agents.tools.alfredo.list_files import ListFiles
from agents.tools.alfredo.read_file import ReadFile as AlfredoReadFile
from agents.tools.alfredo.replace_in_file import ReplaceInFile
from agents.tools.alfredo.search_files import SearchFiles
from agents.tools.alfredo.todo_lists import ReadTodoList, WriteTodoList
from agents.tools.alfredo.write_to_file import WriteToFile
from agents.tools.atloop.append_file import AppendFile
from agents.tools.atloop.edit_file import EditFile
from agents.tools.atloop.glob import Glob as AtloopGlob
from agents.tools.atloop.multi_edit_file import MultiEditFile
from agents.tools.atloop.read_file import ReadFile
from agents.tools.atloop.run import Run
from agents.tools.atloop.search import Search as AtloopSearch
from agents.tools.atloop.todos import TodoRead as AtloopTodoRead
from agents.tools.atloop.todos import TodoWrite as AtloopTodoWrite
from agents.tools.atloop.write_file import WriteFile
from agents.tools.atomic.bash import Bash as AtomicBash
from agents.tools.atomic.edit import Edit as AtomicEdit
from agents.tools.atomic.find import Find
from agents.tools.atomic.read import Read as AtomicRead
from agents.tools.atomic.search import Search
from agents.tools.atomic.write import Write as AtomicWrite
from agents.tools.oats.agents import AgentStatusTool, SpawnAgent
from agents.tools.oats.apply_patch import ApplyPatch
from agents.tools.oats.bash import Bash
from agents.tools.oats.edit import Edit
from agents.tools.oats.generate_readme import GenerateReadme
from agents.tools.oats.glob import Glob
from agents.tools.oats.grep import Grep
from agents.tools.oats.lsp import Lsp
from agents.tools.oats.mcp import McpCall, McpChain, McpDiscover, McpFanOut, McpRank
from agents.tools.oats.mcp_servers import McpServerManage, McpSession
from agents.tools.oats.memories import MemoryDelete, MemoryRead, MemoryWrite
from agents.tools.oats.multiedit import MultiEdit
from agents.tools.oats.plans import PlanEnter, PlanExit, PlanStatus
from agents.tools.oats.playwright_search import PlaywrightSearch
from agents.tools.oats.questions import AskUser, Question
from agents.tools.oats.read import Read
from agents.tools.oats.todos import TodoRead, TodoWrite
from agents.tools.oats.tool_search import ToolSearch
from agents.tools.oats.webfetch import WebFetch
from agents.tools.oats.websearch import WebSearch
from agents.tools.oats.write import Write
from agents.tools.skills import OwnReadSkillFile, ReadSkillFile, Skill
from agents.tools.tool import Tool

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ToolRegistry:
    """The tools of one toolset by name, in the order a model is told of them. No two answer to the same word."""

    def __init__(
        self, *tools: type[Tool], title: str = "", about: str = "", workflow: str = "react", rounds: int | None = None, part_of: str = ""
    ) -> None:
        self.title = title
        """Its name as people write it."""
        self.about = about
        """What sets it apart, in a line for people who choose one."""
        self.workflow = workflow
        """How its agents work where nobody chooses otherwise; see agents.workflows."""
        self.rounds = rounds
        """Replies with calls that one run may have; None: as many as any."""
        self.part_of = part_of
        """The toolset of which it is a smaller set; "" for one that stands for itself."""
        self.tools: dict[str, type[Tool]] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: type[Tool]) -> None:
        """Add a tool behind the others. Raises ToolUnfit where its name or an alias is taken or cannot be said; nothing changes then."""
        if complaint := complaint_about(tool, self.tools):
            raise ToolUnfit(complaint)
        self.tools[tool.name] = tool

    def get(self, name: str) -> type[Tool] | None:
        """The tool with this name, else the one with this alias."""
        return resolve(self.tools, name)

    def list(self) -> tuple[type[Tool], ...]:
        return tuple(self.tools.values())

    def to_definitions(self, model: str = "") -> tuple[ToolDefinition, ...]:
        """Every tool as this model is told of it."""
        return tuple(tool.definition(model) for tool in self.tools.values())

    def __contains__(self, name: str) -> bool:
        return name in self.tools

    def __iter__(self) -> Iterator[str]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)


def complaint_about(tool: type[Tool], others: Mapping[str, type[Tool]]) -> str:
    """Why this tool cannot stand beside these, "" where it can."""
    words = (tool.name, *tool.aliases)
    if odd := [word for word in words if not _NAME.fullmatch(word)]:
        return f"A tool cannot be called {odd[0]!r}: names are 1 to 64 letters, digits, _ and -."
    if len(set(words)) < len(words):
        return f"The tool {tool.name!r} has one word twice among its name and aliases."
    for other in others.values():
        if taken := next((word for word in words if word in (other.name, *other.aliases)), None):
            how = "its name" if taken == tool.name else f"its alias {taken!r}"
            whose = "is already that of another tool" if taken == other.name else f"is already an alias of {other.name!r}"
            return f"The tool {tool.name!r} cannot be added: {how} {whose}."
    return ""


def resolve(tools: Mapping[str, type[Tool]], name: str) -> type[Tool] | None:
    """The tool with this name; else the first that has it as an alias, so that an alias never hides a tool."""
    return tools.get(name) or next((tool for tool in tools.values() if name in tool.aliases), None)


def unknown(name: str, tools: Mapping[str, type[Tool]]) -> str:
    """What is said to whoever calls a tool that there is not: names much like it, and how to find the right one."""
    if not tools:
        return f"Tool not found: {name}. There are no tools here; answer in words."
    near = get_close_matches(name.lower(), tools, n=2)
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    absent = next((tool.absent for tool in tools.values() if tool.absent), "There is no tool {name!r}.").format(name=name)
    if "tool_search" in tools:
        return f"{absent}{meant} tool_search finds the tools there are."
    return f"{absent}{meant} Tools: {', '.join(tools)}."


OATS = ToolRegistry(
    Read, Write, Edit, MultiEdit, ApplyPatch,
    Bash, Glob, Grep, Lsp,
    WebFetch, WebSearch, PlaywrightSearch,
    TodoWrite, TodoRead,
    MemoryRead, MemoryWrite, MemoryDelete,
    PlanEnter, PlanExit, PlanStatus,
    Question, AskUser,
    SpawnAgent, AgentStatusTool,
    ToolSearch, GenerateReadme, Skill, ReadSkillFile,
    McpDiscover, McpCall, McpChain, McpFanOut, McpRank, McpSession, McpServerManage,
    title="OATS",
    about="Tools for every kind of work, each with arguments of its own: edits quote the text they replace.",
)  # fmt: skip

SHARED = (
    TodoWrite, TodoRead, Question, AskUser, PlanEnter, PlanExit, PlanStatus, SpawnAgent, AgentStatusTool, ToolSearch,
    MemoryRead, MemoryWrite, MemoryDelete, Lsp, WebSearch, Skill, ReadSkillFile,
    McpDiscover, McpCall, McpChain, McpFanOut, McpRank, McpSession, McpServerManage,
)  # fmt: skip
"""What every toolset has besides its own: how an agent plans, asks, remembers and delegates here does not hang on how it edits."""

ATOMIC = ToolRegistry(
    AtomicRead,
    AtomicWrite,
    AtomicEdit,
    AtomicBash,
    Find,
    Search,
    *SHARED,
    title="Atomic",
    about="Six strong tools: edits by line that cannot land on stale text, a shell with terminals and jobs, one read for everything.",
)

ATLOOP = ToolRegistry(
    ReadFile, OwnReadSkillFile, WriteFile, AppendFile, EditFile, MultiEditFile,
    AtloopGlob, Run, AtloopSearch,
    Skill, AtloopTodoRead, AtloopTodoWrite,
    *(tool for tool in SHARED if tool not in (TodoWrite, TodoRead, Skill, ReadSkillFile)),
    title="atloop",
    about="Plain files by path, edits in all or no files at once, and a shell that is judged by its stderr.",
    workflow="phased",
)  # fmt: skip

ALFREDO = ToolRegistry(
    AlfredoReadFile, WriteToFile, ReplaceInFile,
    ListFiles, SearchFiles, ListCodeDefinitionNames,
    ExecuteCommand,
    AskFollowupQuestion, AttemptCompletion, WriteTodoList, ReadTodoList,
    *(tool for tool in SHARED if tool not in (TodoWrite, TodoRead, Question, AskUser)),
    title="Alfredo",
    about="Plain words and SEARCH/REPLACE blocks, told to each family of models in its own way; the work is verified before it ends.",
    workflow="verified",
)  # fmt: skip

_SMALL = (SmallRead, SmallWrite, SmallEdit, SmallGrep, SmallFind, Ls)
ROUNDS = 8
"""Replies with calls that a run of agent_loop may have."""

AGENT_LOOP = ToolRegistry(
    Calculate, GetCurrentTime, *_SMALL, *SHARED,
    title="agent_loop",
    about="Eight small tools with plain answers, and no command line: looking, editing and calculating, in at most eight rounds.",
    rounds=ROUNDS,
)  # fmt: skip
AGENT_LOOP_V1 = ToolRegistry(title="agent_loop v1", about="No tools at all: only words.", rounds=ROUNDS, part_of="agent_loop")
AGENT_LOOP_V2 = ToolRegistry(
    Calculate, GetCurrentTime,
    title="agent_loop v2", about="Two tools to learn with: arithmetic and the time.", rounds=ROUNDS, part_of="agent_loop",
)  # fmt: skip
AGENT_LOOP_V3 = ToolRegistry(
    *_SMALL, title="agent_loop v3", about="The six file tools and nothing else.", rounds=ROUNDS, part_of="agent_loop"
)  # fmt: skip

TOOLSETS: dict[str, ToolRegistry] = {
    "oats": OATS,
    "atomic": ATOMIC,
    "atloop": ATLOOP,
    "alfredo": ALFREDO,
    "agent_loop": AGENT_LOOP,
    "agent_loop_v1": AGENT_LOOP_V1,
    "agent_loop_v2": AGENT_LOOP_V2,
    "agent_loop_v3": AGENT_LOOP_V3,
}


def toolset(name: str) -> dict[str, type[Tool]]:
    """The tools of one toolset by name; a dict of the caller's own. Raises ToolError naming the toolsets there are."""
    if name not in TOOLSETS:
        raise ToolError(f"There is no toolset {name!r}. Toolsets: {', '.join(TOOLSETS)}.")
    return dict(TOOLSETS[name].tools)


def get_tool_registry() -> ToolRegistry:
    """The registry of the default toolset, which the three functions below speak of."""
    return OATS


def register_tool(tool: type[Tool]) -> None:
    """Add a tool to the default toolset for the life of this process. Raises ToolUnfit."""
    OATS.register(tool)


def get_tool(name: str) -> type[Tool] | None:
    return OATS.get(name)


def list_tools() -> tuple[type[Tool], ...]:
    return OATS.list()
