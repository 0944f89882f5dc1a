"""The workspace in which every tool of the Atomic toolset finds something to do: one thing of each kind that `read` knows."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from PIL import Image

from tests.agents.reading import samples
from tests.processes.world import ROOT

DEMO_PROJECT = ROOT / "agents" / "providers" / "scripts" / "demo-project"
NOTES = "# Notes\n\nTea is on the left.\nCoffee is on the right.\n" + "".join(f"Line {number}\n" for number in range(5, 13))
CONFLICT = "Open from\n<<<<<<< HEAD\nnine\n=======\nten\n>>>>>>> winter\nto five.\n"
SKILL = "---\nname: labels\ndescription: How labels are printed\n---\n\nPrint them **twice**.\n"
ITEMS = """
create table items (id integer primary key, name text, price integer);
insert into items (name, price) values ('Tea', 450), ('Salt', 120);
"""
DRAW = """
import os, pathlib, time
columns, rows = os.get_terminal_size()
print(f"\\033[1;32mBuilding\\033[0m on {columns}x{rows}")
print("\\r[####......] \\033[31m40%\\033[0m", end="", flush=True)
while not pathlib.Path("go").exists():
    time.sleep(0.05)
print("\\r[##########] \\033[32m100%\\033[0m")
"""
"""Draws a bar in colours that waits, half full, for a file."""
TICK = """
import itertools, time
for number in itertools.count(1):
    print("tick", number, flush=True)
    time.sleep(0.2)
"""


def make(folder: Path) -> None:
    """Fill a new folder."""
    shutil.copytree(DEMO_PROJECT, folder)
    texts = {
        "notes.md": NOTES, "hours.txt": CONFLICT, "AGENTS.md": "Keep functions **short**.\n", "skills/labels/SKILL.md": SKILL,
        "draw.py": DRAW, "tick.py": TICK, "tour.ipynb": json.dumps(_notebook()),
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "offer.docx").write_bytes(samples.docx())
    (folder / "stock.zip").write_bytes(samples.zipped({"list/tea.txt": "Green\nBlack\n", "list/salt.txt": "Coarse\n"}))
    samples.database(folder / "stock.sqlite", ITEMS)
    Image.new("RGB", (96, 64), "teal").save(folder / "cover.png")


def _notebook() -> dict[str, object]:
    words = {"cell_type": "markdown", "metadata": {}, "source": "# A tour\n"}
    code: dict[str, object] = {"cell_type": "code", "metadata": {}, "source": "print(1 + 1)\n", "execution_count": None, "outputs": []}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [words, code]}
