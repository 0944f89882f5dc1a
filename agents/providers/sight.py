"""Images among the results of calls: which models are shown them, and what the others are told."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agents.events import Attachment
from agents.providers.provider import ToolMessage

LARGEST = 5_000_000
"""Characters of one image in base64; no vendor takes more. `read` makes its images a good deal smaller."""
TOKENS = 1_600
"""What an image costs a model's context, about: vendors make larger ones small enough for that."""
SEEING = re.compile(
    r"gpt-(4o|4\.1|4\.5|[5-9])|chatgpt|claude|gemini|vision|llava|pixtral|mllama|omni|gemma-?[3-9]|llama-?4|molmo|internvl|minicpm-[vo]"
    r"|mistral-(small|medium|large)-(3|25|26)|(?<![a-z0-9])o[1-9](?![a-z0-9])|(?<![a-z])vl(?![a-z])|[0-9.]vl(?![a-z])|glm-[0-9.]+v",
    re.IGNORECASE,
)
"""Names that models which see images have, of whatever maker."""


def sees_images(provider: str, model: str) -> bool:
    """Whether this provider's model is sent images.

    Every model that OpenAI, Anthropic and Google offer for agents sees. Behind an address of a team's own anything may answer, and most
    servers refuse a request with an image in it for ever after: there only models that are known to see by their name are sent any.
    """
    return provider != "openai-compatible" or SEEING.search(model) is not None


def shown(message: ToolMessage, types: Collection[str]) -> tuple[Attachment, ...]:
    """Those of a result's images that can be sent where these media types are taken."""
    return tuple(image for image in message.images if image.media_type in types and len(image.data) <= LARGEST)


def told(message: ToolMessage, sent: Sequence[Attachment]) -> str:
    """The result's text, which says so where images of it are not sent."""
    missing = [image for image in message.images if image not in sent]
    if not missing:
        return message.text
    names = ", ".join(f"{image.name} ({image.media_type})" for image in missing)
    return f"{message.text}\n[Images that you cannot be shown here: {names}]"
