"""The data folder: private, checked, and held by one process at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workspace.home import only_one, prepare_home


def test_the_folder_is_made_and_nobody_else_may_look_into_it(tmp_path: Path) -> None:
    home = tmp_path / "deep" / "home"
    prepare_home(home)
    prepare_home(home)
    assert home.stat().st_mode & 0o777 == 0o700
    assert (home / "logs").is_dir()


def test_a_folder_that_cannot_be_used_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(SystemExit, match=r"cannot be used .* set COUNTERSIGN_HOME"):
        prepare_home(tmp_path / "file" / "home")


def test_a_second_process_on_the_same_folder_is_refused_and_told_who_has_it(tmp_path: Path) -> None:
    prepare_home(tmp_path)
    second = f"import sys\nfrom pathlib import Path\nfrom workspace.home import only_one\nwith only_one(Path({str(tmp_path)!r})):\n    pass"
    with only_one(tmp_path):
        refused = subprocess.run([sys.executable, "-c", second], capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert f"process {os.getpid()}" in refused.stderr
    allowed = subprocess.run([sys.executable, "-c", second], capture_output=True, text=True, check=False)
    assert allowed.returncode == 0
