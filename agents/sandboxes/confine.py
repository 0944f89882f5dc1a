"""Giving up rights for good by Landlock, seccomp and capabilities; runs in the child that becomes a command, so it imports little.

A rule is a word: `read:PATH`, `write:PATH` and `use:PATH` (a device) open a part of the file system, `filter:HEX` is a
seccomp program, `no-tcp` closes TCP. Whatever no rule opens is closed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ONLY_VERSION, PATH_BENEATH = 1, 1
OLDEST = 3

EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE, DEVICE_IOCTL = 1 << 13, 1 << 14, 1 << 15
FIRST_RIGHTS = (1 << 13) - 1
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_IOCTL
TCP, FOREIGN_SIGNALS_AND_SOCKETS = 3, 3

PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, CLEAR_ALL = 22, 24, 38, 47, 4
FILTER = 2
CAPABILITIES_3, LAST_CAPABILITY = 0x20080522, 63

libc = ctypes.CDLL(None, use_errno=True)


def confine(rules: list[str]) -> None:
    """Confine this process and all it will start. Raises OSError where the kernel will not."""
    _restrict([rule.partition(":") for rule in rules], "no-tcp" in rules)
    _drop_capabilities()
    for rule in rules:
        if rule.startswith("filter:"):
            _filter(bytes.fromhex(rule[7:]))


def _restrict(rules: list[tuple[str, str, str]], no_tcp: bool) -> None:
    version = _checked(libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ONLY_VERSION))
    if version < OLDEST:
        raise OSError(errno.ENOSYS, f"Landlock {version} is too old: it cannot keep other files from being truncated")
    handled = _rights(version)
    ruleset = _ruleset(version, handled, no_tcp)
    opened = {"read": EXECUTE | READ_FILE | READ_FOLDER, "write": handled, "use": (READ_FILE | WRITE_FILE | DEVICE_IOCTL) & handled}
    for kind, _, path in rules:
        if kind in opened:
            _open_up(ruleset, path, opened[kind], os.O_NOFOLLOW if kind == "write" else 0)
    _checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _checked(libc.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _rights(version: int) -> int:
    """All rights over files that this version of Landlock knows."""
    return FIRST_RIGHTS | REFER | TRUNCATE | (DEVICE_IOCTL if version >= 5 else 0)


def _ruleset(version: int, handled: int, no_tcp: bool) -> int:
    fields = [handled]
    if version >= 4:
        fields.append(TCP if no_tcp else 0)
    if version >= 6:
        fields.append(FOREIGN_SIGNALS_AND_SOCKETS)
    attributes = (ctypes.c_uint64 * len(fields))(*fields)
    return _checked(libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(ctypes.sizeof(attributes)), 0))


def _open_up(ruleset: int, path: str, rights: int, flags: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC | flags)  # a link put where commands may write would lead anywhere
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= ON_FILES
        rule = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
        _checked(libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0))
    finally:
        os.close(place)


def _drop_capabilities() -> None:
    """A root without capabilities is a user like any other, and stays one across exec."""
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)  # refused to those who have none to lose
    libc.prctl(PR_CAP_AMBIENT, CLEAR_ALL, 0, 0, 0)
    _checked(libc.capset((ctypes.c_uint32 * 2)(CAPABILITIES_3, 0), (ctypes.c_uint32 * 6)()))


def _filter(program: bytes) -> None:
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]

    _checked(libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(Program(len(program) // 8, program)), 0, 0))


def _checked(returned: int) -> int:
    if returned < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return returned
