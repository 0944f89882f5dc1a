from __future__ import annotations

import pytest

from agents.permissions import Rule, decide_command
from agents.shell.aws import AwsRisk, classify

RISKS = {
    "aws s3 ls": "read",
    "aws ec2 describe-instances --query 'Reservations[].Instances[]'": "read",
    "aws --profile p --region eu-west-1 dynamodb list-tables": "read",
    "FOO=1 aws logs filter-log-events": "read",
    "/usr/local/bin/aws s3 ls | head": "read",
    "timeout 5 aws sts get-caller-identity": "read",
    "aws configure list": "read",
    "aws s3 rm help": "mutate",
    "aws s3 help": "read",
    "aws --version": "read",
    "aws --profile p s3 rm s3://x": "mutate",
    "aws --profile=p s3 rm s3://x": "mutate",
    "cd x && aws ec2 terminate-instances --instance-ids i": "mutate",
    "sudo -u bob aws s3 cp a b": "mutate",
    "bash -c 'aws iam delete-user --user-name x'": "mutate",
    'echo "$(aws s3 rm s3://b)"': "mutate",
    "cat ids | xargs -n 1 aws ec2 stop-instances": "mutate",
    "if true; then aws lambda invoke out; fi": "mutate",
    "aws dynamodb batch-write-item": "mutate",
    "aws s3 ls; aws s3 sync a b": "mutate",
    "aws \\\n s3 mv a b": "mutate",
    "aws configure": "auth",
    "aws configure set region x": "auth",
    "aws sso login --profile p": "auth",
    "aws sso logout": "auth",
    "aws secretsmanager get-secret-value --secret-id s": "auth",
    "aws ssm get-parameter --name n --with-decryption": "auth",
    "aws sts assume-role --role-arn r": "auth",
    "aws ecr get-login-password | docker login --password-stdin": "auth",
    "aws foo frobnicate-bar": "unknown",
    "aws $SERVICE delete-all": "unknown",
    "aws": "unknown",
}


@pytest.mark.parametrize("command", RISKS)
def test_a_command_is_told_by_what_it_would_do(command: str) -> None:
    info = classify(command)
    assert info.is_aws
    assert info.risk == RISKS[command]
    assert info.reason


@pytest.mark.parametrize("command", ["ls", "myaws s3 rm x", "echo aws s3 rm x", "grep 'aws s3 rm' log", "", "cat '", "# aws s3 rm x"])
def test_what_only_looks_like_it_is_not_aws(command: str) -> None:
    assert not classify(command).is_aws


def test_service_and_operation_are_told_past_global_options() -> None:
    info = classify("aws --output json --no-cli-pager iam create-access-key --user-name x")
    assert (info.service, info.operation, info.risk) == ("iam", "create-access-key", AwsRisk.AUTH)


@pytest.mark.parametrize(
    ("command", "needed"),
    [
        ("aws sso login", True), ("aws configure", True), ("aws configure sso", True), ("aws ssm start-session --target i", True),
        ("aws configure set region x", False), ("aws configure list", False), ("aws s3 ls", False), ("aws sso logout", False),
    ],
)  # fmt: skip
def test_a_dialog_with_aws_needs_a_terminal(command: str, needed: bool) -> None:
    assert classify(command).needs_tty is needed


EVERYTHING = Rule("bash", "*", "allow")


@pytest.mark.parametrize("command", [command for command, risk in RISKS.items() if risk != "read"])
def test_a_rule_for_all_commands_does_not_cover_what_changes_aws(command: str) -> None:
    assert decide_command([EVERYTHING], "bash", command).action == "ask"


def test_reading_aws_is_covered_like_any_command() -> None:
    assert decide_command([EVERYTHING], "bash", "aws s3 ls").action == "allow"
    assert decide_command([], "bash", "aws s3 ls").action == "ask"


def test_a_rule_that_names_the_command_covers_it() -> None:
    rules = [EVERYTHING, Rule("bash", "aws s3 sync *", "allow")]
    assert decide_command(rules, "bash", "aws s3 sync a b").action == "allow"
    assert decide_command(rules, "bash", "aws s3 rm s3://b").action == "ask"
    assert decide_command([*rules, Rule("bash", "aws s3 sync * prod*", "deny")], "bash", "aws s3 sync a prod").action == "deny"
