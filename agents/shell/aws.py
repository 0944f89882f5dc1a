"""What an `aws …` command would do, told from its words: it decides how much approval the command needs.

Reading needs no more than any command. Whatever changes something, hands out credentials, or cannot be told is asked about
every time, unless a rule names it: a rule for all commands does not cover it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from agents.shell.words import base, listed, programs


class AwsRisk(StrEnum):
    """From harmless to most in need of a person's eyes; `UNKNOWN` is treated as `MUTATE`."""

    READ = "read"
    UNKNOWN = "unknown"
    MUTATE = "mutate"
    AUTH = "auth"


@dataclass(frozen=True)
class AwsCommandInfo:
    """What was made out. `reason` is a short sentence for people; where `is_aws` is False the rest says nothing."""

    is_aws: bool
    risk: AwsRisk
    service: str | None = None
    operation: str | None = None
    needs_tty: bool = False
    reason: str = ""

    @property
    def needs_a_word(self) -> bool:
        """Whether a broad rule is not enough to run it."""
        return self.is_aws and self.risk is not AwsRisk.READ


WITH_VALUE = listed(
    "--profile --region --output --query --endpoint-url --ca-bundle --color --cli-read-timeout --cli-connect-timeout "
    "--cli-binary-format --cli-error-format"
)
"""The global options whose value is the next word."""
READING = re.compile(
    r"(?:ls|cat|head|tail|search|query|scan|help|wait|history|list-profiles)$"
    r"|(?:describe|list|get|head|search|query|scan|filter|lookup|select|batch-get|view|check|validate|preview|estimate|simulate)(?:-|$)"
)
CHANGING = re.compile(
    r"(?:rm|cp|mv|sync|mb|rb|website|deploy|invoke|package|upload|push|run)(?:-|$)"
    r"|(?:create|delete|put|update|modify|terminate|stop|start|reboot|attach|detach|associate|disassociate|add|remove|set|unset|send"
    r"|publish|execute|cancel|tag|untag|rotate|replace|accept|reject|allocate|release|purge|promote|failover|move|transfer|apply|resume"
    r"|suspend|destroy|copy|import|export|restore|reset|revoke|authorize|register|deregister|enable|disable|batch-write|batch-delete"
    r"|transact-write|schedule|disable|install|uninstall|activate|deactivate|change|admin|merge|rebuild|request|retry|subscribe"
    r"|unsubscribe|switchover|split|swap|upgrade|write)(?:-|$)"
)
CREDENTIALS = re.compile(
    r"get-secret-value|batch-get-secret-value|get-session-token|get-federation-token|assume-role.*|decrypt|get-login.*|get-token"
    r"|create-access-key|generate-db-auth-token|get-role-credentials|get-authorization-token|export-credentials|get-password-data"
    r"|update-kubeconfig|presign|create-service-specific-credential|create-login-profile|get-random-password|generate-data-key.*"
)
"""Operations that hand out credentials or what opens something, whatever their verb says."""
HARMLESS_CONFIGURE = frozenset(("list", "list-profiles"))
NOT_AWS = AwsCommandInfo(False, AwsRisk.UNKNOWN)


def classify(command: str) -> AwsCommandInfo:
    """The most serious `aws` command of the line; `is_aws` False where it has none."""
    found = [_classified(argv[1:]) for argv in programs(command) if base(argv[0]) == "aws"]
    return max(found, key=lambda info: (list(AwsRisk).index(info.risk), info.needs_tty), default=NOT_AWS)


def _classified(words: list[str]) -> AwsCommandInfo:
    named = _positional(words)
    service, operation = [*named, "", ""][:2]
    risk, reason = _risk(service, operation, words)
    return AwsCommandInfo(True, risk, service or None, operation or None, _needs_tty(service, operation, words), reason)


def _positional(words: list[str]) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(words):
        if words[at].startswith("-"):
            at += 2 if words[at] in WITH_VALUE else 1
        else:
            found.append(words[at])
            at += 1
    return found


def _risk(service: str, operation: str, words: list[str]) -> tuple[AwsRisk, str]:
    called = f"aws {service} {operation}".strip()
    if "help" in (service, operation) or words == ["--version"]:
        return AwsRisk.READ, "shows help"
    if "$" in called or not service:
        return AwsRisk.UNKNOWN, f"what {called} would do cannot be told from its words"
    if service == "configure" and operation in HARMLESS_CONFIGURE:
        return AwsRisk.READ, "lists settings"
    if {service, operation} & {"configure", "login", "logout"} or CREDENTIALS.fullmatch(operation) or "--with-decryption" in words:
        return AwsRisk.AUTH, f"{called} deals with credentials"
    if READING.match(operation):
        return AwsRisk.READ, f"{called} only reads"
    if CHANGING.match(operation):
        return AwsRisk.MUTATE, f"{called} changes something"
    return AwsRisk.UNKNOWN, f"what {called} would do is not known"


def _needs_tty(service: str, operation: str, words: list[str]) -> bool:
    if service == "configure":
        return operation in ("", "sso", "sso-session", "mfa-login")
    asked = "--cli-auto-prompt" in words or (operation == "execute-command" and "--interactive" in words)
    return asked or (service, operation) in (("sso", "login"), ("ssm", "start-session"), ("login", ""))
