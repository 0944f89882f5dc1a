"""Commands that need a person at a terminal: run without one they hang or fail, so they are handed to the person."""

from __future__ import annotations

from collections.abc import Callable

from agents.shell.aws import classify
from agents.shell.words import base, listed, programs

Argv = list[str]

SCREENS = listed("vi vim nvim view nano pico emacs joe mcedit htop btop tmux screen mc nmtui whiptail dialog telnet")
"""Programs that fill a terminal, or talk to whoever sits there, whatever their arguments."""
ASKING = listed("passwd su visudo vipw chsh chfn ssh-copy-id")
SIGN_INS: dict[str, tuple[tuple[str, ...], ...]] = {
    "gh": (("auth", "login"), ("auth", "refresh")),
    "glab": (("auth", "login"),),
    "npm": (("login",), ("adduser",)),
    "yarn": (("npm", "login"), ("login",)),
    "gcloud": (("auth", "login"), ("auth", "application-default", "login"), ("init",)),
    "az": (("login",),),
    "heroku": (("login",),),
    "vercel": (("login",),),
    "firebase": (("login",),),
    "fly": (("auth", "login"),),
    "flyctl": (("auth", "login"),),
    "oc": (("login",),),
    "cf": (("login",),),
}
WITHOUT_ASKING = listed("--with-token --token -p --password --password-stdin --service-principal --identity --cred-file")
SSH_WITH_VALUE = listed("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w")


def needs_terminal(command: str) -> str:
    """Why the line needs a terminal, as the end of "It needs a terminal: …"; "" where it does not seem to."""
    if classify(command).needs_tty:
        return "the AWS sign-in or session talks to whoever runs it"
    for argv in programs(command):
        for rule in RULES:
            if why := rule(base(argv[0]), argv[1:]):
                return why
    return ""


def _screen(program: str, rest: Argv) -> str:
    if program in SCREENS and not {"--version", "--help", "-es", "--headless", "--batch"} & set(rest):
        return "" if program == "emacs" and "-batch" in rest else f"{program} fills the screen and reads keys"
    return ""


def _asking(program: str, rest: Argv) -> str:
    return f"{program} asks for a password" if program in ASKING else ""


def _signing_in(program: str, rest: Argv) -> str:
    named = tuple(word for word in rest if not word.startswith("-"))
    signs_in = any(named[: len(way)] == way for way in SIGN_INS.get(program, ()))
    asked = signs_in or (program in ("docker", "podman") and named[:1] == ("login",))
    return f"{program} signs in through a dialog" if asked and not WITHOUT_ASKING & {word.partition("=")[0] for word in rest} else ""


def _editing(program: str, rest: Argv) -> str:
    interactive = {"-i", "--interactive", "-p", "--patch"}
    if program == "git" and rest[:1] in (["rebase"], ["add"], ["checkout"], ["stash"]) and interactive & set(rest[1:]):
        return f"git {rest[0]} {next(word for word in rest if word in interactive)} is worked by hand"
    return "crontab -e opens an editor" if program == "crontab" and "-e" in rest else ""


def _watching(program: str, rest: Argv) -> str:
    batched = any(word.startswith("-") and "b" in word for word in rest)
    return "top fills the screen and never ends" if program == "top" and not batched else ""


def _remote_shell(program: str, rest: Argv) -> str:
    if program != "ssh" or {"-T", "-N", "-V", "-G", "-Q"} & set(rest):
        return ""
    return "" if _behind_options(rest) > 1 else "ssh without a command opens a shell on the other machine"


def _behind_options(rest: Argv) -> int:
    """How many words there are from the other machine's name on."""
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        at += 2 if rest[at] in SSH_WITH_VALUE else 1
    return len(rest) - at


RULES: tuple[Callable[[str, Argv], str], ...] = (_screen, _asking, _signing_in, _editing, _watching, _remote_shell)
