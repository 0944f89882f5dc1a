"""The text of an edit: <old>…</old><new>…</new>, in either order, what stands between the tags taken literally."""

from __future__ import annotations

import re

from agents.errors import ToolError


def old_and_new(content: str) -> tuple[str, str]:
    """The two texts, which may hold tags themselves as long as there is one way to read them. Raises ToolError where there is not."""
    text = content.strip()
    for first, second in (("old", "new"), ("new", "old")):
        if not (text.startswith(f"<{first}>") and text.endswith(f"</{second}>")):
            continue
        inner = text[len(f"<{first}>") : -len(f"</{second}>")]
        texts = re.split(rf"</{first}>\s*<{second}>", inner)
        if len(texts) > 2:
            raise ToolError(
                f"content can be read in {len(texts) - 1} ways: </{first}><{second}> stands in it {len(texts) - 1} times. Make one edit a "
                "call, or use multi_edit_file, whose texts need no tags; nothing was changed."
            )
        if len(texts) == 2:
            return (texts[0], texts[1]) if first == "old" else (texts[1], texts[0])
    raise ToolError(
        "content must be <old>text to replace</old><new>text to put there</new> and nothing else; an empty <new></new> deletes. "
        "Nothing was changed."
    )
