"""Secrets that are known by their value: finding them in output, also in the forms that programs like to give them."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

SHORTEST = 4
"""Characters; anything shorter would be found everywhere."""


class Known:
    """Knows these values, their single lines, and what JSON, addresses and base64 make of them."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        forms = {form for value in values for form in _forms(value) if len(form) >= SHORTEST}
        self._forms = sorted(forms, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, self._forms))) if forms else None

    def begun(self, text: str) -> int:
        """How many characters at the end of the text may be the beginning of one of them."""
        return max((_begun(form, text) for form in self._forms), default=0)


NOTHING = Known()


def _begun(form: str, text: str) -> int:
    return next((size for size in range(min(len(form) - 1, len(text)), 0, -1) if text.endswith(form[:size])), 0)


def _forms(value: str) -> Iterator[str]:
    for text in {value, value.strip(), *(line.strip() for line in value.splitlines())}:
        yield from (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], quote(text), quote(text, safe=""))
        data = text.encode(errors="surrogatepass")
        if len(data) > 2 * SHORTEST:
            yield base64.b64encode(data[: len(data) // 3 * 3]).decode()  # what follows it changes the rest
