"""What commands cannot reach at the levels that confine them. Each attack is first shown to work without a sandbox."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Exit, Level, Limits, Sandbox, SandboxWish
from tests.agents.sandboxes.conftest import working
from tests.agents.sandboxes.processes import Trace, soon

CONNECT = "import socket,sys; s=socket.socket(socket.{family}); s.settimeout(5); s.connect({address!r}); print('reached')"


async def sh(sandbox: Sandbox, line: str) -> Exit:
    return await sandbox.run(["/bin/sh", "-c", line], limits=Limits(seconds=20))


async def python(sandbox: Sandbox, code: str) -> Exit:
    return await sandbox.run(["python3", "-c", code], limits=Limits(seconds=20))


@pytest.fixture
def local(workspace: Path) -> Sandbox:
    """The same workspace without confinement, to show that an attack is one."""
    return open_sandbox(SandboxWish(str(workspace), level="local"))


@pytest.fixture
def secret(workspace: Path) -> Path:
    """A file of another project, beside the workspace."""
    secret = workspace.parent / "other project" / "secret"
    secret.parent.mkdir()
    secret.write_text("hidden")
    return secret


async def test_files_outside_cannot_be_read(strong: Sandbox, local: Sandbox, secret: Path) -> None:
    for path in (str(secret), "../other project/secret", "link", "folder/secret"):
        line = f"ln -sf '{secret}' link; ln -sfn '{secret.parent}' folder; cat '{path}'"
        assert b"hidden" in (await sh(local, line)).output
        assert b"hidden" not in (await sh(strong, line)).output


async def test_files_outside_cannot_be_changed(strong: Sandbox, secret: Path) -> None:
    for attempt in ("echo changed > '{}'", "rm -rf '{}'", "mv '{}' mine", "ln '{}' mine && echo changed > mine", "truncate -s 0 '{}'"):
        await sh(strong, attempt.format(secret))
    assert secret.read_text() == "hidden"  # noqa: ASYNC240 - it is small


@pytest.mark.parametrize("path", ["/usr/bin/intruder", "/etc/intruder", "/intruder", "/var/intruder", "/run/intruder", "/dev/intruder"])
async def test_the_system_is_read_only(strong: Sandbox, path: str) -> None:
    assert (await sh(strong, f": >> {path}")).code != 0


async def test_the_kernel_cannot_be_tuned(strong: Sandbox) -> None:
    assert (await sh(strong, ": >> /proc/sys/kernel/core_pattern")).code != 0
    assert (await sh(strong, ": >> /proc/sysrq-trigger")).code != 0


@pytest.mark.parametrize("path", ["/etc/shadow", "/etc/ssl/private", "/root/.ssh", "/var/lib", "/var/log", "/sys/fs/cgroup", "/dev/kmsg"])
async def test_private_parts_of_the_system_are_out_of_sight(strong: Sandbox, path: str) -> None:
    assert (await sh(strong, f"cat {path} 2>/dev/null; ls {path}/* 2>/dev/null")).output == b""


@pytest.fixture
def ours() -> Iterator[subprocess.Popen[bytes]]:
    """A process of ours with a key in its environment."""
    with subprocess.Popen(["sleep", "600"], env={"KEY": "sk-our-own-key"}) as ours:
        yield ours
        ours.kill()


async def test_the_environment_of_our_processes_cannot_be_read(strong: Sandbox, local: Sandbox, ours: subprocess.Popen[bytes]) -> None:
    line = f"cat /proc/{ours.pid}/environ /proc/*/environ /proc/*/task/*/environ"
    assert b"sk-our-own-key" in (await sh(local, line)).output
    assert b"sk-our-own-key" not in (await sh(strong, line)).output


async def test_our_processes_cannot_be_signalled_or_traced(strong: Sandbox, ours: subprocess.Popen[bytes]) -> None:
    await sh(strong, f"kill -9 {ours.pid}; kill -9 -1")
    await python(strong, f"import ctypes; ctypes.CDLL(None).ptrace(16, {ours.pid}, 0, 0)")
    assert (await sh(strong, f"ls -l /proc/{ours.pid}/fd /proc/{ours.pid}/cwd /proc/{ours.pid}/root/")).code != 0
    assert ours.poll() is None


async def test_commands_have_no_capabilities_and_get_none(strong: Sandbox) -> None:
    ended = await sh(strong, "grep -E 'Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs' /proc/self/status")
    assert set(ended.output.split()[1::2]) == {b"0000000000000000", b"1"}
    for attempt in ("unshare -Ur true", "unshare -n true", "mount -t tmpfs none .", "chroot . /bin/true"):
        assert (await sh(strong, attempt)).code != 0


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Path]:
    """A Unix socket of ours, such as our Redis has, in a folder that is to stay hidden."""
    path = tmp_path / "hidden" / "redis.sock"
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        yield path


@pytest.mark.parametrize("network", [False, True])
async def test_our_unix_sockets_cannot_be_reached(
    workspace: Path, strong_level: Level, local: Sandbox, listener: Path, network: bool
) -> None:
    wish = SandboxWish(str(workspace), network=network, level=strong_level, hidden=(str(listener.parent),))
    attack = CONNECT.format(family="AF_UNIX", address=str(listener))
    assert (await python(local, attack)).output == b"reached\n"
    assert b"reached" not in (await python(open_sandbox(wish), attack)).output


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has abstract sockets.")
@pytest.mark.parametrize("network", [False, True])
async def test_abstract_unix_sockets_cannot_be_reached(workspace: Path, strong_level: Level, local: Sandbox, network: bool) -> None:
    name = f"\0countersign-test-{os.getpid()}-{strong_level}-{network}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        attack = CONNECT.format(family="AF_UNIX", address=name)
        assert (await python(local, attack)).output == b"reached\n"
        strong = open_sandbox(SandboxWish(str(workspace), network=network, level=strong_level))
        assert b"reached" not in (await python(strong, attack)).output


@pytest.mark.parametrize("network", [False, True])
async def test_the_network_is_there_only_when_allowed(workspace: Path, strong_level: Level, network: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        attempt = CONNECT.format(family="AF_INET", address=server.getsockname())
        sandbox = open_sandbox(SandboxWish(str(workspace), network=network, level=strong_level))
        assert sandbox.network == network
        assert ((await python(sandbox, attempt)).output == b"reached\n") == network


async def test_datagrams_do_not_leave_without_the_network(strong: Sandbox) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.setblocking(False)
        await python(strong, f"import socket; socket.socket(2, 2).sendto(b'out', {server.getsockname()!r})")
        with pytest.raises(BlockingIOError):
            server.recv(10)


async def test_hidden_parts_of_what_is_shown_stay_hidden(workspace: Path, tmp_path: Path) -> None:
    (workspace / "keys").mkdir()
    (workspace / "keys" / "one").write_text("hidden")
    (workspace / ".env").write_text("hidden")
    hidden = (str(workspace / "keys"), str(workspace / ".env"), str(tmp_path / "none"))
    wish = SandboxWish(str(workspace), level=working("bubblewrap"), hidden=hidden)
    assert (await sh(open_sandbox(wish), "cat keys/* .env; ls keys")).output.count(b"hidden") == 0


async def test_a_workspace_within_a_hidden_folder_is_still_one(workspace: Path, strong_level: Level) -> None:
    wish = SandboxWish(str(workspace), level=strong_level, hidden=(str(workspace.parent),))
    assert (await sh(open_sandbox(wish), "echo text > file && cat file")).output == b"text\n"


@pytest.mark.parametrize(
    "line",
    [
        "git init -q . && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m one && git log --oneline",
        "python3 -c 'import subprocess, asyncio, ssl, sqlite3, tempfile; tempfile.TemporaryFile(); asyncio.run(asyncio.sleep(0))'",
        "python3 -c 'import subprocess; print(subprocess.run([\"true\"], check=True))'",
        "chmod +x file && ls -l file && cp -a file copy && mv copy moved && rm moved",
        "bash -c 'cat <(echo substituted)'",
        "find . -type f && sort /etc/passwd | head -1 && date && id && tar cf all.tar file",
        "echo text > /dev/null && head -c 8 /dev/urandom | od",
    ],
)
async def test_ordinary_work_goes_on(strong: Sandbox, line: str) -> None:
    strong.files.write("file", b"text")
    ended = await sh(strong, line)
    assert ended.code == 0, ended.output.decode()


async def test_variables_are_no_way_out(strong: Sandbox, tmp_path: Path) -> None:
    trap = f"{strong.mount}/sitecustomize.py"
    strong.files.write(trap, f"open({str(tmp_path / 'escaped')!r}, 'w')".encode())
    variables = {
        "PYTHONPATH": strong.mount,
        "PYTHONSTARTUP": trap,
        "PYTHONINSPECT": "1",
        "BASH_ENV": trap,
    }
    ended = await strong.run(["sh", "-c", "echo $LD_PRELOAD"], env={**variables, "LD_PRELOAD": f"{strong.mount}/none.so"})
    lines = ended.output.decode().splitlines()
    assert lines[-1] == f"{strong.mount}/none.so"
    assert not any("python" in line for line in lines), "our own program was told to load it"
    assert not (tmp_path / "escaped").exists()


async def test_variables_are_not_to_be_read_by_others(sandbox: Sandbox) -> None:
    trace = Trace()
    running = asyncio.create_task(
        sandbox.run(["sh", "-c", "touch here; until test -e done; do sleep 0.02; done"], env={"SECRET": trace.word})
    )
    assert await soon(Path(sandbox.root, "here").exists)
    assert trace.alive() == []
    sandbox.files.write("done", b"")
    assert (await running).code == 0
