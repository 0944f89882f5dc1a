from __future__ import annotations

import pytest

from agents.shell.leaks import leaks, rules
from agents.shell.secrets import redact

HEX, MIXED = "0a1b2c3d4e5f6978", "aZ3bY7cX1dW9eV5f"
FOUND = {
    "grafana": f"glsa_{MIXED * 2}_0a1b2c3d",
    "digitalocean": f"dop_v1_{HEX * 4}",
    "hugging face": "hf_" + "qwertyuiopasdfghjklzxcvbnmqwertyui",
    "slack app": "xapp-1-A12345-1234567890-abc123def456",
    "sendgrid": f"SG.{(MIXED * 5)[:66]}",
    "openshift": f"sha256~{(MIXED * 3)[:43]}",
    "pulumi": f"pul-{(HEX * 3)[:40]}",
    "linear": f"lin_api_{(MIXED * 3)[:40]}",
    "slack webhook": f"https://hooks.slack.com/services/{(MIXED * 3)[:44]}",
}


@pytest.mark.parametrize("name", FOUND)
def test_a_token_is_known_by_its_look(name: str) -> None:
    text = f"é before {FOUND[name]}\nafter"
    assert [text[start:end] for start, end in leaks(text)] == [FOUND[name]]
    assert redact(text) == ("é before [redacted]\nafter", 1)


@pytest.mark.parametrize(
    "text",
    [
        f"commit {(HEX * 3)[:40]}", f"sourcegraph builds commit {(HEX * 3)[:40]}", "dop_v1_ is how theirs begin", "curl -u user:password",
        'cohere_client = make_client_for("abcdefghijabcdefghijabcdefghijabcdefghij")', f"hf_{'a' * 34}",
    ],
)  # fmt: skip
def test_code_that_only_speaks_of_secrets_is_left_alone(text: str) -> None:
    assert leaks(text) == []


def test_several_are_found_in_their_order() -> None:
    one, two = FOUND["pulumi"], FOUND["digitalocean"]
    assert redact(f"{two} {one}\n{two}") == ("[redacted] [redacted]\n[redacted]", 3)


def test_the_rules_are_read() -> None:
    assert len(rules()) > 100
