"""Who may do what without asking: rules over tools and what they touch, decided by a pure function.

A rule names a tool and a pattern (both with `*` and `?` as wildcards, case counts) for the call's subject: its path,
its command. The last rule that matches wins; where none does, the tool's own default holds. A shell command is taken
apart first: it is allowed only if every simple command in it is, and denied if any of them is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from agents.shell.aws import classify

Action = Literal["allow", "ask", "deny"]
STRICTER: dict[Action, int] = {"allow": 0, "ask": 1, "deny": 2}
ALIKE = (
    ("read", "read_file", "list_code_definition_names"),
    ("write", "write_file", "write_to_file", "append_file"),
    ("edit", "edit_file", "multi_edit_file", "replace_in_file"),
    ("bash", "run", "execute_command"),
    ("glob", "find", "list_files", "ls"),
    ("grep", "search", "search_files"),
    ("todowrite", "todo_write", "write_todo_list"),
    ("todoread", "todo_read", "read_todo_list"),
    ("question", "ask_user", "ask_followup_question"),
)
"""What does the same goes by another name in each toolset. A rule that forbids one of them something, or wants it asked, means all."""


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
    """The verdict of the last rule that matches, or that wants the same of a tool like this one forbidden or asked."""
    others = {name for names in ALIKE if tool in names for name in names} - {tool}
    for rule in reversed(rules):
        meant = {other for other in others if rule.matches(other, subject)}
        if rule.matches(tool, subject) or (meant and rule.action != "allow"):
            return Verdict(rule.action, f"rule: {rule.action} {rule.tool} {rule.pattern}")
        others -= meant
    return Verdict(default, f"default of {tool}: {default}")


def barring(rules: Sequence[Rule]) -> Callable[[str, str], bool] | None:
    """A test for (tool, subject): whether a rule denies that. None where no rule denies anything."""
    if not any(rule.action == "deny" for rule in rules):
        return None
    return lambda tool, subject: decide(rules, tool, subject, "allow").action == "deny"


def decide_command(rules: Sequence[Rule], tool: str, command: str, default: Action = "ask") -> Verdict:
    """The strictest verdict over the simple commands of a shell command line.

    What the shell would compute or write (substitutions, redirections to files) cannot be matched by a pattern, so such a line is
    allowed only by a rule for everything (`*`). A deny rule also finds its command behind quotes, a path or a word like `env`;
    it is a guard rail all the same, and no wall: beside a rule that allows everything, a script can still do what it names.
    An `aws` command that does more than read is allowed only by a rule that begins with `aws`.
    """
    simple = simple_commands(command)
    if simple is None:
        parts, rough = [command], FRAGMENTS.split(command)
        rules = [rule for rule in rules if rule.pattern == "*" or rule.action == "deny"]
    else:
        parts, rough = simple or [command], simple
    named = [rule for rule in rules if rule.pattern != "*"]
    disguised = (decide(named, tool, bare(part), default) for part in rough)
    verdicts = [decide(_for_aws(rules) if classify(part).needs_a_word else rules, tool, part, default) for part in parts]
    return strictest([*verdicts, *(verdict for verdict in disguised if verdict.action == "deny")])


def _for_aws(rules: Sequence[Rule]) -> list[Rule]:
    return [rule for rule in rules if rule.action != "allow" or rule.pattern.startswith("aws ")]


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    return max(verdicts, key=lambda verdict: STRICTER[verdict.action])


TOKENS = re.compile(r"""\$['"]|'[^']*'|"(?:\\.|[^"\\])*"|\\.|&&|\|\||[;|&\n]|.""", re.DOTALL)
OPAQUE = ("<", ">", "(", ")", "'", '"', "$'", '$"')
"""Tokens behind which the words no longer show what happens; a quote alone is one that nobody closed."""
COMPUTED = re.compile(r"`|\$[({\[]")
"""Substitutions. They are looked for without regard to quotes: builtins like `test -v` compute what they are given quoted."""
QUOTING = re.compile(r"[\"'\\]")
HARMLESS = re.compile(r"(?:\d|&)?>\s*(?:&\d|/dev/null)(?=\s|$|[;|&])|<\s*/dev/null")
ASSIGNMENT = re.compile(r"^\w+(?:\[.*?\])?\+?=", re.DOTALL)
FRAGMENTS = re.compile(r"[;&|\n<>(){}`$\"']+")
LEADING = re.compile(r"(?:(?:[!{]|if|then|else|do|while|until|time|command|builtin|exec|env|nohup|sudo|\w+=\S*)\s+)*(?:[^\s/]*/)*")
BLANKS = " \t\n"


def simple_commands(command: str) -> list[str] | None:
    """The simple commands of a line, in order; None when it holds something whose effect the words do not show."""
    if "\\\n" in command or COMPUTED.search(QUOTING.sub("", command)):
        return None
    parts, current = [], ""
    for match in TOKENS.finditer(HARMLESS.sub(" ", command)):
        piece = match.group()
        if piece in OPAQUE or (piece == "#" and current[-1:] in BLANKS):
            return None
        if piece in ("&&", "||", ";", "|", "&", "\n"):
            parts.append(current.strip(BLANKS))
            current = ""
        else:
            current += piece
    parts.append(current.strip(BLANKS))
    parts = [part for part in parts if part]
    return None if any(ASSIGNMENT.match(part) for part in parts) else parts


def bare(part: str) -> str:
    """The command as the shell comes to run it: without quotes, without the folder it lies in, without words that only lead to it."""
    return LEADING.sub("", " ".join(QUOTING.sub("", part).split()), count=1)
