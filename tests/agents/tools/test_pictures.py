"""Images on the way from a tool to the model that called it: shrunk, held back where they are broken, sent over the wire."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import ClassVar, Literal

import pytest
from PIL import Image

from agents.agent import Agent
from agents.host import InMemoryMemories
from agents.loop import Continue, step
from agents.pieces import Attachment
from agents.providers.catalog import open_provider
from agents.providers.vendors import VendorProvider
from agents.tools.atomic.read import Read
from agents.tools.pictures import UNSEEN, viewable
from agents.tools.tool import Tool, ToolContext, ToolResult
from tests.agents.tools.hands import Hands
from tests.agents.toys import asked, results
from tests.peers.server import WIRES, Format, Peer


def image(name: str = "shot.png", size: tuple[int, int] = (40, 30)) -> Attachment:
    file = io.BytesIO()
    Image.new("RGB", size, "red").save(file, "PNG")
    return Attachment(name=name, media_type="image/png", data=base64.b64encode(file.getvalue()).decode())


class Camera(Tool):
    """What an MCP server may be: one image that is larger than models take, and one that is broken."""

    name: ClassVar[str] = "camera"
    description: ClassVar[str] = "Take pictures."
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    async def run(self, context: ToolContext) -> ToolResult:
        broken = Attachment(name="broken.png", media_type="image/png", data=base64.b64encode(b"\x89PNG\r\n\x1a\nno").decode())
        return ToolResult("Camera", "Taken.", attachments=(image(size=(9000, 30)), broken))


async def test_an_image_from_elsewhere_is_made_small(hands: Hands) -> None:
    result = await viewable(ToolResult("x", "text", attachments=(image(), image("wide.png", (9000, 30)))), hands.context())
    assert result.attachments[0] == image()
    assert Image.open(io.BytesIO(base64.b64decode(result.attachments[1].data))).size == (1568, 5)
    assert result.output == "text"


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        ("image/png", b"\x89PNG\r\n\x1a\nno", "is broken"), ("image/png", b"<html>", "no kind of image"),
        ("image/tiff", b"II*\0", "no kind of image"), ("image/svg+xml", b"<svg/>", "no kind of image"),
        ("image/png", b"", "no kind of image"),
    ],
)  # fmt: skip
async def test_what_no_model_could_take_is_a_mere_file(hands: Hands, kind: str, data: bytes, why: str) -> None:
    file = Attachment(name="a", media_type=kind, data=base64.b64encode(data).decode())
    result = await viewable(ToolResult("x", attachments=(file,)), hands.context())
    assert result.attachments == (file.model_copy(update={"media_type": UNSEEN}),)
    assert why in result.output


async def test_other_files_are_left_alone(hands: Hands) -> None:
    sound = Attachment(name="a.wav", media_type="audio/wav", data="AAAA")
    odd = Attachment(name="b.png", media_type="image/png", data="not base64!")
    result = await viewable(ToolResult("x", attachments=(sound, odd)), hands.context())
    assert [file.media_type for file in result.attachments] == ["audio/wav", UNSEEN]


@pytest.mark.parametrize("format", sorted(WIRES))
async def test_the_model_that_called_is_sent_what_it_can_take(hands: Hands, tmp_path: Path, format: Format) -> None:
    (hands.root / "shot.png").write_bytes(base64.b64decode(image().data))
    script = "- call: {tool: camera, args: {}, id: c1}\n- call: {tool: read, args: {path: shot.png}, id: c2}\n- text: I see.\n"
    recorder = asked()
    with Peer(format, script) as peer:
        provider = open_provider(format, key="sk-x", base_url=peer.base_url)
        assert isinstance(provider, VendorProvider)
        agent = Agent("s1", provider, "m", "Look.", {"camera": Camera, "read": Read}, hands.sandbox, InMemoryMemories())
        while isinstance(await step(agent, recorder.history, recorder), Continue):
            pass
        await provider.close()
    taken, shown = results(recorder)
    assert [file.media_type for file in taken.attachments] == ["image/png", UNSEEN]
    sent = peer.requests[-1].body.decode()
    assert sent.count(taken.attachments[0].data) == sent.count(shown.attachments[0].data) == 1
    assert taken.attachments[1].data not in sent
    assert "broken.png cannot be shown" in sent
