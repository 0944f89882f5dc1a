from __future__ import annotations

import pytest

from agents.shell.terminal import needs_terminal

BY_HAND = (
    "vim a", "ls && nano x", "sudo passwd bob", "su -", "ssh host", "ssh -p 22 bob@host", "git rebase -i HEAD~2", "git add -p",
    "gh auth login", "gcloud auth application-default login", "docker login registry", "npm login", "crontab -e", "top",
    "aws sso login", "bash -c 'htop'", "env EDITOR=vi visudo", "tmux attach",
)  # fmt: skip
BY_THE_AGENT = (
    "ls", "echo vim", "git commit -m 'vim is nice'", "grep -i vi file", "ssh host ls", "ssh -T git@host", "gh auth login --with-token",
    "gh auth status", "docker login -u a --password-stdin", "top -b -n 1", "cat a | less", "python3 x.py", "emacs -batch -f x",
    "git add -A", "git stash", "crontab -l", "aws s3 ls", "vim --version", "npm install",
)  # fmt: skip


@pytest.mark.parametrize("command", BY_HAND)
def test_what_needs_a_terminal_is_known_and_says_why(command: str) -> None:
    assert needs_terminal(command)


@pytest.mark.parametrize("command", BY_THE_AGENT)
def test_what_runs_without_a_terminal_is_left_to_the_agent(command: str) -> None:
    assert needs_terminal(command) == ""
