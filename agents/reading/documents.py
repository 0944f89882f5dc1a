"""Office files, PDF, RTF and books as Markdown, by the converter kreuzberg, which runs where it can reach nothing. Answers to `apart`."""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

from agents.errors import ToolError

OOXML = "application/vnd.openxmlformats-officedocument"
KINDS = {
    ".pdf": "application/pdf",
    ".doc": "application/msword",
    ".docx": f"{OOXML}.wordprocessingml.document",
    ".ppt": "application/vnd.ms-powerpoint",
    ".pptx": f"{OOXML}.presentationml.presentation",
    ".xls": "application/vnd.ms-excel",
    ".xlsx": f"{OOXML}.spreadsheetml.sheet",
    ".rtf": "application/rtf",
    ".epub": "application/epub+zip",
}
"""Endings and the media types behind them."""


def suffix_of(path: str) -> str | None:
    """The ending of a document's path, None for all other paths."""
    ending = f".{path.lower().rpartition('.')[2]}"
    return ending if ending in KINDS else None


def suffix_for(media_type: str) -> str | None:
    """The ending of documents of a media type (parameters are passed over), None where it is none of ours."""
    wanted = media_type.partition(";")[0].strip().lower()
    return next((ending for ending, kind in KINDS.items() if kind == wanted), None)


def answer(order: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """`suffix` says what the data is, `library` is the converter's folder, `most` how many bytes of Markdown are given."""
    converter = _loaded(order["library"])
    threads = converter.ConcurrencyConfig(max_threads=2)
    config = converter.ExtractionConfig(
        output_format="markdown", use_cache=False, enable_quality_processing=False, disable_ocr=True, concurrency=threads
    )
    try:
        result = converter.extract_bytes_sync(data, KINDS[order["suffix"]], config)
    except Exception as wrong:  # its errors share no base but this
        raise ToolError(" ".join(str(wrong).split())[:300]) from wrong
    text: str = result.content
    return {"total": len(text)}, text.encode("utf-8", "replace")[: order["most"]]


def _loaded(folder: str) -> Any:
    """The compiled half of the package alone; what lies around it is not needed and wants to know what else is installed."""
    package = types.ModuleType("kreuzberg")
    package.__path__ = [folder]
    sys.modules["kreuzberg"] = package
    return importlib.import_module("kreuzberg._internal_bindings")
