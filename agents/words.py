"""Words as search compares them: lower case, without accents, reduced to what their forms share ("parsers", "parsing" → "parser", "pars").

The reduction is M. F. Porter's algorithm of 1980 for English, which SQLite's full-text search applies too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

WORD = re.compile(r"[^\W_]+")
"""Letters and digits of any script; everything else parts words, the underscore of identifiers too."""

SECOND = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive",
    "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
THIRD = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
FOURTH = dict.fromkeys(WORD.findall("al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize"), "")


def words_of(text: str) -> list[str]:
    """The words of a text, lower case, in their order."""
    return WORD.findall(text.lower())


def placed(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, root) of every word, in characters of the text."""
    return ((found.start(), found.end(), root_of(found[0])) for found in WORD.finditer(text))


@lru_cache(maxsize=20_000)
def root_of(word: str) -> str:
    """What the forms of a word have in common."""
    plain = plain_form(word).encode().decode("latin-1")  # a letter a byte: SQLite knows no others
    if 3 <= len(plain) <= 64:
        for reduce in (_plural, _past, _last_y, _second, _third, _fourth, _last_e):
            plain = reduce(plain)
    return plain.encode("latin-1").decode(errors="replace")


def plain_form(word: str) -> str:
    """In lower case and without accents."""
    apart = unicodedata.normalize("NFKD", word.lower())
    return unicodedata.normalize("NFC", "".join(letter for letter in apart if not unicodedata.combining(letter)))


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return _mended(rest) if "v" in _shape(rest) else word
    return word


def _mended(rest: str) -> str:
    """What remains when -ed or -ing is gone, with the letter that went with it put back or taken away."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and _shape(rest).endswith("c"):
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _short(rest) else rest


def _last_y(word: str) -> str:
    return f"{word[:-1]}i" if word.endswith("y") and "v" in _shape(word[:-1]) else word


def _second(word: str) -> str:
    return _exchanged(word, SECOND, 1)


def _third(word: str) -> str:
    return _exchanged(word, THIRD, 1)


def _fourth(word: str) -> str:
    if word.endswith("ion") and not word.endswith(("sion", "tion")):
        return word
    return _exchanged(word, FOURTH, 2)


def _exchanged(word: str, endings: Mapping[str, str], least: int) -> str:
    """With its longest listed ending exchanged, where enough of the word remains."""
    ending = max((ending for ending in endings if word.endswith(ending)), key=len, default="")
    rest = word.removesuffix(ending)
    return rest + endings[ending] if ending and _measure(rest) >= least else word


def _last_e(word: str) -> str:
    rest = word[:-1]
    if word.endswith("e") and (_measure(rest) > 1 or (_measure(rest) == 1 and not _short(rest))):
        word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant."""
    return _shape(word).count("vc")


def _short(word: str) -> bool:
    """Whether it ends like "hop": consonant, vowel, consonant."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


@lru_cache(maxsize=20_000)
def _shape(word: str) -> str:
    """The word as c and v; a y is a vowel behind a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def counted(number: int, noun: str) -> str:
    """`1 tool`, `2 tools`: for nouns that take an s."""
    return f"{number} {noun}{'s' * (number != 1)}"
