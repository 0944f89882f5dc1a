"""Who may do what without asking: rules over tools and what they touch, decided by a pure function.

A rule names a tool and a pattern (both with `*` and `?` as wildcards, case counts) for the call's subject: its path,
its command. The last rule that matches wins; where none does, the tool's own default holds. A shell command is taken
apart first: it is allowed only if every simple command in it is, and denied if any of them is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

Action = Literal["allow", "ask", "deny"]
STRICTER: dict[Action, int] = {"allow": 0, "ask": 1, "deny": 2}


@dataclass(frozen=True)
class Rule:
    """`tool` and `pattern` are globs; `*` matches everything, slashes and blanks included."""

    tool: str
    pattern: str
    action: Action

    def matches(self, tool: str, subject: str) -> bool:
        return fnmatchcase(tool, self.tool) and fnmatchcase(subject, self.pattern)


@dataclass(frozen=True)
class Verdict:
    """What to do with a call, and the sentence that says why."""

    action: Action
    reason: str


def decide(rules: Sequence[Rule], tool: str, subject: str, default: Action = "ask") -> Verdict:
    """The verdict of the last rule that matches."""
    for rule in reversed(rules):
        if rule.matches(tool, subject):
            return Verdict(rule.action, f"rule: {rule.action} {rule.tool} {rule.pattern}")
    return Verdict(default, f"default of {tool}: {default}")


def decide_command(rules: Sequence[Rule], tool: str, command: str, default: Action = "ask") -> Verdict:
    """The strictest verdict over the simple commands of a shell command line.

    What the shell would compute or write (substitutions, redirections to files) cannot be matched by a pattern, so such a line is
    allowed only by a rule for everything (`*`).
    """
    whole = decide([rule for rule in rules if rule.pattern == "*" or rule.action == "deny"], tool, command, default)
    simple = simple_commands(command)
    if simple is None:
        return whole
    return strictest([decide(rules, tool, part, default) for part in simple] or [whole])


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    return max(verdicts, key=lambda verdict: STRICTER[verdict.action])


TOKENS = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.|&&|\|\||[;|&\n]|[<>`]|\$\(|\$\{|.""", re.DOTALL)
OPAQUE = ("`", "$(", "${", "<", ">")
HARMLESS = re.compile(r"(?:\d|&)?>\s*(?:&\d|/dev/null)(?=\s|$|[;|&])|<\s*/dev/null")
ASSIGNMENT = re.compile(r"^\w+=")


def simple_commands(command: str) -> list[str] | None:
    """The simple commands of a line, in order; None when it holds something whose effect the words do not show."""
    parts, current = [], ""
    for match in TOKENS.finditer(HARMLESS.sub(" ", command)):
        token = match.group()
        if token in OPAQUE or (token[0] == '"' and ("`" in token or "$(" in token)):
            return None
        if token in ("&&", "||", ";", "|", "&", "\n"):
            parts.append(current.strip())
            current = ""
        else:
            current += token
    parts.append(current.strip())
    parts = [part for part in parts if part]
    return None if any(ASSIGNMENT.match(part) for part in parts) else parts
