"""Paths as a tree of headings: the files of a folder first, then its folders, a chain of single folders in one heading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agents.pieces import in_line


@dataclass
class Folder:
    files: set[str] = field(default_factory=set)
    folders: dict[str, Folder] = field(default_factory=dict)


def tree(paths: Iterable[str]) -> str:
    """One line for each file, `# name/` above what a folder holds, with one more `#` a level. Paths of folders end with "/"."""
    root = Folder()
    for path in paths:
        *above, name = path.split("/")
        folder = root
        for step in above:
            folder = folder.folders.setdefault(step, Folder())
        if name:
            folder.files.add(name)
    return "\n".join(_lines(root))


def _lines(root: Folder) -> Iterator[str]:
    """Without recursion: folders may be nested deeper than calls."""
    ahead = [("", root, 0)]
    while ahead:
        label, folder, depth = ahead.pop()
        while label and not folder.files and len(folder.folders) == 1:
            ((name, folder),) = folder.folders.items()
            label = f"{label}/{name}"
        if label:
            yield f"{'#' * depth} {in_line(label)}/"
        yield from map(in_line, sorted(folder.files))
        ahead += [(name, folder.folders[name], depth + 1) for name in sorted(folder.folders, reverse=True)]
