"""The system calls that confined commands do not get, as a BPF program for x86-64 and ARM64.

Refused are calls that reach for the kernel rather than for files (mounts, modules, keys, BPF), new namespaces, typing
into a terminal (TIOCSTI), and sockets of families that are not asked for. Everything else is left to the level.
"""

from __future__ import annotations

import platform
import struct
import sys
from collections.abc import Iterable, Sequence

LOAD, EQUAL, AT_LEAST, MASKED, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97

UNIX, INTERNET, INTERNET6, NETLINK = 1, 2, 10, 16
NAMESPACES = 0x7E020000
TERMINAL_INJECTION = (0x5412, 0x541C)
X32 = 0x40000000

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""Audit architecture, and the column of the tables below."""

SOCKET, CLONE, IOCTL = (41, 198), (56, 220), (16, 29)
SPYING = ((101, 117), (310, 270), (311, 271), (312, 272), (438, 438))
"""ptrace, process_vm_readv, process_vm_writev, kcmp, pidfd_getfd."""
ABSENT = ((435, 435), (425, 425), (426, 426), (427, 427))
"""clone3 and io_uring cannot be looked into, so they are said not to exist; callers fall back."""
REFUSED = (
    *((165, 40), (166, 39), (155, 41), (428, 428), (429, 429), (430, 430), (431, 431), (432, 432), (433, 433), (442, 442)),  # mounts
    *((272, 97), (308, 268)),  # unshare, setns
    *(
        (246, 104),
        (320, 294),
        (175, 105),
        (313, 273),
        (176, 106),
        (321, 280),
        (298, 241),
        (323, 282),
    ),  # kexec, modules, bpf, perf, userfaultfd
    *((248, 217), (249, 218), (250, 219)),  # keys
    *((169, 142), (167, 224), (168, 225), (163, 89), (179, 60), (164, 170), (227, 112), (103, 116), (170, 161), (171, 162)),  # the machine
    *((304, 265), (303, 264)),  # file handles
)

Instruction = tuple[int, int, int, int]


def program(families: Iterable[int], *, spying: bool = False) -> bytes | None:
    """The filter, or None on a machine we have no numbers for. `families` are the sockets that may be made."""
    machine = MACHINES.get(platform.machine()) if sys.platform == "linux" else None
    if machine is None:
        return None
    architecture, column = machine
    steps = [*_own_calls_only(architecture)]
    for calls, code in (((*REFUSED, *(() if spying else SPYING)), EPERM), (ABSENT, ENOSYS)):
        for call in calls:
            steps += _when(call[column], [_refuse(code)])
    steps += _when(IOCTL[column], _unless_clean(SECOND, EQUAL, TERMINAL_INJECTION))
    steps += _when(CLONE[column], _unless_clean(FIRST, MASKED, [NAMESPACES]))
    steps += _when(SOCKET[column], _only(families))
    steps.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def _own_calls_only(architecture: int) -> list[Instruction]:
    foreign: list[Instruction] = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER)]
    return [*foreign, (AT_LEAST, 0, 1, X32), _refuse(ENOSYS)]


def _when(number: int, then: Sequence[Instruction]) -> list[Instruction]:
    """`then`, for one call; it must return in the end when it loads anything."""
    return [(EQUAL, 0, len(then), number), *then]


def _unless_clean(argument: int, test: int, values: Sequence[int]) -> list[Instruction]:
    steps: list[Instruction] = [(LOAD, 0, 0, argument)]
    for value in values:
        steps += [(test, 0, 1, value), _refuse(EPERM)]
    return [*steps, (RETURN, 0, 0, ALLOW)]


def _only(families: Iterable[int]) -> list[Instruction]:
    steps: list[Instruction] = [(LOAD, 0, 0, FIRST)]
    for family in families:
        steps += [(EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW)]
    return [*steps, _refuse(EAFNOSUPPORT)]


def _refuse(code: int) -> Instruction:
    return (RETURN, 0, 0, REFUSE | code)
