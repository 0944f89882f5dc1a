"""What a person sees of each call in tests/browser/atomic.yaml's scenario of every tool."""

from __future__ import annotations

from tests.agents.reading.samples import WORDS
from tests.browser.oats_rows import Seen

READ = (
    Seen("Read shelf/inventory.py:14-17", ("def total(items):", "#"), "table[role=presentation] td.number"),
    Seen("Read stock.zip:list/tea.txt", ("Green", "Black")),
    Seen("Read stock.zip:", ("list",), "ul"),
    Seen("Read stock.sqlite:items?where=price > 200", ("Tea", "450"), "th"),
    Seen("Read stock.sqlite?q=SELECT sum(price) AS worth FROM items", ("worth", "570"), "th"),
    Seen("Read stock.sqlite", ("items",)),
    Seen("Read tour.ipynb", ("A tour", "print(1 + 1)"), "section[aria-label^=code]"),
    Seen("Read offer.docx", (WORDS,), "[role=region][aria-label='text of offer.docx']"),
    Seen("Read cover.png", ("image/png",), "img[src^='data:image/png']"),
    Seen("Read .", ("shelf", "notes.md"), "ul a[href*='notes.md']"),
    Seen("Found shelf/*.py, tests", ("inventory.py", "test_inventory.py"), "[aria-label='files found'] a"),
    Seen("Searched item\\.price", ("#", "cheapest"), "[aria-label='Matches in shelf/inventory.py'] mark"),
    Seen("Read rule://AGENTS.md", ("Keep functions **short**.", "#"), "a[href*='AGENTS.md']"),
    Seen("Read skill://labels", ("How labels are printed", "Print them **twice**.")),
    Seen("Read history://", ("Count the shelves",)),
    Seen("Read vault://", ("DEPLOY_TOKEN",)),
    Seen("Reading http://127.1/secrets", ("disguised spelling",), stage="Failed"),
    Seen("Reading nothing.txt", ("nothing.txt",), stage="Failed"),
    Seen("Read hours.txt:conflicts", ("nine", "ten"), "tr.ours, tr.theirs"),
    Seen("Read artifact://1:1-3", ("1", "2", "3")),
)
CHANGED = (
    Seen("Edited shelf/inventory.py", ("item.price * item.quantity", "Auto-prefixed", "The script"), "table"),
    Seen("Left as it was: notes.md", ("Nothing changed",)),
    Seen("Created tools/count", ("ls shelf", "made executable"), "table"),
    Seen("Wrote stock.sqlite:items", ("Inserted a row into items (id = 3)",)),
    Seen("Wrote stock.zip:list/honey.txt", ("honey.txt",)),
    Seen("Resolved conflict://1", ("nine",), "table"),
)
RUN = (
    Seen("Ran ls nothing-here", ("nothing-here", "exit 2"), "[aria-label=terminal]", stage="Failed"),
    Seen('Ran echo "the token is vault://DEPLOY_TOKEN"', ("the token is [redacted]", "exit 0")),
    Seen("Ran seq 1 4000", ("4000", "in shelf", "Full output", "exit 0")),
)
