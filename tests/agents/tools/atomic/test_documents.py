from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from agents.errors import ToolError
from agents.reading.apart import Work, apart
from agents.reading.documents import KINDS, suffix_for, suffix_of
from agents.sandboxes.choose import LEVELS, works
from agents.sandboxes.sandbox import Level, Limits
from agents.tools.atomic.documents import converted, converter_folder
from tests.agents.reading import samples
from tests.agents.reading.legacy import LEGACY
from tests.agents.tools.hands import Hands

DOCUMENTS = {**samples.DOCUMENTS, **LEGACY}


@pytest.fixture(params=LEVELS)
def at_level(request: pytest.FixtureRequest, tmp_path: Path) -> Hands:
    level: Level = request.param
    if not works(level):
        pytest.skip(f"{level} does not work on this machine.")
    (tmp_path / "workspace").mkdir()
    return Hands(tmp_path / "workspace", level=level, toolset="atomic")


@pytest.mark.parametrize("suffix", DOCUMENTS)
async def test_documents_are_read_as_markdown(hands: Hands, suffix: str) -> None:
    hands.put({f"minutes{suffix}": DOCUMENTS[suffix]()})
    result = await hands.call("read", path=f"minutes{suffix}")
    assert result.error is None
    assert samples.WORDS in result.output
    assert result.metadata["kind"] == "document"
    assert result.metadata["markdown"] is True
    assert "tag" not in result.metadata
    assert result.metadata["meta"] == {"source": f"minutes{suffix}", "sourcePath": f"minutes{suffix}"}


async def test_the_converter_works_at_every_level(at_level: Hands) -> None:
    assert samples.WORDS in await converted(samples.docx(), ".docx", at_level.context())
    assert samples.WORDS in await converted(samples.pdf(), ".pdf", at_level.context())


async def test_lines_of_a_document_are_numbered(hands: Hands) -> None:
    hands.put({"minutes.docx": samples.docx()})
    result = await hands.call("read", path="minutes.docx:3-3")
    assert result.output.endswith(f"3:{samples.WORDS}")
    assert "markdown" not in result.metadata
    assert "beyond end of document" in (await hands.call("read", path="minutes.docx:90")).output


async def test_a_table_becomes_a_table(hands: Hands) -> None:
    hands.put({"ledger.xlsx": samples.xlsx()})
    assert f"| {samples.WORDS} | 42 |" in (await hands.call("read", path="ledger.xlsx")).output


async def test_a_long_document_is_not_shown_at_once(hands: Hands) -> None:
    hands.put({"long.docx": samples.docx("word " * 20_000)})
    result = await hands.call("read", path="long.docx")
    assert result.error is None
    assert result.metadata["oversizedRead"]["blocked"] is True
    assert len(result.output) < 1000


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx", ".epub", ".pdf", ".doc", ".xls", ".ppt"])
async def test_what_is_cut_off_or_something_else_is_told_of(hands: Hands, suffix: str) -> None:
    whole = DOCUMENTS[suffix]()
    hands.put({f"cut{suffix}": whole[: len(whole) // 2], f"other{suffix}": b"\0 nothing of the kind"})
    for name in ("cut", "other"):
        result = await hands.call("read", path=f"{name}{suffix}")
        assert result.error is not None
        assert result.error.startswith(f"[Cannot read {suffix} file: ")


async def test_an_unknown_kind_is_unsupported(hands: Hands) -> None:
    with pytest.raises(ToolError, match=r"\[Cannot read \.odt file: Unsupported format: \.odt\]"):
        await converted(b"", ".odt", hands.context())


async def test_a_document_that_hangs_the_converter_is_given_up(hands: Hands) -> None:
    drawn = zlib.compress(b"BT /F1 9 Tf " + b"(abc) Tj 1 1 Td " * 2_000_000 + b"ET")
    data = samples.pdf(drawn).replace(b"<</Length %d>>" % len(drawn), b"<</Length %d/Filter/FlateDecode>>" % len(drawn))
    folder = converter_folder() or ""
    work = Work("documents", "The .pdf file", Limits(seconds=1.5), (folder, f"{folder}.libs"))
    with pytest.raises(ToolError, match=r"The \.pdf file took longer than 1\.5 seconds and was given up"):
        await apart(hands.sandbox, work, {"suffix": ".pdf", "library": folder, "most": 1000}, data)


async def test_a_document_that_needs_too_much_memory_is_given_up(hands: Hands) -> None:
    folder = converter_folder() or ""
    work = Work("documents", "The .docx file", Limits(memory=24 * 2**20), (folder, f"{folder}.libs"))
    with pytest.raises(ToolError, match="memory"):
        await apart(hands.sandbox, work, {"suffix": ".docx", "library": folder, "most": 1000}, samples.docx("word " * 4_000_000))


async def test_a_bomb_in_a_document_is_refused(hands: Hands) -> None:
    with pytest.raises(ToolError, match=r"\[Cannot read \.docx file: .*limit"):
        await converted(samples.docx("x" * 120 * 2**20), ".docx", hands.context())


async def test_a_document_outside_the_workspace_is_refused(hands: Hands, tmp_path: Path) -> None:
    (tmp_path / "out.pdf").write_bytes(samples.pdf())
    (hands.root / "link.pdf").symlink_to(tmp_path / "out.pdf")
    for path in ("../out.pdf", "link.pdf"):
        result = await hands.call("read", path=path)
        assert result.error is not None
        assert "outside the workspace" in result.error


def test_documents_are_known_by_name_and_by_media_type() -> None:
    assert suffix_of("A/Report.PDF") == ".pdf"
    assert suffix_of("notes.txt") is None
    assert suffix_for("application/pdf; charset=binary") == ".pdf"
    assert suffix_for("text/html") is None
    assert {suffix_for(kind) for kind in KINDS.values()} == set(KINDS)
