from __future__ import annotations

from pathlib import Path

import pytest

from agents.errors import ScriptError
from agents.providers.script import filled, load_script, parse_script


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- - text: a\n  - txt: b\n", "script, line 2 at `txt`: there is no such key here"),
        ("turns:\n  - text: a\n  - - call: {toll: x}\n", "script, line 3 at `toll`: there is no such key here"),
        ("turns:\n - text: [\n", "script, line 3: not valid YAML"),
        ("- text: a\n  delay: 2\n", "script, line 1: a part is exactly one of"),
        ("speed: fast\nturns:\n  - text: a\n", "script, line 1 at `speed`: input should be a valid number"),
        (
            "scenarios:\n  - name: x\n    match: '('\n    turns:\n      - text: a\n",
            "script, line 3 at `match`: '(' is not a regular",
        ),
        ("turns:\n  - text: a\n  - parts: [{text: b}]\n    when: {tol: x}\n", "script, line 4 at `tol`: there is no such key here"),
        ("turns: []\n", "script, line 1 at `turns`"),
        ("- error: {kind: tired}\n", "script, line 1 at `kind`: input should be"),
        ("", "script, line 1"),
        ("just words\n", "script, line 1"),
    ],
)
def test_a_mistake_names_its_line(text: str, message: str) -> None:
    with pytest.raises(ScriptError) as wrong:
        parse_script(text)
    assert str(wrong.value).startswith(message)


def test_a_turn_may_be_one_part_a_list_or_a_mapping() -> None:
    script = parse_script("- text: a\n- [{text: b}, {delay: 1}]\n- parts: [{text: c}]\n  speed: 3\n")
    assert [[part.text for part in turn.parts] for turn in script.scenarios[0].turns] == [["a"], ["b", None], ["c"]]


def test_a_repeated_turn_counts_as_many_turns() -> None:
    script = parse_script("- parts: [{text: a}]\n  repeat: 3\n- text: b\n")
    assert [turn.parts[0].text for turn in script.scenarios[0].written_out] == ["a", "a", "a", "b"]


def test_a_script_is_read_from_a_file_or_taken_as_text(tmp_path: Path) -> None:
    file = tmp_path / "short.yaml"
    file.write_text("- text: a\n")
    assert load_script(str(file)) == load_script("- text: a\n")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ScriptError, match=r"nowhere\.yaml cannot be read"):
        load_script("nowhere.yaml")


def test_a_mistake_in_a_file_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "short.yaml"
    file.write_text("\n- txt: a\n")
    with pytest.raises(ScriptError, match=r"short.yaml, line 2 at `txt`"):
        load_script(str(file))


def test_variables_are_filled_in_everywhere_and_unknown_ones_stay_visible() -> None:
    value = {"a": ["{{x}}!", {"b": "{{y}}"}], "n": 3}
    assert filled(value, {"x": "one"}) == {"a": ["one!", {"b": "{{y}}"}], "n": 3}
