from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.shell.secrets import redact

A40 = "aB3/" * 10
SECRETS = {
    "AWS secret in ini": (f"aws_secret_access_key = {A40}", "aws_secret_access_key = [redacted]"),
    "AWS secret in shell": (f"export AWS_SECRET_ACCESS_KEY={A40}", "export AWS_SECRET_ACCESS_KEY=[redacted]"),
    "AWS secret in JSON": (f'"SecretAccessKey": "{A40}",', '"SecretAccessKey": "[redacted]",'),
    "AWS secret in escaped JSON": (rf"{{\"SecretAccessKey\": \"{A40}\"}}", r"{\"SecretAccessKey\": \"[redacted]\"}"),
    "AWS token in JSON": (f'"SessionToken":"{"t" * 100}"', '"SessionToken":"[redacted]"'),
    "GitHub": (f"git clone with ghp_{'a1' * 18}!", "git clone with [redacted]!"),
    "GitHub fine": (f"github_pat_{'a1_' * 20}", "[redacted]"),
    "GitLab": ("glpat-abcdefghij-klmnopqrs", "[redacted]"),
    "Slack": ("xoxb-123456789012-abcdefghijkl", "[redacted]"),
    "OpenAI": (f"OPENAI_API_KEY=sk-{'aB3' * 16}", "OPENAI_API_KEY=[redacted]"),
    "OpenAI project": (f"sk-proj-{'aB3_' * 12}", "[redacted]"),
    "Anthropic": (f"key: sk-ant-api03-{'aB3-' * 12}", "key: [redacted]"),
    "Google": (f"AIza{'aB3_-' * 7}", "[redacted]"),
    "Stripe": ("sk_" + "live_" + "a1" * 12, "[redacted]"),
    "npm": (f"//registry/:_authToken=npm_{'a1' * 18}", "//registry/:_authToken=[redacted]"),
    "PyPI": (f"pypi-{'AgEIcHlwaS5vcmc' * 4}", "[redacted]"),
    "JWT": (f"eyJ{'a' * 20}.eyJ{'b' * 20}.{'c' * 30}", "[redacted]"),
    "bearer": ("curl -H 'Authorization: Bearer abc.def-123456'", "curl -H 'Authorization: Bearer [redacted]'"),
    "bearer in JSON": ('"Authorization": "Bearer abcdefgh12345"', '"Authorization": "Bearer [redacted]"'),
    "password in a URL": ("postgres://user:s3cr3t@host:5432/db", "postgres://user:[redacted]@host:5432/db"),
    "private key": (
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAKCAQEAx\nabcd==\n-----END RSA PRIVATE KEY-----\nafter",
        "[redacted]\nafter",
    ),
    "private key in JSON": (
        r'"key": "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEAx\nabcd==\n-----END PRIVATE KEY-----\n"',
        r'"key": "[redacted]\n"',
    ),
    "private key cut short": ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA", "[redacted]"),
}
HARMLESS = [
    "AKIA is how they start; AKIAIOSFODNN7EXAMPLEX and xAKIAABCDEFGHIJKLMNOP are none",
    "class='sk-fading-circle-container-element' task-0123456789012345678901234567890123456789",
    'if "-----BEGIN PRIVATE KEY-----" in text: return check(text)',
    "https://host:8080/path@version and http://user@host and mail a@b:c@d",
    "aws_secret_access_key = short, SecretAccessKey = os.environ[name]",
    "commit 0123456789abcdef0123456789abcdef01234567",
    "Authorization: see the chapter on bearer tokens",
]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_taken_out_once(name: str) -> None:
    text, clean = SECRETS[name]
    assert redact(text) == (clean, 1)
    assert redact(clean) == (clean, 0)


@pytest.mark.parametrize("prefix", ["AKIA", "ASIA", "AIDA", "AROA", "AGPA", "ANPA"])
def test_an_aws_id_keeps_its_kind(prefix: str) -> None:
    assert redact(f"id={prefix}ABCDEFGHIJKLMNOP.") == (f"id={prefix}****************.", 1)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert redact(text) == (text, 0)


def test_every_secret_of_a_text_is_counted() -> None:
    text = "AKIAABCDEFGHIJKLMNOP aws_secret_access_key = " + "a" * 40 + " aws_session_token=" + "t" * 120
    clean, count = redact(text)
    assert count == 3
    assert "a" * 40 not in clean
    assert "ttt" not in clean
    assert clean.startswith("AKIA**************** ")


@pytest.mark.parametrize(
    "piece",
    ["eyJ", "sk-ant-", "://a:", "-----BEGIN PRIVATE KEY-----\n", "AKIA", "authorization: bearer ", "secret_access_key ", "xoxb-", "a: b\n"],
)
def test_time_grows_with_the_length_only(piece: str) -> None:
    """A million characters of the worst text for one pattern; anything quadratic would take an hour here."""
    text = "-----BEGIN PRIVATE KEY-----\n" + piece * (1_000_000 // len(piece))
    clean, _ = redact(text)
    assert clean.startswith(("-----BEGIN", "[redacted]"))


def test_the_documented_probe_of_redaction_holds() -> None:
    probes = json.loads((Path(__file__).parents[2] / "cases/compat-probes.json").read_text())
    probe = next(probe for probe in probes if probe.get("kind") == "aws_redact")
    text, count = redact(probe["args"]["text"])
    assert count == probe["expect"]["meta"]["num_redactions"]
    assert not [secret for secret in probe["expect"]["not_contains"] if secret in text]
