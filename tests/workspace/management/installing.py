"""The documented examples as installed packages."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"


def install(name: str, place: Path) -> Path:
    """Put an example into a folder of packages, as an installer leaves it; the folder."""
    place.mkdir(exist_ok=True)
    project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text())
    for module in project["tool"]["setuptools"]["py-modules"]:
        shutil.copy(EXAMPLES / name / f"{module}.py", place)
    about, entries = project["project"], project["project"]["entry-points"]
    info = place / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n")
    lines = [f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items()) for group, named in entries.items()]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return place
