"""Small archives, databases and documents, valid ones and hostile ones, made on the spot."""

from __future__ import annotations

import gzip
import io
import sqlite3
import struct
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

WORDS = "Countersign keeps the minutes"
"""What every document says."""
PARAGRAPH = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OOXML = "application/vnd.openxmlformats-officedocument"


def zipped(members: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6)), content, method)
    return out.getvalue()


def tarred(members: Mapping[str, str | bytes | tarfile.TarInfo], mode: str = "w") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            if isinstance(content, tarfile.TarInfo):
                archive.addfile(content)
                continue
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def tar_entry(name: str, kind: bytes, target: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


def overlapping_zip() -> bytes:
    """Two records of the directory that claim the same bytes."""
    data = zipped({"first": b"x" * 100, "other": b"y" * 100}, zipfile.ZIP_STORED)
    at = data.rfind(b"PK\1\2")
    return data[: at + 42] + struct.pack("<I", 0) + data[at + 46 :]


def zip_claiming(size: int) -> bytes:
    """One stored member whose directory record claims another size than it has."""
    data = zipped({"big": b"\0" * 1000}, zipfile.ZIP_DEFLATED)
    at = data.rfind(b"PK\1\2")
    return data[: at + 24] + struct.pack("<I", size) + data[at + 28 :]


def zip_with(flag: int = 0, method: int | None = None) -> bytes:
    """One member `a`, with a flag set or a method of compression named, in both its records."""
    data = bytearray(zipped({"a": "content"}))
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = data.find(mark) + at
        data[place] |= flag
        if method is not None:
            data[place + 2] = method
    return bytes(data)


def gzip_bomb(size: int) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb") as packed:
        for _ in range(size // 2**20):
            packed.write(bytes(2**20))
    return out.getvalue()


def database(path: Path, script: str) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return path


def _package(parts: Mapping[str, tuple[str, str]], main: str, links: str = "") -> bytes:
    """An Office file of parts: their content types and their XML. `main` is where a reader begins, `links` what it is related to."""
    kinds = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, (kind, _) in parts.items())
    types = f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="{REL_TYPE}"/>{kinds}</Types>'
    begin = relations(f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="{main}"/>')
    folder, _, name = main.rpartition("/")
    rest = {f"{folder}/_rels/{name}.rels": relations(links)} if links else {}
    return zipped({"[Content_Types].xml": types, "_rels/.rels": begin, **rest, **{name: xml for name, (_, xml) in parts.items()}})


REL_TYPE = "application/vnd.openxmlformats-package.relationships+xml"


def relations(inner: str) -> str:
    return f'<Relationships xmlns="{PACKAGE}/relationships">{inner}</Relationships>'


def docx(words: str = WORDS) -> bytes:
    heading = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Minutes</w:t></w:r></w:p>'
    body = f'<w:document xmlns:w="{PARAGRAPH}"><w:body>{heading}<w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:body></w:document>'
    return _package({"word/document.xml": (f"{OOXML}.wordprocessingml.document.main+xml", body)}, "word/document.xml")


def xlsx() -> bytes:
    book = f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets><sheet name="Ledger" sheetId="1" r:id="rId1"/></sheets></workbook>'
    row = f'<row r="1"><c r="A1" t="inlineStr"><is><t>{WORDS}</t></is></c><c r="B1"><v>42</v></c></row>'
    parts = {
        "xl/workbook.xml": (f"{OOXML}.spreadsheetml.sheet.main+xml", book),
        "xl/worksheets/sheet1.xml": (
            f"{OOXML}.spreadsheetml.worksheet+xml", f'<worksheet xmlns="{SHEET}"><sheetData>{row}</sheetData></worksheet>',
        ),
    }  # fmt: skip
    return _package(parts, "xl/workbook.xml", f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>')


def pptx() -> bytes:
    space = f'xmlns:p="{SLIDE}" xmlns:a="{DRAWING}" xmlns:r="{OFFICE}"'
    show = f'<p:presentation {space}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>'
    box = '<p:nvSpPr><p:cNvPr id="2" name="Box"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>'
    shape = f"<p:sp>{box}<p:txBody><a:bodyPr/><a:p><a:r><a:t>{WORDS}</a:t></a:r></a:p></p:txBody></p:sp>"
    group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    slide = f"<p:sld {space}><p:cSld><p:spTree>{group}{shape}</p:spTree></p:cSld></p:sld>"
    parts = {
        "ppt/presentation.xml": (f"{OOXML}.presentationml.presentation.main+xml", show),
        "ppt/slides/slide1.xml": (f"{OOXML}.presentationml.slide+xml", slide),
    }
    return _package(parts, "ppt/presentation.xml", f'<Relationship Id="rId1" Type="{OFFICE}/slide" Target="slides/slide1.xml"/>')


def epub() -> bytes:
    container = (
        '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    book = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Minutes</dc:title>'
        '<dc:identifier id="id">1</dc:identifier></metadata>'
        '<manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="one"/></spine></package>'
    )
    chapter = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title></head><body><h1>One</h1><p>{WORDS}</p></body></html>'
    return zipped({"mimetype": "application/epub+zip", "META-INF/container.xml": container, "book.opf": book, "one.xhtml": chapter})


def pdf(content: bytes | None = None) -> bytes:
    """One page; `content` are its drawing instructions."""
    drawn = content if content is not None else f"BT /F1 24 Tf 72 700 Td ({WORDS}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def rtf() -> bytes:
    return b"{\\rtf1\\ansi {\\b Minutes}\\par " + WORDS.encode() + b"\\par}"


DOCUMENTS = {".docx": docx, ".xlsx": xlsx, ".pptx": pptx, ".epub": epub, ".pdf": pdf, ".rtf": rtf}
