"""Which files and folders a walk passes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agents.sandboxes.files import ConfinedFiles
from agents.search.newest import Newest, newest
from agents.search.walking import Manner, Wanted, below, walk

USUAL = Manner()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    workspace = tmp_path / "workspace"
    for path in (".git/config", "a.py", "b/x.py", "b.py", "b/.hidden/y.py", "build/out.js", "node_modules/m/i.js", "z/empty.txt"):
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).touch()
    (workspace / ".gitignore").write_text("build/\n")
    return workspace


def walked(root: Path, base: str = ".", manner: Manner = USUAL) -> list[str]:
    files = ConfinedFiles(str(root), "/workspace")
    return [f"{found.path}/" if found.kind == "folder" else found.path for found in walk(files, base, manner)]


def test_a_folder_comes_before_what_it_holds_in_the_order_of_names(root: Path) -> None:
    assert walked(root) == [".gitignore", "a.py", "b/", "b/.hidden/", "b/.hidden/y.py", "b/x.py", "b.py", "z/", "z/empty.txt"]


def test_hidden_and_ignored_things_and_large_folders_are_a_matter_of_manner(root: Path) -> None:
    assert walked(root, manner=Manner(hidden=False)) == ["a.py", "b/", "b/x.py", "b.py", "z/", "z/empty.txt"]
    assert "build/out.js" in walked(root, manner=Manner(gitignore=False))
    assert "node_modules/m/i.js" in walked(root, manner=Manner(pruned=frozenset({".git"})))
    assert ".git/config" in walked(root, manner=Manner(pruned=frozenset()))


def test_rules_of_the_folders_above_hold_further_in(root: Path) -> None:
    (root / ".gitignore").write_text("x.py\n/b/z.py\n")
    (root / "b" / ".gitignore").write_text("!x.py\n")
    (root / "b/.hidden/x.py").touch()
    (root / "b/z.py").touch()
    assert walked(root, "b/.hidden") == ["b/.hidden/x.py", "b/.hidden/y.py"]
    assert walked(root, "b") == ["b/.gitignore", "b/.hidden/", "b/.hidden/x.py", "b/.hidden/y.py", "b/x.py"]


def test_a_folder_that_is_named_is_gone_into_though_it_is_ignored(root: Path) -> None:
    assert walked(root, "build") == ["build/out.js"]
    assert walked(root, "node_modules/m") == ["node_modules/m/i.js"]


def test_what_the_repository_itself_excludes_is_left_out(root: Path) -> None:
    (root / ".git/info").mkdir()
    (root / ".git/info/exclude").write_text("a.py\n")
    assert "a.py" not in walked(root)


def test_links_are_shown_but_not_followed_and_never_lead_out(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/key").touch()
    (root / "b/loop").symlink_to("..")
    (root / "b/self").symlink_to("self")
    (root / "b/out").symlink_to(tmp_path / "secret")
    (root / "b/link.py").symlink_to("x.py")
    found = walked(root, "b")
    assert "b/loop/" in found
    assert "b/link.py" in found
    assert not [path for path in found if path.startswith(("b/loop/a", "b/self", "b/out"))]


def test_what_is_no_plain_file_or_cannot_be_read_is_passed_over(root: Path) -> None:
    os.mkfifo(root / "z/pipe")
    assert "z/pipe" not in walked(root)
    assert walked(root, "gone") == []
    assert walked(root, "a.py") == []


def test_odd_names_are_walked(root: Path) -> None:
    (root / "new\nline").touch()
    Path(os.fsdecode(os.fsencode(root) + b"/z\xe4.py")).touch()
    assert {"new\nline", "z\udce4.py"} <= set(walked(root))


def test_very_deep_folders_end_somewhere(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(100):
        os.mkdir("deep" * 20, dir_fd=here)
        inner = os.open("deep" * 20, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    assert 40 < len(walked(tmp_path)) < 60


def test_a_walk_ends_before_a_folder_when_it_is_not_wanted_any_more(root: Path) -> None:
    files = ConfinedFiles(str(root), "/workspace")
    assert [found.path for found in walk(files, ".", Manner(), going=lambda: False)] == [".gitignore", "a.py", "b"]


def test_the_newest_are_kept_and_all_are_counted(root: Path) -> None:
    for number in range(50):
        (root / f"z/{number:02}.txt").touch()
        os.utime(root / f"z/{number:02}.txt", (number, number))
    files = ConfinedFiles(str(root), "/workspace")
    kept, told = Newest(3), list[str]()
    wanted = Wanted("z", lambda path: path != "empty.txt", Manner())
    assert newest(files, [wanted, wanted], kept, lambda: True, lambda found: told.append(found.path))
    assert [found.path for found in kept.found] == ["z/49.txt", "z/48.txt", "z/47.txt"]
    assert (kept.total, len(told)) == (50, 50)


def test_those_of_the_same_time_stay_in_the_order_of_paths(root: Path) -> None:
    for name in ("a", "b", "c"):
        (root / f"z/{name}").touch()
        os.utime(root / f"z/{name}", (9, 9))
    files, kept = ConfinedFiles(str(root), "/workspace"), Newest(2)
    newest(files, [Wanted("z", lambda path: len(path) == 1, Manner())], kept, lambda: True, lambda found: None)
    assert [found.path for found in kept.found] == ["z/a", "z/b"]


def test_a_folder_is_gone_through_once_for_many_patterns(root: Path) -> None:
    files = ConfinedFiles(str(root), "/workspace")
    asked: list[str] = []

    def going() -> bool:
        asked.append("")
        return True

    def wanted(end: str) -> Wanted:
        return Wanted("b", lambda path: path.endswith(end), USUAL)

    assert [found.path for found in below(files, [wanted(".py"), wanted("x.py"), wanted(".hidden")], going)] == [
        "b/.hidden", "b/.hidden/y.py", "b/x.py",
    ]  # fmt: skip
    once = len(asked)
    assert list(below(files, [wanted("none")], going)) == []
    assert len(asked) == 2 * once
