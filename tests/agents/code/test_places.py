"""Places as people count them and as language servers do."""

from __future__ import annotations

import pytest

from agents.code.places import lines_of, to_column, to_path, to_position, to_uri

LINES = lines_of("plain\r\nnaïve = '𝄞🎼' + x\rlast\n")


@pytest.mark.parametrize(
    ("line", "column", "character"), [(1, 1, 0), (1, 4, 3), (2, 10, 9), (2, 11, 11), (2, 12, 13), (2, 16, 17), (3, 99, 4), (4, 1, 0)]
)
def test_columns_count_characters_and_servers_count_utf16_units(line: int, column: int, character: int) -> None:
    assert to_position(LINES, line, column) == {"line": line - 1, "character": character}
    if column < 99:
        assert to_column(LINES, {"line": line - 1, "character": character}) == column


def test_a_place_in_a_file_nobody_can_read_is_counted_as_it_comes() -> None:
    assert to_column([], {"line": 7, "character": 3}) == 4


@pytest.mark.parametrize("path", ["a.py", "a folder/ü#?.py", "100%25.py"])
def test_paths_come_back_from_their_uris(path: str) -> None:
    assert to_path("/workspace", to_uri("/workspace", path)) == path


def test_what_lies_elsewhere_keeps_its_own_path() -> None:
    assert to_path("/workspace", "file:///usr/lib/x%20y.pyi") == "/usr/lib/x y.pyi"
    assert to_path("/workspace", "zip:/a/b.ts") == "zip:/a/b.ts"
    assert to_path("/workspace", to_uri("/workspace", ".")) == "/workspace"
