"""The sessions of tests/browser/toolsets.yaml that mend the same failing test, each in its own way, and what the page shows of them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.browser.oats_rows import Seen

ASKED, SAID, CLAIMED = "Alice said to the agent", "The agent said", "The agent says that the task is done"
REFUSED = "A reply that could not be read"
FIXED = "item.price * item.quantity"


@dataclass(frozen=True)
class Story:
    """`outline` is what every row of the transcript is called, `rows` what some of them show when they are opened.

    `texts` stand in the transcript as it is; `refused` is what the model is told of its malformed reply, and what was in it.
    """

    words: str
    toolset: str
    outline: tuple[str, ...]
    rows: tuple[Seen, ...]
    texts: tuple[str, ...]
    protocol: str = "native"
    refused: tuple[str, ...] = ()


PASS = "Mended, and all three tests pass."
VERDICT = "all three tests pass in a run of my own."
TESTS = Seen("Ran python3 -m unittest -q", ("Ran 3 tests", "OK", "exit 0"), "[aria-label=terminal]")
EDITED = Seen("Edited shelf/inventory.py", (FIXED,), "table")
READ = Seen("Read shelf/inventory.py", ("class Item",))
FOUND = Seen("Searched def total", ("shelf/inventory.py",))
LOOKED = "2 tool calls: Read 1 file, searched once"
EDIT, TEST = "Tool call: Edited shelf/inventory.py", "Tool call: Ran python3 -m unittest -q"
FREELY = (ASKED, SAID, LOOKED, SAID, EDIT, TEST, SAID)
LOOKING = ("Phase: Looking around", "Phase: Planning")
STORIES = {
    "oats": Story("Mend the shelf with OATS", "oats", FREELY, (FOUND, READ, EDITED, TESTS), (PASS,)),
    "atomic": Story("Mend the shelf with Atomic", "atomic", FREELY, (FOUND, READ, EDITED, TESTS), (PASS,)),
    "agent_loop": Story(
        "Mend the shelf with agent_loop",
        "agent_loop",
        (ASKED, SAID, "3 tool calls: Read 1 file, searched 2×", SAID, "Tool call: Calculated 450 + 4 * 300", EDIT, SAID),
        (Seen("Calculated 450 + 4 * 300", ("1650",)), READ, EDITED),
        ("Mended; please run the tests.",),
    ),
    "atloop": Story(
        "Mend the shelf with atloop",
        "atloop",
        (
            *(ASKED, *LOOKING, SAID, "Phase: Working", LOOKED),
            *("Phase: Planning, cycle 2", SAID, "Phase: Working, cycle 2", EDIT),
            *("Phase: Verifying, cycle 2", f"{TEST} 2>&1", "Verified by the test command · cycle 2"),
            *("Phase: Planning, cycle 3", SAID),
        ),
        (FOUND, READ, EDITED, TESTS),
        (PASS, "by the workflow"),
    ),
    "alfredo": Story(
        "Mend the shelf with Alfredo",
        "alfredo",
        (
            *(ASKED, "Phase: Planning", SAID, LOOKED, SAID, "Phase: Working", CLAIMED),
            *("Phase: Verifying", SAID, TEST, "Not verified by the model"),
            *("Phase: Planning, cycle 2", SAID, "Phase: Working, cycle 2", EDIT, CLAIMED),
            *("Phase: Verifying, cycle 2", TEST, "Verified by the model · cycle 2"),
        ),
        (READ, EDITED, TESTS),
        ("It should work now.", "one test still fails, as nothing was changed.", "total() counts quantities.", "To see it:", VERDICT),
    ),
    "atloop in JSON": Story(
        "Mend the shelf with atloop, in JSON",
        "atloop",
        (
            *(ASKED, *LOOKING, REFUSED, SAID, "Phase: Working", LOOKED),
            *("Phase: Planning, cycle 2", SAID, "Phase: Working, cycle 2", EDIT, "Tool call: Created NOTES.md"),
            *("Phase: Verifying, cycle 2", f"{TEST} 2>&1", "Verified by the test command · cycle 2"),
            *("Phase: Planning, cycle 3", SAID),
        ),
        (FOUND, READ, EDITED, Seen("Created NOTES.md", ('`{"quantities": "count"}`',), "table"), TESTS),
        ("Quantities are to count.", "Write it", PASS),
        "json",
        ("JSON object", "\"tool\": 'read_file'"),
    ),
    "Alfredo in tags": Story(
        "Mend the shelf with Alfredo, in tags",
        "alfredo",
        (
            *(ASKED, "Phase: Planning", REFUSED, SAID, "Tool call: Read shelf/inventory.py", SAID),
            *("Phase: Working", SAID, EDIT, CLAIMED, "Phase: Verifying", TEST, "Verified by the model"),
        ),
        (READ, Seen("Edited shelf/inventory.py", (FIXED, "<b>pieces</b>"), "table"), TESTS),
        ("total() counts quantities.", VERDICT),
        "xml",
        ("one call", "<path>README.md</path>"),
    ),
}
ASKING = "atloop"
"""The one whose tests are run only when somebody has allowed that."""
