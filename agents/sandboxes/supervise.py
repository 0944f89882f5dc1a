"""The process between us and a command that runs without namespaces: it ends everything the command started.

It adopts what a command leaves behind, even across setsid and double forks, and kills it when the command ends, when
it is told to (SIGTERM) or when the process that keeps it dies. It ends the way the command ended. Imports little: every
command waits for it to start.
"""

from __future__ import annotations

import ctypes
import os
import signal

from agents.sandboxes.confine import confine
from agents.sandboxes.tree import descendants

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
NOT_CONFINED = 126
NO_START = "The sandbox could not be set up: "


def main(words: list[str]) -> None:
    """Words are: the keeper's process id, a descriptor with variables, how many rules, the rules (none: not confined), argv."""
    first = 3 + int(words[2])
    keeper, variables, rules, argv = int(words[0]), int(words[1]), words[3:first], words[first:]
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: end(kill_all()))
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != keeper:
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    child = os.fork()
    if child == 0:
        become(rules, variables, argv)
    os.close(variables)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    status = wait_for(child)
    kill_all()
    end(status)


def become(rules: list[str], variables: int, argv: list[str]) -> None:
    """Whoever gave the variables counts on nothing of ours running under them: some make programs load other code."""
    for own in (signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):  # the last two Python ignores, and what it becomes would go on so
        signal.signal(own, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    try:
        if rules:
            confine(rules)
        os.execve(argv[0], argv, os.environb | read_variables(variables))  # noqa: S606 - no shell is wanted
    except OSError as wrong:
        os.write(2, f"{NO_START}{wrong}\n".encode())
    finally:
        os._exit(NOT_CONFINED)


def read_variables(handle: int) -> dict[bytes, bytes]:
    """NAME=VALUE, each ended by a NUL."""
    with open(handle, "rb") as file:
        pairs = (entry.partition(b"=") for entry in file.read().split(b"\0") if entry)
        return {name: value for name, _, value in pairs}


def wait_for(child: int) -> int:
    while True:
        pid, status = os.wait()
        if pid == child:
            return status


def kill_all() -> int:
    """Kill whatever descends from us until nothing is left; the orphans of what is killed become ours."""
    hurry()
    while True:
        for pid in descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if not reap():
            return int(signal.SIGKILL)


def hurry() -> None:
    """Go before everyone else, if we may: among thousands that fork, we would not get the time to kill them."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except OSError:
        return  # only root may, and only root's commands are not bounded by RLIMIT_NPROC


def reap() -> bool:
    """Wait for one child to end, and take all that have; whether there was any."""
    try:
        os.wait()
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return False
    return True


def end(status: int) -> None:
    if os.WIFSIGNALED(status):
        signum = os.WTERMSIG(status)
        if signum != signal.SIGKILL:
            signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)
    os._exit(os.waitstatus_to_exitcode(status) & 255)
