"""Notebooks as text and back: nothing that the view does not show may be lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.errors import ToolError
from agents.reading.notebooks import view, written

OUTPUT = {"output_type": "stream", "name": "stdout", "text": ["1\n"]}


def code(source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": 3, "metadata": {"tags": ["x"]}, "outputs": [OUTPUT], "source": source, **more}


def text_of(*cells: dict[str, Any], minor: int = 4, **more: Any) -> str:
    notebook = {"cells": list(cells), "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": minor, **more}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


MARKDOWN = {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "words"]}
TWO = text_of(MARKDOWN, code(["a = 1\n", "print(a)"]), unknown={"kept": [1, 2.5, None]})


def test_cells_are_numbered_from_0() -> None:
    assert view(TWO) == "# %% [markdown] cell:0\n# Title\nwords\n# %% [code] cell:1\na = 1\nprint(a)"


def test_an_unchanged_view_gives_the_very_same_file() -> None:
    odd = '{"cells": [], "nbformat": 4,   "x": 1E5}'
    assert written(TWO, view(TWO)) == TWO
    assert written(odd, view(odd)) == odd


def test_an_edit_keeps_all_that_the_view_does_not_show() -> None:
    after = json.loads(written(TWO, view(TWO).replace("a = 1", "a = 2\nb = 'ü'")))
    expected = json.loads(TWO)
    expected["cells"][1]["source"] = ["a = 2\n", "b = 'ü'\n", "print(a)"]
    assert after == expected
    assert list(after) == list(expected)


def test_what_is_written_looks_as_jupyter_writes_it() -> None:
    after = written(TWO, view(TWO).replace("a = 1", "a = 'ü'"))
    assert after == TWO.replace("a = 1", "a = 'ü'")
    assert not written(TWO.rstrip("\n"), view(TWO) + "!").endswith("\n")


@pytest.mark.parametrize("source", ["", "\n", "x", "x\n", "\n\nx\n\n", ["x\n", "\n"], [], "a\r\nb\u2028c"])
@pytest.mark.parametrize("behind", [True, False])
def test_every_source_survives_a_change_beside_it(source: Any, behind: bool) -> None:
    cells = [code(source), code("change me")]
    notebook = text_of(*(cells if behind else reversed(cells)))
    after = json.loads(written(notebook, view(notebook).replace("change me", "changed")))
    assert after["cells"][0 if behind else 1]["source"] == source


def test_lines_that_look_like_markers_are_told_apart() -> None:
    source = "# %% [code] cell:7\n# %%% [markdown]\n# %% plain\n# %% [code] here"
    notebook = text_of(code(source), code("x"))
    assert view(notebook).splitlines()[1:5] == ["# %%% [code] cell:7", "# %%%% [markdown]", "# %% plain", "# %% [code] here"]
    assert json.loads(written(notebook, view(notebook) + "1"))["cells"][0]["source"] == source


def test_cells_are_added_moved_and_left_out() -> None:
    new = "# %% [code] cell:1\na = 1\nprint(a)\n# %% [markdown]\nnew\n# %% [code] cell:99\n# %% [raw] cell:0\n# Title\nwords"
    after = json.loads(written(TWO, new))["cells"]
    assert [(cell["cell_type"], cell["source"]) for cell in after] == [
        ("code", ["a = 1\n", "print(a)"]), ("markdown", ["new"]), ("code", []), ("raw", ["# Title\n", "words"]),
    ]  # fmt: skip
    assert after[0] == json.loads(TWO)["cells"][1]
    assert after[1] == {"cell_type": "markdown", "metadata": {}, "source": ["new"]}
    assert (after[2]["outputs"], after[2]["execution_count"]) == ([], None)
    assert json.loads(written(TWO, ""))["cells"] == []


def test_a_cell_named_twice_is_a_copy_of_its_words_alone() -> None:
    first, second = json.loads(written(text_of(code("x", id="abc"), minor=5), "# %% [code] cell:0\nx\n# %% [code] cell:0\nx"))["cells"]
    assert (first["outputs"], first["id"], second["outputs"]) == ([OUTPUT], "abc", [])
    assert second["id"] not in ("", "abc")


def test_a_cell_that_becomes_words_loses_its_outputs() -> None:
    (after,) = json.loads(written(text_of(code("x", id="abc"), minor=5), "# %% [markdown] cell:0\nx"))["cells"]
    assert after == {"cell_type": "markdown", "metadata": {"tags": ["x"]}, "source": "x", "id": "abc"}


def test_new_cells_get_ids_of_their_own_and_the_same_ones_each_time() -> None:
    notebook, new = text_of(code("x", id="abc"), minor=5), "\n".join(["# %% [code]\nsame"] * 3)
    ids = [cell["id"] for cell in json.loads(written(notebook, new))["cells"]]
    assert len(set(ids)) == 3
    assert written(notebook, new) == written(notebook, new)
    assert "id" not in json.loads(written(TWO, "# %% [code]\nx"))["cells"][0]


def test_halves_of_characters_in_outputs_do_no_harm() -> None:
    notebook = text_of(code("x")).replace('"1\\n"', '"\\ud83d"')
    after = written(notebook, view(notebook) + "y")
    assert json.loads(after.encode())["cells"][0]["outputs"] == json.loads(notebook)["cells"][0]["outputs"]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ('{"cells": [', "line 1, column 12"),
        ("", "does not parse"),
        ("[]", "no object"),
        ("{}", 'no list of "cells"'),
        ('{"cells": [5]}', "cell 0"),
        ('{"cells": [{"cell_type": "odd"}]}', "cell 0"),
        ('{"cells": [{"cell_type": "code", "source": 5}]}', "source is no text"),
        ('{"nbformat": 3, "worksheets": []}', "format 3"),
        ("[" * 100_000, "broken"),
        pytest.param('{"cells": [' + "{}," * 6_000_000 + "{}]}", "too large", id="large"),
    ],
)
def test_a_broken_notebook_is_an_error_in_words(broken: str, why: str) -> None:
    for act in (view, lambda text: written(text, "x")):
        with pytest.raises(ToolError, match=why) as told:
            act(broken)
        assert ":raw" in str(told.value)


def test_words_above_the_first_marker_belong_to_no_cell() -> None:
    with pytest.raises(ToolError, match="above the first"):
        written(TWO, "import os\n" + view(TWO))
    assert json.loads(written(TWO, "\n\n" + view(TWO) + "!"))["cells"][0] == MARKDOWN
