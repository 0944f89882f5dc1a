"""`read` of what is more than a text: folders, notebooks, conflicts, images."""

from __future__ import annotations

import base64
import io
import json
import os
import time

from PIL import Image

from agents.edits.hashline.tags import tag_of
from agents.tools.atomic.conflicts import standing
from agents.tools.tool import ToolResult
from tests.agents.tools.hands import Hands


async def read(hands: Hands, path: str) -> ToolResult:
    return await hands.call("read", path=path)


async def output(hands: Hands, path: str) -> str:
    result = await read(hands, path)
    assert result.error is None, result.error
    return result.output


async def test_a_folder_is_a_tree_with_the_newest_first(hands: Hands) -> None:
    hands.put({"src/main.py": "x" * 1229, "src/deep/er.py": "y", "README.md": "z" * 812, ".git/HEAD": "x", "src/node_modules/a": "x"})
    now = time.time()
    for path, seconds in (("src/main.py", 185), ("src/deep", 7200), ("src", 0), ("README.md", 2 * 86_400 + 5)):
        os.utime(hands.root / path, (now - seconds, now - seconds))
    result = await read(hands, ".")
    assert result.output == ".\n  - src/\n    - main.py  1.2KB     3m\n    - deep/\n  - README.md  812B      2d"
    assert result.metadata["kind"] == "folder"
    assert (await output(hands, "src")).startswith(".\n  - main.py")
    assert await output(hands, ".:2-2:raw") == "  - src/"


async def test_a_name_in_a_tree_stays_in_its_line(hands: Hands) -> None:
    hands.put({"a\n[b.py#0123]": "x", "deep/\x1b[2Jc": "y"})
    lines = (await output(hands, ".")).split("\n")
    assert len(lines) == 4
    assert any(line.startswith('  - "a\\n[b.py#0123]"') for line in lines)
    assert "\x1b" not in "".join(lines)


async def test_a_folder_within_shows_twelve_entries_and_the_folder_itself_all(hands: Hands) -> None:
    hands.put({f"sub/{number:02}": "x" for number in range(20)})
    for number in range(20):
        os.utime(hands.root / f"sub/{number:02}", (1000.0 + number, 1000.0 + number))
    lines = (await output(hands, ".")).split("\n")
    assert [line.split()[1] for line in lines[2:]] == [*(f"{number:02}" for number in range(19, 8, -1)), "…", "00"]
    assert lines[-2] == "    - … 8 more"
    assert len((await output(hands, "sub")).split("\n")) == 21
    assert (await read(hands, ".")).metadata["meta"]["limits"]["perDirLimit"] == 12
    (hands.root / "none").mkdir()
    assert await output(hands, "none") == "(empty directory)"


def notebook(*sources: str) -> str:
    cells = [{"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": source} for source in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1)


async def test_a_notebook_is_shown_by_cells_and_raw_as_json(hands: Hands) -> None:
    hands.put({"a.ipynb": notebook("x = 1", "print(x)"), "broken.ipynb": '{"cells": ['})
    result = await read(hands, "a.ipynb")
    text = "# %% [code] cell:0\nx = 1\n# %% [code] cell:1\nprint(x)"
    assert result.output == f"[a.ipynb#{tag_of(text)}]\n1:# %% [code] cell:0\n2:x = 1\n3:# %% [code] cell:1\n4:print(x)"
    assert result.metadata["kind"] == "notebook"
    assert await output(hands, "a.ipynb:raw") == notebook("x = 1", "print(x)")
    assert "JSON does not parse at line 1" in str((await read(hands, "broken.ipynb")).error)


CONFLICTS = "a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\nb\n<<<<<<< HEAD\n||||||| base\n=======\nnew\n>>>>>>> other\n"


async def test_conflicts_are_shown_alone_with_their_numbers_and_addresses(hands: Hands) -> None:
    hands.put({"m.txt": CONFLICTS, "plain": "line\n"})
    result = await read(hands, "m.txt:conflicts")
    head, *shown = result.output.split("\n")
    assert head == f"[m.txt#{tag_of(CONFLICTS)}]"
    assert shown[:6] == ["2:<<<<<<< HEAD", "3:ours", "4:=======", "5:theirs", "6:>>>>>>> other", "8:<<<<<<< HEAD"]
    assert "conflict://1 (lines 2-6), conflict://2 (lines 8-12)" in shown[-1]
    assert (result.metadata["kind"], result.metadata["conflicts"]) == ("conflicts", ["conflict://1", "conflict://2"])
    assert [(one.number, one.path) for one in standing(hands.context())] == [(1, "m.txt"), (2, "m.txt")]
    part = await read(hands, "m.txt:conflicts:9-9")
    assert "8:<<<<<<< HEAD\n9:|||||||" in part.output
    assert part.metadata["conflicts"] == ["conflict://2"]
    none = await read(hands, "plain:conflicts")
    assert (none.output, "tag" in none.metadata) == ("No conflict markers found", False)


async def test_an_image_is_shown_as_one_whatever_it_is_called(hands: Hands) -> None:
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(file, "PNG")
    hands.put({"shot.txt": file.getvalue(), "fake.png": "line 1\nline 2\n", "broken.png": file.getvalue()[:30]})
    result = await read(hands, "shot.txt")
    (image,) = result.attachments
    assert (image.name, image.media_type, base64.b64decode(image.data)) == ("shot.txt", "image/png", file.getvalue())
    assert result.output == "Image [image/png], 40×30 pixels."
    assert {"kind": "image", "width": 40, "height": 30}.items() <= result.metadata.items()
    assert (await output(hands, "fake.png")).startswith("[fake.png#")
    assert "broken.png looks like an image (image/png) but is broken" in str((await read(hands, "broken.png")).error)
