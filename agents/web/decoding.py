"""What kind of thing an answer's body is, and the text in it."""

from __future__ import annotations

import codecs
import re
from typing import Literal

from agents.errors import FetchFailed
from agents.web.fetcher import Answer

Kind = Literal["html", "text"]
HTML = ("text/html", "application/xhtml+xml")
TEXT = re.compile(r"text/.+|application/(.+\+)?(json|xml|(x-)?yaml|toml|(x-)?javascript|ecmascript|x-ndjson|x-sh|sql)|image/svg\+xml")
UNSURE = ("", "application/octet-stream", "binary/octet-stream")
"""Said by servers that do not know; the body decides."""
PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?><!--.*?-->\s*)*+<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
"""How one begins. Comments before that are never tried a second time: a row of them would take for ever."""
CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
LOOKED_AT = 2048
"""Bytes of the beginning from which kind and character set are guessed."""
META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
CHARSETS = re.compile(r"utf-?(8|16|32)|iso8859|cp\d|shift_jis|euc_|gb|big5|koi8|ascii|latin|mac|tis|hz|iso2022")
"""What Python may be asked to decode: its other codecs are no character sets."""


def kind_of(answer: Answer) -> Kind:
    """Raises FetchFailed for what is not text, saying what it is."""
    start = answer.body[:LOOKED_AT]
    if start.startswith(b"%PDF-") or answer.media_type == "application/pdf":
        raise FetchFailed(f"{answer.url} is a PDF document, and only web pages and text can be read here.")
    if answer.media_type in HTML:
        return "html"
    wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or answer.charset.lower().startswith(("utf-16", "utf-32"))
    binary = not wide and CONTROLS.search(start) is not None
    if binary or not (TEXT.fullmatch(answer.media_type) or answer.media_type in UNSURE):
        said = answer.media_type or "binary data"
        raise FetchFailed(f"{answer.url} is {said} ({len(answer.body)} bytes), and only web pages and text can be read here.")
    return "html" if answer.media_type in UNSURE and PAGE.match(start) else "text"


def text_of(answer: Answer) -> str:
    """The body's characters: by byte order mark, as the server says, as the page says, else as UTF-8 or Windows' Latin letters."""
    body = answer.body
    marked = next((name for mark, name in MARKS if body.startswith(mark)), "")
    found = META.search(body[:LOOKED_AT])
    for name in (marked, _known(answer.charset), _known(found[1].decode() if found else "")):
        if name:
            return body.decode(name, errors="replace")
    try:
        return body.decode("utf-8", errors="strict" if answer.whole else "ignore")
    except UnicodeDecodeError:
        return body.decode("cp1252", errors="replace")


def _known(name: str) -> str:
    """Python's name of the character set; Latin-1 and ASCII mean Windows' in the web. "" for what is none."""
    try:
        found = codecs.lookup(name.strip("\"' ")).name if name else ""
    except (LookupError, ValueError):
        return ""
    if found in ("iso8859-1", "ascii"):
        return "cp1252"
    return found if CHARSETS.match(found) else ""
