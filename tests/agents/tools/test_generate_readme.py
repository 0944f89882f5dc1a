from __future__ import annotations

from typing import Any

from agents.reading.outline import outline
from tests.agents.tools.hands import Hands

MODULE = '''"""Greets people.

And more.
"""

class Greeter(Base, Other):
    """Says hello | politely."""

    def greet(self, name: str = "you") -> str:
        """One greeting."""

    def _hidden(self): ...


async def later(*, delay: float) -> None:
    "Wait."


def _private(): ...
'''
FILES: dict[str, str | bytes] = {
    "pkg/greeting.py": MODULE, "pkg/__init__.py": '"""Init."""', "pkg/deep/inner.py": '"""Deep down."""\n', "top.py": "x = 1\n",
    "docs/a.md": "text", ".hidden/a.py": "", "venv/pyvenv.cfg": "", "venv/lib/b.py": "", "other/broken.py": "def (:\n",
}  # fmt: skip


async def readmes(hands: Hands, **args: Any) -> dict[str, str]:
    assert (await hands.call("generate_readme", **args)).error is None
    return {path: data.decode() for path, data in hands.files().items() if path.endswith("README.md")}


async def test_each_folder_of_modules_gets_one_and_others_none(hands: Hands) -> None:
    hands.put(FILES)
    made = await readmes(hands)
    assert sorted(made) == ["README.md", "other/README.md", "pkg/README.md"]
    assert "| `greeting.py` | Greets people. |" in made["pkg/README.md"]
    assert "| `deep/inner.py` | Deep down. |" in made["pkg/README.md"]
    assert "Init." not in made["pkg/README.md"]
    assert "from pkg.greeting import Greeter, later" in made["pkg/README.md"]
    assert "| `broken.py` | could not be read at line 1" in made["other/README.md"]
    assert "| `top.py` |" in made["README.md"]


async def test_its_own_readme_is_renewed_and_an_unchanged_one_left(hands: Hands) -> None:
    hands.put({"pkg/a.py": '"""One."""'})
    await readmes(hands)
    again = await hands.call("generate_readme")
    assert (again.changes, again.metadata["unchanged"]) == ((), ["pkg/README.md"])
    hands.put({"pkg/a.py": '"""Two."""'})
    assert "Two." in (await readmes(hands))["pkg/README.md"]


async def test_a_readme_written_by_hand_is_kept_until_it_is_said_to_replace_it(hands: Hands) -> None:
    hands.put({"pkg/a.py": '"""One."""', "pkg/README.md": "# By hand\n"})
    kept = await hands.call("generate_readme")
    assert (kept.metadata["kept"], hands.files()["pkg/README.md"]) == (["pkg/README.md"], b"# By hand\n")
    tool = hands.tool("generate_readme", {"overwrite": True})
    assert "replace those written by hand" in str(tool.requires_permission(hands.context()))
    assert "-# By hand" in tool.preview(hands.context())
    assert (await hands.call("generate_readme", overwrite=True)).changes[0].change == "modified"
    assert b"One." in hands.files()["pkg/README.md"]


async def test_one_that_a_person_changed_since_is_a_persons_own(hands: Hands) -> None:
    hands.put({"pkg/a.py": '"""One."""'})
    text = (await readmes(hands))["pkg/README.md"] + "\nA remark of mine.\n"
    hands.put({"pkg/README.md": text, "pkg/a.py": '"""Two."""'})
    assert (await hands.call("generate_readme")).metadata["kept"] == ["pkg/README.md"]
    assert hands.files()["pkg/README.md"].decode() == text


async def test_people_are_asked_before_anything_is_written(hands: Hands) -> None:
    hands.put({"pkg/a.py": '"""One."""'})
    tool = hands.tool("generate_readme", {"path": "pkg"})
    assert tool.requires_permission(hands.context()) == "Generate README.md files in pkg"
    assert "+++ b/pkg/README.md" in tool.preview(hands.context())
    assert "pkg/README.md" not in hands.files()


async def test_a_wrong_path_is_told(hands: Hands) -> None:
    hands.put({"a.py": ""})
    assert "a.py is a file" in str((await hands.call("generate_readme", path="a.py")).error)
    assert "none" in str((await hands.call("generate_readme", path="none")).error)
    assert (await hands.call("generate_readme", path="../..")).error
    hands.put({"empty/x.txt": ""})
    assert "no Python modules" in (await hands.call("generate_readme", path="empty")).output


def test_an_outline_holds_public_names_with_their_signatures() -> None:
    found = outline(MODULE.encode())
    assert found.doc.startswith("Greets people.")
    assert [(one.signature, one.doc) for one in found.classes] == [("Greeter(Base, Other)", "Says hello | politely.")]
    assert [one.signature for one in found.classes[0].inner] == ["greet(self, name: str='you') -> str"]
    assert [one.signature for one in found.functions] == ["async later(*, delay: float) -> None"]


def test_a_module_that_cannot_be_read_says_why() -> None:
    assert "line 1" in outline(b"def (:").problem
    assert outline(b"\0").problem
    assert outline(b"(" * 5000).problem
