"""The tool `generate_readme`: a README.md for each folder of Python modules, made from their docstrings."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from agents.edits.diff import file_change
from agents.errors import ToolError
from agents.events import FileChange
from agents.reading.outline import Named, Outline, outline
from agents.sandboxes.sandbox import Files, FileStat
from agents.tools.places import errors_told, existing, in_words, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult

MOST_MODULES = 500
LARGEST_MODULE = 2**20
LONGEST_LINE = 100
PASSED_OVER = frozenset(("__pycache__", "node_modules", "venv", "env", "site-packages", "build", "dist"))
MARK = re.compile(r"\A<!-- Made by generate_readme from docstrings; changes made by hand are kept. ([0-9a-f]{16}) -->\n")

Plan = Literal["new", "ours", "by hand", "same"]


@dataclass(frozen=True)
class Draft:
    """What a README would become. `kind` says what stands there now: nothing, an older one of ours, or a person's work."""

    path: str
    before: bytes | None
    after: bytes
    modules: int

    @property
    def kind(self) -> Plan:
        if self.before is None:
            return "new"
        if self.before == self.after:
            return "same"
        return "ours" if _is_ours(self.before) else "by hand"


class GenerateReadme(Tool):
    """Writes one README.md for the folder and one for each visible folder in it, where there are Python modules.

    A README that a person wrote, or changed after it was generated, is left alone unless `overwrite` says otherwise, and
    then people are asked with the whole change before their eyes.
    """

    name: ClassVar[str] = "generate_readme"
    description: ClassVar[str] = (
        "Write a README.md for a folder and for each folder in it that holds Python modules: what each module is for and which classes "
        "and functions it has, taken from the docstrings. READMEs written by hand are kept unless overwrite is true."
    )
    keywords: ClassVar[tuple[str, ...]] = ("readme", "docs", "documentation", "overview", "modules")

    path: str = Field(".", min_length=1, description="The folder to begin with, by default the workspace.")
    overwrite: bool = Field(False, description="Also replace READMEs that were written by hand.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.path)

    def prompt(self, context: ToolContext) -> str:
        also = ", and replace those written by hand" if self.overwrite else ""
        return f"Generate README.md files in {in_words(self.subject(context))}{also}"

    def risk(self, context: ToolContext) -> Literal["low", "medium", "high"]:
        return "high" if self.overwrite else "medium"

    def preview(self, context: ToolContext) -> str:
        try:
            return "".join(file_change(draft.path, draft.before, draft.after).diff for draft in self._due(self._drafts(context)))
        except (ToolError, OSError):
            return ""

    async def run(self, context: ToolContext) -> ToolResult:
        drafts = await asyncio.to_thread(self._drafts, context)
        if not drafts:
            return ToolResult("READMEs (0)", f"There are no Python modules in {in_words(self.subject(context))} or in its folders.")
        changes, failed = await asyncio.to_thread(self._write, context.sandbox.files, self._due(drafts))
        kept = [draft.path for draft in drafts if draft.kind == "by hand" and not self.overwrite]
        same = [draft.path for draft in drafts if draft.kind == "same"]
        modules = sum(draft.modules for draft in drafts)
        parts = [f"Read {modules} module{'s' * (modules != 1)} in {len(drafts)} folder{'s' * (len(drafts) != 1)}."]
        parts += _listed("Written", [change.path for change in changes]) + _listed("Up to date already", same)
        parts += _listed("Kept, because they were written by hand (overwrite replaces them)", kept) + _listed("Not written", failed)
        metadata = {"written": [change.path for change in changes], "kept": kept, "unchanged": same, "failed": failed, "modules": modules}
        error = f"{len(failed)} of {len(drafts)} READMEs could not be written." if failed else None
        return ToolResult(f"READMEs ({len(changes)})", "\n\n".join(parts), metadata, error, changes=tuple(changes))

    def _drafts(self, context: ToolContext) -> list[Draft]:
        files = context.sandbox.files
        with errors_told(self.path):
            top = files.relative(self.path)
            if files.stat(top).kind != "folder":
                raise ToolError(f"{self.path} is a file. Give the folder whose modules are to be described.")
        folders = [top, *(entry.path for entry in files.entries(top) if _is_looked_into(files, entry))]
        found = (_draft(files, folder, deep=folder != top) for folder in folders)
        return [draft for draft in found if draft is not None]

    def _due(self, drafts: list[Draft]) -> list[Draft]:
        return [draft for draft in drafts if draft.kind in ("new", "ours") or (draft.kind == "by hand" and self.overwrite)]

    def _write(self, files: Files, drafts: list[Draft]) -> tuple[list[FileChange], list[str]]:
        """Each README on its own. One that changed since it was looked at is not touched."""
        changes: list[FileChange] = []
        failed: list[str] = []
        for draft in drafts:
            try:
                with files.locked(draft.path):
                    if existing(files, draft.path) != draft.before:
                        raise ToolError("it has just been changed")
                    files.write(draft.path, draft.after)
                changes.append(file_change(draft.path, draft.before, draft.after))
            except (ToolError, OSError) as wrong:
                failed.append(f"{draft.path}: {wrong}")
        return changes, failed


def _listed(heading: str, lines: list[str]) -> list[str]:
    return ["\n".join([f"{heading}:", *(f"- {line}" for line in lines)])] if lines else []


def _draft(files: Files, folder: str, *, deep: bool) -> Draft | None:
    modules = [(path, _outline(files, path)) for path, _ in zip(_modules(files, folder, deep=deep), range(MOST_MODULES), strict=False)]
    if not modules:
        return None
    path = "README.md" if folder == "." else f"{folder}/README.md"
    return Draft(path, existing(files, path), _marked(_text(folder, modules)).encode(), len(modules))


def _modules(files: Files, folder: str, *, deep: bool) -> Iterator[str]:
    """Paths of the folder's modules, those of its packages after them; a package's own `__init__` stands for the folder."""
    entries = files.entries(folder)
    for entry in entries:
        if entry.kind == "file" and entry.path.endswith(".py") and entry.path != f"{folder}/__init__.py" and entry.path != "__init__.py":
            yield entry.path
    if deep:
        for entry in entries:
            if _is_looked_into(files, entry):
                yield from _modules(files, entry.path, deep=True)


def _is_looked_into(files: Files, entry: FileStat) -> bool:
    name = entry.path.rpartition("/")[2]
    if entry.kind != "folder" or name.startswith(".") or name in PASSED_OVER:
        return False
    return not any(inner.path.endswith("/pyvenv.cfg") for inner in files.entries(entry.path))


def _outline(files: Files, path: str) -> Outline:
    data = files.read(path, LARGEST_MODULE + 1)
    return outline(data) if len(data) <= LARGEST_MODULE else Outline(problem="is too large to be read")


def _text(folder: str, modules: list[tuple[str, Outline]]) -> str:
    count = f"{len(modules)} module{'s' * (len(modules) != 1)}"
    rows = [f"| `{_name(folder, path)}` | {_cell(found)} |" for path, found in modules]
    table = "\n".join(["| Module | What it is for |", "| --- | --- |", *rows])
    details = "\n\n".join(_details(folder, path, found) for path, found in modules)
    title = "This folder" if folder == "." else folder.rpartition("/")[2]
    return f"# {title}\n\n{count}.\n\n{table}\n\n## Modules\n\n{details}\n"


def _cell(found: Outline) -> str:
    line = found.problem or found.doc.partition("\n")[0]
    return (line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…").replace("|", "\\|")


def _details(folder: str, path: str, found: Outline) -> str:
    parts = [f"### `{_name(folder, path)}`", found.doc or (f"It {found.problem}." if found.problem else "")]
    parts += ["\n".join(_entry(one, "") for one in named) for named in (found.classes, found.functions) if named]
    names = [one.name for one in (*found.classes, *found.functions)][:3]
    if names:
        parts.append(f"```python\nfrom {_dotted(path)} import {', '.join(names)}\n```")
    return "\n\n".join(part for part in parts if part)


def _entry(one: Named, indent: str) -> str:
    doc = f" — {one.doc}" if one.doc else ""
    return "\n".join([f"{indent}- `{one.signature}`{doc}", *(_entry(inner, f"{indent}  ") for inner in one.inner)])


def _name(folder: str, path: str) -> str:
    return path if folder == "." else path.removeprefix(f"{folder}/")


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _marked(text: str) -> str:
    return f"<!-- Made by generate_readme from docstrings; changes made by hand are kept. {_stamp(text)} -->\n{text}"


def _is_ours(data: bytes) -> bool:
    """Whether nobody has changed it since it was generated."""
    text = data.decode(errors="replace")
    mark = MARK.match(text)
    return mark is not None and mark[1] == _stamp(text[mark.end() :])


def _stamp(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
