"""What can go wrong inside `agents`, and who is told.

AgentError                     base; its text is a sentence a person can act on
├── ToolError                  a tool refused or failed: becomes the call's result, never leaves the loop
│   ├── InvalidArguments       the model's arguments do not fit the tool's schema
│   ├── NotText                a file is no UTF-8 text, and so cannot be shown or edited line by line
│   ├── TooLarge               a file has more bytes than are read at once
│   ├── PathRefused            a path leaves the workspace, may only be read, or is of a kind we do not touch
│   └── FetchFailed            a web server could not be asked, or gave nothing that can be used
│       └── AddressRefused     a web address is none, or leads where we do not go
├── SandboxError               the sandbox could not start a command
├── ToolUnfit                  a tool cannot join a toolset: its name is taken, or it is no tool
├── ScriptError                a scripted provider's YAML is wrong
└── UnknownFact                a log row whose type this version does not know
"""

from __future__ import annotations


class AgentError(Exception):
    """Base of the tree above."""


class ToolError(AgentError):
    """A tool refused or failed; the text is shown to the model as the call's error."""


class InvalidArguments(ToolError):
    """The arguments do not fit the schema; the text names each argument and the form it takes."""


class PathRefused(ToolError):
    """The path leaves the workspace, may only be read here, or names something tools may not touch."""


class NotText(ToolError):
    """The file's bytes are no UTF-8 text, or hold NUL."""


class TooLarge(ToolError):
    """The file has more bytes than are read at once; the text says how many may be."""


class ToolUnfit(AgentError):
    """The tool cannot join the toolset; the text says why."""


class FetchFailed(ToolError):
    """A web server could not be asked, or gave nothing that can be used; the text names it and says why."""


class AddressRefused(FetchFailed):
    """The web address is no plain one, or leads where we do not go; nothing was sent to it."""


class SandboxError(AgentError):
    """The command could not be started at all (a command that ran and failed is an `Exit`, not an error)."""


class ScriptError(AgentError):
    """The script of the scripted provider cannot be played; the text says where and why."""


class UnknownFact(AgentError):
    """The log holds a fact of a type or version this code does not know."""
