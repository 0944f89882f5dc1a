"""Landing a worktree: merged with the workspace as it is, all files or none, and nothing lost."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import hypothesis.strategies as st
import pytest

from tests.workspace.projects.trees import by_hand, contents, land, landed, refused
from workspace.errors import Conflict, Unavailable
from workspace.ids import new_id
from workspace.projects import git, landing, worktrees
from workspace.projects.models import Project


def test_landing_merges_with_what_was_done_in_the_workspace_meanwhile(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "shelf.py").write_text("one\ntwo\nthree\nfour\n")
    (place.root / "shelf.py").write_text("zero\none\ntwo\nthree\n")
    (place.root / "mine.py").write_text("mine\n")
    assert landed(place, made) == {"shelf.py": "modified"}
    assert (place.root / "shelf.py").read_text() == "zero\none\ntwo\nthree\nfour\n"
    assert (place.root / "mine.py").read_text() == "mine\n"


def test_landing_stages_and_commits_nothing(place: Project, made: worktrees.Worktree) -> None:
    (place.root / "staged.py").write_text("staged\n")
    by_hand(place.root, "add", "staged.py")
    head = by_hand(place.root, "rev-parse", "HEAD")
    (made.path / "shelf.py").write_text("changed\n")
    (made.path / "new.py").write_text("new\n")
    by_hand(made.path, "add", "--all")
    by_hand(made.path, "commit", "-qm", "Mine")
    landed(place, made)
    assert by_hand(place.root, "rev-parse", "HEAD") == head
    assert by_hand(place.root, "status", "--porcelain").splitlines() == [" M shelf.py", "A  staged.py", "?? new.py"]


def test_files_of_every_kind_land(place: Project) -> None:
    (place.root / "long.txt").write_text("".join(f"line {n}\n" for n in range(50)))
    (place.root / "folder").mkdir()
    (place.root / "folder" / "inner.txt").write_text("inner\n")
    (place.root / "becomes").write_text("a file\n")
    (place.root / "run.sh").write_text("true\n")
    made = worktrees.make(place, new_id())
    (made.path / "logo.png").write_bytes(b"\x89PNG\0\1\2")
    (made.path / "long.txt").rename(made.path / "longer.txt")
    (made.path / "run.sh").chmod(0o755)
    (made.path / "folder" / "inner.txt").unlink()
    (made.path / "folder").rmdir()
    (made.path / "folder").write_text("a file now\n")
    (made.path / "becomes").unlink()
    (made.path / "becomes").mkdir()
    (made.path / "becomes" / "folder.txt").write_text("in it\n")
    (made.path / "link").symlink_to("shelf.py")
    for name in ("-q", "with space", "tab\tand\nline", "ümlaut.txt", 'quo"te', "~", ":x", "[a]*?"):
        (made.path / name).write_text(name)
    wanted = contents(made.path)
    landed(place, made)
    assert contents(place.root) == wanted
    assert os.access(place.root / "run.sh", os.X_OK)
    assert (place.root / "link").is_symlink()


def test_names_that_are_no_text_land(place: Project, made: worktrees.Worktree) -> None:
    name = os.fsdecode(b"caf\xe9")
    (made.path / name).write_text("coffee")
    landed(place, made)
    assert (place.root / name).read_text() == "coffee"


def test_a_folder_named_like_a_home_lands(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "~").mkdir()
    (made.path / "~" / "x").write_text("x")
    landed(place, made)
    assert (place.root / "~" / "x").read_text() == "x"


def test_folders_that_landing_empties_go_and_others_stay(place: Project) -> None:
    for name in ("a/b/one.txt", "c/two.txt", "c/noise.log"):
        (place.root / name).parent.mkdir(parents=True, exist_ok=True)
        (place.root / name).write_text("x\n")
    made = worktrees.make(place, new_id())
    (made.path / "a/b/one.txt").unlink()
    (made.path / "c/two.txt").unlink()
    landed(place, made)
    assert not (place.root / "a").exists()
    assert (place.root / "c/noise.log").exists()


def test_both_sides_doing_the_same_is_no_conflict(place: Project, made: worktrees.Worktree) -> None:
    for root in (place.root, made.path):
        (root / "shelf.py").write_text("same\n")
        (root / "logo.png").unlink()
    assert landed(place, made) == {}


def test_a_file_that_moved_in_the_workspace_takes_the_change_along(place: Project) -> None:
    (place.root / "long.txt").write_text("".join(f"line {n}\n" for n in range(50)))
    made = worktrees.make(place, new_id())
    (place.root / "long.txt").rename(place.root / "moved.txt")
    (made.path / "long.txt").write_text("".join(f"line {n}\n" for n in range(51)))
    assert landed(place, made) == {"moved.txt": "modified"}
    assert "line 50" in (place.root / "moved.txt").read_text()


def test_the_same_line_changed_twice_is_a_conflict(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "shelf.py").write_text("one\nhers\nthree\n")
    (made.path / "other.py").write_text("fine\n")
    (place.root / "shelf.py").write_text("one\nmine\nthree\n")
    assert "shelf.py" in refused(place, made)


def test_a_change_to_what_the_workspace_deleted_is_a_conflict(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "logo.png").write_bytes(b"\0new")
    (place.root / "logo.png").unlink()
    assert "logo.png" in refused(place, made)


def test_a_binary_file_changed_twice_is_a_conflict(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "logo.png").write_bytes(b"\0hers")
    (place.root / "logo.png").write_bytes(b"\0mine")
    assert "logo.png" in refused(place, made)


def test_an_ignored_file_is_never_overwritten(place: Project, made: worktrees.Worktree) -> None:
    (place.root / "secret.log").write_text("mine, and ignored\n")
    (made.path / ".gitignore").write_text("")
    (made.path / "secret.log").write_text("hers\n")
    assert "secret.log" in refused(place, made)


def test_an_ignored_folder_is_never_replaced_by_a_file(place: Project, made: worktrees.Worktree) -> None:
    (place.root / "build").mkdir()
    (place.root / "build" / "noise.log").write_text("mine\n")
    (made.path / "build").write_text("a file\n")
    assert "build" in refused(place, made)


def test_nothing_lands_through_a_link(place: Project, tmp_path: Path) -> None:
    (place.root / ".gitignore").write_text("out\n")
    made = worktrees.make(place, new_id())
    (tmp_path / "outside").mkdir()
    (place.root / "out").symlink_to(tmp_path / "outside")
    (made.path / ".gitignore").write_text("")
    (made.path / "out").mkdir()
    (made.path / "out" / "file").write_text("x")
    assert "out/file" in refused(place, made)
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_file_too_large_to_be_merged_is_named(place: Project, made: worktrees.Worktree) -> None:
    with (made.path / "huge.bin").open("wb") as huge:
        huge.truncate(git.FILE_LIMIT + 1)
    assert [change.path for change in worktrees.changes(place, made.path.name, made.base)] == ["huge.bin"]
    assert "huge.bin" in refused(place, made)


def test_a_large_file_that_nobody_touched_is_in_nobodys_way(place: Project) -> None:
    with (place.root / "huge.bin").open("wb") as huge:
        huge.truncate(git.FILE_LIMIT + 1)
    by_hand(place.root, "add", "huge.bin")
    by_hand(place.root, "commit", "-qm", "Keep it")
    made = worktrees.make(place, new_id())
    assert (made.path / "huge.bin").stat().st_size == git.FILE_LIMIT + 1
    assert worktrees.changes(place, made.path.name, made.base) == ()
    (made.path / "shelf.py").write_text("changed\n")
    assert landed(place, made) == {"shelf.py": "modified"}


def test_a_file_that_grew_too_large_in_the_workspace_is_not_overwritten(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "logo.png").write_bytes(b"\0hers")
    with (place.root / "logo.png").open("ab") as huge:
        huge.truncate(git.FILE_LIMIT + 1)
    with pytest.raises(Conflict, match=r"logo\.png"):
        land(place, made)
    assert (place.root / "logo.png").stat().st_size == git.FILE_LIMIT + 1


def test_an_edit_between_merge_and_landing_is_not_lost(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "shelf.py").write_text("one\ntwo\nthree\nfour\n")
    with landing.prepared(place, made.path.name, made.base) as ready:
        (place.root / "shelf.py").write_text("zero\none\ntwo\nthree\n")
        with pytest.raises(landing.Moved):
            ready.put()
    assert (place.root / "shelf.py").read_text() == "zero\none\ntwo\nthree\n"
    landed(place, made)
    assert (place.root / "shelf.py").read_text() == "zero\none\ntwo\nthree\nfour\n"


def test_a_file_made_between_merge_and_landing_is_not_lost(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "new.py").write_text("hers\n")
    with landing.prepared(place, made.path.name, made.base) as ready:
        (place.root / "new.py").write_text("mine\n")
        with pytest.raises(landing.Moved):
            ready.put()
    assert "new.py" in refused(place, made)


def test_an_error_in_the_middle_takes_everything_back(place: Project) -> None:
    (place.root / "a").mkdir()
    (place.root / "a" / "gone.txt").write_text("gone\n")
    made = worktrees.make(place, new_id())
    (made.path / "a" / "gone.txt").unlink()
    (made.path / "shelf.py").write_text("changed\n")
    (made.path / "zz.py").write_text("new\n")
    (made.path / "b.py").write_text("new\n")
    before = contents(place.root)
    with landing.prepared(place, made.path.name, made.base) as ready:
        (ready.stage / "zz.py").unlink()
        with pytest.raises(Unavailable):
            ready.put()
    assert contents(place.root) == before


def test_landing_keeps_a_files_rights(place: Project, made: worktrees.Worktree) -> None:
    (place.root / "shelf.py").chmod(0o640)
    (made.path / "shelf.py").write_text("changed\n")
    landed(place, made)
    assert (place.root / "shelf.py").stat().st_mode & 0o777 == 0o640


NAMES = ("a", "b", "d/a", "d/e/b")
Side = dict[str, bytes | None]
sides = st.dictionaries(st.sampled_from(NAMES), st.none() | st.binary(max_size=3), max_size=3)


def play(root: Path, side: Side) -> None:
    for name, content in side.items():
        place = root / name
        if content is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


@hypothesis.given(start=sides, mine=sides, hers=sides)
@hypothesis.settings(max_examples=12, deadline=None, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
def test_landing_loses_no_file_that_the_sub_agent_left_alone(place: Project, start: Side, mine: Side, hers: Side) -> None:
    for name in NAMES:
        (place.root / name).unlink(missing_ok=True)
    play(place.root, start)
    made = worktrees.make(place, new_id())
    begun = contents(place.root)
    play(made.path, hers)
    play(place.root, mine)
    before, wanted = contents(place.root), contents(made.path)
    try:
        land(place, made)
    except Conflict:
        assert contents(place.root) == before
    else:
        after = contents(place.root)
        for name in before.keys() | wanted.keys():
            if wanted.get(name) != begun.get(name):
                assert after.get(name) in (before.get(name), wanted.get(name))
            elif after.get(name) != before.get(name):  # it was renamed in the workspace, and took her change along
                assert after.get(name) in [wanted.get(other) for other in begun if other not in before]
    worktrees.drop(place, made.path.name)
