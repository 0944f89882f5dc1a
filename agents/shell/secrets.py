"""Taking credentials out of text before a model or a person sees it. Every pattern is linear in the length of the text.

Here stand the kinds that need care (a key may stay recognizable, an assignment keep its name); `leaks.py` knows all the others.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.shell.known import NOTHING, Known
from agents.shell.leaks import leaks

HIDDEN = "[redacted]"
ALONE = r"(?<![A-Za-z0-9_\-])"
"""Where a token may start: never within a longer word, which also keeps a long word from being scanned again and again."""

KEY_BEGINS = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
KEY_ENDS = re.compile(r"-----END [A-Z0-9 ]{0,60}-----")


@dataclass(frozen=True)
class _Secret:
    """A pattern, what its match becomes, and lower-case strings of which one must occur for it to be worth a try."""

    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    becomes: str | Callable[[re.Match[str]], str] = HIDDEN

    def change(self, match: re.Match[str]) -> tuple[int, int, str]:
        """(start, end, new) of what becomes of it, without the beginning that stays."""
        new = match.expand(self.becomes) if isinstance(self.becomes, str) else self.becomes(match)
        same = next((at for at, (old, put) in enumerate(zip(match[0], new, strict=False)) if old != put), 0)
        return match.start() + same, match.end(), new[same:]


def _assigned(names: str, value: str) -> re.Pattern[str]:
    """`name = value` in shell, ini, JSON or YAML; the value is all that is replaced."""
    return re.compile(rf"""(?i)((?:{names})\\?["']?[ \t]{{0,16}}[:=][ \t]{{0,16}}\\?["']?){value}""")


SECRETS = (
    _Secret(
        ("-----begin",),
        re.compile(
            KEY_BEGINS.pattern
            + r"(?:\s|\\[nr])*+(?:[A-Za-z\-]{1,40}: [^\n]{0,200}\n\s*+)*+[A-Za-z0-9+/=]{16}(?:[A-Za-z0-9+/=\s]|\\[nr])*+"
            + f"(?:{KEY_ENDS.pattern})?"
        ),
    ),
    _Secret(
        ("akia", "asia", "aida", "aroa", "agpa", "anpa"),
        re.compile(r"(?<![A-Za-z0-9])(AKIA|ASIA|AIDA|AROA|AGPA|ANPA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
        lambda match: match[1] + "*" * 16,
    ),
    _Secret(
        ("access_key", "accesskey"),
        _assigned("secret_?access_?key", r"[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])"),
        rf"\1{HIDDEN}",
    ),
    _Secret(
        ("session_token", "sessiontoken", "security_token"),
        _assigned("(?:session|security)_?token", r"[A-Za-z0-9/+=]{64,}"),
        rf"\1{HIDDEN}",
    ),
    _Secret(("ghp_", "gho_", "ghs_", "ghu_", "ghr_"), re.compile(ALONE + r"gh[posur]_[A-Za-z0-9]{30,255}")),
    _Secret(("github_pat_",), re.compile(ALONE + r"github_pat_[A-Za-z0-9_]{22,255}")),
    _Secret(("glpat-",), re.compile(ALONE + r"glpat-[A-Za-z0-9_\-]{20,}")),
    _Secret(("xox",), re.compile(ALONE + r"xox[abceoprs](?:\.[a-z]{1,8})?-[A-Za-z0-9\-]{10,}")),
    _Secret(("sk-",), re.compile(ALONE + r"sk-(?:(?:ant|proj|svcacct|admin|or|lf)-[A-Za-z0-9_\-]{16,}|[A-Za-z0-9]{32,})")),
    _Secret(("aiza",), re.compile(ALONE + r"AIza[A-Za-z0-9_\-]{35}")),
    _Secret(("k_live_", "whsec_"), re.compile(ALONE + r"(?:[sr]k_live_|whsec_)[A-Za-z0-9]{16,}")),
    _Secret(("npm_",), re.compile(ALONE + r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])")),
    _Secret(("pypi-",), re.compile(ALONE + r"pypi-[A-Za-z0-9_\-]{50,}")),
    _Secret(("eyj",), re.compile(ALONE + r"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{16,}")),
    _Secret(
        ("authorization",),
        re.compile(r"""(?i)(authorization["']?[ \t]{0,16}[:=][ \t]{0,16}["']?(?:bearer|basic|token)[ \t]{1,16})[A-Za-z0-9._~+/=\-]{8,}"""),
        rf"\1{HIDDEN}",
    ),
    _Secret(("://",), re.compile(r"""(://[^\s/:@"'<>]{0,256}:)(?!\[redacted\]@)[^\s/@"'<>]{1,512}@"""), rf"\1{HIDDEN}@"),
)


def redact(text: str, known: Known = NOTHING) -> tuple[str, int]:
    """The text without the credentials we know the look of, nor those we know, and how many were taken out."""
    clean, _, found = redact_around(text, (), known)
    return clean, found


def redact_around(text: str, marks: Sequence[int], known: Known = NOTHING) -> tuple[str, list[int], int]:
    """As `redact`; `marks` are places in the text, in order, and where they stand afterwards: never within what was put in.

    One that stood within what was taken out stands behind it afterwards, only the first mark before it.
    """
    lowered, total, places = text.lower(), 0, list(marks)
    if known.pattern:
        text, places, total = _changed(text, places, [(*match.span(), HIDDEN) for match in known.pattern.finditer(text)])
    for secret in SECRETS:
        if any(hint in lowered for hint in secret.hints):
            changes = [secret.change(match) for match in secret.pattern.finditer(text)]
            text, places, found = _changed(text, places, changes)
            total += found
    text, places, found = _changed(text, places, [(start, end, HIDDEN) for start, end in leaks(text)])
    return text, places, total + found


def _changed(text: str, marks: list[int], changes: list[tuple[int, int, str]]) -> tuple[str, list[int], int]:
    """The text with these (start, end, new) made, the marks moved along, and how many changes there were."""
    if not changes:
        return text, marks, 0
    pieces: list[str] = []
    ends: list[int] = []
    at = grown = 0
    for start, end, new in changes:
        pieces += [text[at:start], new]
        grown += len(new) - (end - start)
        ends.append(end + grown)
        at = end
    starts = [start for start, _, _ in changes]

    def moved(mark: int, first: bool) -> int:
        last = bisect_left(starts, mark) - 1  # the last change that begins before it
        if last < 0:
            return mark
        _, end, new = changes[last]
        return ends[last] - len(new) if first and mark < end else ends[last] + max(0, mark - end)

    return "".join([*pieces, text[at:]]), [moved(mark, not place) for place, mark in enumerate(marks)], len(changes)
