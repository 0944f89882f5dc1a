"""What a person sees of a call of each OATS tool in tests/browser/oats.yaml: the words of its row, and what unfolds below them."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect


@dataclass(frozen=True)
class Seen:
    """`line` is what the row says, `below` what stands in its body. `shape` is an element that only the tool's own component draws."""

    line: str
    below: tuple[str, ...] = ()
    shape: str = ""
    stage: str = "Done"


RESULT = "section[aria-label=Result], [role=region][aria-label=result]"
ROWS: dict[str, Seen] = {
    "read": Seen("Read shelf/inventory.py", ("One kind of thing",), "[aria-label='file contents']"),
    "write": Seen("Created shelf/labels.py", ("Labels to stick on", "created"), "table"),
    "edit": Seen("Edited shelf/inventory.py", ("item.price * item.quantity",), "table"),
    "multiedit": Seen("Edited shelf/labels.py", ("The words of", "item.name"), "table"),
    "apply_patch": Seen("Patched PRICES.md", ("Tea costs 450.", "created"), "table"),
    "bash": Seen("Ran python3 -m unittest -v", ("test_every_piece_counts", "OK", "exit 0"), "[aria-label=terminal]"),
    "glob": Seen("Listed **/*.py", ("tests/test_inventory.py",), "[aria-label=results]"),
    "grep": Seen("Searched def total", ("shelf/inventory.py",), "[aria-label=results]"),
    "lsp": Seen("Listed the names in shelf/inventory.py", ("cheapest", "function", "line 15"), "li code"),
    "webfetch": Seen("Read Reading and labelling a shelf", ("200 · text/html", "Its text,"), "a[href*='/shelf']"),
    "websearch": Seen("Searched the web for shelf labels", ("A paper on labels", "one.example", "Found by serpapi."), "ol a"),
    "playwright_search": Seen("Searched the web for shelf prices", ("One & only", "Found by playwright_bing."), "ol a"),
    "todowrite": Seen("Updated the todo list", ("Look around", "Use every tool"), "li"),
    "todoread": Seen("Looked at the todo list", ("Look around", "Use every tool")),
    "memory_read": Seen("Looked into memories labels", ("Labels are long", "They show name and price."), "strong"),
    "memory_write": Seen("Remembered Labels are long", ("They show name and price.", "saved"), "blockquote strong"),
    "memory_delete": Seen("Forgot", ("Labels are long", "deleted")),
    "plan_status": Seen("Looked at the plan's state", ("active",)),
    "question": Seen("Asked Which labels?", ("Long",), "dl dd"),
    "ask_user": Seen("Asked How many copies?", ("2",), "dl dd"),
    "agent": Seen("Explore Count the files.", ("I counted the files.", "Open its session", "Its transcript"), "strong"),
    "agent_status": Seen("Looked at agent", ("completed", "I counted the files."), "strong"),
    "tool_search": Seen("Looked for tools select:lsp,webfetch", ("lsp", "webfetch"), "details summary code"),
    "skill": Seen("Read the skill writing-docs", ("readme-outline.md",)),
    "read_skill_file": Seen("Read of a skill writing-docs/readme-outline.md", ("#",), "[aria-label='file contents']"),
    "generate_readme": Seen("Described the code in shelf", ("shelf/README.md",), "table"),
    "mcp_discover": Seen("MCP: discover", ("parrot: 1 tool,", "mcp__parrot__echo"), RESULT),
    "mcp_session": Seen("MCP: session", ("parrot (stdio",), RESULT),
    "mcp_rank": Seen("MCP: rank", ("mcp__parrot__echo",), RESULT),
    "mcp_call": Seen("MCP: call parrot/echo", ("hello there",), RESULT),
    "mcp_chain": Seen("MCP: chain", ("twice once",), RESULT),
    "mcp_fan_out": Seen("MCP: fan out", ("left", "right"), RESULT),
    "mcp_server_manage": Seen("MCP: server manage", ("Says things back",), RESULT),
}
MORE = (
    Seen("Looked for mistakes in shelf/labels.py", ('"nam"',), "[aria-label='In shelf/labels.py'] li.error"),
    Seen("Looked up the uses of shelf/inventory.py:15:5", ("tests/test_inventory.py",), "a[href*='tests/test_inventory.py']"),
)
"""Other answers of the language server, each with a shape of its own."""
CARDS: dict[str, Seen] = {
    "plan_enter": Seen("Plan mode: nothing is changed until a plan is approved — Prices are going to change"),
    "plan_exit": Seen("Plan, revision 1", ("Count and label", "approved")),
}
"""Calls that have no row: what became of the plan is told in their place."""


def row(page: Page, seen: Seen) -> Locator:
    """The last row that says so: a tool that was called twice is looked at once."""
    return page.get_by_role("article", name=f"Tool call: {seen.line}").last


def unfold_groups(page: Page) -> None:
    """Rows of tools that only looked stand together until somebody wants to see them."""
    for group in page.get_by_role("log").locator("article[aria-label*='tool calls: '] > button").all():
        group.click()


def look_into(page: Page, seen: Seen) -> None:
    """Open the row, see what is in it, and close it again."""
    found = row(page, seen)
    line = found.locator("button.line")
    expect(found.get_by_role("img", name=seen.stage).or_(found.get_by_text(seen.stage, exact=True)).first).to_be_visible()
    line.click()
    for words in seen.below:
        expect(found.locator(".body")).to_contain_text(words)
    if seen.shape:
        expect(found.locator(".body").locator(seen.shape).first).to_be_visible()
    line.click()
    expect(found.locator(".body")).to_have_count(0)
