from __future__ import annotations

import platform
import struct

import pytest

from agents.sandboxes import seccomp

pytestmark = pytest.mark.skipif(seccomp.program(()) is None, reason=f"There are no system call numbers for {platform.machine()}.")
EPERM, EAFNOSUPPORT = seccomp.REFUSE | seccomp.EPERM, seccomp.REFUSE | seccomp.EAFNOSUPPORT


def judge(program: bytes | None, number: int, first: int = 0, second: int = 0, architecture: int | None = None) -> int:
    """Run the filter on one system call the way the kernel does."""
    assert program is not None
    own, _ = seccomp.MACHINES[platform.machine()]
    data = {seccomp.NUMBER: number, seccomp.ARCHITECTURE: architecture or own, seccomp.FIRST: first, seccomp.SECOND: second}
    at, value = 0, 0
    while True:
        code, yes, no, operand = struct.unpack_from("<HBBI", program, at * 8)
        at += 1
        if code == seccomp.RETURN:
            return int(operand)
        if code == seccomp.LOAD:
            value = data[operand]
            continue
        test = {seccomp.EQUAL: value == operand, seccomp.AT_LEAST: value >= operand, seccomp.MASKED: bool(value & operand)}[code]
        at += yes if test else no


def number(call: tuple[int, int]) -> int:
    return call[seccomp.MACHINES[platform.machine()][1]]


def test_what_is_not_named_is_allowed() -> None:
    program = seccomp.program((seccomp.INTERNET,))
    named = {number(call) for call in (*seccomp.REFUSED, *seccomp.ABSENT, *seccomp.SPYING, seccomp.SOCKET)}
    assert all(judge(program, call) == seccomp.ALLOW for call in range(470) if call not in named)


def test_what_is_named_is_refused() -> None:
    program = seccomp.program(())
    assert {judge(program, number(call)) for call in (*seccomp.REFUSED, *seccomp.SPYING)} == {EPERM}
    assert {judge(program, number(call)) for call in seccomp.ABSENT} == {seccomp.REFUSE | seccomp.ENOSYS}


def test_debuggers_work_where_it_is_allowed() -> None:
    program = seccomp.program((), spying=True)
    assert {judge(program, number(call)) for call in seccomp.SPYING} == {seccomp.ALLOW}


def test_only_the_socket_families_asked_for_are_there() -> None:
    program = seccomp.program((seccomp.INTERNET, seccomp.INTERNET6))
    allowed = [family for family in range(46) if judge(program, number(seccomp.SOCKET), family) == seccomp.ALLOW]
    assert allowed == [seccomp.INTERNET, seccomp.INTERNET6]
    assert judge(seccomp.program(()), number(seccomp.SOCKET), seccomp.UNIX) == EAFNOSUPPORT


def test_new_namespaces_are_refused_and_threads_are_not() -> None:
    program = seccomp.program(())
    assert judge(program, number(seccomp.CLONE), 0x10000000 | 17) == EPERM
    assert judge(program, number(seccomp.CLONE), 0x003D0F00) == seccomp.ALLOW


def test_nothing_can_be_typed_into_a_terminal() -> None:
    program = seccomp.program(())
    assert {judge(program, number(seccomp.IOCTL), 0, request) for request in seccomp.TERMINAL_INJECTION} == {EPERM}
    assert judge(program, number(seccomp.IOCTL), 0, 0x5413) == seccomp.ALLOW


def test_calls_of_another_architecture_are_deadly() -> None:
    assert judge(seccomp.program(()), 1, architecture=0x40000003) == seccomp.KILL
